package question

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

// InBlocks returns a judge that compares claims with a limited number of passages at once:
// sizes has the limit by the language of the prompts, and languages without one have none.
// Each block of passages gets a ruling of base, with its votes, and the rulings on a claim are
// merged. Without sizes it is base.
func InBlocks(base judge.Judge, sizes map[judge.Language]int) judge.Judge {
	if len(sizes) == 0 {
		return base
	}
	b := &inBlocks{base: base, sizes: maps.Clone(sizes)}
	b.answers = judge.NewAnswers(Support.By(b.rule))
	return judge.Delegating(base, map[string]judge.Judge{Support.Name: b})
}

type inBlocks struct {
	base    judge.Judge
	sizes   map[judge.Language]int
	answers judge.Answers
}

// Info is what base says of itself for the task, with the limits as parameters.
func (b *inBlocks) Info() assay.JudgeInfo {
	info := b.base.Info().For(Support.Name).About([]string{Support.Name})
	p := maps.Clone(info.Parameters)
	if p == nil {
		p = map[string]string{}
	}
	for language, n := range b.sizes {
		p[assay.ParameterBlock+"."+string(language)] = strconv.Itoa(n)
	}
	info.Parameters = p
	return info
}

// Answers reports whether base answers the task.
func (b *inBlocks) Answers(t judge.AnyTask) bool { return b.answers.Has(t) && judge.Able(b.base, t) }

func (b *inBlocks) Ask(ctx context.Context, t judge.AnyTask, s judge.Subject, given any) (any, error) {
	return b.answers.Ask(ctx, t, s, given)
}

// rule asks about everything at once if that is within the limit, so that the calls are those
// of base.
func (b *inBlocks) rule(ctx context.Context, s judge.Subject, in SupportInput) ([]judge.Finding, error) {
	size := b.sizes[cmp.Or(s.Language, judge.LanguageOf(s.Question))]
	within := make([][]int, len(in.Claims))
	for i, c := range in.Claims {
		within[i] = textsWithin(in.Sources, c.Within)
	}
	if all := textsWithin(in.Sources, nil); size == 0 || len(all) <= size || len(in.Claims) == 0 {
		return Support.Ask(ctx, b.base, s, in)
	}
	found, err := b.each(ctx, s, in, blocksOf(within, size))
	if err != nil {
		return nil, err
	}
	out := make([]judge.Finding, len(in.Claims))
	for i := range out {
		out[i] = merged(found[i])
	}
	return out, b.together(ctx, s, in, found, out, size)
}

// together asks once more about claims that several blocks say in part and none decides. The
// merge alone does not make them supported: the blocks may say the same part, or speak of two
// persons or years, so that somebody has to read the passages side by side. The passages with
// the quoted parts are asked about together, two at least: that two passages stand beside
// nothing else is no matter of losing a claim among many, which the limit is for.
func (b *inBlocks) together(ctx context.Context, s judge.Subject, in SupportInput, found [][]judge.Finding, out []judge.Finding,
	size int) error {
	size = max(2, size)
	within := make([][]int, len(in.Claims))
	for i, f := range out {
		if f.Verdict == judge.NotFound || f.Verdict == judge.Unknown {
			within[i] = partSources(found[i], size)
		}
	}
	again, err := b.each(ctx, s, in, blocksOf(within, size))
	if judge.Over(ctx, err) {
		return err
	}
	for i, list := range again {
		for _, f := range list {
			if f.Verdict == judge.Supported || f.Verdict == judge.Contradicted {
				out[i] = f
			}
		}
	}
	return nil
}

// each asks base about every block and returns the findings on each claim, with the sources
// as in in. A block without an answer has no ruling; it is an error if none has an answer.
func (b *inBlocks) each(ctx context.Context, s judge.Subject, in SupportInput, blocks []*block) ([][]judge.Finding, error) {
	said, errs := make([][]judge.Finding, len(blocks)), make([]error, len(blocks))
	g, round := errgroup.WithContext(ctx)
	for k, one := range blocks {
		g.Go(func() error {
			list, err := Support.Ask(round, b.base, s, one.input(in))
			said[k], errs[k] = judge.EachOf(Support.Name, len(one.claims), list, err)
			if judge.Over(round, errs[k]) {
				return errs[k]
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	out := make([][]judge.Finding, len(in.Claims))
	failed := 0
	for k, one := range blocks {
		if errs[k] != nil {
			failed++
		}
		for n, i := range one.claims {
			f := judge.Finding{}
			if errs[k] != nil {
				f.Why = fmt.Sprintf("unknown: %v", errs[k])
			} else {
				f = relocated(said[k][n], one.sources)
			}
			out[i] = append(out[i], f)
		}
	}
	if failed > 0 && failed == len(blocks) {
		return nil, errs[0]
	}
	return out, nil
}

// A block is sources that are asked about at once, with the claims that are compared with
// some of them.
type block struct {
	sources, claims []int
	within          [][]int
}

// blocksOf divides the sources that each claim is compared with into parts of at most size, as
// even as possible, and puts parts of several claims into one block as far as its sources are
// then no more than size.
func blocksOf(within [][]int, size int) []*block {
	var out []*block
	for i, all := range within {
		for part := range slices.Chunk(all, evenly(len(all), size)) {
			at := slices.IndexFunc(out, func(b *block) bool { return len(joined(b.sources, part)) == len(b.sources) })
			if at < 0 {
				at = slices.IndexFunc(out, func(b *block) bool { return len(joined(b.sources, part)) <= size })
			}
			if at < 0 {
				at = len(out)
				out = append(out, &block{})
			}
			b := out[at]
			b.sources = joined(b.sources, part)
			b.claims, b.within = append(b.claims, i), append(b.within, part)
		}
	}
	return out
}

// evenly is the size of equal parts of n, of which none has more than size.
func evenly(n, size int) int {
	parts := max(1, (n+size-1)/size)
	return max(1, (n+parts-1)/parts)
}

// joined is the union of two lists, sorted.
func joined(a, b []int) []int {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

// input is what is asked about a block.
func (b *block) input(in SupportInput) SupportInput {
	out := SupportInput{Sources: judge.Pick(in.Sources, b.sources), Claims: judge.Pick(in.Claims, b.claims)}
	for k := range out.Claims {
		out.Claims[k].Within = nil
		if len(b.within[k]) == len(b.sources) {
			continue
		}
		for _, i := range b.within[k] {
			out.Claims[k].Within = append(out.Claims[k].Within, slices.Index(b.sources, i))
		}
	}
	return out
}

// textsWithin lists the sources with a text among those given by number, nil for all.
func textsWithin(sources []judge.Source, within []int) []int {
	var out []int
	for i, s := range sources {
		if (within == nil || slices.Contains(within, i)) && strings.TrimSpace(s.Text) != "" {
			out = append(out, i)
		}
	}
	return out
}
