package text

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// marked writes the changes as pages do.
func marked(changes []Change) string {
	var b strings.Builder
	for _, c := range changes {
		if c.Same() {
			b.WriteString(c.New)
			continue
		}
		if c.Old != "" {
			b.WriteString("[-" + c.Old + "-]")
		}
		if c.New != "" {
			b.WriteString("{+" + c.New + "+}")
		}
	}
	return b.String()
}

func TestDiff(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"", "", ""},
		{"same words", "same words", "same words"},
		{"", "new", "{+new+}"},
		{"old", "", "[-old-]"},
		{"Boards up to 2.5 m travel free.", "Boards up to 1.8 m travel free.", "Boards up to [-2.5-]{+1.8+} m travel free."},
		{"the red car", "the blue van", "the [-red car-]{+blue van+}"},
		{"Open\n\nat nine", "Open\nat nine", "Open[-\n\n-]{+\n+}at nine"},
		{"It costs 4 [1]. Children pay 2 [1].", "It costs 4 [1].", "It costs 4 [1].[- Children pay 2 [1].-]"},
		{"a cat and a dog", "a cat and a fish and a dog", "a cat and a {+fish and a +}dog"},
		{"渡輪上午九時開出", "渡輪下午九時開出", "渡輪[-上-]{+下+}午九時開出"},
	} {
		if got := marked(Diff(c[0], c[1])); got != c[2] {
			t.Errorf("%q, %q: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

// Taking out what is new gives the old text, and taking out what is old gives the new one.
func TestDiffLosesNothing(t *testing.T) {
	t.Parallel()
	words := rapid.SliceOf(rapid.SampledFrom([]string{"a", "ferry", " ", "\n", "渡", "輪", ".", "2", "\xff", "é", "'", "\u0301"}))
	rapid.Check(t, func(t *rapid.T) {
		old, new := strings.Join(words.Draw(t, "old"), ""), strings.Join(words.Draw(t, "new"), "")
		var was, is strings.Builder
		changes := Diff(old, new)
		for i, c := range changes {
			was.WriteString(c.Old)
			is.WriteString(c.New)
			if c == (Change{}) || i > 0 && c.Same() == changes[i-1].Same() {
				t.Fatalf("%q, %q: part %d of %q is empty or like its neighbour", old, new, i, changes)
			}
		}
		if was.String() != old || is.String() != new {
			t.Fatalf("%q, %q: parts %q", old, new, changes)
		}
	})
}

// Long texts that share little are compared in bounded time.
func TestDiffIsBounded(t *testing.T) {
	t.Parallel()
	old, new := "begin "+strings.Repeat("a b ", 1<<16)+"end", "begin "+strings.Repeat("c d ", 1<<16)+"end"
	if got := Diff(old, new); len(got) != 3 || got[0].New != "begin " || got[2].New != " end" {
		t.Errorf("%d parts: want the beginning, one difference and the end", len(got))
	}
}
