package explore_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/summary/explore"
)

var hit = assay.MetricInfo{Name: "hit@1", Better: "higher", Range: [2]float64{0, 1}}

var vocabulary = strings.Fields("ferry harbour ticket refund luggage bicycle deck cabin captain pier timetable island winter summer storm price child dog " +
	"car meal window seat queue island2 route fare 渡輪 碼頭 船票 行李")

// generated returns a run of cases with words, tags and groups. rate is the probability that
// a case is a hit, u the effect of its group.
func generated(rng *rand.Rand, n, perGroup int, rate func(r *assay.Record, u float64) float64) (*columns.Table, *columns.Texts, []assay.Record) {
	var records []assay.Record
	effects := map[string]float64{}
	for i := range n {
		r := assay.Record{Seq: i, Attempts: 1, Case: assay.Case{ID: fmt.Sprintf("q%d", i)}, Response: &assay.Response{Answer: "x"}}
		words := []string{[]string{"where", "when", "how", "what"}[rng.IntN(4)]}
		for range 3 + rng.IntN(8) {
			// Some words are frequent, most are rare.
			at := int(float64(len(vocabulary)) * math.Pow(rng.Float64(), 2))
			words = append(words, vocabulary[at])
		}
		r.Case.Question = strings.ToUpper(words[0][:1]) + strings.Join(words, " ")[1:] + "?"
		for k := range 12 {
			if rng.IntN(k+2) == 0 {
				r.Case.Tags = append(r.Case.Tags, fmt.Sprintf("tag%d", k))
			}
		}
		if perGroup > 0 {
			r.Case.Group = fmt.Sprintf("doc%d", rng.IntN(max(1, n/perGroup)))
			if _, ok := effects[r.Case.Group]; !ok {
				effects[r.Case.Group] = rng.NormFloat64()
			}
		}
		if rng.IntN(2) == 0 {
			r.Case.Want.Documents = map[string]int{"a": 1, "b": rng.IntN(2)}
		}
		v := math.Floor(rate(&r, effects[r.Case.Group]) + rng.Float64())
		r.Scores = map[string]assay.Score{hit.Name: assay.Value(v), "cost": assay.Value(1 - v)}
		records = append(records, r)
	}
	t, texts := tableOf(records)
	return t, texts, records
}

func tableOf(records []assay.Record) (*columns.Table, *columns.Texts) {
	texts := &columns.Texts{}
	for i := range records {
		texts.Add(&records[i])
	}
	return columns.Of(records), texts
}

// TestNothingIsFoundByChance: of runs in which no slice differs, no more than the rate have a
// finding: of hits that are rare or not, of cases that share documents, and of changes.
func TestNothingIsFoundByChance(t *testing.T) {
	t.Parallel()
	const runs = 100
	for _, c := range []struct {
		name     string
		n        int
		perGroup int
		mean     float64
	}{{"even", 300, 0, 0}, {"rare", 400, 0, 3}, {"groups", 400, 6, 0.5}, {"few", 60, 0, 1.5}} {
		rng := rand.New(rand.NewPCG(7, 8))
		found, changed, looked := 0, 0, 0
		rate := func(_ *assay.Record, u float64) float64 { return 1 / (1 + math.Exp(-c.mean-u)) }
		for range runs {
			table, texts, records := generated(rng, c.n, c.perGroup, rate)
			s := explore.Of(table, texts)
			f := s.Find(hit, table, 0.95)
			if looked += f.Looked; len(f.Departures) > 0 {
				found++
			}
			for i := range records {
				if rng.IntN(3) == 0 {
					records[i].Scores = map[string]assay.Score{hit.Name: assay.Value(math.Floor(rate(nil, 0) + rng.Float64()))}
				}
			}
			old, _ := tableOf(records)
			if len(s.FindChanges(hit, old, table, 0.95).Departures) > 0 {
				changed++
			}
		}
		t.Logf("%s: %d slices looked through on average, found in %d, changes in %d of %d runs", c.name, looked/runs, found, changed, runs)
		if most := 0.05*runs + 3*math.Sqrt(0.05*0.95*runs); float64(found) > most || float64(changed) > most {
			t.Errorf("%s: slices are found in %d, of changes in %d of %d runs in which none differs", c.name, found, changed, runs)
		}
		if looked < 10*runs {
			t.Errorf("%s: %d slices looked through in %d runs", c.name, looked, runs)
		}
	}
}

