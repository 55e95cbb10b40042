package cli

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/metric/speech"
)

// transcriptFlags are the flags of assay transcript score.
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

func newTranscriptScore(env *Env) *cobra.Command {
	var f transcriptFlags
	cmd := &cobra.Command{
		Use:   "score REF HYP",
		Short: "CER, WER and the rest for a pair of files",
		Long: `Score the transcripts in HYP against what was said, in REF; "-" is standard input.

A file may hold one text, or a text a line, or utterances with ids: a tab between
id and text, "text (id)" as sphinx writes it, Kaldi's "id text", the segments of
.stm, and the timed words of .ctm for a reference in .stm. All but Kaldi's are told
by the look of the file. Ids must be the same in both files. Plain texts with as
many lines, more than one, are read line by line: --input text takes each as one
text, whose words may be anywhere. Lines are read as they are scored, and may be
millions; files of other formats are held in memory.

Both texts are normalised alike before they are compared: NFKC, case folding, one
form for variants of a Chinese character, no punctuation and no symbols. Script
"strict" tells traditional from simplified characters, "folded" does not.

A rate is (substitutions + deletions + insertions) / what was said, in characters
(white space is none), words, and mixed: CJK characters and words of other
scripts. It may exceed 1, and there is none where nothing was said. The alignment
has the fewest edits, and among those the most hits. Rates of several utterances
are of the pooled counts; their mean and median stand beside.`,
		Example: `  assay transcript score ref.txt hyp.txt                    two texts
  assay transcript score ref.txt hyp.txt --lines -q         a text a line
  assay transcript score ref.tsv hyp.tsv --unit mixed --script folded
  assay transcript score gold.stm asr.ctm --format json
  assay transcript score ref.txt hyp.txt --keyword "MTR|港鐵" --keyword 八達通`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error { return scoreTranscripts(env, f, args[0], args[1]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	f.input, f.unit, f.script, f.normalise, f.format = autoInput, autoUnit, speech.Strict, "default", transcriptOutputs[0].name
	choiceFlag(cmd, &f.input, "input", "format of both files", append([]string{autoInput}, transcriptFormats...))
	flags.BoolVar(&f.lines, "lines", false, "pair the lines of plain texts in order, as is done if they have as many (same as --input lines)")
	choiceFlag(cmd, &f.unit, "unit", "unit of the rates of each utterance (auto: by the script of the reference)",
		append([]speech.Unit{autoUnit}, speech.Units()...))
	choiceFlag(cmd, &f.script, "script", "whether traditional and simplified characters differ (strict) or are equal (folded)",
		[]speech.Script{speech.Strict, speech.Folded})
	choiceFlag(cmd, &f.normalise, "normalise", "normalisation of the texts (none: compare them unchanged)", []string{"default", "none"})
	flags.StringSliceVar(&f.drop, "drop", nil, "fillers and tags to remove, as um,嗯,[laughter]")
	flags.BoolVar(&f.contractions, "contractions", false, `expand English contractions: "can't" becomes "can not"`)
	flags.BoolVar(&f.numbers, "numbers", false, "write numbers in digits: 一千零六十五 becomes 1065")
	flags.StringArrayVar(&f.keywords, "keyword", nil, "keyword that must be recognised, with alternatives as octopus|八達通 (repeatable)")
	flags.BoolVar(&f.segment, "segment", false, "segment Chinese into words and count these too (a diagnostic)")
	flags.BoolVarP(&f.perUtterance, "per-utterance", "q", false, "print every utterance too")
	flags.IntVar(&f.worst, "worst", 5, "number of utterances whose errors are shown, the worst first")
	choiceFlag(cmd, &f.format, "format", "how to print", namesOf(transcriptOutputs, func(o transcriptOutput) string { return o.name }))
	cmd.MarkFlagsMutuallyExclusive("input", "lines")
	return cmd
}

// shortWork is the time for which no progress is shown.
const shortWork = 500 * time.Millisecond

func scoreTranscripts(env *Env, f transcriptFlags, refName, hypName string) error {
	s := &scoredTranscript{Reference: refName, Hypothesis: hypName, Script: f.script, Asked: len(f.keywords) > 0}
	s.Profile = speech.Profile{Raw: f.normalise == "none", Drop: f.drop, Contractions: f.contractions, Numbers: f.numbers}
	if f.lines {
		f.input = "lines"
	}
	switch {
	case s.Profile.Raw && f.contractions:
		return fmt.Errorf("contractions are only expanded in normalised text: want --normalise default")
	case f.worst < 0:
		return fmt.Errorf("worst %d: want a number of utterances, or 0 for none", f.worst)
	case refName == "-" && hypName == "-":
		return fmt.Errorf("standard input is given twice: want once")
	}
	if f.unit != autoUnit {
		s.Unit = f.unit
	}
	pairs, err := pairFiles(env, refName, hypName, f.input)
	if err != nil {
		return err
	}
	s.Format, s.Told = pairs.format, pairs.told
	show, end := longWork(env, false)
	started := env.Now()
	err = s.score(pairs, f, func(what string, done, total int) {
		if env.Now().Sub(started) > shortWork {
			show(what, done, total)
		}
	})
	end()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(transcriptOutputs, func(o transcriptOutput) bool { return o.name == f.format })
	return transcriptOutputs[i].write(env, s, f)
}
