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

// Select returns the chosen cases in their original order; all of them are the given list
// itself. It is an error if an id or a tag matches no case, if the ids and tags together
// match no case, or if a number is negative.
//
// A sample draws a number for each case from a PCG seeded with the SHA-256 of the
// seed and the case's id, and takes the smallest numbers. A larger sample
// therefore contains a smaller one with the same seed, and cases added to the
// dataset displace few others.
func Select(cases *assay.Cases, s Selection) (*assay.Cases, error) {
	if s.Sample < 0 {
		return nil, fmt.Errorf("sample %d: expected 0 or more", s.Sample)
	}
	if s.Limit < 0 {
		return nil, fmt.Errorf("limit %d: expected 0 or more", s.Limit)
	}
	cases, err := named(cases, s.IDs, s.Tags)
	if err != nil {
		return nil, err
	}
	if s.Sample > 0 && s.Sample < cases.Len() {
		cases = sample(cases, s.Sample, s.Seed)
	}
	if s.Limit > 0 && s.Limit < cases.Len() {
		cases = cases.Where(func(i int) bool { return i < s.Limit })
	}
	return cases, nil
}

// named returns the cases that have one of the ids and one of the tags, where
// they are given. Each must match a case.
func named(cases *assay.Cases, ids, tags []string) (*assay.Cases, error) {
	if len(ids) == 0 && len(tags) == 0 {
		return cases, nil
	}
	haveID, unknownIDs := filter(cases, ids, "id", func(c *assay.Case) []string { return []string{c.ID} })
	haveTag, unknownTags := filter(cases, tags, "tag", func(c *assay.Case) []string { return c.Tags })
	if problems := append(unknownIDs, unknownTags...); problems != nil {
		return nil, fmt.Errorf("%s", strings.Join(problems, "\n"))
	}
	out := cases.Where(func(i int) bool { return haveID[i] && haveTag[i] })
	if len(ids) > 0 && len(tags) > 0 && out.Len() == 0 {
		return nil, fmt.Errorf("no case has one of the ids %s and one of the tags %s", quoted(ids),
			quoted(tags))
	}
	return out, nil
}

// filter reports which cases have one of the names (all if there are no names),
// and describes the names that match no case.
func filter(cases *assay.Cases, names []string, what string, of func(*assay.Case) []string) (has []bool, problems []string) {
	has = make([]bool, cases.Len())
	missing, wanted := setOf(names), setOf(names)
	for i, c := range cases.All() {
		has[i] = len(names) == 0
		for _, n := range of(&c) {
			delete(missing, n)
			has[i] = has[i] || wanted[n]
		}
	}
	if len(missing) == 0 {
		return has, nil
	}
	known := map[string]bool{}
	for _, c := range cases.All() {
		for _, n := range of(&c) {
			known[n] = true
		}
	}
	for _, n := range names {
		if missing[n] {
			problems = append(problems, fmt.Sprintf("no case has the %s %q%s", what, n, suggest(n, sortedKeys(known))))
		}
	}
	return has, problems
}

// sample draws n cases.
func sample(cases *assay.Cases, n int, seed uint64) *assay.Cases {
	type lot struct {
		draw  uint64
		index int
	}
	lots := make([]lot, cases.Len())
	for i, c := range cases.All() {
		sum := sha256.Sum256(append(binary.BigEndian.AppendUint64([]byte("assay sample\n"), seed), c.ID...))
		pcg := rand.NewPCG(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16]))
		lots[i] = lot{pcg.Uint64(), i}
	}
	slices.SortFunc(lots, func(a, b lot) int { return cmp.Or(cmp.Compare(a.draw, b.draw), a.index-b.index) })
	drawn := make([]bool, len(lots))
	for _, l := range lots[:n] {
		drawn[l.index] = true
	}
	return cases.Where(func(i int) bool { return drawn[i] })
}
