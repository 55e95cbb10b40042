package queue

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/assay-eval/assay/llm"
)

//go:embed limits.sql
var limitTables string

// Limits are the parts that this process has of the limits that all on a store share: money of
// runs, calls in flight, requests and tokens of providers, questions a second of runs, and the
// requests whose replies are waited for. It implements [llm.Common] and [run.Schedule].
//
// The database alone has a clock that counts. A process renews its lease, and does not use what
// it was granted when it could not renew it in time; others get the grants when the lease ends.
type Limits struct {
	queue  *Queue
	holder string
	now    func() time.Time

	mu sync.Mutex
	// renewed is the time before the last renewal of the lease was sent.
	renewed time.Time
	// asked are the requests that are claimed here, ended those whose claims have ended and are
	// still in the database, ending those that are being deleted there.
	asked, ended, ending map[string]bool

	// often are called once a second.
	often map[*func(context.Context)]bool
	// tending is held while they are called.
	tending sync.Mutex

	stop    chan struct{}
	renewer sync.WaitGroup
}

const (
	// lease is how long a process has its grants without renewal.
	lease = 15 * time.Second
	// leaseMargin ends the use of grants before the lease ends.
	leaseMargin = 3 * time.Second
	// renewal is the time between two renewals, tidying that between two deletions of claims
	// that ended.
	renewal = lease / 3
	tidying = time.Second
)

// Limits takes part in the limits of a store under the name of a holder, which no other process
// has. now is the clock. Close gives all back.
func (q *Queue) Limits(ctx context.Context, holder string, now func() time.Time) (*Limits, error) {
	l := &Limits{queue: q, holder: holder, now: now, asked: map[string]bool{}, ended: map[string]bool{}, often: map[*func(context.Context)]bool{},
		stop: make(chan struct{})}
	if err := l.renew(ctx); err != nil {
		return nil, err
	}
	l.renewer.Go(func() { l.keep(context.WithoutCancel(ctx)) })
	return l, nil
}

// Close gives back everything. Calls in flight must have ended.
func (l *Limits) Close(ctx context.Context) error {
	close(l.stop)
	l.renewer.Wait()
	var b pgx.Batch
	for _, table := range []string{"assay_slots", "assay_asked", "assay_holders"} {
		b.Queue(`DELETE FROM `+table+` WHERE holder = $1`, l.holder)
	}
	// What was spent stays.
	b.Queue(`UPDATE assay_money SET held = 0 WHERE holder = $1`, l.holder)
	return l.batch(ctx, &b)
}

// keep renews the lease and deletes ended claims, until the limits are closed.
func (l *Limits) keep(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l.renewer.Go(func() {
		<-l.stop
		cancel()
	})
	tick := time.NewTicker(tidying)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-l.stop:
			return
		}
		// An error shows in the next claim, which finds the lease lapsed.
		if l.now().Sub(l.lastRenewal()) >= renewal {
			_ = l.renew(ctx)
		}
		_ = l.tidy(ctx)
		l.tend(ctx)
	}
}

// Often implements [llm.Common].
func (l *Limits) Often(f func(context.Context)) (end func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.often[&f] = true
	return func() {
		l.tending.Lock()
		defer l.tending.Unlock()
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.often, &f)
	}
}

func (l *Limits) tend(ctx context.Context) {
	l.tending.Lock()
	defer l.tending.Unlock()
	l.mu.Lock()
	all := slices.Collect(maps.Keys(l.often))
	l.mu.Unlock()
	for _, f := range all {
		(*f)(ctx)
	}
}

func (l *Limits) lastRenewal() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.renewed
}

// renew extends the lease, and removes the claims of those whose lease has ended.
func (l *Limits) renew(ctx context.Context) error {
	began := l.now()
	var b pgx.Batch
	b.Queue(`INSERT INTO assay_holders VALUES ($1, clock_timestamp() + make_interval(secs => $2))
		ON CONFLICT (holder) DO UPDATE SET until = excluded.until`, l.holder, lease.Seconds())
	b.Queue(`DELETE FROM assay_asked a WHERE NOT ` + leased("a"))
	if err := l.batch(ctx, &b); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.renewed = began
	return nil
}

// leased is the condition that the holder of a row has a lease.
func leased(row string) string {
	return `EXISTS (SELECT 1 FROM assay_holders h WHERE h.holder = ` + row + `.holder AND h.until > clock_timestamp())`
}

// batch performs statements in one transaction.
func (l *Limits) batch(ctx context.Context, b *pgx.Batch) error {
	return l.try(ctx, func(ctx context.Context) error { return l.queue.pool.SendBatch(ctx, b).Close() })
}

