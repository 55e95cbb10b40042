package dataset

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// A Selection says which cases to take. Its zero value takes all. What it says
// is applied in the order of its fields.
type Selection struct {
	// IDs are the only cases to take; nil takes all.
	IDs []string
	// Tags are those of which a case must have one; nil asks for none.
	Tags []string
	// Sample is how many cases are drawn at random; 0 takes all, as does a
	// number that is not less than there are.
	Sample int
	// Seed decides which are drawn.
	Seed uint64
	// Limit is how many of the first cases are taken; 0 takes all.
	Limit int
}

// Select returns the cases that are chosen, in the order in which they came. An
// id or a tag that no case has is an error, and so are a negative number and ids
// and tags that no case has together.
//
// Sampling draws a number for each case from PCG seeded by the SHA-256 of the
// seed and the case's id, and takes the smallest. So a larger sample holds a
// smaller one of the same seed, and cases that join the data set displace few.
func Select(cases []assay.Case, s Selection) ([]assay.Case, error) {
	if s.Sample < 0 {
		return nil, fmt.Errorf("sample %d: want 0 or more", s.Sample)
	}
	if s.Limit < 0 {
		return nil, fmt.Errorf("limit %d: want 0 or more", s.Limit)
	}
	cases, err := named(cases, s.IDs, s.Tags)
	if err != nil {
		return nil, err
	}
	if s.Sample > 0 && s.Sample < len(cases) {
		cases = sample(cases, s.Sample, s.Seed)
	}
	if s.Limit > 0 && s.Limit < len(cases) {
		cases = cases[:s.Limit]
	}
	return slices.Clone(cases), nil
}

// named takes the cases that have one of the ids and one of the tags, where
// such are given. Each must be that of some case.
func named(cases []assay.Case, ids, tags []string) ([]assay.Case, error) {
	haveID, unknownIDs := filter(cases, ids, "id", func(c *assay.Case) []string { return []string{c.ID} })
	haveTag, unknownTags := filter(cases, tags, "tag", func(c *assay.Case) []string { return c.Tags })
	if problems := append(unknownIDs, unknownTags...); problems != nil {
		return nil, fmt.Errorf("%s", strings.Join(problems, "\n"))
	}
	var out []assay.Case
	for i := range cases {
		if haveID[i] && haveTag[i] {
			out = append(out, cases[i])
		}
	}
	if len(ids) > 0 && len(tags) > 0 && out == nil {
		return nil, fmt.Errorf("no case has one of the ids %s and one of the tags %s: want ids and tags of the same cases", quoted(ids),
			quoted(tags))
	}
	return out, nil
}

// filter tells which cases have one of the names, all when there are none, and
// which names no case has.
func filter(cases []assay.Case, names []string, what string, of func(*assay.Case) []string) (has []bool, problems []string) {
	has = make([]bool, len(cases))
	wanted, known := setOf(names), map[string]bool{}
	for i := range cases {
		has[i] = len(names) == 0
		for _, n := range of(&cases[i]) {
			known[n] = true
			has[i] = has[i] || wanted[n]
		}
	}
	for _, n := range names {
		if !known[n] {
			problems = append(problems, fmt.Sprintf("no case has the %s %q%s", what, n, suggest(n, sortedKeys(known))))
		}
	}
	return has, problems
}

// sample draws n cases.
func sample(cases []assay.Case, n int, seed uint64) []assay.Case {
	type lot struct {
		draw  uint64
		index int
	}
	lots := make([]lot, len(cases))
	for i := range cases {
		sum := sha256.Sum256(append(binary.BigEndian.AppendUint64([]byte("assay sample\n"), seed), cases[i].ID...))
		pcg := rand.NewPCG(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16]))
		lots[i] = lot{pcg.Uint64(), i}
	}
	slices.SortFunc(lots, func(a, b lot) int { return cmp.Or(cmp.Compare(a.draw, b.draw), a.index-b.index) })
	lots = lots[:n]
	slices.SortFunc(lots, func(a, b lot) int { return a.index - b.index })
	out := make([]assay.Case, n)
	for i, l := range lots {
		out[i] = cases[l.index]
	}
	return out
}
