package generate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// The kinds of new questions, which are also the tags of their cases.
const (
	SingleHop    = "single_hop"
	MultiHop     = "multi_hop"
	Unanswerable = "unanswerable"
)

// A Plan says which questions to write.
type Plan struct {
	SingleHop, MultiHop, Unanswerable int
	// Seed determines the passages.
	Seed uint64
	// Known are existing cases, whose questions are not repeated.
	Known []assay.Case
	// Judge checks that passages support an answer, that a multi-hop question
	// needs several passages, and that no similar passage answers an unanswerable
	// question. With nil these checks are skipped, which the cases record.
	Judge judge.Judge
	// Concurrency is how many questions are written at once; 0 means 10.
	Concurrency int
	// Done, if not nil, receives the number of written questions and their total.
	Done func(done, total int)
}

// Questions is the result of a plan.
type Questions struct {
	Cases []assay.Case
	// Dropped counts the unused drafts, by reason. Problems are the underlying
	// errors.
	Dropped  map[string]int
	Problems []error
	// Short is the number of missing questions, by kind.
	Short map[string]int
}

const (
	// leastWords is the length of the shortest passage that is asked about.
	leastWords = 30
	// tries is how many passages are tried per question.
	tries = 4
	// company is how many passages are shown beside the one asked about, for
	// questions that need several.
	company = 2
	// searched is how many passages similar to an unanswerable question are
	// checked.
	searched = 5
)

// Questions writes new cases about passages of a corpus, each with a unique id
// within it. It draws passages at random from the seed; if a draft cannot be used
// it draws another passage, up to four for each question. The same replies give
// the same cases, whatever the concurrency.
//
// With a fatal error (see [Fatal]) or that of ctx, it also returns what was
// finished.
func (w *Writer) Questions(ctx context.Context, passages []assay.Passage, p Plan) (Questions, error) {
	b := &bench{writer: w, plan: p, near: newNeighbours(passages), out: Questions{Dropped: map[string]int{}, Short: map[string]int{}}}
	if b.plan.Concurrency <= 0 {
		b.plan.Concurrency = 10
	}
	for _, c := range p.Known {
		b.asked.add(c.Question)
	}
	for i, q := range passages {
		if len(text.Tokens(q.Text)) >= leastWords {
			b.eligible = append(b.eligible, i)
		}
	}
	if len(b.eligible) == 0 {
		return b.out, fmt.Errorf("no passage of %d words or more to ask about, among %d", leastWords, len(passages))
	}
	b.total = p.SingleHop + p.MultiHop + p.Unanswerable
	for _, k := range []struct {
		kind string
		want int
	}{{SingleHop, p.SingleHop}, {MultiHop, p.MultiHop}, {Unanswerable, p.Unanswerable}} {
		if err := b.kind(ctx, k.kind, k.want); err != nil {
			return b.out, err
		}
	}
	return b.out, nil
}

// A bench holds what is needed to write questions.
type bench struct {
	writer   *Writer
	plan     Plan
	near     *neighbours
	eligible []int
	asked    asked
	out      Questions
	total    int
}

// kind writes the questions of one kind in rounds: it makes as many drafts as
// there are questions missing, in parallel, and then takes the good ones in
// order.
func (b *bench) kind(ctx context.Context, kind string, want int) error {
	order := b.order(kind)
	tried := 0
	for got := 0; got < want; {
		round := order[tried:min(len(order), tried+want-got, tries*want)]
		if len(round) == 0 {
			b.out.Short[kind] = want - got
			return nil
		}
		tried += len(round)
		drafts := make([]draft, len(round))
		g, gctx := errgroup.WithContext(ctx)
		g.SetLimit(b.plan.Concurrency)
		for i, at := range round {
			g.Go(func() (err error) {
				drafts[i], err = b.draft(gctx, kind, at)
				return err
			})
		}
		err := g.Wait()
		for _, d := range drafts {
			if b.take(kind, d) {
				got++
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// order shuffles the passages.
func (b *bench) order(kind string) []int {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64([]byte("assay questions "+kind+"\n"), b.plan.Seed))
	rng := rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16])))
	out := slices.Clone(b.eligible)
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// A draft is a question that has not been accepted yet.
type draft struct {
	Question, Answer string
	// Passages are those that the answer needs, Shown all that the model saw, as
	// indexes into the passages of the corpus.
	Passages, Shown []int
	// Drop says why it cannot be used; Problem is the underlying error.
	Drop, Problem string
	Written       Provenance
}

