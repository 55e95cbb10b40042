//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"github.com/assay-eval/assay/bench/internal/standin"
	"github.com/assay-eval/assay/internal/reporttest"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/store"
)

// chaos is the part of the page about killed processes.
type chaos struct {
	form
	Machine      machine  `json:"machine"`
	Latency      float64  `json:"latency"`
	JudgeLatency float64  `json:"judge_latency"`
	Seed         uint64   `json:"seed"`
	Workers      int      `json:"workers"`
	Cases        int      `json:"cases"`
	Rounds       []killed `json:"rounds"`
}

// killed is a run during which processes were killed.
type killed struct {
	// Events are what was killed, with the number of questions that had been asked.
	Events []string `json:"events"`
	Wall   float64  `json:"wall"`
	// Records is the number of records, Same whether the report is that of one process.
	Records int  `json:"records"`
	Same    bool `json:"same"`
	// AskedAgain and PaidAgain are questions and calls of the judge beyond the first of each,
	// PaidTwice those calls whose reply was in the ledger when they reached the judge.
	Asked      int `json:"asked"`
	AskedAgain int `json:"asked_again"`
	Paid       int `json:"paid"`
	PaidAgain  int `json:"paid_again"`
	PaidTwice  int `json:"paid_twice"`
	// Spent is what the judge was paid, in dollars.
	Spent float64 `json:"spent"`
}

// replyCost is what a reply of the stub costs, in dollars; see prices.yaml.
const replyCost = (standin.InputTokens + standin.OutputTokens) / 1e6

// chaosWorkers is the number of workers, of which two are killed in a round.
const chaosWorkers = 4

// questions and calls are the most that a worker has in flight: questions of its batches, and a
// call of each judged metric for each of their cases.
func (c chaos) questions() int { return batches * c.Concurrency }
func (c chaos) calls() int     { return batches * batchSize * judgedMetrics }

// judgedMetrics is the number of metrics that ask the judge; see [form.args].
const judgedMetrics = 2

func chaosPart(ctx context.Context, out io.Writer, o options) error {
	return in(o, func(l *lab) error {
		c, err := measureChaos(ctx, l, out, o)
		return errors.Join(err, o.save("chaos", c))
	})
}

// budgetPart is chaos with a budget that covers about half of the calls.
func budgetPart(ctx context.Context, out io.Writer, o options) error {
	if o.budget == 0 {
		o.budget = float64(o.cases*callsOfACase) / 2 * replyCost
	}
	return in(o, func(l *lab) error {
		c, err := measureChaos(ctx, l, out, o)
		return errors.Join(err, o.save("budget", c))
	})
}

// callsOfACase is the number of calls of the judge that a case takes.
const callsOfACase = 3

// measureChaos performs rounds of chaos. The error tells what does not hold.
func measureChaos(ctx context.Context, l *lab, out io.Writer, o options) (c chaos, err error) {
	c = chaos{form: form{Judged: true, Concurrency: o.concurrency}, Latency: o.latency.Seconds(), JudgeLatency: o.judgeLatency.Seconds(),
		Seed: o.seed, Workers: chaosWorkers, Cases: o.cases}
	if c.Machine, err = l.machine(); err != nil {
		return c, err
	}
	data, err := l.dataset(o.cases)
	if err != nil {
		return c, err
	}
	whole := c.form
	whole.Concurrency = 64
	if _, err := l.run(whole.args(l, "whole.db", data, "whole")); err != nil {
		return c, fmt.Errorf("one process: %w", err)
	}
	want, err := reporttest.Comparable(filepath.Join(l.dir, "whole.json"))
	if err != nil {
		return c, err
	}
	c.Budget = o.budget
	fmt.Fprintf(out, "seed %d, %d cases, %d workers\n", o.seed, o.cases, chaosWorkers)
	var wrong []error
	for i := range o.rounds {
		r := rand.New(rand.NewPCG(o.seed, uint64(i)))
		k, err := l.round(ctx, c, data, want, r)
		if err != nil {
			return c, fmt.Errorf("round %d of seed %d: %w", i+1, o.seed, err)
		}
		c.Rounds = append(c.Rounds, k)
		fmt.Fprintf(out, "round %2d: %.1f s, %v; %d records, same report %v; %d questions again; %d calls paid, %d again, %d kept ones twice; %.4f dollars\n",
			i+1, k.Wall, k.Events, k.Records, k.Same, k.AskedAgain, k.Paid, k.PaidAgain, k.PaidTwice, k.Spent)
		if err := c.check(k); err != nil {
			wrong = append(wrong, fmt.Errorf("round %d of seed %d: %w", i+1, o.seed, err))
		}
	}
	return c, errors.Join(wrong...)
}