// try calls f again while the database is away.
func (l *Limits) try(ctx context.Context, f func(ctx context.Context) error) error {
	if err := l.queue.store.Try(ctx, f); err != nil {
		return fmt.Errorf("shared limits: %w", err)
	}
	return nil
}

// locked calls f in a transaction that no other of the same limit runs beside, with a valid lease.
func (l *Limits) locked(ctx context.Context, limit string, f func(ctx context.Context, tx pgx.Tx) error) error {
	if !l.Valid() {
		if err := l.renew(ctx); err != nil {
			return err
		}
	}
	hash := fnv.New64a()
	fmt.Fprint(hash, "assay limit ", limit)
	return l.try(ctx, func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, l.queue.pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(hash.Sum64())); err != nil {
				return err
			}
			return f(ctx, tx)
		})
	})
}

// Valid implements [llm.Common].
func (l *Limits) Valid() bool { return l.now().Sub(l.lastRenewal()) < lease-leaseMargin }

// Begin sets what the calls of a run have cost before its session, and forgets what processes
// spent in earlier sessions. What they still hold, for cases that they finish, is theirs.
func (l *Limits) Begin(ctx context.Context, run string, spent int64) error {
	return l.locked(ctx, "money "+run, func(ctx context.Context, tx pgx.Tx) error {
		var b pgx.Batch
		b.Queue(`DELETE FROM assay_money m WHERE run = $1 AND NOT `+leased("m"), run)
		b.Queue(`UPDATE assay_money SET spent = 0 WHERE run = $1`, run)
		b.Queue(`INSERT INTO assay_money VALUES ($1, '', 0, $2)`, run, spent)
		b.Queue(`DELETE FROM assay_money WHERE run IN (SELECT run FROM assay_money WHERE ended < clock_timestamp() - interval '1 day')`)
		b.Queue(`DELETE FROM assay_pace WHERE next < clock_timestamp() - interval '1 day'`)
		return tx.SendBatch(ctx, &b).Close()
	})
}

// End says that the session of a run has ended. Workers may still finish cases.
func (l *Limits) End(ctx context.Context, run string) error {
	var b pgx.Batch
	b.Queue(`UPDATE assay_money SET ended = clock_timestamp() WHERE run = $1 AND holder = ''`, run)
	return l.batch(ctx, &b)
}

// A share is what a process has of a budget.
type share struct {
	Holder      string
	Held, Spent int64
	Leased      bool
}

