package text

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric"
)

func keys(numbers []text.Number) []string {
	var out []string
	for _, n := range numbers {
		out = append(out, n.Key)
	}
	slices.Sort(out)
	return out
}

// axes embeds a text by which of the words east, north and west it has: two of
// them are 45° apart from each, east and west point away from each other.
type axes struct{}

func (axes) Dimensions() int  { return 2 }
func (axes) Identity() string { return "axes" }

func (axes) Embed(_ context.Context, texts []string) ([][]float32, error) {
	var out [][]float32
	for _, s := range texts {
		v := []float32{0, 0}
		for w, d := range map[string][2]float32{"east": {1, 0}, "north": {0, 1}, "west": {-1, 0}} {
			if strings.Contains(strings.ToLower(s), w) {
				v[0] += d[0]
				v[1] += d[1]
			}
		}
		out = append(out, v)
	}
	return out, nil
}

// What sacreBLEU and rouge-score say; scripts/oracles/text_metrics.py made it.
func TestReferenceTools(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("testdata/reference_tools.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Pairs []struct {
			Kind, Answer, Reference string
			Scores                  map[string]json.RawMessage
		}
	}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	compared := map[string]int{}
	for _, p := range file.Pairs {
		in := answer(p.Answer, p.Reference)
		for name, raw := range p.Scores {
			compared[name]++
			names, wants := []string{name}, make([]float64, 1)
			var err error
			if strings.HasPrefix(name, "rouge") {
				names = []string{name, name + "(p)", name + "(r)"}
				err = json.Unmarshal(raw, &wants)
			} else {
				err = json.Unmarshal(raw, &wants[0])
			}
			if err != nil {
				t.Fatal(err)
			}
			for i, n := range names {
				value(t, n+" of "+p.Answer+" against "+p.Reference, scored(t, n, in), wants[i], 1e-9)
			}
		}
	}
	for name, atLeast := range map[string]int{"bleu": 400, "chrf": 400, "rouge_1": 100, "rouge_2": 100, "rouge_l": 100} {
		if compared[name] < atLeast {
			t.Errorf("%s was compared on %d pairs: want %d", name, compared[name], atLeast)
		}
	}
}

// Characters that no reader sees change no score, but those of BLEU and chrF, which equal
// sacreBLEU.
func TestIgnorableCharactersChangeNoScore(t *testing.T) {
	t.Parallel()
	const seen = "the cooperative international society of 1065 people"
	for _, hidden := range []string{"\u00ad", "\u200d", "\u200f", "\u2060", "\ufeff"} {
		unseen := strings.ReplaceAll(strings.ReplaceAll(seen, "oop", "o"+hidden+"op"), "nat", hidden+"nat"+hidden)
		for _, name := range []string{"exact_match", "token_f1", "token_precision", "token_recall", "rouge_1", "rouge_2", "rouge_l",
			"answer_keyword_recall", "number_agreement"} {
			if want, got := scored(t, name, answer(seen, seen)), scored(t, name, answer(unseen, seen)); got.Value != want.Value || got.State != want.State {
				t.Errorf("%s with %+q: %v %v, want %v %v", name, hidden, got.State, got.Value, want.State, want.Value)
			}
		}
		if want, got := scored(t, "k_precision", grounds(seen, seen)), scored(t, "k_precision", grounds(unseen, seen)); got.Value != want.Value {
			t.Errorf("k_precision with %+q: %v, want %v", hidden, got.Value, want.Value)
		}
	}
}

