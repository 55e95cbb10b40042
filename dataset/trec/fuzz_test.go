package trec

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// sameFloat compares parseFloat with strconv on one text.
func sameFloat(t *testing.T, s string) {
	t.Helper()
	got, ok := parseFloat([]byte(s))
	want, err := strconv.ParseFloat(s, 64)
	if err != nil && strings.HasSuffix(err.Error(), strconv.ErrRange.Error()) {
		err = nil
	}
	if ok != (err == nil) || ok && math.Float64bits(got) != math.Float64bits(want) && want == want {
		t.Errorf("%q: %v %v, want %v %v", s, got, ok, want, err)
	}
}

func TestParseFloat(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"", "-", "+", ".", "-.", "0", "-0", "+0", "1.", ".5", "-.5", "1..2", "6.598792", "1e5", "1E-3", "1e", "e1", "inf", "-Infinity", "nan",
		"9007199254740992", "9007199254740993", "9007199254740992.5", "123456789012345678", "1234567890123456789", "0.0000000000000000000001",
		"0.00000000000000000000001", "1e400", "-1e400", "1e-400", "0x1p-2", "1_000", "12,5", "1 ", "00000000000000000001.5", "4.9e-324",
		"2.2250738585072011e-308", "0.1", "100000000000000000000000", "1.7976931348623159e308",
	} {
		sameFloat(t, s)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		v := math.Float64frombits(r.Uint64())
		sameFloat(t, strconv.FormatFloat(v, "efg"[r.IntN(3)], r.IntN(20)-1, 64))
		sameFloat(t, strconv.FormatFloat(r.NormFloat64()*20, 'f', r.IntN(18), 64))
	}
}

func FuzzParseFloat(f *testing.F) {
	for _, s := range []string{"1.5", "-0.25e3", "9007199254740993", "."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { sameFloat(t, s) })
}

// FuzzRun holds what a scan sees against what gathering sees.
func FuzzRun(f *testing.F) {
	for _, s := range []string{
		"1 Q0 a 1 2 t\n2 Q0 b 1 1 t",
		"# x\n\n 1\tQ0 a 1 2 t junk\r\n1 Q0 b 1 2 t",
		"1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n1 Q0 b 1 2 t\n",
		"1 Q0 a",
		"\u2028",
		"\xfe\xff (",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		type result struct {
			docs   []string
			scores []float64
			lines  []int
			tag    string
		}
		read := func(by func(Visitor) (Info, error)) (map[string]result, Info, error) {
			var mu sync.Mutex
			seen := map[string]result{}
			info, err := by(func(_ int, q *Query) error {
				r := result{scores: append([]float64{}, q.Scores...), lines: append([]int{}, q.Lines...), tag: string(q.Tag)}
				for _, d := range q.Documents {
					r.docs = append(r.docs, string(d))
				}
				mu.Lock()
				defer mu.Unlock()
				seen[string(q.ID)] = r
				return nil
			})
			return seen, info, err
		}
		scanned, info, err := read(func(v Visitor) (Info, error) { return Scan(strings.NewReader(s), "r", 2, v) })
		gathered, other, gatherErr := read(func(v Visitor) (Info, error) { return Gather(strings.NewReader(s), "r", 2, v) })
		if e, ok := err.(*Error); ok && e.Err == ErrUngrouped {
			return
		}
		if (err == nil) != (gatherErr == nil) || err != nil && err.Error() != gatherErr.Error() {
			t.Fatalf("scan: %v, gather: %v", err, gatherErr)
		}
		if err == nil && (info != other || !reflect.DeepEqual(scanned, gathered)) {
			t.Fatalf("scan: %+v %v\ngather: %+v %v", info, scanned, other, gathered)
		}
	})
}

// FuzzQrels checks that what is read is well formed, or an error with a place.
func FuzzQrels(f *testing.F) {
	for _, s := range []string{"1 0 a 1\n1 0 b 0", "# x\n\n1 0 a -1", "1 0 a", "\xef\xbb\xbf1 0 a 1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q, err := ReadQrels(strings.NewReader(s), "q")
		if err != nil {
			if _, ok := err.(*Error); !ok {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		for _, topic := range q.Topics {
			if topic.Query == "" || topic.Line < 1 || len(topic.Grades) == 0 || q.Topic(topic.Query).Line != topic.Line {
				t.Fatalf("%+v", topic)
			}
		}
	})
}
