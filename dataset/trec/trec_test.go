package trec_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/assay-eval/assay/dataset/trec"
	"github.com/assay-eval/assay/internal/requiretest"
)

func TestReadQrels(t *testing.T) {
	t.Parallel()
	q, err := trec.ReadQrels(strings.NewReader("\ufeff# judgments\n2 0 b 1\r\n\n 1\t0  a -1 \n2 0 a#1 3"), "q")
	if err != nil {
		t.Fatal(err)
	}
	want := []trec.Topic{
		{Query: "2", Line: 2, Grades: map[string]int{"b": 1, "a#1": 3}},
		{Query: "1", Line: 4, Grades: map[string]int{"a": -1}},
	}
	if d := cmp.Diff(want, q.Topics); d != "" {
		t.Error(d)
	}
	if q.MaxGrade() != 3 || q.Topic("1").Grades["a"] != -1 || q.Topic("3") != nil {
		t.Errorf("highest grade %d, topic 1 %v, topic 3 %v", q.MaxGrade(), q.Topic("1"), q.Topic("3"))
	}
}

func TestReadQrelsOfOtherForms(t *testing.T) {
	t.Parallel()
	want := map[string]map[string]int{"1": {"a b": 1, "c": 0}, "2": {"c": 2}}
	for _, c := range []struct {
		name, text string
		beir       bool
	}{
		{"BEIR", "query-id\tcorpus-id\tscore\n1\ta b\t1\n1\tc\t0\n2\tc\t2\n", true},
		{"BEIR with fractions, other names and line ends", "QID\tdocid\trelevance\r\n1\ta b\t1.0\r\n1\tc\t0.0\r\n2\tc\t2\r\n", true},
		{"BEIR in another order", "query-id\tscore\tcorpus-id\n1\t1\ta b\n1\t0\tc\n2\t2\tc\n", true},
		{"BEIR with the document first", "corpus-id\tquery-id\tscore\na b\t1\t1\nc\t1\t0\nc\t2\t2\n", true},
		{"JSON", "\n {\"1\": {\"a b\": 1, \"c\": 0},\n\"2\": {\"c\": 2.0}}\n", false},
	} {
		q, err := trec.ReadQrels(strings.NewReader(c.text), "q")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := map[string]map[string]int{}
		for _, topic := range q.Topics {
			got[topic.Query] = topic.Grades
		}
		if d := cmp.Diff(want, got); d != "" || q.BEIR != c.beir {
			t.Errorf("%s: BEIR %v, %s", c.name, q.BEIR, d)
		}
	}
	q, err := trec.ReadQrels(strings.NewReader("1 0 a 1.0\n1 0 b +2\n1 0 c -0\n"), "q")
	if err != nil || cmp.Diff(q.Topics[0].Grades, map[string]int{"a": 1, "b": 2, "c": 0}) != "" {
		t.Errorf("%v, %v", q, err)
	}
	if _, err := trec.ReadSubtopics(strings.NewReader(`{"1": {"a": 1}}`), "q"); err == nil || !strings.Contains(err.Error(), "no subtopic") {
		t.Errorf("subtopics of JSON: %v", err)
	}
}