func TestAnswerMetrics(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		metric, answer string
		references     []string
		want           float64
	}{
		{"exact_match", "The  Tower!", []string{"tower"}, 1},
		{"exact_match", "Ｔｏｗｅｒ", []string{"tower"}, 1},
		{"exact_match", "towers", []string{"tower"}, 0},
		{"exact_match", "tower [1]", []string{"tower"}, 0},
		{"exact_match", "two", []string{"one", "Two."}, 1}, // the best of several
		{"exact_match", "巴黎。", []string{"巴 黎"}, 1},
		{"exact_match", "the a an", []string{""}, 1}, // both have no token
		// a b c against b c d e: 2 in common of 3 and of 4.
		{"token_precision", "x b c", []string{"b c d e"}, 2. / 3},
		{"token_recall", "x b c", []string{"b c d e"}, 2. / 4},
		{"token_f1", "x b c", []string{"b c d e"}, 2 * 2. / (3 + 4)},
		// x twice, in the reference once: counts once.
		{"token_precision", "x x", []string{"x y"}, 1. / 2},
		{"token_recall", "x y", []string{"x x"}, 1. / 2},
		{"token_recall", "", []string{""}, 1},
		{"token_precision", "", []string{"x"}, 0},
		{"token_f1", "x", []string{"y", "x y z"}, 2 * 1. / (1 + 3)},
		{"token_f1", "$5 = 5€", []string{"5 5€"}, 1}, // ASCII symbols go, others stay

		{"rouge_1", "", []string{""}, 0},
		{"rouge_2", "one", []string{"one"}, 0},
		{"rouge_1", "巴黎鐵塔", []string{"巴黎"}, 2 * 2. / (4 + 2)},
		{"rouge_1(p)", "巴黎鐵塔", []string{"巴黎"}, 0.5},
		{"rouge_1(r)", "巴黎鐵塔", []string{"巴黎"}, 1},
		// LCS of a b c d and d a c b: a c or a b, 2.
		{"rouge_l", "q b c d", []string{"d q c b"}, 0.5},
		{"rouge_l", "naïve café", []string{"NAI\u0308VE, cafe\u0301"}, 1},
		{"rouge_1", "हिन्दी", []string{"हिन्दू"}, 0}, // marks belong to the word
		// The part is chosen before the best: each reference is best for one.
		{"rouge_1(p)", "x y", []string{"x y z z z z", "x"}, 1},
		{"rouge_1(r)", "x y", []string{"x y z z z z", "x"}, 1},

		{"bleu", "", []string{""}, 0},
		{"bleu", "x", []string{""}, 0},
		{"bleu", "Cat", []string{"cat"}, 0}, // case counts
		{"bleu", "one two three four", []string{"one two three four"}, 100},
		{"bleu", "今天天氣", []string{"明日", "今天天氣"}, 100},
		{"bleu", "a semi-\ncircle it is", []string{"a semicircle it is"}, 100}, // a word cut at the end of a line
		{"chrf", "", []string{""}, 0},
		{"chrf", "abc", []string{"xyz", "abc"}, 100},

		{"semantic_similarity", "East it is", []string{"east"}, 1},
		{"semantic_similarity", "east", []string{"north east"}, math.Sqrt2 / 2},
		{"semantic_similarity", "east", []string{"west"}, 0}, // not −1
		{"semantic_similarity", "east", []string{"", "north", "north east"}, math.Sqrt2 / 2},
		{"semantic_similarity", "east", []string{"neither"}, 0}, // a vector of no length
		{"semantic_similarity(threshold=0.7)", "east", []string{"north east"}, 1},
		{"semantic_similarity(threshold=0.85)", "east", []string{"north east"}, 0},
	} {
		value(t, tc.metric+" of "+tc.answer, scored(t, tc.metric, answer(tc.answer, tc.references...)), tc.want, 1e-7)
	}
}

