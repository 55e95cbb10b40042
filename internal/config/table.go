package config

import "slices"

// SectionJudge is the heading of the settings of judges and of every other
// model.
const SectionJudge = "Judge and models"

const (
	// SectionData and SectionCases select the cases to ask.
	SectionData   = "Dataset"
	sectionTarget = "Target"
	sectionScore  = "Metrics"
	sectionGate   = "Gate"
	sectionRun    = "Execution"
	SectionCases  = "Case selection"
	sectionOutput = "Output"
)

// Settings lists every setting, in the order of a configuration file. A new
// setting is one entry in the table of its section.
var Settings = slices.Concat(
	dataSettings, targetSettings, scoreSettings, gateSettings, judgeSettings, runSettings, caseSettings, outputSettings,
)

// in returns the settings of one section.
func in(section string, settings ...Setting) []Setting {
	for i := range settings {
		settings[i].Section = section
	}
	return settings
}

// oneOf returns choices that no other table defines.
func oneOf(choices ...string) func() []string {
	return func() []string { return choices }
}