// TestAPlantedSliceIsFound: a tag of 40 of 400 cases whose mean is 0.6 and not 0.9 is found four
// times in five, in a run and in a comparison, and is then the worst, with an interval that
// nearly always has the difference.
func TestAPlantedSliceIsFound(t *testing.T) {
	t.Parallel()
	const runs = 50
	rng := rand.New(rand.NewPCG(9, 10))
	found, changed, first, covered := 0, 0, 0, 0
	for range runs {
		n := 0
		table, texts, records := generated(rng, 400, 0, func(r *assay.Record, _ float64) float64 {
			if n++; n <= 40 {
				r.Case.Tags = append(r.Case.Tags, "planted")
				return 0.6
			}
			return 0.9
		})
		s := explore.Of(table, texts)
		named := func(f explore.Finding) int {
			return slices.IndexFunc(f.Departures, func(d explore.Departure) bool { return d.Kind == explore.Tag && d.Value == "planted" && d.Worse })
		}
		f := s.Find(hit, table, 0.95)
		if i := named(f); i >= 0 {
			d := f.Departures[i]
			found++
			if d.CI.Contains(-0.3) {
				covered++
			}
			if i == 0 {
				first++
			}
			if d.N != 40 || math.Abs(d.Diff-(d.Mean-d.Rest)) > 1e-9 || d.CI.Contains(0) || d.Q < d.P || d.Q >= 0.05 {
				t.Fatalf("%+v", d)
			}
		}
		for i := range records {
			if i < 40 {
				records[i].Scores = map[string]assay.Score{hit.Name: assay.Value(math.Floor(0.9 + rng.Float64()))}
			}
		}
		old, _ := tableOf(records)
		g := s.FindChanges(hit, old, table, 0.95)
		if i := named(g); i >= 0 {
			changed++
			if d := g.Departures[i]; math.Abs(d.Rest) > 1e-9 || d.Within == nil || !d.Within.Contains(d.Mean) || d.CI.Contains(0) {
				t.Fatalf("%+v", d)
			}
		}
	}
	t.Logf("found in %d, worst in %d, covered in %d, changes in %d of %d runs", found, first, covered, changed, runs)
	if found < runs*8/10 || changed < runs*8/10 || first < found*9/10 || covered < found*9/10 {
		t.Errorf("found in %d, worst in %d, covered in %d, changes in %d of %d runs", found, first, covered, changed, runs)
	}
}

// A source has what queries of slices ask for.
type source struct {
	*columns.Table
	texts *columns.Texts
}

func (s *source) Status(int) assay.Status           { return "" }
func (s *source) Answer(int) assay.Correctness      { return "" }
func (s *source) Stage(int) string                  { return "" }
func (s *source) Score(int, string) (_ assay.Score) { return }
func (s *source) Question(row int) string           { return s.texts.Question(row) }

func (s *source) Contains(row int, in query.Place, part string) bool {
	return in == query.InQuestion && strings.Contains(s.Question(row), part)
}

// TestQueriesSelectTheSlices: the filter of a slice selects as many cases as the slice has, for
// slices of every kind.
func TestQueriesSelectTheSlices(t *testing.T) {
	t.Parallel()
	kinds := map[explore.Kind]int{}
	for plant, low := range map[explore.Kind]func(r *assay.Record) bool{
		explore.Tag:       func(r *assay.Record) bool { return slices.Contains(r.Case.Tags, "tag1") },
		explore.Group:     func(r *assay.Record) bool { return r.Case.Group == "doc1" },
		explore.Documents: func(r *assay.Record) bool { return len(r.Case.Want.Documents) == 0 },
		explore.Script:    func(r *assay.Record) bool { return r.Seq%5 == 0 },
		explore.Digits:    func(r *assay.Record) bool { return strings.Contains(r.Case.Question, "2") },
		explore.Length:    func(r *assay.Record) bool { return len(r.Case.Question) < 40 },
		explore.Begins:    func(r *assay.Record) bool { return strings.HasPrefix(r.Case.Question, "Where") },
		explore.Word:      func(r *assay.Record) bool { return strings.Contains(r.Case.Question, "harbour") },
	} {
		rng := rand.New(rand.NewPCG(11, 12))
		table, texts, records := generated(rng, 500, 30, func(r *assay.Record, u float64) float64 {
			if r.Seq%5 == 0 {
				r.Case.Question = "碼頭 船票 渡輪"
			}
			if low(r) {
				return 0.1
			}
			return 0.9
		})
		found := 0
		level := 0.95
		if plant == explore.Group {
			level = 1e-6 // one cluster is no evidence: only at this level is any group found
		}
		f := explore.Of(table, texts).Find(hit, table, level)
		for _, d := range f.Departures {
			for _, s := range append(slices.Clone(d.Also), d.Slice) {
				kinds[s.Kind]++
				if s.Kind == plant {
					found++
				}
				text := s.Query().String()
				q, err := query.Parse(text)
				if err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				filter, err := q.Compile(query.Vocabulary{})
				if err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				source, n := &source{table, texts}, 0
				for row := range records {
					if filter.Match(source, row) {
						n++
					}
				}
				if n != s.Cases || n < explore.LeastCases {
					t.Errorf("%s selects %d cases of a slice of %d", text, n, s.Cases)
				}
			}
		}
		if found == 0 {
			t.Errorf("no slice by %s", plant)
		}
	}
	for _, kind := range explore.Kinds {
		if kinds[kind] == 0 {
			t.Errorf("no slice by %s among %v", kind, kinds)
		}
	}
}

