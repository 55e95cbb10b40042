package cli

import (
	"github.com/assay-eval/assay/metric/speech"
	"github.com/assay-eval/assay/stats"
)

// transcriptOutputs lists the output formats of a score, the default first.
var transcriptOutputs = []string{"table", "json"}

// ratesJSON are counts and the rates computed from them. An undefined rate is null.
type ratesJSON struct {
	Rate *float64 `json:"rate"`
	speech.Counts
	Reference            int             `json:"reference"`
	Hypothesis           int             `json:"hypothesis"`
	MatchErrorRate       float64         `json:"match_error_rate"`
	InformationLost      float64         `json:"word_information_lost"`
	InformationPreserved float64         `json:"word_information_preserved"`
	Mean                 *float64        `json:"mean,omitempty"`
	Median               *float64        `json:"median,omitempty"`
	Utterances           int             `json:"utterances,omitempty"`
	CI                   *stats.Interval `json:"ci,omitempty"`
}

func ratesOf(c speech.Counts) ratesJSON {
	return ratesJSON{
		Rate: known(c.Rate()), Counts: c, Reference: c.Reference(), Hypothesis: c.Hypothesis(), MatchErrorRate: c.MatchErrorRate(),
		InformationLost: c.InformationLost(), InformationPreserved: c.InformationPreserved(),
	}
}

func known(v float64, ok bool) *float64 {
	if !ok {
		return nil
	}
	return &v
}

type scriptJSON struct {
	Characters ratesJSON            `json:"characters"`
	Words      ratesJSON            `json:"words"`
	Mixed      ratesJSON            `json:"mixed"`
	Segmented  *ratesJSON           `json:"segmented,omitempty"`
	Scripts    map[string]ratesJSON `json:"mixed_by_script"`
}

func (s *scoredTranscript) scriptJSON(script speech.Script) scriptJSON {
	rates := s.Total.Of(script)
	with := func(part ratePart) ratesJSON {
		c, _ := part.of(rates)
		r := ratesOf(c)
		d := s.spreads[spreadKey{part, script}]
		r.Mean, r.Median, r.Utterances, r.CI = known(d.mean(), d.n > 0), known(d.median(), d.n > 0), d.n, d.interval()
		return r
	}
	out := scriptJSON{
		Characters: with(ratePart(speech.Characters)),
		Words:      with(ratePart(speech.Words)),
		Mixed:      with(ratePart(speech.Mixed)),
		Scripts: map[string]ratesJSON{"cjk": ratesOf(rates.Scripts.CJK), "latin": ratesOf(rates.Scripts.Latin),
			"other": ratesOf(rates.Scripts.Other)},
	}
	if rates.Segmented != nil {
		r := with(segmentedPart)
		out.Segmented = &r
	}
	return out
}

type utteranceJSON struct {
	ID         string       `json:"id,omitempty"`
	Reference  string       `json:"reference"`
	Hypothesis string       `json:"hypothesis"`
	Strict     speech.Rates `json:"strict"`
	Folded     speech.Rates `json:"folded"`
	Rate       *float64     `json:"rate"`
}

func (s *scoredTranscript) utteranceJSON(u scoredUtterance) utteranceJSON {
	return utteranceJSON{u.ID, u.Comparison.Reference, u.Comparison.Hypothesis, u.Strict, u.Folded, known(s.counts(u).Rate())}
}

// writeTranscriptJSON writes the scores of one transcript, or of several with the
// differences from the first.
func writeTranscriptJSON(env *Env, all []*scoredTranscript, f transcriptFlags) error {
	if len(all) == 1 {
		return printJSON(env.Stdout, transcriptJSON(all[0], f))
	}
	out := struct {
		Transcripts []any                  `json:"transcripts"`
		Differences []transcriptDifference `json:"differences"`
	}{Differences: differencesOf(all)}
	for _, s := range all {
		out.Transcripts = append(out.Transcripts, transcriptJSON(s, f))
	}
	return printJSON(env.Stdout, out)
}

func transcriptJSON(s *scoredTranscript, f transcriptFlags) any {
	mismatch, ok := s.Total.ScriptMismatch()
	out := struct {
		Reference      string             `json:"reference"`
		Hypothesis     string             `json:"hypothesis"`
		Input          string             `json:"input"`
		Normalisation  string             `json:"normalisation"`
		Alignment      string             `json:"alignment"`
		Utterances     int                `json:"utterances"`
		Unit           speech.Unit        `json:"unit"`
		Script         speech.Script      `json:"script"`
		Strict         scriptJSON         `json:"strict"`
		Folded         scriptJSON         `json:"folded"`
		ScriptMismatch *float64           `json:"script_mismatch"`
		WrittenChinese []speech.Rewording `json:"written_chinese_substitutions"`
		Numbers        any                `json:"numbers"`
		Keywords       any                `json:"keywords,omitempty"`
		Worst          []utteranceJSON    `json:"worst"`
		Each           []utteranceJSON    `json:"each,omitempty"`
	}{
		Reference: s.Reference, Hypothesis: s.Hypothesis, Input: s.Format, Normalisation: s.Profile.String(), Alignment: alignmentConvention,
		Utterances: s.N,
		Unit:       s.Unit, Script: s.Script, Strict: s.scriptJSON(speech.Strict), Folded: s.scriptJSON(speech.Folded),
		ScriptMismatch: known(mismatch, ok), WrittenChinese: s.Total.WrittenChinese, Worst: []utteranceJSON{},
	}
	out.Numbers = struct {
		Rate *float64 `json:"rate"`
		speech.Numbers
	}{known(s.Numbers.Rate()), s.Numbers}
	if s.Asked {
		out.Keywords = struct {
			Rate *float64 `json:"rate"`
			speech.Keywords
		}{known(s.Keywords.Rate()), s.Keywords}
	}
	for _, u := range s.worstOnes() {
		out.Worst = append(out.Worst, s.utteranceJSON(u))
	}
	if f.perUtterance {
		for _, u := range s.Utterances {
			out.Each = append(out.Each, s.utteranceJSON(u))
		}
	}
	return out
}