func TestBadFiles(t *testing.T) {
	t.Parallel()
	qrels := func(s string) error {
		_, err := trec.ReadQrels(strings.NewReader(s), "q")
		return err
	}
	run := func(s string) error {
		_, err := trec.ReadRun(strings.NewReader(s), "r")
		return err
	}
	scan := func(s string) error {
		_, err := trec.Scan(strings.NewReader(s), "r", 2, func(int, *trec.Query) error { return nil })
		return err
	}
	const ok = "1 Q0 a 1 2.5 t\n"
	const columns = "must have 4 columns: query, iteration, document, grade (3 only below BEIR's header line)"
	const header = "query-id\tcorpus-id\tscore\n"
	for _, c := range []struct {
		name string
		read func(string) error
		text string
		want string
	}{
		{"no judgments", qrels, "# nothing\n\n", "q: no judgments: " + columns},
		{"an empty file", qrels, "", "q: no judgments: " + columns},
		{"three columns", qrels, "1 0 a 1\n1 0 b\n", `q:2: "1 0 b": ` + columns},
		{"five columns", qrels, "1 0 a b 1\n", `q:1: "1 0 a b 1": ` + columns},
		{"a grade in words", qrels, "1 0 a yes\n", `q:1: grade "yes": must be a whole number from -1000 to 1000`},
		{"a fraction", qrels, "1 0 a 0.5\n", `q:1: grade "0.5": must be a whole number from -1000 to 1000`},
		{"a huge grade", qrels, "1 0 a 1001\n", `q:1: grade "1001": must be a whole number from -1000 to 1000`},
		{"judged again", qrels, "1 0 a 1\n2 0 a 1\n1 0 a 1\n", `q:3: query "1": document "a" is judged again, first in line 1`},
		{"three columns without a header", qrels, "1\ta\t1\n", `q:1: "1\ta\t1": ` + columns},
		{"BEIR with four columns", qrels, header + "1\t0\ta\t1\n", `q:2: "1\t0\ta\t1": ` + columns},
		{"BEIR with a fraction", qrels, header + "1\ta\t0.5\n", `q:2: grade "0.5": must be a whole number from -1000 to 1000`},
		{"only a header", qrels, header, "q: no judgments: " + columns},
		{"cut JSON", qrels, `{"1": {"a": 1}`, "q:1: the JSON is cut short: expected a complete file"},
		{"a document twice in JSON", qrels, "{\"1\": {\"a\": 1,\n\"a\": 0}}", `q:2: query "1": document "a" is judged again, first in line 1`},
		{"a grade as text in JSON", qrels, `{"1": {"a": "1"}}`, `q:1: grade "1": must be a number`},
		{"a list in JSON", qrels, `{"1": ["a"]}`, `q:1: expected judgments as {"query": {"document": 1}}`},
		{"two objects in JSON", qrels, `{"1": {"a": 1}} {"2": {"a": 1}}`, `q:1: expected judgments as {"query": {"document": 1}}`},
		{"nested JSON", qrels, `{"1": {"a": {"b": 1}}}`, `q:1: expected judgments as {"query": {"document": 1}}`},
		{"empty JSON", qrels, `{}`, "q: no judgments: " + columns},
		{"UTF-16", qrels, "\xff\xfe1\x00", `q:1: "1": ` + columns},
		{"a cut gzip", qrels, "\x1f\x8b\x08", "q: the compressed data ends too early: expected a complete file"},
		{"a broken gzip", qrels, "\x1f\x8b\x07" + strings.Repeat("x", 20), "q: gzip: gzip: invalid header"},
		{"a cut zstd", qrels, "\x28\xb5\x2f\xfd\x00", "q: the compressed data ends too early: expected a complete file"},
		{"noise", qrels, strings.Repeat("\x01", 2<<20), "q:1: the line is longer than 1048576 bytes: expected a text file of columns"},

		{"an empty run", run, "", "r: no results: must have 6 columns: query, Q0, document, rank, score, tag"},
		{"five columns", run, ok + "1 Q0 b 2 2.5\n", `r:2: "1 Q0 b 2 2.5": must have 6 columns: query, Q0, document, rank, score, tag`},
		{"no number", run, ok + "# x\n\n1 Q0 b 2 high t", `r:4: score "high": expected a number`},
		{"not a number", run, "1 Q0 b 2 NaN t", `r:1: score "NaN": expected a number`},
		{
			"returned again",
			run,
			ok + "2 Q0 a 1 2 t\n1 Q0 b 1 1 t\n1 Q0 a 3 1 t\n",
			`r:4: query "1": document "a" is returned again, first in line 1`,
		},

		{"cut JSON of results", run, `{"1": {"a": 1.5}`, "r:1: the JSON is cut short: expected a complete file"},
		{"a document twice in JSON results", run, "{\"1\": {\"a\": 1,\n\"a\": 0}}", `r:2: query "1": document "a" is returned again, first in line 1`},
		{"a score as text in JSON", run, `{"1": {"a": "1"}}`, `r:1: score "1": must be a number`},
		{"a space in JSON", run, `{"1 2": {"a": 1}}`, `r:1: query "1 2", document "a": ids must have no white space, and no # in front`},
		{"a list in JSON results", run, `{"1": ["a"]}`, `r:1: expected results as {"query": {"document": 1}}`},
		{"no results in JSON", run, `{"1": {}}`, "r: no results: must have 6 columns: query, Q0, document, rank, score, tag"},
		{"an empty scan", scan, "", "r: no results: must have 6 columns: query, Q0, document, rank, score, tag"},
		{"one column", scan, ok + "x", `r:2: "x": must have 6 columns: query, Q0, document, rank, score, tag`},
		{"no number", scan, ok + "\n1 Q0 b 2 1e t\n", `r:3: score "1e": expected a number`},
		{"empty UTF-16", scan, "\xfe\xff", "r: no results: must have 6 columns: query, Q0, document, rank, score, tag"},
		{"noise", scan, strings.Repeat("x", 4<<20), "r:1: the line is longer than 1048576 bytes: expected a text file of columns"},
		{"noise below", scan, ok + strings.Repeat("x", 4<<20), "r:2: the line is longer than 1048576 bytes: expected a text file of columns"},
		{"not grouped", scan, ok + "2 Q0 a 1 2 t\n1 Q0 b 1 1 t\n",
			`r:3: query "1" comes again after others: sort the run by query, or give it as a file`},
	} {
		err := c.read(c.text)
		var e *trec.Error
		if err == nil || err.Error() != c.want || !errors.As(err, &e) {
			t.Errorf("%s: %v (%T), want %s", c.name, err, err, c.want)
		}
	}
	if err := scan(ok + "2 Q0 a 1 2 t\n" + ok); !errors.Is(err, trec.ErrUngrouped) {
		t.Errorf("not grouped: %v", err)
	}
}