// TestSlicesThatAreOne: slices with the same cases, or nearly so, are told as one, by the
// kind that says most. Less is better of some metrics, and cases without a value are in no
// mean.
func TestSlicesThatAreOne(t *testing.T) {
	t.Parallel()
	var records []assay.Record
	for i := range 120 {
		r := assay.Record{Seq: i, Attempts: 1, Case: assay.Case{ID: fmt.Sprint(i), Question: fmt.Sprintf("Say %c%c%c", 'a'+i%20, 'a'+i/20, 'a'+i%7)},
			Response: &assay.Response{Answer: "x"}, Scores: map[string]assay.Score{}}
		errors := float64(i%10) / 10
		if i < 40 {
			r.Case.Question, r.Case.Tags, errors = "渡輪 "+r.Case.Question, []string{"boats"}, errors+1
		}
		if i == 1 {
			r.Case.Tags = append(r.Case.Tags, "odd")
		}
		if i < 38 {
			r.Case.Tags = append(r.Case.Tags, "nearly")
		}
		r.Scores["wer"] = assay.Value(errors)
		if i%8 == 0 {
			r.Scores["wer"] = assay.None("nothing to measure")
		}
		records = append(records, r)
		// Draws of a case count as one.
		again := r
		again.Seq, again.Case = 500+i, r.Case.Repeated(1)
		again.Case.Group = ""
		records = append(records, again)
	}
	slices.SortFunc(records, func(a, b assay.Record) int { return a.Seq - b.Seq })
	table, texts := tableOf(records)
	m := assay.MetricInfo{Name: "wer", Better: "lower", Range: [2]float64{0, math.MaxFloat64}}
	f := explore.Of(table, texts).Find(m, table, 0.95)
	if f.Cases != 120 || f.Valued != 105 || len(f.Departures) == 0 {
		t.Fatalf("%+v", f)
	}
	d := f.Departures[0]
	if d.Kind != explore.Tag || d.Value != "boats" || d.Cases != 40 || d.N != 35 || !d.Worse || math.Abs(d.Diff-1) > 0.1 {
		t.Errorf("%+v", d.Slice)
	}
	var also []string
	for _, s := range d.Also {
		also = append(also, s.Query().String())
	}
	if !slices.Contains(also, `tag:nearly`) || slices.Contains(also, `word:渡輪`) {
		t.Errorf("also %q", also)
	}
	for _, m := range []assay.MetricInfo{m, {Name: "nothing", Better: "higher"}} {
		empty, none := tableOf(nil)
		if f := explore.Of(empty, none).Find(m, empty, 0.95); f.Looked != 0 || len(f.Departures) != 0 {
			t.Errorf("of no cases: %+v", f)
		}
	}
}

// TestALanguageExplainsItsWords: a system is weak in Chinese. The tag is listed, although most
// cases are English, and no word of a Chinese question is listed beside it.
func TestALanguageExplainsItsWords(t *testing.T) {
	t.Parallel()
	products := []string{"蒼鷺卡", "三角通行證", "米拉手機", "虎鯨單車", "松樹路由器"}
	aspects := []string{"保養期", "退貨期", "送貨時間", "維修費", "電池續航"}
	for _, share := range []int{2, 4} {
		rng := rand.New(rand.NewPCG(13, 14))
		var records []assay.Record
		for i := range 500 {
			r := assay.Record{Seq: i, Attempts: 1, Case: assay.Case{ID: fmt.Sprintf("q%d", i), Tags: []string{"english"}}, Response: &assay.Response{Answer: "x"}}
			r.Case.Question = fmt.Sprintf("What is the %s of the %s?", vocabulary[rng.IntN(24)], vocabulary[rng.IntN(24)])
			p := 0.85
			if i%share == 0 {
				r.Case.Tags, p = []string{"chinese"}, 0.09
				r.Case.Question = products[rng.IntN(len(products))] + "的" + aspects[rng.IntN(len(aspects))] + "是多少？"
			}
			if i%10 < 4 && rng.IntN(2) == 0 {
				r.Case.Tags, p = append(r.Case.Tags, "senior"), p-0.4
			}
			r.Scores = map[string]assay.Score{hit.Name: assay.Value(math.Floor(max(0, p) + rng.Float64()))}
			records = append(records, r)
		}
		table, texts := tableOf(records)
		f := explore.Of(table, texts).Find(hit, table, 0.95)
		var found []string
		for _, d := range f.Departures {
			found = append(found, d.Query().String())
		}
		if len(found) < 2 || found[0] != "tag:chinese" || found[1] != "tag:senior" || len(found) > 4 {
			t.Errorf("1 in %d Chinese: %q", share, found)
		}
	}
}
