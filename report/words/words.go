// Package words is the catalogue of the text in reports: titles, headings of tables,
// sentences. A method of [Words] is a message of package message that several places say, or
// that is chosen by its values; others are said by name. Numbers, names and ids are passed in as they are to be shown.
package words

import (
	"sync"

	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/message"
)

// Words says everything that a report says, in one language.
type Words struct {
	*message.Language
	names *names
}

type names struct {
	once sync.Once
	Names
}

// V holds the values of a message.
type V = message.V

type v = V

// English and TraditionalChinese are the words of the two languages.
var (
	English            = Words{message.English, new(names)}
	TraditionalChinese = Words{message.TraditionalChinese, new(names)}
)

// Names returns the messages that have no values.
func (w Words) Names() *Names {
	w.names.once.Do(func() { w.Fill("", nil, &w.names.Names) })
	return &w.names.Names
}

// Names are messages without values, and groups of them, each by its name.
type Names struct {
	FactNames
	CardNames
	Provenance
	CallNames
	CaseNames
	WantNames
	CommentHeads
	DetailNames
	ClaimNames
	DifferenceHeads
	FrontHeads
	ChangeHeads
	OriginNames
	SettingNames
	CorrectedHeads
	GateHeads
	LabNames
	DrawHeads
	PageNames
	PointNames
	PreferenceHeads
	EstimateHeads
	SetNames
	ShellNames
	SliceNames
	StartNames
	TimeHeads
	TrendNames
	WebNames

	// Of every report.
	ReportKicker, Colon, Warning, Warnings, NoteLabel, ReproduceTitle, ReproduceNav, CasesHead, Tag, ByTag, OfflineJudge string
	Results, NoMetric, LowerIsBetter, WhyMissing, FormulaEstimate, EstimateWord, NearChance, NoValue, TagsTitle, TagsNav string
	TimeTitle, DrawsTitle, Passing, Gate, NoGate, Tracked, CertifiedHead                                                 string
	LostTitle, FallNote, FactsWord, AsItIs, StillWrong                                                                   string
	// Of cases. NonMonotone says that a case is right with fewer stages replaced, and wrong with more.
	CasesTitle, NotReported, NoPassages, NoAnswer, NoResponse, Empty, NoneByLabel, NonMonotone string
	// Of comments and files for CI. NothingGated says that a run has no gate, CutHere ends a text that was cut, UnevaluatedTest
	// names the test that counts the cases of a run that were not evaluated.
	BaselineNotCompared, NothingGated, WrongCases, Critical, LostMostIn, CutHere, UnevaluatedTest string
	// Of comparisons. OverCommon says which cases the means and the differences are over.
	ComparisonKicker, Strategy, PowerShort, PowerNote, MeansTitle, DifferencesNav, NotShown, NoCommonCase, ByTagTitle string
	FrontTitle, FrontNav, ChangedTitle, SettingsTitle, OverCommon, EstimateCompared, LostCompareNote                  string
	PreferencesTitle, CorrectedTitle, CorrectedNote                                                                   string
	// Of pages. NoFurtherLabels says that no number of labels would halve the interval, ScoresFall that scores fall as labels
	// rise, the next two what a judge lacks to be validated, TrendAlone that every run has a name of its own, and FrontierOne
	// that there is nothing to compare.
	NoFurtherLabels, ScoresFall, JudgeLacksPerson, JudgeLacksAgreement, TrendAlone, FrontierOne string
}

// All lists the languages, the default first.
var All = []Words{English, TraditionalChinese}

// Findings returns the findings as sentences.
func Findings(w Words, list []gate.Finding) []string {
	var out []string
	for _, f := range list {
		out = append(out, f.In(w))
	}
	return out
}

// In returns the words of a language by its code. ok is false if there is none; w is
// then the default, as for "".
func In(language string) (w Words, ok bool) {
	for _, w := range All {
		if w.Code == language {
			return w, true
		}
	}
	return All[0], language == ""
}

// told says the message of a group by a name, or else that of "other"; data is what both see.
func (w Words) told(group, name string, data any) string {
	if !w.Has(group + "." + name) {
		name = "other"
	}
	return w.Say(group+"."+name, data)
}

// add adds what a message says to a list if there is something to say.
func (w Words) add(list *[]string, something bool, name string, data any) {
	if something {
		*list = append(*list, w.Say(name, data))
	}
}
