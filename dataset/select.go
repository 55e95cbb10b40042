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
// id or a tag that no case has is an error, and so is a negative number.
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
	cases, err := byID(cases, s.IDs)
	if err != nil {
		return nil, err
	}
	if cases, err = byTag(cases, s.Tags); err != nil {
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

func byID(cases []assay.Case, ids []string) ([]assay.Case, error) {
	if len(ids) == 0 {
		return cases, nil
	}
	return filter(cases, ids, "id", func(c *assay.Case) []string { return []string{c.ID} })
}

func byTag(cases []assay.Case, tags []string) ([]assay.Case, error) {
	if len(tags) == 0 {
		return cases, nil
	}
	return filter(cases, tags, "tag", func(c *assay.Case) []string { return c.Tags })
}

// filter takes the cases that have one of the names, each of which must be
// that of some case.
func filter(cases []assay.Case, names []string, what string, of func(*assay.Case) []string) ([]assay.Case, error) {
	wanted := make(map[string]bool, len(names))
	for _, n := range names {
		wanted[n] = true
	}
	known := map[string]bool{}
	var out []assay.Case
	for i := range cases {
		take := false
		for _, n := range of(&cases[i]) {
			known[n] = true
			take = take || wanted[n]
		}
		if take {
			out = append(out, cases[i])
		}
	}
	var problems []string
	for _, n := range names {
		if !known[n] {
			problems = append(problems, fmt.Sprintf("no case has the %s %q%s", what, n, suggest(n, sortedKeys(known))))
		}
	}
	if problems != nil {
		return nil, fmt.Errorf("%s", strings.Join(problems, "\n"))
	}
	return out, nil
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