func TestReadRunOrders(t *testing.T) {
	t.Parallel()
	var in struct{ Pairs [][2]any }
	var want []string
	requiretest.Worked(t, "tie_order", &in, &want)
	var text strings.Builder
	for rank, p := range in.Pairs {
		fmt.Fprintf(&text, "q Q0 %s %d %v tag\n", p[0], rank, p[1])
	}
	run, err := trec.ReadRun(strings.NewReader(text.String()), "r")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, item := range run["q"] {
		got = append(got, item.Document)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Results as BEIR and pytrec_eval keep them are read as the same results in lines.
func TestReadRunInJSON(t *testing.T) {
	t.Parallel()
	got, err := trec.ReadRun(strings.NewReader("\ufeff{\"1\": {\"a\": 2, \"b\": 3.5},\n \"2\": {}, \"3\": {\"a\": -1e-3}}"), "r")
	want := trec.Run{"1": {{Document: "b", Score: 3.5}, {Document: "a", Score: 2}}, "3": {{Document: "a", Score: -1e-3}}}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(err, d)
	}
}

func TestReadRunOfAnyOrder(t *testing.T) {
	t.Parallel()
	run, err := trec.ReadRun(strings.NewReader("1 Q0 a 9 1 t more junk\n2 Q0 a 1 -inf t\n1 Q0 b 8 1e400 t\n2 Q0 b 1 -1 t"), "r")
	if err != nil {
		t.Fatal(err)
	}
	var docs []string
	for _, q := range []string{"1", "2"} {
		for _, item := range run[q] {
			docs = append(docs, q+item.Document)
		}
	}
	if d := cmp.Diff([]string{"1b", "1a", "2b", "2a"}, docs); d != "" {
		t.Error(d)
	}
}

// grouped writes a run of n queries with different numbers of results.
func grouped(queries int) string {
	var b strings.Builder
	for q := range queries {
		for d := range 1 + q*7%50 {
			fmt.Fprintf(&b, "q%d Q0 document-%d %d %d.%d run%d\n", q, d*31%997, d, 100-d, q%10, q)
		}
		if q%3 == 0 {
			b.WriteString("# a remark\n\n")
		}
	}
	return b.String()
}

type visit struct {
	Docs, Tag string
	Scores    float64
	Lines     int
}

// collect makes a visitor that keeps what it sees, and the map that it fills.
func collect() (trec.Visitor, map[string]visit) {
	var mu sync.Mutex
	seen := map[string]visit{}
	return func(_ int, q *trec.Query) error {
		v := visit{Docs: string(bytes.Join(q.Documents, []byte(" "))), Tag: string(q.Tag)}
		for i := range q.Scores {
			v.Scores += q.Scores[i]
			v.Lines += q.Lines[i]
		}
		mu.Lock()
		defer mu.Unlock()
		if _, twice := seen[string(q.ID)]; twice {
			return fmt.Errorf("query %q is visited twice", q.ID)
		}
		seen[string(q.ID)] = v
		return nil
	}, seen
}

// TestScanEqualsGather reads a run of several batches both ways, packed and
// not, and with one huge query that no batch holds.
func TestScanEqualsGather(t *testing.T) {
	t.Parallel()
	text := grouped(4000)
	var huge strings.Builder
	for d := range 60000 {
		fmt.Fprintf(&huge, "huge Q0 document-%d 1 %d.5 t\n", d, d)
	}
	text += huge.String() + "last Q0 a 1 1 final"
	v, want := collect()
	info, err := trec.Gather(strings.NewReader(text), "r", 1, v)
	if err != nil {
		t.Fatal(err)
	}
	if info.Tag != "final" || info.Queries != 4002 || info.Results < 160000 {
		t.Errorf("gathered %+v", info)
	}
	gz, zst := pack(t, text)
	for name, data := range map[string][]byte{
		"plain": []byte(text), "gzip": gz, "zstd": zst, "UTF-16LE": wide(text, binary.LittleEndian), "UTF-16BE": wide(text, binary.BigEndian),
	} {
		for _, workers := range []int{0, 1, 4} {
			v, got := collect()
			again, err := trec.Scan(bytes.NewReader(data), "r", workers, v)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if again != info {
				t.Errorf("%s with %d workers: %+v, want %+v", name, workers, again, info)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s with %d workers: %s", name, workers, d)
			}
		}
	}
}

// TestGather reads runs with their lines in any order, as a reader does that keeps every
// column of every line.
func TestGather(t *testing.T) {
	t.Parallel()
	lines := strings.SplitAfter(grouped(4000), "\n")
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "" })
	lines = append(lines, "odd Q0 "+strings.Repeat("x", 300_000)+" 1 -1.5e3 t\n", "odd Q0 y 1 Inf t\n", "# note\n", "\n")
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	for i, l := range lines {
		// A query has the tag of its last line.
		if text, ends := strings.CutSuffix(l, "\n"); ends && text != "" {
			lines[i] = text + strconv.Itoa(i%3) + "\n"
		}
	}
	type result struct {
		document string
		score    float64
		line     int
	}
	var order []string
	want, tags, last := map[string][]result{}, map[string]string{}, ""
	for i, l := range lines {
		f := strings.Fields(l)
		if len(f) < 6 || f[0] == "#" {
			continue
		}
		score, err := strconv.ParseFloat(f[4], 64)
		if err != nil {
			t.Fatal(err)
		}
		if want[f[0]] == nil {
			order = append(order, f[0])
		}
		want[f[0]] = append(want[f[0]], result{f[2], score, i + 1})
		tags[f[0]], last = f[5], f[5]
	}
	text := strings.Join(lines, "")
	for _, workers := range []int{0, 1, 4} {
		var mu sync.Mutex
		var visited []string
		info, err := trec.Gather(strings.NewReader(text), "r", workers, func(_ int, q *trec.Query) error {
			var got []result
			for i, d := range q.Documents {
				got = append(got, result{string(d), q.Scores[i], q.Lines[i]})
			}
			mu.Lock()
			defer mu.Unlock()
			visited = append(visited, string(q.ID))
			if id := string(q.ID); !slices.Equal(got, want[id]) || string(q.Tag) != tags[id] {
				t.Errorf("%d workers, query %s: %d results and tag %s: want %d and %s", workers, id, len(got), q.Tag, len(want[id]), tags[id])
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if workers < 2 && !slices.Equal(visited, order) {
			t.Errorf("%d workers visit %q…: want the order of the first lines", workers, visited[:3])
		}
		slices.Sort(visited)
		if !slices.Equal(visited, slices.Sorted(slices.Values(order))) || info.Queries != len(order) || info.Tag != last {
			t.Errorf("%d workers: %d visits and %+v: want %d queries, and tag %s", workers, len(visited), info, len(order), last)
		}
		// The error is that of the first query that is rejected, whatever the workers do.
		_, err = trec.Gather(strings.NewReader(text), "r", workers, func(_ int, q *trec.Query) error {
			if at := slices.Index(order, string(q.ID)); at >= 700 {
				return fmt.Errorf("%d", at)
			}
			return nil
		})
		if err == nil || err.Error() != "700" {
			t.Errorf("%d workers: error %v: want 700", workers, err)
		}
	}
}

// pack gives a text packed with gzip and with zstd.
func pack(t *testing.T, text string) (gz, zst []byte) {
	t.Helper()
	var g, z bytes.Buffer
	zw, err := zstd.NewWriter(&z)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []io.WriteCloser{gzip.NewWriter(&g), zw} {
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return g.Bytes(), z.Bytes()
}

// wide gives a text as UTF-16 with a byte order mark.
func wide(text string, order binary.AppendByteOrder) []byte {
	out := order.AppendUint16(nil, 0xfeff)
	for _, u := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, u)
	}
	return out
}

// TestCutPackedFiles cuts packed files at many places: whatever lines are whole,
// and wherever the cut is in a line, the cut is what is reported.
func TestCutPackedFiles(t *testing.T) {
	t.Parallel()
	run := grouped(300)
	var qrels strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&qrels, "q%d 0 d%d 1\n", i%7, i*i)
	}
	readers := map[string]func(io.Reader) error{
		"qrels": func(r io.Reader) error { _, err := trec.ReadQrels(r, "f"); return err },
		"run":   func(r io.Reader) error { _, err := trec.ReadRun(r, "f"); return err },
		"scan": func(r io.Reader) error {
			_, err := trec.Scan(r, "f", 2, func(int, *trec.Query) error { return nil })
			return err
		},
	}
	for name, read := range readers {
		text := run
		if name == "qrels" {
			text = qrels.String()
		}
		gz, zst := pack(t, text)
		for form, data := range map[string][]byte{
			"gzip":           gz,
			"zstd":           zst,
			"UTF-16 in gzip": first(pack(t, string(wide(text, binary.LittleEndian)))),
		} {
			if err := read(bytes.NewReader(data)); err != nil {
				t.Fatalf("%s in %s: %v", name, form, err)
			}
			for _, cut := range []int{5, 20, len(data) / 3, len(data) / 2, len(data) - 1} {
				err := read(bytes.NewReader(data[:cut]))
				if err == nil || !strings.HasSuffix(err.Error(),
					": the compressed data ends too early: expected a complete file") || !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Errorf("%s in %s, %d bytes of %d: %v", name, form, cut, len(data), err)
				}
			}
		}
	}
}

