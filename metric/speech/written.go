package speech

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
)

// A Rewording is a word of spoken Cantonese that a transcript replaces by one of
// written Chinese. It is an error, because a different word was said.
type Rewording struct {
	Spoken  string `json:"spoken"`
	Written string `json:"written"`
	Count   int    `json:"count"`
}

// rewritten maps a spoken character to the simplified characters that written
// Chinese uses instead.
var rewritten = map[string]string{
	"唔": "不", "系": "是", "係": "是", "嘅": "的", "喺": "在", "佢": "他她它", "冇": "没無无", "咗": "了",
	"哋": "们", "啲": "些", "嗰": "那",
}

// shown maps characters of the tables to the form for display.
var shown = map[string]string{"系": "係", "没": "沒有", "无": "無", "们": "們"}

// rewordings counts the rewordings between the hits of an alignment of simplified
// tokens, the most frequent first.
func rewordings(reference, hypothesis []string, steps []Step) []Rewording {
	counts := map[[2]string]int{}
	for i := 0; i < len(steps); i++ {
		var spoken, written []string
		for ; i < len(steps) && steps[i].Op != Hit; i++ {
			if k := steps[i].Reference; k >= 0 {
				spoken = append(spoken, reference[k])
				if reference[k] == "系" && (k > 0 && strings.Contains("关联体", reference[k-1]) ||
					k+1 < len(reference) && strings.Contains("统列数", reference[k+1])) {
					spoken[len(spoken)-1] = "" // a part of a word such as 關係
				}
			}
			if k := steps[i].Hypothesis; k >= 0 {
				written = append(written, hypothesis[k])
			}
		}
		for _, s := range spoken {
			// Between two hits it is unknown which token replaces which, but their
			// order is known.
			if at := slices.IndexFunc(written, func(w string) bool { return strings.Contains(rewritten[s], w) }); at >= 0 {
				counts[[2]string{s, written[at]}]++
				written = written[at+1:]
			}
		}
	}
	out := []Rewording{}
	for k, n := range counts {
		r := Rewording{Spoken: k[0], Written: k[1], Count: n}
		if s, ok := shown[r.Spoken]; ok {
			r.Spoken = s
		}
		if s, ok := shown[r.Written]; ok {
			r.Written = s
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b Rewording) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.Spoken, b.Spoken), strings.Compare(a.Written, b.Written))
	})
	return out
}

func isCJKToken(t string) bool {
	r, _ := utf8.DecodeRuneInString(t)
	return text.IsCJK(r)
}