// draft writes a draft about the passage at an index. Its error is fatal.
func (b *bench) draft(ctx context.Context, kind string, at int) (draft, error) {
	d := draft{Shown: []int{at}}
	if kind != SingleHop {
		d.Shown = append(d.Shown, b.near.around(at, company)...)
	}
	err := b.write(ctx, kind, &d)
	if err == nil && d.Drop == "" {
		if d.Drop = screen(d.Question, d.Answer, b.texts(d.Shown)); d.Drop == "" && b.plan.Judge != nil {
			err = b.check(ctx, kind, &d)
		}
	}
	switch {
	case ctx.Err() != nil:
		return draft{}, ctx.Err()
	case Fatal(err):
		return draft{}, err
	case err != nil:
		if d.Problem = err.Error(); d.Drop == "" {
			d.Drop = dropUnread
		}
	}
	return d, nil
}

func (b *bench) texts(places []int) []string {
	out := make([]string, len(places))
	for i, at := range places {
		out[i] = b.near.passages[at].Text
	}
	return out
}

// write asks the model for the question.
func (b *bench) write(ctx context.Context, kind string, d *draft) error {
	if kind == MultiHop && len(d.Shown) < 2 {
		d.Drop = dropNone
		return nil
	}
	data := struct {
		Kind     string         `json:"kind"`
		Passages []documentData `json:"passages"`
		Count    int            `json:"count"`
	}{Kind: kind, Count: 1}
	for i, at := range d.Shown {
		p := b.near.passages[at]
		data.Passages = append(data.Passages, documentData{i + 1, strings.TrimSpace(p.Title + "\n" + p.Text)})
	}
	type item struct {
		Question, Answer string
		Passages         []int
	}
	var reply struct{ Items []item }
	language := b.language(b.near.passages[d.Shown[0]].Text)
	a, err := b.writer.ask(ctx, taskQuestions, string(language), data, &reply, func() error {
		for i, it := range reply.Items {
			if err := checkItem(kind, it.Question, it.Answer, it.Passages, len(d.Shown)); err != nil {
				return fmt.Errorf("item %d: %w", i+1, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(reply.Items) == 0 {
		d.Drop = dropNone
		return nil
	}
	first := reply.Items[0]
	d.Question, d.Answer = strings.TrimSpace(first.Question), strings.TrimSpace(first.Answer)
	for i, at := range d.Shown {
		if slices.Contains(first.Passages, i+1) {
			d.Passages = append(d.Passages, at)
		}
	}
	d.Written = b.writer.provenance(taskQuestions, a)
	return nil
}

// checkItem validates the form of a draft.
func checkItem(kind, question, answer string, passages []int, shown int) error {
	seen := map[int]bool{}
	for _, n := range passages {
		if n < 1 || n > shown {
			return fmt.Errorf("passages: %d: want numbers from 1 to %d", n, shown)
		}
		seen[n] = true
	}
	switch {
	case strings.TrimSpace(question) == "":
		return errors.New("the question is blank")
	case kind == Unanswerable && strings.TrimSpace(answer) != "":
		return errors.New(`the question has an answer: want one that the passages do not answer, and "answer" to be ""`)
	case kind == Unanswerable:
		return nil
	case strings.TrimSpace(answer) == "":
		return errors.New("the answer is blank")
	case kind == MultiHop && len(seen) < 2:
		return errors.New(`one passage answers it: want a question that needs two or more, or "items" to be []`)
	case kind == SingleHop && len(seen) != 1:
		return fmt.Errorf("it needs %d passages: want 1", len(seen))
	}
	return tooLong(answer)
}

// check validates a draft against the corpus.
func (b *bench) check(ctx context.Context, kind string, d *draft) error {
	s := judge.Subject{Question: d.Question, Language: b.language(d.Question)}
	if kind == Unanswerable {
		near := b.near.near(unique(terms(d.Question)), searched, func(int) bool { return true })
		for _, at := range d.Shown {
			if !slices.Contains(near, at) {
				near = append(near, at)
			}
		}
		grades, err := question.Grade.Ask(ctx, b.plan.Judge, s, b.sources(near))
		if err != nil {
			d.Drop = dropUnchecked
			return err
		}
		for _, g := range grades {
			if !g.Known {
				d.Drop = dropUnchecked
			}
		}
		for _, g := range grades {
			if g.Known && g.Level >= 2 {
				d.Drop = dropAnswered
			}
		}
		return nil
	}
	in := question.SupportInput{Claims: []judge.Claim{{Text: d.Answer}}, Sources: b.sources(d.Passages)}
	found, err := question.Support.Ask(ctx, b.plan.Judge, s, in)
	if err == nil && kind == MultiHop {
		found, err = question.Alone(ctx, b.plan.Judge, s, in, found)
	}
	switch {
	case err != nil:
		d.Drop = dropUnchecked
		return err
	case len(found) != 1 || found[0].Verdict == judge.Unknown:
		d.Drop = dropUnchecked
	case found[0].Verdict != judge.Supported:
		d.Drop = dropUnborne
	case kind == MultiHop && slices.ContainsFunc(found[0].Quotes, func(q judge.Quote) bool { return q.Alone }):
		d.Drop = dropOneHop
	}
	return nil
}

func (b *bench) sources(places []int) []judge.Source {
	out := make([]judge.Source, len(places))
	for i, at := range places {
		p := b.near.passages[at]
		out[i] = judge.Source{Name: fmt.Sprintf("passage %d", i+1), Text: strings.TrimSpace(p.Title + "\n" + p.Text)}
	}
	return out
}

// take turns a usable draft into a case.
func (b *bench) take(kind string, d draft) bool {
	if d.Shown == nil {
		return false // the work ended before this draft
	}
	if d.Drop == "" && !b.asked.add(d.Question) {
		d.Drop = dropTwice
	}
	if d.Drop != "" {
		b.out.Dropped[d.Drop]++
		if d.Problem != "" {
			b.out.Problems = append(b.out.Problems, fmt.Errorf("%s about %s: %s", kind, b.near.passages[d.Shown[0]].ID, d.Problem))
		}
		return false
	}
	sum := sha256.Sum256([]byte(d.Question))
	answerable := kind != Unanswerable
	c := assay.Case{
		ID: "q-" + hex.EncodeToString(sum[:6]), Question: d.Question, Tags: []string{kind},
		// Questions about the same document are not independent.
		Group: b.near.passages[d.Shown[0]].Document,
		Want:  assay.Want{Answerable: &answerable, Documents: map[string]int{}},
	}
	written := d.Written
	for _, at := range d.Shown {
		id := b.near.passages[at].ID
		if !slices.Contains(d.Passages, at) {
			written.Shown = append(written.Shown, id)
			continue
		}
		written.Documents = append(written.Documents, id)
	}
	if answerable {
		c.Want.Answers = []string{d.Answer}
		for _, at := range d.Passages {
			p := b.near.passages[at]
			c.Want.Documents[p.Document] = 1
			c.Want.Passages = append(c.Want.Passages, p.Text)
		}
	}
	if b.plan.Judge == nil {
		written.Warnings = append(written.Warnings, "not checked by a judge")
	}
	mark(&c, "question", written)
	b.out.Cases = append(b.out.Cases, c)
	if b.plan.Done != nil {
		b.plan.Done(len(b.out.Cases), b.total)
	}
	return true
}

// language returns the language that is pinned, else that of a text.
func (b *bench) language(s string) judge.Language {
	return cmp.Or(b.writer.config.Language, judge.LanguageOf(s))
}
