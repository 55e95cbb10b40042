package doctest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/assay-eval/assay/internal/doctest"
)

const page = "# A page\n" + // 1
	"\n<!-- run: in an empty folder -->\n\n```console\n" + // 5
	"$ cat > a.txt <<'END'\n$ no command\nEND\n$ assay runs \\\n    --json\nprinted\n  more\n```\n" + // 13
	"\n<!-- run: not, it needs a cluster -->\n\n```\nassay serve worker --store postgres://db.example/assay\n# a comment\n\nassay runs\n```\n" +
	"\n<!-- run: file rag.py -->\n\n```python\nprint(1)\n```\n" +
	"\n<!-- run: not, of a block that does not follow -->\n\nA sentence with `assay gate latest` and `assay`.\n" +
	"\n```sh\nassay runs > all.txt   # all\n```\n" +
	"\n```yaml\nassay: no\n```\n\n```\nassay: a message\n```\n\n<!-- run: whatever -->\n"

func TestRead(t *testing.T) {
	t.Parallel()
	p := doctest.Read("a.md", page)
	want := []doctest.Block{
		{Line: 5, Folder: doctest.Empty, Steps: []doctest.Step{
			{Line: 6, Command: "cat > a.txt <<'END'\n$ no command\nEND", Shown: true},
			{Line: 9, Command: "assay runs \\\n    --json", Shown: true, Output: "printed\n  more\n"},
		}},
		{Line: 17, Needs: "it needs a cluster", Steps: []doctest.Step{
			{Line: 18, Command: "assay serve worker --store postgres://db.example/assay"}, {Line: 21, Command: "assay runs"},
		}},
		{Line: 26, File: "rag.py", Text: "print(1)\n"},
		{Line: 34, Steps: []doctest.Step{{Line: 35, Command: "assay runs > all.txt   # all"}}},
	}
	if d := cmp.Diff(want, p.Blocks, cmpopts.IgnoreUnexported(doctest.Step{})); d != "" {
		t.Errorf("the blocks (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"<!-- run: whatever -->"}, p.Faults); d != "" {
		t.Errorf("the marks that cannot be read (-want +got):\n%s", d)
	}
	named := []string{"assay runs", "assay serve worker --store postgres://db.example/assay", "assay runs", "assay runs", "assay gate latest"}
	got := p.Commands()
	for i := range got {
		got[i] = strings.TrimSpace(strings.ReplaceAll(got[i], "      --json", ""))
	}
	if d := cmp.Diff(named, got); d != "" {
		t.Errorf("the commands that it names (-want +got):\n%s", d)
	}
	if runs := p.Blocks[1].Steps[0].Runs(); runs {
		t.Error("a command with an address that is an example is run")
	}
	if first := doctest.Read("b.md", "```\nassay runs\n```\n").Blocks[0].Folder; first != doctest.Usual {
		t.Errorf("a page begins in %q", first)
	}
}

func TestRewrite(t *testing.T) {
	t.Parallel()
	p := doctest.Read("a.md", page)
	again := p.Rewrite(map[int]string{9: "one \ntwo\nthree\n", 6: "said\n"})
	want := strings.Replace(page, "printed\n  more\n", "one\ntwo\nthree\n", 1)
	want = strings.Replace(want, "no command\nEND\n", "no command\nEND\nsaid\n", 1)
	if d := cmp.Diff(want, again); d != "" {
		t.Errorf("the page (-want +got):\n%s", d)
	}
	if same := p.Rewrite(nil); same != page {
		t.Errorf("nothing was printed, and the page is\n%s", same)
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		shown, printed string
		want           bool
	}{
		{"", "", true}, {"", "\n", true}, {"a\n", "a", true}, {"a", "a  \n\n", true}, {"a", "b", false},
		{"a", "a\nb", false}, {"a\nb", "a", false},
		{"…", "a\nb", true}, {"…", "", true}, {"a\n…", "a\nb\nc", true}, {"a\n…", "b\na", false}, {"…\nc", "a\nb\nc", true},
		{"…\nb\n…\nd", "a\nb\nc\nb\nd", true}, {"…\nb\n…\nd", "a\nd\nb", false}, {"0…1", "0…1", true}, {"a…", "ab", false},
	} {
		if got := doctest.Matches(x.shown, x.printed); got != x.want {
			t.Errorf("%q and %q: %v, want %v", x.shown, x.printed, got, x.want)
		}
	}
}

// FuzzRead: whatever a page holds, steps are lines of it, in order, and a page of which nothing was
// printed stays as it is.
func FuzzRead(f *testing.F) {
	f.Add(page)
	f.Add("```\n$ a \\\n")
	f.Add("```sh\n```\n<!-- run: file x -->\n```")
	f.Fuzz(func(t *testing.T, text string) {
		p := doctest.Read("a.md", text)
		lines, last := strings.Count(text, "\n")+1, 0
		for _, b := range p.Blocks {
			for _, s := range b.Steps {
				if s.Line <= last || s.Line > lines {
					t.Fatalf("line %d after %d, of %d", s.Line, last, lines)
				}
				last = s.Line
			}
		}
		p.Commands()
		if again := p.Rewrite(nil); again != text {
			t.Fatalf("%q became %q", text, again)
		}
	})
}
