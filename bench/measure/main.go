//go:build unix

// Command measure runs assay and reference tools over the same files, in turns, each as a
// whole process, and prints the median times of the processor and of the clock, their
// ratios, the peak memory of both, and whether the numbers agree:
//
//   - trec: trec_eval's official measures of a large run, beside pytrec_eval
//   - shuffled: the same with the lines of the run in any order
//   - small: the same of a run of 20,000 lines
//   - bleu, chrf, rouge: metrics of answers by the Go library beside sacreBLEU, sentence by
//     sentence, and beside rouge-score
//   - text: a run over recorded responses with seven metrics of answers, beside
//     rouge-score and sacreBLEU
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/assay-eval/assay/bench/internal/contest"
	"github.com/assay-eval/assay/bench/internal/speed"
)

func main() {
	b := bench{}
	flag.StringVar(&b.assay, "assay", "", "the program to measure")
	flag.StringVar(&b.python, "python", "python3", "a Python that has pytrec_eval, sacrebleu and rouge_score")
	flag.StringVar(&b.scripts, "scripts", "bench/measure", "the folder of what the Python runs")
	flag.StringVar(&b.cache, "cache", os.TempDir(), "the folder for the generated files")
	flag.IntVar(&b.queries, "queries", 6980, "queries of the large run")
	flag.IntVar(&b.results, "results", 1000, "results of each query")
	flag.IntVar(&b.pairs, "pairs", 25_000, "answers with references")
	flag.IntVar(&b.rounds, "rounds", 5, "how often each contender runs")
	b.sheet = speed.Flag()
	what := flag.String("what", "trec,shuffled,small,bleu,chrf,rouge,text", "what to measure")
	score := flag.Bool("score", false, "score the pairs of the files by the library: CASES RESPONSES METRICS")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bench/measure: ")
	if *score {
		if err := scorePairs(flag.Arg(0), flag.Arg(1), flag.Arg(2)); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := b.versions(); err != nil {
		log.Fatal(err)
	}
	for _, name := range strings.Split(*what, ",") {
		fmt.Printf("-- %s\n", name)
		if err := b.measure(name); err != nil {
			log.Fatal(err)
		}
	}
	if err := b.sheet.Write(); err != nil {
		log.Fatal(err)
	}
}

type bench struct {
	sheet *speed.Sheet
	// peers are the versions of the references, by the name of their package.
	peers map[string]string

	assay, python, scripts, cache   string
	queries, results, pairs, rounds int
}

// versions prints the versions of the contenders.
func (b *bench) versions() error {
	for _, args := range [][]string{
		{b.assay, "--version"},
		{b.python, "-c", "from importlib.metadata import version\n" +
			"print(*(p + ' ' + version(p) for p in ('pytrec-eval-terrier', 'sacrebleu', 'rouge-score')), sep=', ')"},
	} {
		out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%s: %w: %s", args[0], err, out)
		}
		fmt.Print(string(out))
		b.peers = map[string]string{}
		for one := range strings.SplitSeq(strings.TrimSpace(string(out)), ", ") {
			name, version, _ := strings.Cut(one, " ")
			b.peers[name] = name + " " + version
		}
	}
	return nil
}