func TestGroundingMetrics(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		metric, answer string
		passages       []string
		want           float64
	}{
		{"k_precision", "x y z", []string{"x", "y q"}, 2. / 3},
		{"k_precision", "x x x", []string{"x", "x"}, 2. / 3}, // as often as the passages have it
		{"k_precision", "x", nil, 0},                         // said, and nothing retrieved
		{"rouge_2_precision", "x y z", []string{"x y", "y z"}, 1},
		{"rouge_2_precision", "x y z", []string{"q x", "y z"}, 1. / 2}, // none across two passages
		{"rouge_2_precision", "x y", nil, 0},
		{"number_agreement", "In 1889, in 1889 and 1890", []string{"1,889"}, 1. / 2}, // distinct numbers
		{"number_agreement", "二十三 of 1.2萬", []string{"23 of", "12000"}, 1},
		{"number_agreement", "5%", []string{"5"}, 0},
		{"number_agreement", "on 25 June 2024", []string{"2024-06-25"}, 1},
		{"number_agreement", "on 25 June 2024", []string{"25 June"}, 1},
		{"number_agreement", "on 25 June 2024", []string{"25 June 2023"}, 0},
		{"number_agreement", "on 25 June 2024", []string{"25/6/2024"}, 1},
		{"number_agreement", "on 25 June", []string{"25 July"}, 0},
		{"number_agreement", "in 2024, day 25", []string{"25 June 2024"}, 1},
		{"number_agreement", "1889 [1]", []string{"1889"}, 1},
		{"number_agreement", "1889", nil, 0},
		{"support", "Go east. Go north.", []string{"It is east. Then west."}, 0.5},
		{"support(min)", "Go east. Go north.", []string{"It is east.", "North-east."}, math.Sqrt2 / 2},
		{"support(share)", "Go east. Go north. Go west.", []string{"It is east.", "North-east."}, 2. / 3},
		{"support(share,tau=0.8)", "Go east. Go north. Go west.", []string{"It is east.", "North-east."}, 1. / 3},
		{"support", "Go west. Go east.", []string{"It is east."}, 0.5}, // not 0: the mean is of 0 and 1
		{"support", "Go east. ***", []string{"It is east."}, 1},        // marks are no sentence
		{"support", "Go east.", nil, 0},
	} {
		value(t, tc.metric+" of "+tc.answer, scored(t, tc.metric, grounds(tc.answer, tc.passages...)), tc.want, 1e-7)
	}
}

func TestNotApplicable(t *testing.T) {
	t.Parallel()
	none := []string{}
	for _, tc := range []struct {
		metric, answer string
		references     []string
		passages       []string
		reason         string
	}{
		{"token_f1", "x", none, none, noReference},
		{"bleu", "x", none, none, noReference},
		{"semantic_similarity", "x", none, none, noReference},
		{"semantic_similarity", "x", []string{"", " "}, none, noReference},
		{"answer_keyword_recall", "x", none, none, "the case has no keyword"},
		{"k_precision", "", none, none, emptyAnswer},
		{"k_precision", "the", none, []string{"x"}, "the answer has no word"},
		{"k_precision", "x", none, []string{"", " "}, assay.NoTexts},
		{"rouge_2_precision", "one", none, []string{"one"}, "the answer has no pair of words"},
		{"number_agreement", "none", none, []string{"5"}, "the answer has no number"},
		{"number_agreement", "5", none, []string{" "}, assay.NoTexts},
		{"support", "", none, none, emptyAnswer},
		{"support", "...", none, []string{"east"}, "the answer has no sentence"},
		{"support", "east", none, []string{"..."}, assay.NoTexts},
	} {
		in := grounds(tc.answer, tc.passages...)
		in.Case.Want = assay.Want{Answers: tc.references, Keywords: []string{}}
		if s := scored(t, tc.metric, in); s.State != assay.NotApplicable || s.Reason != tc.reason {
			t.Errorf("%s of %q: %s %v %q: want not_applicable, %q", tc.metric, tc.answer, s.State, s.Value, s.Reason, tc.reason)
		}
	}
}

// A system that answers nothing is not better than one that answers wrongly: every metric that
// compares with a reference scores an empty answer.
func TestEmptyAnswerScores0(t *testing.T) {
	t.Parallel()
	for _, d := range Defs() {
		for _, answer := range []string{"", " \n"} {
			in := grounds(answer)
			in.Case.Want = assay.Want{Answers: []string{"", "x"}, Keywords: []string{"x"}}
			if d.Name == "exact_match" || strings.HasPrefix(d.Name, "token_") {
				in.Case.Want.Answers = []string{"x"} // an empty reference is what an empty answer says
			}
			if s := scored(t, d.Name, in); d.Group == metric.Answer && (s.State != assay.Scored || s.Value != 0) {
				t.Errorf("%s of an empty answer: %s %v %q: want 0", d.Name, s.State, s.Value, s.Reason)
			}
		}
	}
}

