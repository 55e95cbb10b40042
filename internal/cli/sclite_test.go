package cli_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/metric/speech"
)

// A scliteTest is a result of NIST's sclite that is kept with its inputs.
type scliteTest struct {
	name, what, ref, hyp string
	// tokens cuts a word as sclite did, in lower case.
	tokens func(word string) []string
	// published is the error rate in per cent.
	published float64
}

var scliteTests = []scliteTest{
	{"test15_a", "Cantonese, words", "test.cantonese.stm", "test.cantonese.ctm", func(w string) []string { return []string{w} }, 47.1},
	{"test15_b", "Cantonese, characters, ASCII whole, without hyphens", "test.cantonese.stm", "test.cantonese.ctm", func(w string) []string {
		var out []string
		whole := false
		for _, r := range strings.ReplaceAll(w, "-", "") {
			if whole && r < 0x80 {
				out[len(out)-1] += string(r)
				continue
			}
			out = append(out, string(r))
			whole = r < 0x80
		}
		return out
	}, 49.0},
	{"test9", "Mandarin, characters", "mand_ref.stm", "mand_hyp.ctm", func(w string) []string { return strings.Split(w, "") }, 14.0},
}

// A scliteSegment is a segment with its words and those that were heard in it.
type scliteSegment struct {
	end       float64
	ignored   bool
	said, got []string
}

// read reads the inputs of a test, without any code of the product.
func (s scliteTest) read(t *testing.T) []*scliteSegment {
	t.Helper()
	byChannel := map[string][]*scliteSegment{}
	var all []*scliteSegment
	for _, f := range s.lines(t, s.ref) {
		g := &scliteSegment{end: number(t, f[4]), ignored: f[5] == "IGNORE_TIME_SEGMENT_IN_SCORING", said: f[5:]}
		byChannel[f[0]+f[1]] = append(byChannel[f[0]+f[1]], g)
		all = append(all, g)
	}
	for _, f := range s.lines(t, s.hyp) {
		list := byChannel[f[0]+f[1]]
		i := slices.IndexFunc(list, func(g *scliteSegment) bool { return number(t, f[2])+number(t, f[3])/2 < g.end })
		list[i].got = append(list[i].got, f[4])
	}
	return slices.DeleteFunc(all, func(g *scliteSegment) bool { return g.ignored })
}

func (s scliteTest) lines(t *testing.T, name string) [][]string {
	t.Helper()
	var out [][]string
	for l := range strings.Lines(s.text(t, name)) {
		if f := strings.Fields(l); len(f) > 0 && !strings.HasPrefix(l, ";;") {
			out = append(out, f)
		}
	}
	return out
}

func (s scliteTest) text(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(requiretest.Shared(t, "data/oracles/sclite"), name))
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(name, "mand") {
		if data, err = simplifiedchinese.GB18030.NewDecoder().Bytes(data); err != nil {
			t.Fatal(err)
		}
	}
	return string(data)
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (s scliteTest) cut(words []string) []string {
	var out []string
	for _, w := range words {
		out = append(out, s.tokens(strings.ToLower(w))...)
	}
	return out
}

// count aligns with the given costs: the cheapest alignment, of several the one
// with the most hits.
func (s scliteTest) count(t *testing.T, substitution, insertion, deletion int) (sum speech.Counts) {
	t.Helper()
	for _, g := range s.read(t) {
		sum = sum.Add(weighted(s.cut(g.said), s.cut(g.got), substitution, insertion, deletion))
	}
	return sum
}

func weighted(ref, hyp []string, substitution, insertion, deletion int) speech.Counts {
	type cell struct {
		cost int
		speech.Counts
	}
	row := make([]cell, len(hyp)+1)
	for j := 1; j <= len(hyp); j++ {
		row[j] = cell{row[j-1].cost + insertion, row[j-1].Add(speech.Counts{Insertions: 1})}
	}
	for _, r := range ref {
		next := []cell{{row[0].cost + deletion, row[0].Add(speech.Counts{Deletions: 1})}}
		for j, h := range hyp {
			ways := []cell{
				{row[j].cost + substitution, row[j].Add(speech.Counts{Substitutions: 1})},
				{row[j+1].cost + deletion, row[j+1].Add(speech.Counts{Deletions: 1})},
				{next[j].cost + insertion, next[j].Add(speech.Counts{Insertions: 1})},
			}
			if r == h {
				ways[0] = cell{row[j].cost, row[j].Add(speech.Counts{Hits: 1})}
			}
			next = append(next, slices.MinFunc(ways, func(a, b cell) int {
				if a.cost != b.cost {
					return a.cost - b.cost
				}
				return b.Hits - a.Hits
			}))
		}
		row = next
	}
	return row[len(hyp)].Counts
}

// sums finds the counts of all speakers in what sclite printed.
var sums = regexp.MustCompile(`\| Sum +\| +\d+ +(\d+) \| +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) `)