// check returns what does not hold of a round.
func (c chaos) check(k killed) error {
	var errs []error
	fail := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	// Two workers are killed. What could not be stored while the database was away is stored later.
	questions, calls := 2*c.questions(), 2*c.calls()
	fail(k.PaidTwice == 0, "%d calls were paid whose reply was in the ledger", k.PaidTwice)
	fail(k.PaidAgain <= calls, "%d calls were paid again, want at most the %d in flight of two workers", k.PaidAgain, calls)
	fail(k.AskedAgain <= questions, "%d questions were asked again, want at most the %d in flight of two workers", k.AskedAgain, questions)
	if c.Budget > 0 {
		// The ledger does not know the calls that two killed workers had in flight.
		over, flying := k.Spent-c.Budget, float64(calls)*replyCost
		fail(over <= flying, "%.4f dollars were spent, want at most %.4f and the %.4f of the calls in flight", k.Spent, c.Budget, flying)
		return errors.Join(errs...)
	}
	fail(k.Records == c.Cases, "%d records, want one of each of %d cases", k.Records, c.Cases)
	fail(k.Same, "the report differs from that of one process")
	return errors.Join(errs...)
}

// watchLedger makes the database remember when the calls were committed: the time in the ledger
// is that of the reply, and only of the last of a key.
var watchLedger = []string{
	`CREATE SCHEMA bench`,
	`CREATE TABLE bench.kept (key text)`,
	`CREATE FUNCTION bench.keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO bench.kept VALUES (NEW.key); RETURN NULL; END $$`,
	`CREATE TRIGGER keep AFTER INSERT OR UPDATE ON calls FOR EACH ROW EXECUTE FUNCTION bench.keep()`,
}

// round performs a run during which two workers and the database are killed, in an order and
// at moments that r chooses.
func (l *lab) round(ctx context.Context, c chaos, data string, want map[string]any, r *rand.Rand) (k killed, err error) {
	db, err := l.database()
	if err != nil {
		return k, err
	}
	for range c.Workers {
		if _, err := l.work(db); err != nil {
			return k, err
		}
	}
	if err := l.exec(db, watchLedger...); err != nil {
		return k, err
	}
	if _, err := l.stub.seen(); err != nil {
		return k, err
	}
	begun := time.Now()
	_ = os.Remove(filepath.Join(l.dir, "chaos.json")) // that of the round before
	run, err := l.start(c.args(l, db, data, "chaos", "--workers=queue"))
	if err != nil {
		return k, err
	}
	ended := make(chan struct{})
	over, stop := context.WithCancel(ctx)
	defer stop()
	var wrong error
	go func() {
		defer close(ended)
		k.Events, wrong = l.killSome(over, c.Cases, r)
	}()
	err = run.cmd.Wait()
	stop()
	<-ended
	k.Wall = time.Since(begun).Seconds()
	if wrong != nil {
		return k, wrong
	}
	if err != nil && c.Budget == 0 {
		return k, fmt.Errorf("the run: %w: %s", err, run.said.String())
	}
	if err := l.stopWorkers(); err != nil {
		return k, err
	}
	if err := l.count(ctx, db, &k); err != nil || c.Budget > 0 {
		return k, err
	}
	got, err := reporttest.Comparable(filepath.Join(l.dir, "chaos.json"))
	k.Same = reflect.DeepEqual(want, got)
	return k, err
}

