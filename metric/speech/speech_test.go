package speech

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/metrictest"
)

// heard makes the input of a recording whose text is the reference.
func heard(reference, transcript string, keywords ...string) metric.Input {
	out, err := json.Marshal(transcript)
	if err != nil {
		panic(err)
	}
	return metric.Input{
		Case: &assay.Case{ID: "a", Question: reference, Want: assay.Want{Transcript: &reference, Keywords: keywords}},
		Response: &assay.Response{Trace: &assay.Trace{Stages: []assay.Stage{
			{Name: assay.StageTranscribe, Input: json.RawMessage(`"a.wav"`), Output: out},
		}}},
	}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	keywords := []string{"tower", "鐵塔"}
	const said = "the tower of 巴黎鐵塔 was built in 1889 and is 330 m tall"
	pairs := []metrictest.Pair{
		{Worse: heard(said, "", keywords...), Better: heard(said, said, keywords...)},
		{Worse: heard(said, "a power of 巴黎铁塔 was build in 1899", keywords...),
			Better: heard(said, "the tower of 巴黎鐵塔 was built in 1889", keywords...)},
		{Worse: heard(said, said+" indeed it was in 1999", keywords...), Better: heard(said, said, keywords...)},
	}
	for _, def := range Defs() {
		t.Run(def.Name, func(t *testing.T) {
			t.Parallel()
			metrictest.Run(t, def, pairs...)
		})
	}
}

func scored(t *testing.T, name string, in metric.Input) assay.Score {
	t.Helper()
	m, err := metric.NewCatalog(Defs()...).Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return m.Score(t.Context(), in)
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	const ref, hyp = "我今日要去 Office 開會，收費 $1,065", "我今日要去office开會收費一千零六十五蚊"
	in := heard(ref, hyp, "office", "開會", "bus")
	// Normalised: "我今日要去 office 開會 收費 1065", which is 19 characters, 11 mixed
	// tokens and 5 words, and "我今日要去office开會收費一千零六十五蚊", whose 開 is wrong
	// and whose number is other seven characters.
	for name, want := range map[string][2]float64{
		"cer":                           {8, 19},
		"cer(script=folded)":            {7, 19},
		"mixer":                         {8, 11},
		"mixer(script=folded)":          {7, 11},
		"keyword_error_rate":            {1, 2},
		"keyword_error_rate(folded)":    {0, 2},
		"number_error_rate":             {0, 1},
		"match_error_rate(mixed)":       {8, 17},
		"match_error_rate(unit=words)":  {5, 5},
		"match_error_rate(characters)":  {8, 22},
		"wer":                           {5, 5},
		"wer_segmented(script=folded)":  {0, 0},
		"word_information_lost(mixed)":  {0, 0},
		"word_information_preserved":    {0, 0},
		"word_information_lost(folded)": {0, 0},
	} {
		s := scored(t, name, in)
		if s.State != assay.Scored {
			t.Errorf("%s: %+v", name, s)
			continue
		}
		if want[1] == 0 {
			continue
		}
		if s.Num != want[0] || s.Den != want[1] {
			t.Errorf("%s: %v of %v: want %v of %v (%v)", name, s.Num, s.Den, want[0], want[1], s.Evidence)
		}
	}
	s := scored(t, "cer", in)
	if want := (assay.Evidence{Kind: "substituted", Text: "開 → 开", Where: "token 12"}); len(s.Evidence) == 0 || !cmp.Equal(s.Evidence[0], want) {
		t.Errorf("evidence %+v: want %+v first", s.Evidence, want)
	}
	lost, kept := scored(t, "word_information_lost", in), scored(t, "word_information_preserved", in)
	if math.Abs(lost.Value+kept.Value-1) > 1e-9 {
		t.Errorf("lost %v and preserved %v", lost.Value, kept.Value)
	}
	if e := scored(t, "keyword_error_rate", in).Evidence; !cmp.Equal(e, []assay.Evidence{{Kind: "missing", Text: "開會"}}) {
		t.Errorf("evidence %+v", e)
	}
}

// What was heard in a silence has no rate, and is pooled.
func TestSilence(t *testing.T) {
	t.Parallel()
	s := scored(t, "wer", heard("", "thank you for watching"))
	if s.State != assay.NotApplicable || s.Num != 4 || s.Den != 0 || s.Reason != "the reference is empty, and the transcript has 4 tokens" {
		t.Errorf("%+v", s)
	}
	if s := scored(t, "wer", heard("", "")); s.State != assay.Scored || s.Value != 0 || s.Den != 0 {
		t.Errorf("silence for silence: %+v", s)
	}
	if s := scored(t, "number_error_rate", heard("none", "in 1889")); s.State != assay.NotApplicable || s.Num != 1 {
		t.Errorf("a number where none was said: %+v", s)
	}
}

func TestNoTranscript(t *testing.T) {
	t.Parallel()
	in := heard("a", "a", "a")
	in.Response.Trace.Stages = nil
	for _, d := range Defs() {
		if s := scored(t, d.Name, in); s.State != assay.NotApplicable || s.Reason != untranscribed {
			t.Errorf("%s: %+v", d.Name, s)
		}
	}
}
