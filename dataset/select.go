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

// A Selection chooses cases; its zero value takes all. Its fields are applied in
// their order.
type Selection struct {
	// IDs restricts the cases to these ids; nil takes all.
	IDs []string
	// Tags restricts the cases to those with at least one of these tags; nil
	// takes all.
	Tags []string
	// Sample is the size of a random sample. 0 takes all cases, as does a number
	// that is not less than their number.
	Sample int
	// Seed is the seed of the random sample.
	Seed uint64
	// Limit keeps the first cases only; 0 takes all.
	Limit int
}

// Select returns the chosen cases in their original order; all of them are the given
// slice itself, clipped. It is an error if an
// id or a tag matches no case, if the ids and tags together match no case, or if
// a number is negative.
//
// A sample draws a number for each case from a PCG seeded with the SHA-256 of the
// seed and the case's id, and takes the smallest numbers. A larger sample
// therefore contains a smaller one with the same seed, and cases added to the
// dataset displace few others.
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
	return slices.Clip(cases), nil
}

// named returns the cases that have one of the ids and one of the tags, where
// they are given. Each must match a case.
func named(cases []assay.Case, ids, tags []string) ([]assay.Case, error) {
	if len(ids) == 0 && len(tags) == 0 {
		return cases, nil
	}
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
		return nil, fmt.Errorf("no case has one of the ids %s and one of the tags %s", quoted(ids),
			quoted(tags))
	}
	return out, nil
}

// filter reports which cases have one of the names (all if there are no names),
// and describes the names that match no case.
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