func first(b, _ []byte) []byte { return b }

// TestScanReportsTheEarliestError breaks several lines far apart.
func TestScanReportsTheEarliestError(t *testing.T) {
	t.Parallel()
	lines := strings.SplitAfter(grouped(6000), "\n")
	for _, at := range []int{200, 60000, 120000} {
		lines[at] = "q Q0 broken\n"
	}
	for range 10 {
		_, err := trec.Scan(strings.NewReader(strings.Join(lines, "")), "r", 4, func(int, *trec.Query) error { return nil })
		if err == nil || !strings.HasPrefix(err.Error(), "r:201: ") {
			t.Fatalf("%v, want the error of line 201", err)
		}
	}
}

func TestScanStopsAtTheVisitorsError(t *testing.T) {
	t.Parallel()
	stop := errors.New("stop")
	_, err := trec.Scan(strings.NewReader(grouped(100)), "r", 2, func(_ int, q *trec.Query) error {
		if string(q.ID) == "q50" {
			return stop
		}
		return nil
	})
	if err != stop {
		t.Errorf("%v, want %v", err, stop)
	}
}

type badReader struct{ n int }

func (r *badReader) Read(b []byte) (int, error) {
	if r.n == 0 {
		return 0, errors.New("the disk is gone")
	}
	r.n--
	return copy(b, "1 Q0 a 1 1 t\n"), nil
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	_, err := trec.Scan(&badReader{3}, "r", 1, func(int, *trec.Query) error { return nil })
	if err == nil || err.Error() != "r:4: the disk is gone" {
		t.Error(err)
	}
	if _, err = trec.ReadRun(&badReader{3}, "r"); err == nil || !strings.HasSuffix(err.Error(), "the disk is gone") {
		t.Error(err)
	}
}