// published reads the counts that sclite printed.
func (s scliteTest) printed(t *testing.T) speech.Counts {
	t.Helper()
	m := sums.FindStringSubmatch(s.text(t, s.name+".raw"))
	if m == nil {
		t.Fatalf("%s.raw has no sums", s.name)
	}
	n := make([]int, len(m))
	for i := 1; i < len(m); i++ {
		n[i] = int(number(t, m[i]))
	}
	c := speech.Counts{Hits: n[2], Substitutions: n[3], Deletions: n[4], Insertions: n[5]}
	if c.Reference() != n[1] || c.Errors() != n[6] {
		t.Fatalf("%s.raw: %v do not add up", s.name, n)
	}
	return c
}

// TestSclite reproduces sclite's results, and wants assay to give each segment the
// same words.
func TestSclite(t *testing.T) {
	t.Parallel()
	for _, s := range scliteTests {
		got, want := s.count(t, 4, 3, 3), s.printed(t)
		if got != want {
			t.Errorf("%s: %+v: sclite has %+v", s.name, got, want)
		}
		if rate, _ := got.Rate(); fmt.Sprintf("%.1f", 100*rate) != fmt.Sprintf("%.1f", s.published) {
			t.Errorf("%s: %.1f %%: published %.1f %%", s.name, 100*rate, s.published)
		}
		each := scoredBy(t, s, "--normalise", "none", "-q").Each
		segments := s.read(t)
		if len(each) != len(segments) {
			t.Fatalf("%s: %d utterances: want %d", s.name, len(each), len(segments))
		}
		for i, g := range segments {
			if want := strings.Join(g.got, " "); each[i].Hypothesis != want {
				t.Errorf("%s: in %s was heard %q: want %q", s.name, each[i].ID, each[i].Hypothesis, want)
			}
		}
	}
}

// A scoredFile is what assay measure transcript --format json prints.
type scoredFile struct {
	Strict struct{ Words, Characters, Mixed speech.Counts }
	Each   []struct {
		ID, Reference, Hypothesis string
		Strict                    speech.Rates
	}
}

// scoredBy runs assay measure transcript on the inputs of a test.
func scoredBy(t *testing.T, s scliteTest, flags ...string) scoredFile {
	t.Helper()
	h := harness{t, t.TempDir()}
	h.write(s.ref, s.text(t, s.ref))
	h.write(s.hyp, s.text(t, s.hyp))
	return scoredJSON(h, append([]string{s.ref, s.hyp}, flags...)...)
}

// alternatives draws a text in sclite's notation.
func alternatives(r *rand.Rand, depth int) string {
	var out []string
	for range 1 + r.IntN(5) {
		if depth == 2 || r.IntN(3) > 0 {
			out = append(out, string(rune('a'+r.IntN(6))))
			continue
		}
		var each []string
		for range 2 + r.IntN(2) {
			each = append(each, cmp.Or(strings.Repeat("@", r.IntN(4)/3), alternatives(r, depth+1)))
		}
		out = append(out, "{ "+strings.Join(each, " / ")+" }")
	}
	return strings.Join(out, " ")
}

// TestScliteChoosesEqually: the alternatives that assay chooses cost what those of sclite do.
func TestScliteChoosesEqually(t *testing.T) {
	t.Parallel()
	sctk := requiretest.Command(t, "sctk")
	h := harness{t, t.TempDir()}
	r := rand.New(rand.NewPCG(1, 2))
	var ref, hyp strings.Builder
	for i := range 500 {
		fmt.Fprintf(&ref, "%s (s-%03d)\n", alternatives(r, 0), i)
		fmt.Fprintf(&hyp, "%s (s-%03d)\n", alternatives(r, 2), i)
	}
	h.write("ref.trn", ref.String())
	h.write("hyp.trn", hyp.String())
	c := exec.Command(sctk, "sclite", "-r", "ref.trn", "trn", "-h", "hyp.trn", "trn", "-i", "spu_id", "-o", "prf", "stdout")
	c.Dir = h.dir
	printed, err := c.Output()
	if err != nil {
		t.Fatalf("sclite: %v", err)
	}
	want := map[string]string{}
	for _, m := range regexp.MustCompile(`id: \((s-\d+)\)\nScores: \(#C #S #D #I\) \d+ (.+)\n`).FindAllStringSubmatch(string(printed), -1) {
		want[m[1]] = m[2]
	}
	for _, e := range scoredJSON(h, "ref.trn", "hyp.trn", "--normalise", "none", "-q").Each {
		var s, d, i int
		if _, err := fmt.Sscan(want[e.ID], &s, &d, &i); err != nil {
			t.Fatalf("%s: sclite printed %q: %v", e.ID, want[e.ID], err)
		}
		got := weighted(strings.Fields(e.Reference), strings.Fields(e.Hypothesis), 4, 3, 3)
		if got := 4*got.Substitutions + 3*(got.Deletions+got.Insertions); got != 4*s+3*(d+i) {
			t.Errorf("%s: %q, %q cost %d: sclite's choice costs %d", e.ID, e.Reference, e.Hypothesis, got, 4*s+3*(d+i))
		}
		delete(want, e.ID)
	}
	if len(want) > 0 {
		t.Errorf("not scored: %v", want)
	}
}