// Money implements [llm.Common]. If the reply of the database to a claim is lost, what the process
// spent before counts twice until the run is resumed.
func (l *Limits) Money(ctx context.Context, c llm.MoneyClaim) (g llm.MoneyGrant, err error) {
	err = l.locked(ctx, "money "+c.Run, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT holder, held, spent, `+leased("m")+` FROM assay_money m WHERE run = $1`, c.Run)
		if err != nil {
			return err
		}
		shares, err := pgx.CollectRows(rows, pgx.RowToStructByPos[share])
		if err != nil {
			return err
		}
		g = llm.MoneyGrant{Spent: c.Spent}
		var held int64
		lapsed := false
		for _, s := range shares {
			g.Spent += s.Spent
			switch {
			case s.Holder == l.holder:
			case s.Leased:
				held += s.Held
			case s.Held > 0:
				lapsed = true
			}
		}
		if lapsed {
			more, err := l.reconcile(ctx, tx, c.Run, g.Spent)
			if err != nil {
				return err
			}
			g.Spent += more
		}
		if free := c.Limit - g.Spent - held - c.Left; free >= c.Need {
			// Half of what is left at most, so that several processes can go on to the end.
			g.Granted = min(c.Want, max(c.Need, free/2))
		}
		_, err = tx.Exec(ctx, `INSERT INTO assay_money VALUES ($1, $2, $3, $4)
			ON CONFLICT (run, holder) DO UPDATE SET held = excluded.held, spent = assay_money.spent + excluded.spent`,
			c.Run, l.holder, c.Left+g.Granted, c.Spent)
		return err
	})
	return g, err
}

// reconcile takes back what processes that ended held of a budget. It returns what the ledger has
// beyond the known spending: they paid it after their last claim. What others paid since theirs is
// in it too, and counts twice until the run is resumed.
func (l *Limits) reconcile(ctx context.Context, tx pgx.Tx, run string, known int64) (more int64, err error) {
	ledger, err := l.queue.store.Spent(ctx, run)
	if err != nil {
		return 0, err
	}
	more = max(0, ledger.Usage.Cost-known)
	_, err = tx.Exec(ctx, `UPDATE assay_money m SET held = 0 WHERE run = $1 AND held > 0 AND holder <> $2 AND NOT `+leased("m"), run, l.holder)
	if err == nil {
		_, err = tx.Exec(ctx, `INSERT INTO assay_money VALUES ($1, '', 0, $2)
			ON CONFLICT (run, holder) DO UPDATE SET spent = assay_money.spent + excluded.spent`, run, more)
	}
	return more, err
}

// A seat is what a process has of the calls in flight, and could use.
type seat struct {
	Holder       string
	Slots, Wants int
}

// Slots implements [llm.Common]. If all want more than there is, each gets an equal part. Parts
// of one more call pass from one process to another, so that each gets its turn.
func (l *Limits) Slots(ctx context.Context, c llm.SlotClaim) (g llm.SlotGrant, err error) {
	err = l.locked(ctx, "slots "+c.Account, func(ctx context.Context, tx pgx.Tx) error {
		var turn int64
		if err := tx.QueryRow(ctx, `SELECT extract(epoch FROM clock_timestamp())::bigint / 10`).Scan(&turn); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `SELECT holder, slots, wants FROM assay_slots s WHERE account = $1 AND holder <> $2 AND `+leased("s"),
			c.Account, l.holder)
		if err != nil {
			return err
		}
		seats, err := pgx.CollectRows(rows, pgx.RowToStructByPos[seat])
		if err != nil {
			return err
		}
		free, wants := c.Limit, c.Want
		for _, s := range seats {
			free -= s.Slots
			wants += s.Wants
		}
		seats = append(seats, seat{Holder: l.holder, Wants: c.Want})
		g = llm.SlotGrant{Granted: max(0, min(divide(c.Limit, seats, turn)[l.holder], free)), Short: wants > c.Limit}
		_, err = tx.Exec(ctx, `INSERT INTO assay_slots VALUES ($1, $2, $3, $4)
			ON CONFLICT (account, holder) DO UPDATE SET slots = excluded.slots, wants = excluded.wants`,
			c.Account, l.holder, max(g.Granted, c.Busy), c.Want)
		return err
	})
	return g, err
}

// divide divides limit calls between processes: each gets what it wants, or an equal part of what
// the others leave. What does not divide goes to processes by an order that turn changes.
func divide(limit int, seats []seat, turn int64) map[string]int {
	order := func(s seat) uint64 {
		h := fnv.New64a()
		fmt.Fprint(h, turn, " ", s.Holder)
		return h.Sum64()
	}
	// Those that want least come first, and leave what they do not want.
	slices.SortFunc(seats, func(a, b seat) int {
		if a.Wants != b.Wants {
			return a.Wants - b.Wants
		}
		if order(a) < order(b) {
			return -1
		}
		return 1
	})
	parts := make(map[string]int, len(seats))
	for i, s := range seats {
		rest := len(seats) - i
		part := min(s.Wants, limit/rest)
		parts[s.Holder] = part
		limit -= part
	}
	return parts
}

const (
	// rateBlock is how long a grant of requests may be used, in seconds.
	rateBlock = 2
	// rateWindow is the period of the limits, in seconds.
	rateWindow = 60
)

// A burst is what may have been sent up to a second.
type burst struct{ Second, Requests, Tokens int64 }

// Rate implements [llm.Common]. A grant counts from now until a minute after its last use, so that
// the limits hold in every minute; about one part in twenty of them stays unused for it.
func (l *Limits) Rate(ctx context.Context, c llm.RateClaim) (g llm.RateGrant, err error) {
	err = l.locked(ctx, "rate "+c.Account, func(ctx context.Context, tx pgx.Tx) error {
		var now int64
		if err := tx.QueryRow(ctx, `SELECT floor(extract(epoch FROM clock_timestamp()))::bigint`).Scan(&now); err != nil {
			return err
		}
		var b pgx.Batch
		for block, q := range c.Back {
			b.Queue(`UPDATE assay_rate SET requests = requests - $3, tokens = tokens - $4 WHERE account = $1 AND second = $2`,
				c.Account, block, q.Requests, q.Tokens)
		}
		b.Queue(`DELETE FROM assay_rate WHERE account = $1 AND second <= $2`, c.Account, now-rateWindow)
		if err := tx.SendBatch(ctx, &b).Close(); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `SELECT second, requests, tokens FROM assay_rate WHERE account = $1 ORDER BY second`, c.Account)
		if err != nil {
			return err
		}
		bursts, err := pgx.CollectRows(rows, pgx.RowToStructByPos[burst])
		if err != nil {
			return err
		}
		if g = grant(c, bursts, now); g.Quantity == (llm.Quantity{}) {
			return nil
		}
		_, err = tx.Exec(ctx, `INSERT INTO assay_rate VALUES ($1, $2, $3, $4) ON CONFLICT (account, second)
			DO UPDATE SET requests = assay_rate.requests + excluded.requests, tokens = assay_rate.tokens + excluded.tokens`,
			c.Account, g.Block, g.Requests, g.Tokens)
		return err
	})
	return g, err
}

// grant grants what the bursts of the last minute leave of the limits.
func grant(c llm.RateClaim, bursts []burst, now int64) llm.RateGrant {
	var requests, tokens int
	for _, b := range bursts {
		requests += int(b.Requests)
		tokens += int(b.Tokens)
	}
	fits := func() bool {
		return (c.Requests == 0 || requests+c.Need.Requests <= c.Requests) && (c.Tokens == 0 || tokens+c.Need.Tokens <= c.Tokens)
	}
	if fits() {
		g := llm.RateGrant{For: rateBlock * time.Second, Block: now + rateBlock + 1}
		if c.Requests > 0 {
			g.Requests = min(c.Want.Requests, c.Requests-requests)
		}
		if c.Tokens > 0 {
			g.Tokens = min(c.Want.Tokens, c.Tokens-tokens)
		}
		return g
	}
	// It fits when enough of the oldest have left the minute.
	after := time.Second
	for _, b := range bursts {
		requests -= int(b.Requests)
		tokens -= int(b.Tokens)
		after = max(after, time.Duration(b.Second+rateWindow-now)*time.Second)
		if fits() {
			break
		}
	}
	return llm.RateGrant{After: after}
}

// Pace implements [run.Schedule].
func (l *Limits) Pace(ctx context.Context, run string, between time.Duration, n int) (after time.Duration, err error) {
	err = l.try(ctx, func(ctx context.Context) error {
		var seconds float64
		err := l.queue.pool.QueryRow(ctx, `INSERT INTO assay_pace VALUES ($1, clock_timestamp() + make_interval(secs => $2))
			ON CONFLICT (run) DO UPDATE SET next = greatest(assay_pace.next, clock_timestamp()) + make_interval(secs => $2)
			RETURNING extract(epoch FROM next - make_interval(secs => $2) - clock_timestamp())`,
			run, (time.Duration(n) * between).Seconds()).Scan(&seconds)
		after = max(0, time.Duration(seconds*float64(time.Second)))
		return err
	})
	return after, err
}

// Claim implements [llm.Common].
func (l *Limits) Claim(ctx context.Context, key string) (mine bool, err error) {
	if !l.Valid() {
		if err := l.renew(ctx); err != nil {
			return false, err
		}
	}
	l.mu.Lock()
	if l.asked[key] || l.ending[key] {
		defer l.mu.Unlock()
		return false, nil // another client of this process has it
	}
	l.asked[key] = true
	delete(l.ended, key)
	l.mu.Unlock()
	err = l.try(ctx, func(ctx context.Context) error {
		var one int
		err := l.queue.pool.QueryRow(ctx, `INSERT INTO assay_asked AS a VALUES ($1, $2) ON CONFLICT (key)
			DO UPDATE SET holder = excluded.holder WHERE a.holder = excluded.holder OR NOT `+leased("a")+` RETURNING 1`,
			key, l.holder).Scan(&one)
		mine = err == nil
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
	if !mine {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.asked, key)
	}
	return mine, err
}

// Unclaim implements [llm.Common].
func (l *Limits) Unclaim(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.asked, key)
	l.ended[key] = true
}

// tidy deletes the claims that ended.
func (l *Limits) tidy(ctx context.Context) error {
	l.mu.Lock()
	l.ending, l.ended = l.ended, map[string]bool{}
	keys := make([]string, 0, len(l.ending))
	for key := range l.ending {
		keys = append(keys, key)
	}
	l.mu.Unlock()
	var err error
	if len(keys) > 0 {
		err = l.try(ctx, func(ctx context.Context) error {
			_, err := l.queue.pool.Exec(ctx, `DELETE FROM assay_asked WHERE key = ANY($1) AND holder = $2`, keys, l.holder)
			return err
		})
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		for _, key := range keys {
			l.ended[key] = true
		}
	}
	l.ending = nil
	return err
}

var _ llm.Common = (*Limits)(nil)
