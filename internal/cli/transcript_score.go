package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric/speech"
	"github.com/assay-eval/assay/stats"
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

A file may hold one text, or a text a line (--lines), or utterances with ids: a
tab between id and text, "text (id)" as sphinx writes it, Kaldi's "id text", the
segments of .stm, and the timed words of .ctm for a reference in .stm. All but
Kaldi's are told by the look of the file. Ids must be the same in both files.

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
	flags.BoolVar(&f.lines, "lines", false, "pair the lines of plain texts in order (same as --input lines)")
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

// A scoredTranscript is the score of all utterances of two files.
type scoredTranscript struct {
	Reference, Hypothesis string
	Profile               speech.Profile
	Unit                  speech.Unit
	Script                speech.Script
	Utterances            []scoredUtterance
	Strict, Folded        speech.Rates
	WrittenChinese        []speech.Rewording
	Numbers               speech.Numbers
	Keywords              speech.Keywords
	// Asked is set if keywords were given.
	Asked bool
}

type scoredUtterance struct {
	spokenPair
	speech.Comparison
}

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
	ref, err := readTranscripts(env, refName, f.input)
	if err != nil {
		return err
	}
	hyp, err := readTranscripts(env, hypName, f.input)
	if err != nil {
		return err
	}
	pairs, err := pairTranscripts(ref, hyp)
	if err != nil {
		return err
	}
	s.score(pairs, f)
	i := slices.IndexFunc(transcriptOutputs, func(o transcriptOutput) bool { return o.name == f.format })
	return transcriptOutputs[i].write(env, s, f)
}

// score compares all pairs and pools the counts.
func (s *scoredTranscript) score(pairs []spokenPair, f transcriptFlags) {
	s.Numbers = speech.Numbers{Lost: []string{}, Added: []string{}}
	s.Keywords = speech.Keywords{Said: []string{}, Lost: []string{}}
	rewordings := map[[2]string]int{}
	var said strings.Builder
	for _, p := range pairs {
		u := scoredUtterance{p, speech.Compare(p.Reference, p.Hypothesis, speech.Options{Profile: s.Profile, Segment: f.segment})}
		s.Utterances = append(s.Utterances, u)
		s.Strict, s.Folded = s.Strict.Add(u.Strict), s.Folded.Add(u.Folded)
		for _, w := range u.WrittenChinese {
			rewordings[[2]string{w.Spoken, w.Written}] += w.Count
		}
		n := speech.CompareNumbers(p.Reference, p.Hypothesis)
		s.Numbers.Counts = s.Numbers.Counts.Add(n.Counts)
		s.Numbers.Lost, s.Numbers.Added = append(s.Numbers.Lost, n.Lost...), append(s.Numbers.Added, n.Added...)
		k := speech.CompareKeywords(p.Reference, p.Hypothesis, f.keywords, s.Profile, s.Script)
		s.Keywords.Said, s.Keywords.Lost = append(s.Keywords.Said, k.Said...), append(s.Keywords.Lost, k.Lost...)
		said.WriteString(u.Comparison.Reference)
	}
	s.WrittenChinese = []speech.Rewording{}
	for k, n := range rewordings {
		s.WrittenChinese = append(s.WrittenChinese, speech.Rewording{Spoken: k[0], Written: k[1], Count: n})
	}
	slices.SortFunc(s.WrittenChinese, func(a, b speech.Rewording) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.Spoken, b.Spoken), strings.Compare(a.Written, b.Written))
	})
	if s.Unit == "" {
		s.Unit = unitFor(said.String())
	}
}

// unitFor returns the unit that fits the reference: characters for Chinese, words for
// text with hardly any Chinese, mixed for text with both.
func unitFor(said string) speech.Unit {
	const hardly = 0.05
	switch share := text.ShareCJK(said); {
	case share <= hardly:
		return speech.Words
	case share < 1-hardly:
		return speech.Mixed
	}
	return speech.Characters
}

// counts returns the counts of an utterance in the selected unit and script.
func (s *scoredTranscript) counts(u scoredUtterance) speech.Counts { return u.Of(s.Script).Of(s.Unit) }

// A spread describes the distribution of a rate over the N utterances that have one.
type spread struct {
	Mean, Median float64
	N            int
	CI           *stats.Interval
}

// spreadOf returns the confidence interval of the pooled rate, and the mean and median
// of the utterances' rates.
func (s *scoredTranscript) spreadOf(of func(scoredUtterance) speech.Counts) spread {
	var rates []float64
	var counts []stats.Count
	var out spread
	for _, u := range s.Utterances {
		c := of(u)
		counts = append(counts, stats.Count{Num: float64(c.Errors()), Den: float64(c.Reference())})
		if v, ok := c.Rate(); ok {
			rates = append(rates, v)
			out.Mean += v
		}
	}
	if out.N = len(rates); out.N == 0 {
		return out
	}
	out.Mean /= float64(out.N)
	slices.Sort(rates)
	out.Median, _ = stats.Quantile(rates, 0.5)
	if out.N > 1 {
		// The seed is fixed so that results are reproducible.
		out.CI = stats.PooledRatio(counts, stats.DefaultLevel, 1)
	}
	return out
}

// worst returns at most n utterances with errors, the highest rate first. Utterances
// without a rate, such as words recognised in silence, precede all others.
func (s *scoredTranscript) worst(n int) []scoredUtterance {
	list := slices.DeleteFunc(slices.Clone(s.Utterances), func(u scoredUtterance) bool { return s.counts(u).Errors() == 0 })
	slices.SortStableFunc(list, func(a, b scoredUtterance) int {
		x, known := s.counts(a).Rate()
		y, both := s.counts(b).Rate()
		switch {
		case known != both && known:
			return 1
		case known != both:
			return -1
		}
		return cmp.Or(cmp.Compare(y, x), s.counts(b).Errors()-s.counts(a).Errors())
	})
	return list[:min(n, len(list))]
}