func (b *bench) measure(what string) error {
	row := speed.Row{Command: "bash bench/measure/run.sh -what " + what, Rounds: b.rounds}
	switch what {
	case "trec", "shuffled":
		row.Work, row.Goal = fmt.Sprintf("trec_eval's measures of a run of %d lines", b.queries*b.results), speed.Goal{Ratio: 5}
		if what == "shuffled" {
			row.Work, row.Goal.Memory = row.Work+", shuffled", 300
		}
		return b.ranking(row, what == "shuffled", b.queries, b.results)
	case "small":
		row.Work = "the same of a run of 20000 lines"
		return b.ranking(row, false, 250, 80)
	case "text":
		row.Work, row.Goal = fmt.Sprintf("seven text metrics on %d recorded responses", b.pairs), speed.Goal{Ratio: 6}
		return b.texts(row, "token_f1", "exact_match", "rouge_1", "rouge_2", "rouge_l", "bleu", "chrf")
	case "rouge":
		row.Work, row.Goal = fmt.Sprintf("ROUGE-1, ROUGE-2 and ROUGE-L of %d answers", b.pairs), speed.Goal{Ratio: 6}
		row.Peer = b.peers["rouge-score"]
		return b.library(row, "rouge_1,rouge_2,rouge_l")
	case "bleu", "chrf":
		row.Work = fmt.Sprintf("%s of %d answers, sentence by sentence", map[string]string{"bleu": "BLEU", "chrf": "chrF++"}[what], b.pairs)
		row.Goal = speed.Goal{Ratio: 8}
		row.Peer = b.peers["sacrebleu"]
		return b.library(row, what)
	}
	return fmt.Errorf("%q: want trec, shuffled, small, bleu, chrf, rouge or text", what)
}

// ranking measures the official measures of trec_eval.
func (b *bench) ranking(row speed.Row, shuffle bool, queries, results int) error {
	qrels, run, err := generate(b.cache, queries, results)
	if err == nil && shuffle {
		run, err = shuffled(run)
	}
	if err != nil {
		return err
	}
	row.Peer = b.peers["pytrec-eval-terrier"]
	row.Note = "The peer is trec_eval's C code in Python, which reads the files as its README shows; the program trec_eval is in no package registry."
	return b.compare(row, run,
		contend("assay measure", b.assay, "measure", qrels, run, "--format", "trec", "-m", "official", "-c"),
		contend("pytrec_eval", b.python, filepath.Join(b.scripts, "reference.py"), qrels, run),
	)
}

// shuffled writes a run with its lines in any order, unless it is there. Another process
// does: the peak memory of a process is at least that of the one that starts it.
func shuffled(run string) (string, error) {
	path := run + ".shuffled"
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	cmd := exec.Command("shuf", "--output", path+".part", "--random-source", run, run)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("shuf: %w: %s", err, out)
	}
	return path, os.Rename(path+".part", path)
}

// library measures metrics of answers, with commas between their names, without a run.
func (b *bench) library(row speed.Row, names string) error {
	cases, responses, err := generatePairs(b.cache, b.pairs)
	if err != nil {
		return err
	}
	return b.compare(row, responses,
		contend("assay library", os.Args[0], "-score", cases, responses, names),
		contend(row.Peer, b.python, filepath.Join(b.scripts, "text.py"), cases, responses, names),
	)
}

// texts measures metrics of answers by a whole run over recorded responses, with the store
// and the report that a run has.
func (b *bench) texts(row speed.Row, metrics ...string) error {
	cases, responses, err := generatePairs(b.cache, b.pairs)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "assay-bench-measure")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	names := strings.Join(metrics, ",")
	row.Peer = b.peers["rouge-score"]
	if slices.Contains(metrics, "bleu") {
		row.Peer += ", " + b.peers["sacrebleu"]
	}
	return b.compare(row, responses,
		&contender{
			report: filepath.Join(dir, "report.json"),
			Contender: contest.Contender{Name: "assay run", Args: []string{
				b.assay, "run", "--adapter", "recorded", "--dataset", cases, "--responses", responses, "--metrics", names,
				"--store", filepath.Join(dir, "assay.db"), "--output", filepath.Join(dir, "report"), "--formats", "json",
			}},
		},
		contend("Python tools", b.python, filepath.Join(b.scripts, "text.py"), cases, responses, names),
	)
}

// seed makes every run of this program measure the same files.
const seed = 6980

// generate writes judgments and a run like those of MS MARCO's development
// set, unless they are there: mostly one relevant document for each query, at
// some rank or not found; scores with six decimals, sorted.
func generate(dir string, queries, results int) (qrels, run string, err error) {
	base := filepath.Join(dir, fmt.Sprintf("measure-%d-%d-%d", seed, queries, results))
	qrels, run = base+".qrels", base+".run"
	if _, err := os.Stat(run); err == nil {
		return qrels, run, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", "", err
	}
	judged, err := os.Create(qrels)
	if err != nil {
		return "", "", err
	}
	defer judged.Close()
	ranked, err := os.Create(run + ".part")
	if err != nil {
		return "", "", err
	}
	defer ranked.Close()
	write(bufio.NewWriter(judged), bufio.NewWriterSize(ranked, 1<<20), queries, results)
	return qrels, run, os.Rename(run+".part", run)
}