func TestRealRunIsRead(t *testing.T) {
	t.Parallel()
	f, err := os.Open(requiretest.Shared(t, "data/oracles/trec_eval/results.trunc"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	run, err := trec.ReadRun(f, "results.trunc")
	if err != nil {
		t.Fatal(err)
	}
	// num_ret of trec_eval for this run: out.test.aqc says 584 for two topics.
	if n := len(run["301"]) + len(run["303"]); len(run) != 2 || n != 584 {
		t.Errorf("%d queries, %d results", len(run), n)
	}
}

// A document may be judged once for each subtopic.
func TestReadSubtopics(t *testing.T) {
	t.Parallel()
	const judgments = "1 1 a 1\n1 2 a 3\n1 3 a 0\n1 1 b 0\n2 0 a 1\n"
	q, err := trec.ReadSubtopics(strings.NewReader(judgments), "q")
	if err != nil {
		t.Fatal(err)
	}
	want := trec.Topic{Query: "1", Line: 1, Grades: map[string]int{"a": 3, "b": 0}, Subtopics: map[string][]string{"a": {"1", "2"}}}
	if d := cmp.Diff(want, *q.Topic("1")); d != "" {
		t.Error(d)
	}
	if _, err := trec.ReadSubtopics(strings.NewReader(judgments+"1 2 a 1\n"), "q"); err == nil ||
		err.Error() != `q:6: query "1": document "a" is judged again, first in line 2` {
		t.Errorf("error %v", err)
	}
	if _, err := trec.ReadQrels(strings.NewReader(judgments), "q"); err == nil {
		t.Error("a document is judged again, and nothing is said")
	}
}
