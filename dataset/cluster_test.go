package dataset_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

func TestCluster(t *testing.T) {
	// A case is "id[:group] document…"; "~" marks a document with grade 0.
	read := func(lines ...string) (out []assay.Case) {
		for _, line := range lines {
			f := strings.Fields(line)
			id, group, _ := strings.Cut(f[0], ":")
			c := assay.Case{ID: id, Group: group}
			for _, d := range f[1:] {
				if c.Want.Documents == nil {
					c.Want.Documents = map[string]int{}
				}
				c.Want.Documents[strings.TrimPrefix(d, "~")] = 1 - strings.Count(d, "~")
			}
			out = append(out, c)
		}
		return out
	}
	many := func(n int, format string) (lines []string) {
		for i := range n {
			lines = append(lines, fmt.Sprintf(format, i))
		}
		return lines
	}
	for _, tc := range []struct {
		name  string
		by    dataset.GroupBy
		cases []string
		// groups of the cases, in order; nil is not checked.
		groups []string
		want   string
	}{
		{
			name: "shared documents join, through others too", by: dataset.ByDocument,
			cases:  append([]string{"a x", "b y", "c x y", "d z", "e", "f ~x"}, many(4, "g%d")...),
			groups: []string{"documents of a", "documents of a", "documents of a", "", "", "", "", "", "", ""},
			want:   "document 10 cases 8 clusters largest 3",
		},
		{
			name: "a label comes first and joins nobody else", by: dataset.ByDocument,
			cases:  []string{"a:g x", "b:g y", "c x", "d x", "e", "f"},
			groups: []string{"g", "g", "documents of c", "documents of c", "", ""},
			want:   "document 6 cases 4 clusters largest 2 labelled",
		},
		{
			name: "a chain over most cases falls back to the same documents", by: dataset.ByDocument,
			cases:  []string{"a x y", "b y z", "c z w", "d y x", "e v"},
			groups: []string{"documents of a", "", "", "documents of a", ""},
			want:   "document 5 cases 4 clusters largest 2 same",
		},
		{
			name: "one document for all", by: dataset.ByDocument, cases: many(7, "q%d manual"), want: "document 7 cases 1 clusters largest 7 same",
		},
		{
			name: "labels only", by: dataset.ByLabel, cases: []string{"a:g x", "b:g x", "c x", "d x"}, groups: []string{"g", "g", "", ""},
			want: "label 4 cases 3 clusters largest 2 labelled",
		},
		{
			name: "none", by: dataset.ByNone, cases: []string{"a:g x", "b:g x", "c y", "d y", "e"}, groups: []string{"", "", "", "", ""},
			want: "none 5 cases 3 clusters largest 2 labelled",
		},
		{name: "nothing is shared", by: dataset.ByDocument, cases: []string{"a x", "b:only y", "c"}, groups: []string{"", "only", ""}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := read(tc.cases...)
			before := slices.Clone(in)
			out, c := dataset.Cluster(assay.CasesOf(in...), tc.by)
			for i := range in {
				if in[i].Group != before[i].Group {
					t.Errorf("case %q: Cluster changed its argument", in[i].ID)
				}
			}
			if got := described(c); got != tc.want {
				t.Errorf("clusters: %s\nwant %s", got, tc.want)
			}
			var groups []string
			for _, c := range out.All() {
				groups = append(groups, c.Group)
			}
			if tc.groups != nil && !slices.Equal(groups, tc.groups) {
				t.Errorf("groups: %q\nwant %q", groups, tc.groups)
			}
		})
	}
}

func described(c *assay.Clusters) string {
	if c == nil {
		return ""
	}
	s := fmt.Sprintf("%s %d cases %d clusters largest %d", c.By, c.Cases, c.Clusters, c.Largest)
	if c.Labelled {
		s += " labelled"
	}
	if c.Same {
		s += " same"
	}
	return s
}

// TestSharedTextsJoin has several questions about one paragraph, which is no document.
func TestSharedTextsJoin(t *testing.T) {
	t.Parallel()
	of := func(texts ...string) assay.Case { return assay.Case{ID: texts[0], Want: assay.Want{Passages: texts}} }
	_, got := dataset.Cluster(assay.CasesOf(of("one"), of("one", "two"), of("two"), of("three"), of("four"), of("five"), of("six")), dataset.ByDocument)
	if got == nil || got.Clusters != 5 || got.Largest != 3 {
		t.Errorf("%+v: want 5 clusters", got)
	}
}