func TestEvidence(t *testing.T) {
	t.Parallel()
	keywords := grounds("In 1889, by Eiffel.")
	keywords.Case.Want.Keywords = []string{"1889", "iron|steel", "Eiffel", "tower"}
	for _, tc := range []struct {
		name string
		got  assay.Score
		want []assay.Evidence
	}{
		{"missing keywords", scored(t, "answer_keyword_recall", keywords),
			[]assay.Evidence{{Kind: "missing", Text: "iron|steel"}, {Kind: "missing", Text: "tower"}}},
		{
			"unsupported numbers", scored(t, "number_agreement", grounds("Up 3.09 percent in 2024, 5 times.", "3.09% and 4")),
			[]assay.Evidence{{Kind: "unsupported", Text: "2024"}, {Kind: "unsupported", Text: "5"}},
		},
		{
			"the weakest sentence, and what denies",
			scored(t, "support", grounds("Go east. Do not go north.", "", "It is north-east.", "Go north.")),
			[]assay.Evidence{
				{Kind: "weakest", Text: "Go east.", Where: "sentence 1, 0.71 with passage 2"},
				{Kind: "negation", Text: "Do not go north.", Where: "sentence 2, 1.00 with passage 3"},
			},
		},
		{
			"what denies and is not supported", scored(t, "support", grounds("Do not go west.", "It is north-east.")),
			[]assay.Evidence{{Kind: "weakest", Text: "Do not go west.", Where: "sentence 1, 0.00 with passage 1"}},
		},
		{"the reference that matched", scored(t, "exact_match", answer("two", "one", "Two")),
			[]assay.Evidence{{Kind: "matched", Text: "Two", Where: "reference answer 2"}}},
		{"one reference says nothing", scored(t, "exact_match", answer("two", "Two")), nil},
	} {
		if !reflect.DeepEqual(tc.got.Evidence, tc.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", tc.name, tc.got.Evidence, tc.want)
		}
	}
	value(t, "answer_keyword_recall", scored(t, "answer_keyword_recall", keywords), 0.5, 1e-12)
	if s := scored(t, "k_precision", grounds("x")); s.Reason != nothing {
		t.Errorf("nothing retrieved gives the reason %q: want %q", s.Reason, nothing)
	}
}

// The table that everyone knows, against its bit-parallel form.
func TestCommonSubsequence(t *testing.T) {
	t.Parallel()
	tokens := rapid.SliceOfN(rapid.Uint32Range(0, 3), 0, 200)
	rapid.Check(t, func(t *rapid.T) {
		a, b := tokens.Draw(t, "a"), tokens.Draw(t, "b")
		row := make([]int, len(b)+1)
		for _, x := range a {
			diagonal := 0
			for j, y := range b {
				up := row[j+1]
				if x == y {
					row[j+1] = diagonal + 1
				} else {
					row[j+1] = max(up, row[j])
				}
				diagonal = up
			}
		}
		if got := commonSubsequence(a, b); got != row[len(b)] {
			t.Fatalf("%d: want %d", got, row[len(b)])
		}
	})
}

func TestCommonSubsequenceOfRareTokens(t *testing.T) {
	t.Parallel()
	// 1000 different tokens, and every third of them: none is frequent.
	var a, b []uint32
	for i := range uint32(1000) {
		a = append(a, i)
		if i%3 == 0 {
			b = append(b, i, 1000)
		}
	}
	if got := commonSubsequence(a, b); got != 334 {
		t.Errorf("%d: want 334", got)
	}
}

func TestNegationsDiffer(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"It isn’t open", "It isn't open", false},
		{"not never", "always", false}, // two cancel out
		{"nothing", "notable knots", true},
		{"非常好", "好", false},
		{"不好", "好", true},
		{"", "", false},
	} {
		if got := NegationsDiffer(tc.a, tc.b); got != tc.want {
			t.Errorf("%q and %q: %v: want %v", tc.a, tc.b, got, tc.want)
		}
	}
}

func BenchmarkAnswerMetrics(b *testing.B) {
	in := answer(strings.Repeat("The tower was built in 1889 by Gustave Eiffel, and it is 330 metres tall. ", 10),
		strings.Repeat("Gustave Eiffel built the 330 m tower, which opened in 1889. ", 10))
	for _, name := range []string{"bleu", "chrf", "exact_match", "rouge_1", "rouge_2", "rouge_l", "token_f1"} {
		m, err := metric.NewCatalog(Defs()...).Parse(name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				m.Score(b.Context(), in)
			}
		})
	}
}