// killSome kills two workers and the database, each when so many questions were asked as r
// chooses, and starts others.
func (l *lab) killSome(ctx context.Context, cases int, r *rand.Rand) (events []string, err error) {
	what := []string{"worker", "worker", "database"}
	r.Shuffle(len(what), func(i, j int) { what[i], what[j] = what[j], what[i] })
	var at []int
	for range what {
		at = append(at, cases/20+r.IntN(cases*3/4))
	}
	slices.Sort(at)
	for i, one := range what {
		for {
			n, err := l.stub.asked()
			if err != nil {
				return events, err
			}
			if n >= at[i] {
				break
			}
			if pause(ctx, 10*time.Millisecond); ctx.Err() != nil {
				return events, nil // a budget can end the run before
			}
		}
		events = append(events, fmt.Sprintf("%s at %d", one, at[i]))
		if one == "database" {
			err = errors.Join(l.server.Kill(), l.server.Restart())
		} else {
			w := l.workers[r.IntN(len(l.workers))]
			if err = l.end(w, os.Kill); err == nil {
				_, err = l.work(w.db)
			}
		}
		if err != nil {
			return events, fmt.Errorf("%s: %w", one, err)
		}
	}
	return events, nil
}

// count counts what a run left in the database and in the stub.
func (l *lab) count(ctx context.Context, db string, k *killed) error {
	n, err := number(db, `SELECT count(DISTINCT seq) FROM records`)
	if err != nil {
		return err
	}
	k.Records = int(n)
	if all, err := number(db, `SELECT count(*) FROM records`); err != nil || all != n {
		return errors.Join(err, fmt.Errorf("%.0f records of %.0f cases", all, n))
	}
	committed, err := rows[struct {
		Key string
		At  time.Time
	}](db, `SELECT key, min(pg_xact_commit_timestamp(xmin)) FROM bench.kept GROUP BY key`)
	if err != nil {
		return err
	}
	kept := map[string]time.Time{}
	for _, row := range committed {
		kept[row.Key] = row.At
	}
	digests, err := digestsOf(ctx, db, kept)
	if err != nil {
		return err
	}
	v, err := l.stub.seen()
	if err != nil {
		return err
	}
	k.Asked, k.AskedAgain = len(v.Questions), again(v.Questions)
	k.Paid, k.PaidAgain = len(v.Prompts), again(v.Prompts)
	for _, p := range v.Prompts {
		if at, ok := digests[p.Key]; ok && time.Unix(0, p.At).After(at) {
			k.PaidTwice++
		}
	}
	k.Spent = float64(k.Paid) * replyCost
	return nil
}

// digestsOf returns when the reply to each prompt was first committed, by the digest of the
// prompt. kept are the times by the keys of the ledger.
func digestsOf(ctx context.Context, db string, kept map[string]time.Time) (_ map[string]time.Time, err error) {
	s, err := store.Open(ctx, db)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	out := map[string]time.Time{}
	for call, err := range s.Calls(ctx) {
		if err != nil {
			return nil, err
		}
		var r llm.Request
		if err := json.Unmarshal(call.Request, &r); err != nil {
			return nil, err
		}
		at, ok := kept[call.Key]
		if !ok {
			return nil, fmt.Errorf("nothing noticed that call %s was kept", call.Key)
		}
		out[standin.Digest(r)] = at
	}
	return out, nil
}

// again is the number of visits beyond the first of each key.
func again(all []visit) int {
	seen := map[string]bool{}
	for _, v := range all {
		seen[v.Key] = true
	}
	return len(all) - len(seen)
}
