//go:build results && unix

package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
)

var update = flag.Bool("update", false, "write docs/results/scale.md anew")

// TestResults holds docs/results/scale.md to the figures in bench/queue/measured.
func TestResults(t *testing.T) {
	p := &page{}
	for name, into := range map[string]any{"throughput": &p.plain, "judged": &p.judged, "chaos": &p.chaos, "budget": &p.budget, "operate": &p.operated,
		"idle": &p.idle, "limits": &p.limits} {
		text, err := os.ReadFile(filepath.Join("measured", name+".json"))
		if err == nil {
			err = json.Unmarshal(text, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	requiretest.ResultsPage(t, "scale.md", p.write(), *update, nil, 0)
	// The goal of the project.
	for _, series := range []throughput{p.plain, p.judged} {
		for i, run := range series.Runs {
			if share := series.linear(i); share < 0.9 {
				t.Errorf("%d workers reach %.1f %% of linear throughput, want at least 90", run.Workers, 100*share)
			}
		}
	}
	for name, c := range map[string]chaos{"chaos": p.chaos, "chaos with a budget": p.budget} {
		for i, k := range c.Rounds {
			if err := c.check(k); err != nil {
				t.Errorf("round %d of %s: %v", i+1, name, err)
			}
		}
	}
}

// A page is docs/results/scale.md.
type page struct {
	strings.Builder
	plain, judged throughput
	chaos, budget chaos
	operated      operated
	idle          idle
	limits        limits
}

func (p *page) say(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// What is simulated, and what is assumed of the machine of the database.
const (
	manyCases   = 10e6
	manyWorkers = 200
	serverCores = 16
	logBytes    = 100e6
	// roundTrip is between two machines, and disk what a sync takes of a network disk, in seconds.
	roundTrip, disk = 0.5e-3, 1e-3
	// defaultConnections is that of PostgreSQL, usefulConnections what one server is commonly set to
	// at most.
	defaultConnections, usefulConnections = 100, 1000
)

func (p *page) write() string {
	m := p.plain.Machine
	p.say("# How far do workers scale?\n\n" +
		"This page is made of the figures in `bench/queue/measured`, which the commands at its end measure; CI holds the page to them, and performs " +
		"small forms of the same runs. What is **measured** and what is **calculated** from that stands apart: everything up to the simulation is " +
		"measured.\n\n")
	p.say("Machine: %s, %d cores, %.0f GB of memory, %s; a sync of the disk takes %.2f ms. PostgreSQL %s with `fsync=on` and `shared_buffers=512MB`, %s, "+
		"assay %s, %s. All processes share these cores, also with other work at the time, which is stated (\"others\").\n\n", m.CPU, m.Cores,
		float64(m.Memory)/1e9, m.System, 1e3*m.Sync, m.Server, m.Go, m.Program, m.Date)
	p.say("The stub is a process that is the target and the judge. It waits for a fixed time before each reply, holds any number of requests at once, and "+
		"remembers each. An answer has five passages of about %d bytes. Workers have their default of %d batches at once.\n\n", 800, batches)
	p.short()
	p.throughput()
	p.costs()
	p.kills()
	p.operating()
	p.simulation()
	p.say("## Write this page again\n\n```\nbash bench/queue/run.sh all\ngo -C bench test -tags results -run TestResults ./queue -update\n```\n\n" +
		"The first takes half an hour; it writes `bench/queue/measured`. `bash bench/queue/run.sh smoke` is what CI performs.\n")
	return p.String()
}

// least is the lowest share of linear throughput with several workers, in percent.
func (t throughput) least() float64 {
	least := t.linear(1)
	for i := range t.Runs[1:] {
		least = min(least, t.linear(i+1))
	}
	return 100 * least
}

func (p *page) short() {
	s := p.loads()
	again, twice := 0, 0
	for _, k := range p.chaos.Rounds {
		again, twice = again+k.PaidAgain, twice+k.PaidTwice
	}
	p.say("In short:\n\n")
	p.say("- While the stub is the limit, 2 to %d workers reach at least %.0f %% of linear throughput without a judge, and %.0f %% with one (goal: 90 %%).\n",
		last(p.plain.Runs).Workers, p.plain.least(), p.judged.least())
	p.say("- In %d rounds of chaos, each with two workers and the database killed, every case had one record and the report was that of one process. "+
		"%d calls of the judge were made again, since what was in flight was lost; the reply to %d of them was in the ledger.\n", len(p.chaos.Rounds), again, twice)
	p.say("- A run of %s cases was drained, cancelled and resumed: %s records, %s questions, %d asked again.\n", group(float64(p.operated.Cases)),
		group(float64(p.operated.Records)), group(float64(p.operated.Asked)), p.operated.AskedAgain)
	p.say("- Calculated for %d workers on one PostgreSQL: the first to be used up is connections, by %s workers with the default of %d and by %s with %s; then %s, by %s workers.\n",
		manyWorkers, group(s[0].full()), defaultConnections, group(s[1].full()), group(usefulConnections), s[2].what, group(s[2].full()))
	p.say("\n")
}

// ideal is the throughput of a worker that always has as many questions in flight as it may.
func (t throughput) ideal() float64 {
	return float64(batches*t.Concurrency) / t.Latency
}

func last[T any](all []T) T { return all[len(all)-1] }

func (p *page) throughput() {
	p.say("## Throughput\n\n")
	for _, t := range []throughput{p.plain, p.judged} {
		kind := "Without a judge"
		if t.Judged {
			kind = fmt.Sprintf("With a judge: %.1f calls a case, each takes the stub %.1f s", float64(t.Runs[0].Prompts)/float64(t.Runs[0].Cases), t.JudgeLatency)
		}
		p.say("%s. The target takes %.1f s, and a batch asks %d questions at once: %.0f cases a second for each worker at most. Each number of workers has a run "+
			"of its own, from the start of `assay run` to its report, with as many cases for each worker. Cores are processor time divided by the time of the run.\n\n",
			kind, t.Latency, t.Concurrency, t.ideal())
		p.say("| workers | cases | seconds | cases a second | **of linear** | cores: workers | session | PostgreSQL | stub | others |\n" +
			"|---|---|---|---|---|---|---|---|---|---|\n")
		for i, r := range t.Runs {
			p.say("| %d | %s | %.1f | %.1f | **%.1f %%** | %.2f | %.2f | %.2f | %.2f | %.2f |\n", r.Workers, group(float64(r.Cases)), r.Wall, r.rate(), 100*t.linear(i),
				r.WorkersCPU/r.Wall, r.SessionCPU/r.Wall, r.ServerCPU/r.Wall, r.StubCPU/r.Wall, r.OthersCPU/r.Wall)
		}
		p.say("\n")
	}
	p.say("Shares above 100 %% come from the other work on the machine while a single worker ran. ")
	p.say("What is missing to the most for each worker is the start of the run, the report, and the end of each batch of 16 cases, when fewer than %d of its "+
		"questions are in flight; with a judge, a batch also ends with rulings alone.\n\n", p.plain.Concurrency)
}

// cost is what one more case takes: the difference of the runs with the most and the fewest
// workers, so that what a run takes once does not count.
func (t throughput) cost(of func(figures) float64) float64 {
	a, b := t.Runs[0], last(t.Runs)
	return (of(b) - of(a)) / float64(b.Cases-a.Cases)
}

// size is the bytes of a table in a run.
func (f figures) size(name string) float64 {
	for _, t := range f.Tables {
		if t.Name == name {
			return float64(t.Size)
		}
	}
	return 0
}

// calls is the number of statements that begin with a text, among those that took longest.
func (f figures) calls(begin string) (n float64) {
	for _, s := range f.Top {
		if strings.HasPrefix(s.Text, begin) {
			n += float64(s.Calls)
		}
	}
	return n
}

// connections is what one more worker takes.
func (t throughput) connections() float64 {
	a, b := t.Runs[0], last(t.Runs)
	return float64(b.Connections-a.Connections) / float64(b.Workers-a.Workers)
}

// What a case takes.
func statements(f figures) float64 { return f.Statements }
func wal(f figures) float64        { return f.WAL }
func syncs(f figures) float64      { return f.Syncs }
func serverCPU(f figures) float64  { return f.ServerCPU }
func sessionCPU(f figures) float64 { return f.SessionCPU }
func workersCPU(f figures) float64 { return f.WorkersCPU }

// commits are the transactions that change the row of the run.
func commits(f figures) float64 { return f.calls("UPDATE runs SET kept") }

func (p *page) costs() {
	p.say("## What a case takes of the database\n\n" +
		"By what one more case took: the difference between the runs with the most and the fewest workers, which lasted as long, so that what happens once, " +
		"and the looks of the session ten times a second, do not count. Each figure can be looked up on a running system, before and after some cases.\n\n")
	p.say("| for a case | without a judge | with a judge | how to check it |\n|---|---|---|---|\n")
	row := func(what, format string, scale float64, of func(figures) float64, check string) {
		p.say("| %s | "+format+" | "+format+" | %s |\n", what, scale*p.plain.cost(of), scale*p.judged.cost(of), check)
	}
	row("statements", "%.1f", 1, statements, "`SELECT sum(calls) FROM pg_stat_statements`")
	row("kB of write-ahead log", "%.1f", 1e-3, wal, "`SELECT pg_current_wal_lsn() - '0/0'`")
	row("waits for the disk (syncs of the log)", "%.2f", 1, syncs, "`SELECT wal_sync FROM pg_stat_wal`")
	row("transactions that change the row of the run", "%.2f", 1, commits, "`SELECT calls FROM pg_stat_statements WHERE query LIKE 'UPDATE runs SET kept%'`")
	row("processor of PostgreSQL, ms", "%.2f", 1e3, serverCPU, "`ps -o cputime= -p` of its processes")
	row("processor of workers, ms", "%.2f", 1e3, workersCPU, "`ps -o cputime= -C assay`")
	row("processor of the process of the run, ms", "%.2f", 1e3, sessionCPU, "`ps -o cputime= -p` of `assay run`")
	for _, name := range []string{"records", "calls", "river_job"} {
		row("kB in the table `"+name+"`, with its indexes", "%.2f", 1e-3, func(f figures) float64 { return f.size(name) },
			"`SELECT pg_total_relation_size('"+name+"')`")
	}
	p.say("\nA worker more had %.0f connections without a judge and %.0f with one (`SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'assay %%'`). "+
		"A worker that waits takes %.1f statements a second and %.1f ms of PostgreSQL's processor time; a run that waits %.0f statements, %.1f ms of PostgreSQL and "+
		"%.0f ms of its own, for its looks at records, jobs and notes every 100 ms.\n\n", p.plain.connections(), p.judged.connections(), p.idle.Worker.Statements,
		1e3*p.idle.Worker.CPU, p.idle.Session.Statements, 1e3*p.idle.Session.CPU, 1e3*p.idle.SessionCPU)
	p.say("What took PostgreSQL longest in the judged run over %d workers, waits for locks and for the disk included:\n\n", last(p.judged.Runs).Workers)
	p.say("| statement | a case | ms each | share of the time |\n|---|---|---|---|\n")
	r := last(p.judged.Runs)
	total := 0.0
	for _, s := range r.Top {
		total += s.Total
	}
	for _, s := range r.Top[:min(6, len(r.Top))] {
		text := s.Text
		if len(text) > 70 {
			text = text[:70] + "…"
		}
		p.say("| `%s` | %.2f | %.2f | %.0f %% |\n", strings.ReplaceAll(text, "|", "\\|"), float64(s.Calls)/float64(r.Cases), s.Mean, 100*s.Total/total)
	}
	p.say("\n")
}

func (p *page) kills() {
	c := p.chaos
	p.say("## Chaos\n\n%d rounds of a judged run of %d cases over %d workers; target and judge take %.1f s. In each, two workers and the database are killed with "+
		"SIGKILL, in an order and at moments by the seed %d (\"at\" is the number of questions that had been asked), and started again. A trigger on the table of calls notes "+
		"when each reply was committed, the stub when each prompt reached it: a call is *paid twice* if its reply was committed before.\n\n", len(c.Rounds), c.Cases, c.Workers,
		c.Latency, c.Seed)
	p.say("| killed | seconds | records | report of one process | questions again | calls of the judge | again | **paid twice** |\n|---|---|---|---|---|---|---|---|\n")
	for _, k := range c.Rounds {
		p.say("| %s | %.0f | %d | %s | %d | %d | %d | **%d** |\n", strings.Join(k.Events, ", "), k.Wall, k.Records, map[bool]string{true: "same", false: "differs"}[k.Same],
			k.AskedAgain, k.Paid, k.PaidAgain, k.PaidTwice)
	}
	p.say("\nWhat is asked again was in flight when its worker was killed; the most would be %d questions and %d calls. A killed worker is missed after 8 to 16 s; a round lasts about as long.\n\n", 2*c.questions(), 2*c.calls())
	c = p.budget
	p.say("The same with `--max-cost` %.3f, which covers about half of the calls. What a run spends beyond it can only be calls that were in flight when their worker was killed, "+
		"whose replies the ledger does not have: at most %.3f dollars.\n\n", c.Budget, float64(2*c.calls())*replyCost)
	p.say("| killed | seconds | records | calls of the judge | dollars | **above the budget** | paid twice |\n|---|---|---|---|---|---|---|\n")
	for _, k := range c.Rounds {
		p.say("| %s | %.0f | %d | %d | %.4f | **%.4f** | %d |\n", strings.Join(k.Events, ", "), k.Wall, k.Records, k.Paid, k.Spent, max(0, k.Spent-c.Budget), k.PaidTwice)
	}
	p.say("\n")
}

func (p *page) operating() {
	o := p.operated
	p.say("## %s cases, drained, cancelled and resumed\n\n%d workers, %d questions at once for each batch, a target that takes %.1f s: %.0f s in all.\n\n",
		group(float64(o.Cases)), o.Workers, o.Concurrency, o.Latency, o.Wall)
	p.say("| questions so far | what the operator does | seconds |\n|---|---|---|\n")
	for _, s := range o.Steps {
		p.say("| %s | %s | %.1f |\n", group(float64(s.At)), s.What, s.Took)
	}
	p.say("\nThe database has %s records, one of each case; the stub was asked %s questions, %d of them again. The process that resumed the run took %.1f s of a processor "+
		"and %.0f MB of memory at most, a worker %.0f MB.\n\n", group(float64(o.Records)), group(float64(o.Asked)), o.AskedAgain, o.SessionCPU,
		float64(o.SessionMemory)/1e6, float64(o.WorkerMemory)/1e6)
}

// A resource is something that the workers of a simulation use up.
type resource struct {
	what string
	// used is for all workers, has what there is, both in the unit.
	used, has float64
	unit      string
	// origin says where what there is comes from.
	origin string
}

// full is the number of workers that use all of it.
func (r resource) full() float64 { return manyWorkers * r.has / r.used }

// rate is the throughput of all workers of the simulation, which are as fast as a measured one.
func (p *page) rate() float64 { return manyWorkers * p.judged.Runs[0].rate() }

// commitTime is how long a transaction with one record holds the row of the run, on two machines:
// six round trips and a sync more than were measured on one.
func (p *page) commitTime() float64 {
	return 1/p.limits.Writes[0].Commits + 6*roundTrip + disk
}

// together is the number of records a second that one run takes if its transactions have several.
func (p *page) together() (records float64, each int) {
	w := p.limits.Writes[3]
	return float64(w.Together) / (1/w.Commits + float64(5+w.Together)*roundTrip + disk), w.Together
}

// session is the processor time of the process of a run for a case: the larger of the two forms,
// since what it takes at the beginning varies more than what it takes for a case.
func (p *page) session() float64 { return max(p.plain.cost(sessionCPU), p.judged.cost(sessionCPU)) }

// loads returns the resources, that which is used up first in front.
func (p *page) loads() []resource {
	j, rate := p.judged, p.rate()
	records, each := p.together()
	all := []resource{
		{"connections", manyWorkers * j.connections(), defaultConnections, "", "the default of `max_connections`"},
		{"connections", manyWorkers * j.connections(), usefulConnections, "", "assumed, for a large server; each is a process"},
		{"transactions that change the row of the run", rate * j.cost(commits), 1 / p.commitTime(), "a second",
			fmt.Sprintf("%.1f ms each: measured for one process at a time, and 6 round trips of %.1f ms and a sync of %.0f ms more, which are assumed", 1e3*p.commitTime(),
				1e3*roundTrip, 1e3*disk)},
		{fmt.Sprintf("records of one run, %d in a transaction", each), rate, records, "a second", "measured for 8 processes, and a round trip for each statement and the sync more"},
		{"the processors of PostgreSQL", rate*j.cost(serverCPU) + manyWorkers*p.idle.Worker.CPU + p.idle.Session.CPU, serverCores, "cores", "assumed"},
		{"the processor of the process of the run", rate*p.session() + p.idle.SessionCPU, 1, "cores", "one, since it reads record after record"},
		{"the write-ahead log", rate * j.cost(wal) / 1e6, logBytes / 1e6, "MB a second", "assumed, of a network disk"},
	}
	slices.SortStableFunc(all, func(a, b resource) int { return int(a.full() - b.full()) })
	return all
}

func (p *page) simulation() {
	j, rate := p.judged, p.rate()
	p.say("## Simulation: %s judged cases, %d workers, one PostgreSQL\n\n", group(manyCases), manyWorkers)
	p.say("Calculated, not measured. Each worker is as fast as the one of the judged table, %.1f cases a second, so that %d reach %s a second and take %.1f hours. What they use is "+
		"the measured cost of a case times that, and what workers and the run take while they wait. A resource is used up at the number of workers in the last column; "+
		"it is an upper bound, since what waits grows before a resource is full.\n\n", j.Runs[0].rate(), manyWorkers, group(rate), manyCases/rate/3600)
	p.say("| resource, that which is used up first in front | used by %d workers | there is | from | used up at |\n|---|---|---|---|---|\n", manyWorkers)
	for _, r := range p.loads() {
		p.say("| %s | %s %s | %s %s | %s | %s workers |\n", r.what, figure(r.used), r.unit, figure(r.has), r.unit, r.origin, group(r.full()))
	}
	p.say("\nSome things have no fixed limit:\n\n| | calculated | how to check it |\n|---|---|---|\n")
	p.say("| statements a second | %s for cases, %s for %d workers that look for jobs and at their presence, %.0f for the run | `pg_stat_statements` |\n", group(rate*j.cost(statements)),
		group(manyWorkers*p.idle.Worker.Statements), manyWorkers, p.idle.Session.Statements)
	sizeOf := func(name string) float64 { return manyCases * j.cost(func(f figures) float64 { return f.size(name) }) }
	p.say("| tables at the end | records %.0f GB, calls %.0f GB | `SELECT pg_total_relation_size('records')` |\n", sizeOf("records")/1e9, sizeOf("calls")/1e9)
	jobs := 0.0
	for _, t := range last(j.Runs).Tables {
		if t.Name == "river_job" {
			jobs = float64(t.Size) / float64(t.Rows)
		}
	}
	p.say("| queue | %s jobs, %.1f GB: those of the last hour, of 16 cases each | `SELECT state, count(*) FROM river_job GROUP BY state` |\n", group(rate*3600/16),
		jobs*rate*3600/16/1e9)
	few, many := p.plain.Runs[0], p.operated
	p.say("| memory | not calculated: the process of the run had %.0f MB at most with %s cases and %.0f with %s, a worker, which has all cases of the dataset, %.0f and %.0f MB | `ps -o rss= -p` |\n",
		float64(few.SessionMemory)/1e6, group(float64(few.Cases)), float64(many.SessionMemory)/1e6, group(float64(many.Cases)), float64(few.WorkerMemory)/1e6,
		float64(many.WorkerMemory)/1e6)
	p.growing()
	p.say("\n### How fast the row of a run can change\n\nEvery transaction that stores records of a run counts them in the row of the run, and holds that row until it is durable. " +
		"So those of one run follow each other, however many workers there are. Measured on one machine, with processes that only store:\n\n")
	p.say("| processes | runs | records in a transaction | transactions a second | records a second | ms of PostgreSQL a record | others, cores |\n|---|---|---|---|---|---|---|\n")
	for _, w := range p.limits.Writes {
		p.say("| %d | %d | %d | %s | %s | %.2f | %.2f |\n", w.Writers, w.Runs, w.Together, group(w.Commits), group(w.Records), w.ServerCPU, w.Others)
	}
	p.say("\nA worker stores what became ready while it waited with the next transaction, so that waiting makes transactions larger before it makes a run slower. " +
		"Check: `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE runs%%'` stays above the number of runs when the row is the limit.\n\n")
	p.say("### What to do then\n\n")
	p.say("- **Connections.** Raise `max_connections` (a worker more takes %.0f; each connection is a process of some MB), and have fewer, larger workers: `--batches` and `--concurrency` add "+
		"no connections. Pooling by transaction (PgBouncer) is not possible, because of the locks of sessions and of listening; pooling by session leaves as many connections.\n", j.connections())
	p.say("- **The row of the run.** Divide the dataset into several runs, each with a process of its own: rows of different runs do not wait for each other, as the table shows. " +
		"A network with short round trips and a fast disk for `pg_wal` make each transaction shorter.\n")
	p.say("- **The process of the run.** Divide the run as well: a process reads some %s records a second on one core of this machine.\n", group(1/p.session()))
	p.say("- **Size.** When tables are larger than memory, they can be partitioned: `records` by hash of `run_id`, which all its unique keys have, so that the cases of a run stand together; `calls` by hash " +
		"of `key`, since a reply belongs to every run that asks for it. Migrations of assay do not do that.\n")
	p.say("- **Readers.** `assay runs` and `assay report` also read a database that allows no writing, such as a replica. Workers and runs need the primary.\n\n")
}

// mean returns the mean time of the statements that begin with a text, in milliseconds; 0 if
// they are not among those that took longest.
func (f figures) mean(begin string) float64 {
	for _, s := range f.Top {
		if strings.HasPrefix(s.Text, begin) {
			return s.Mean
		}
	}
	return 0
}

// growing says which statements take longer the larger a run or the more workers there are.
func (p *page) growing() {
	r := last(p.judged.Runs)
	few, many := p.judged.Runs[0].mean("SELECT EXISTS (SELECT $2 FROM pg_locks"), r.mean("SELECT EXISTS (SELECT $2 FROM pg_locks")
	if few > 0 && many > 0 {
		p.say("\nOne statement reads more the more workers there are: the look whether a worker is there, every 3 s by itself and every 12 s by the run, reads all locks and all connections. "+
			"It took %.1f ms with %d connections and %.1f ms with %d. Check: `SELECT calls, mean_exec_time FROM pg_stat_statements WHERE query LIKE '%%pg_locks%%'`.\n",
			few, p.judged.Runs[0].Connections, many, r.Connections)
	}
}

// figure writes a number with three significant digits at least.
func figure(v float64) string {
	if v < 100 {
		return fmt.Sprintf("%.3g", v)
	}
	return group(v)
}

// group writes a number without decimals, with commas between thousands.
func group(v float64) string {
	text := fmt.Sprintf("%.0f", v)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