const collection = 8_841_823

func write(qrels, run *bufio.Writer, queries, results int) {
	r := rand.New(rand.NewPCG(seed, 0))
	defer qrels.Flush()
	defer run.Flush()
	for _, q := range r.Perm(1_100_000)[:queries] {
		docs := map[int]bool{}
		score := 20 + r.Float64()*10
		relevant := r.IntN(2 * results)
		for i := range results {
			doc := r.IntN(collection)
			for docs[doc] {
				doc = r.IntN(collection)
			}
			docs[doc] = true
			score -= r.Float64() * 0.02
			fmt.Fprintf(run, "%d Q0 %d %d %.6f bm25\n", q, doc, i+1, score)
			if i == relevant || i == 2*relevant && relevant%16 == 0 {
				fmt.Fprintf(qrels, "%d 0 %d 1\n", q, doc)
			}
		}
		if relevant >= results {
			fmt.Fprintf(qrels, "%d 0 %d 1\n", q, collection+1)
		}
	}
}

// A contender is a program to measure, with the values that it gives.
type contender struct {
	contest.Contender
	// report is the JSON report that holds the values; they are printed without.
	report string
}

func contend(name string, args ...string) *contender {
	return &contender{Contender: contest.Contender{Name: name, Args: args}}
}

// measures returns the values over all queries or cases.
func (c *contender) measures() (map[string]string, error) {
	if c.report != "" {
		return reported(c.report)
	}
	all := map[string]string{}
	for line := range strings.Lines(c.Output) {
		if f := strings.Fields(line); len(f) == 3 && f[1] == "all" {
			all[f[0]] = f[2]
		}
	}
	return all, nil
}

// reported reads the means of a report.
func reported(path string) (map[string]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var report struct {
		Summary map[string]struct{ Mean *float64 }
	}
	if err := json.Unmarshal(data, &report); err != nil {
		return nil, err
	}
	all := map[string]string{}
	for name, m := range report.Summary {
		if m.Mean != nil {
			all[name] = fmt.Sprintf("%.9f", *m.Mean)
		}
	}
	return all, nil
}

func (b *bench) compare(row speed.Row, file string, ours, theirs *contender) error {
	if err := contest.Run(b.rounds, &ours.Contender, &theirs.Contender); err != nil {
		return err
	}
	size, err := os.Stat(file)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %.0f MB, %d rounds, %d cores\n", filepath.Base(file), float64(size.Size())/1e6, b.rounds, runtime.NumCPU())
	for _, c := range []*contender{ours, theirs} {
		c.Report(os.Stdout)
	}
	fmt.Printf("ratio: CPU %.1f, wall %.1f\n", theirs.CPU().Seconds()/ours.CPU().Seconds(), theirs.Wall().Seconds()/ours.Wall().Seconds())
	mine, err := ours.measures()
	if err != nil {
		return err
	}
	wanted, err := theirs.measures()
	if err != nil {
		return err
	}
	var same int
	for name, want := range wanted {
		if strings.HasPrefix(name, "iprec_at_recall") {
			// pytrec_eval holds trec_eval 9; version 10, which assay follows,
			// rounds the recall points in another way.
			continue
		}
		if got := mine[name]; got != want {
			return fmt.Errorf("%s: assay says %s, the reference %s", name, cmp.Or(got, "nothing"), want)
		}
		same++
	}
	fmt.Printf("%d measures agree to the last digit\n", same)
	if same == 0 {
		return fmt.Errorf("nothing was compared")
	}
	row.Ours, row.Theirs = ours.Cost(), theirs.Cost()
	b.sheet.Add(row)
	return nil
}
