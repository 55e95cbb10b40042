package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/metric/speech"
)

// transcriptFlags are the flags of assay measure transcript.
type transcriptFlags struct {
	input, format, normalise     string
	unit                         speech.Unit
	script                       speech.Script
	lines, perUtterance, segment bool
	drop, keywords               []string
	contractions, numbers        bool
	worst                        int
}

// Values of --input and --unit that are determined by the files.
const (
	autoInput = "auto"
	autoUnit  = speech.Unit("auto")
)

func newMeasureTranscript(env *Env) *cobra.Command {
	var f transcriptFlags
	cmd := &cobra.Command{
		Use:  "transcript REF HYP…",
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 2 && !cmd.Flags().Changed("worst") {
				f.worst = 0
			}
			return scoreTranscripts(env, f, args[0], args[1:])
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	f.input, f.unit, f.script, f.normalise, f.format = autoInput, autoUnit, speech.Strict, "default", transcriptOutputs[0]
	choiceFlag(cmd, &f.input, "input", "format of the files", append([]string{autoInput}, transcriptFormats...))
	flags.BoolVar(&f.lines, "lines", false, "pair the lines of plain texts in order, as is done if they have as many (same as --input lines)")
	choiceFlag(cmd, &f.unit, "unit", "unit of the rates of each utterance (auto: by the script of the reference)",
		append([]speech.Unit{autoUnit}, speech.Units()...))
	choiceFlag(cmd, &f.script, "script", "whether traditional and simplified characters differ (strict) or are equal (folded)",
		[]speech.Script{speech.Strict, speech.Folded})
	choiceFlag(cmd, &f.normalise, "normalise", "normalisation of the texts (none: compare them unchanged)", []string{"default", "none"})
	flags.StringSliceVar(&f.drop, "drop", nil, "fillers and tags to remove, as um,嗯,[laughter]")
	flags.BoolVar(&f.contractions, "contractions", false, `expand English contractions: "can't" becomes "can not"`)
	flags.BoolVar(&f.numbers, "numbers", false, "write numbers in digits: 一千零六十五 and one thousand and sixty-five become 1065")
	flags.StringArrayVar(&f.keywords, "keyword", nil, "keyword that must be recognised, with alternatives as octopus|八達通 (repeatable)")
	flags.BoolVar(&f.segment, "segment", false, "segment Chinese into words and count these too (a diagnostic)")
	flags.BoolVarP(&f.perUtterance, "per-utterance", "q", false, "print every utterance too")
	flags.IntVar(&f.worst, "worst", 5, "number of utterances whose errors are shown, the worst first (of several HYP: none)")
	choiceFlag(cmd, &f.format, "format", "how to print", transcriptOutputs)
	cmd.MarkFlagsMutuallyExclusive("input", "lines")
	return cmd
}

// shortWork is the time for which no progress is shown.
const shortWork = 500 * time.Millisecond

func scoreTranscripts(env *Env, f transcriptFlags, refName string, hypNames []string) error {
	if f.lines {
		f.input = "lines"
	}
	inputs := standardInputs(refName, hypNames)
	switch {
	case f.normalise == "none" && f.contractions:
		return fmt.Errorf("contractions are only expanded in normalised text; use --normalise default")
	case f.worst < 0:
		return fmt.Errorf("worst %d: expected a number of utterances, or 0 for none", f.worst)
	case inputs > 1:
		return fmt.Errorf("standard input is given twice; give it once")
	case inputs > 0 && len(hypNames) > 1:
		return fmt.Errorf("standard input can be read once only: expected files, or one HYP")
	}
	var all []*scoredTranscript
	for _, name := range hypNames {
		s, err := scoreTranscript(env, f, refName, name, len(hypNames) > 1)
		if err != nil {
			return err
		}
		if len(all) > 0 && s.N != all[0].N {
			return hinted(fmt.Errorf("%s has %s, read as %s, and %s has %s, read as %s: expected as many", all[0].Hypothesis,
				counted(all[0].N, "utterance"), all[0].Format, name, counted(s.N, "utterance"), s.Format), "--input says how the files are to be read")
		}
		all = append(all, s)
	}
	if f.format == "json" {
		return writeTranscriptJSON(env, all, f)
	}
	return writeTranscriptTable(env, all, f)
}

// scoreTranscript scores one file. It keeps the errors of each utterance if each is set.
func scoreTranscript(env *Env, f transcriptFlags, refName, hypName string, each bool) (*scoredTranscript, error) {
	s := &scoredTranscript{Reference: refName, Hypothesis: hypName, Script: f.script, Asked: len(f.keywords) > 0, each: each}
	s.Profile = speech.Profile{Raw: f.normalise == "none", Drop: f.drop, Contractions: f.contractions, Numbers: f.numbers}
	if f.unit != autoUnit {
		s.Unit = f.unit
	}
	pairs, err := pairFiles(env, refName, hypName, f.input)
	if err != nil {
		return nil, err
	}
	s.Format, s.Told, s.Columns = pairs.format, pairs.told, pairs.columns
	show, end := longWork(env, false)
	started := env.Now()
	s.score(pairs.pairs, f, func(what string, done, total int) {
		if env.Now().Sub(started) > shortWork {
			show(what, done, total)
		}
	})
	end()
	if names := slices.Sorted(maps.Keys(s.removed)); names != nil {
		more := ""
		if n := len(names) - shownNumbers; n > 0 {
			names, more = names[:shownNumbers], fmt.Sprintf(" and %d more", n)
		}
		env.Warn("%s%s%s (--normalise none keeps them)", speech.Removed, oneLine(strings.Join(names, ", ")), more)
	}
	for _, name := range slices.Sorted(maps.Keys(s.speakers)) {
		// A transcript that has lost other names may have another one once.
		if n := s.speakers[name]; n > 1 || len(s.removed) > 0 {
			lines := map[bool]string{true: "1 line begins", false: fmt.Sprintf("%d lines begin", n)}[n == 1]
			env.Warn("warning: %s with %q, which counts as words: remove it if it names who speaks", lines, name+":")
			break
		}
	}
	if len(s.tags) > 0 {
		tag := slices.Sorted(maps.Keys(s.tags))[0]
		env.Warn("warning: text in brackets that only one side has counts as words (%d different, such as %s): --drop '%s' removes it",
			len(s.tags), oneLine(tag), oneLine(tag))
	}
	return s, nil
}
