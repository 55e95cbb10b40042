//go:build unix

// Command store measures what the store takes: bytes a case and bytes a judged call in
// an SQLite file after a run, and the processor time to write and to read records. The
// texts of the cases are windows of this repository's documentation; the judge is
// simulated.
package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
)

func main() {
	program := flag.String("assay", "", "the program to measure")
	docs := flag.String("docs", "docs", "folder of the Markdown files that the texts are from")
	dir := flag.String("dir", os.TempDir(), "where the folder of the generated files is made, and removed")
	cases := flag.Int("cases", 2000, "cases of the run without a judge")
	judged := flag.Int("judged", 100, "cases of the judged run")
	records := flag.Int("records", 100_000, "records to write and read")
	server := flag.String("postgres", "", "address of an empty PostgreSQL database to measure, too")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bench/store: ")
	if err := measure(*program, *docs, *dir, *cases, *judged, *records, *server); err != nil {
		log.Fatal(err)
	}
}

func measure(program, docs, dir string, cases, judged, records int, server string) (err error) {
	text, err := prose(docs)
	if err != nil {
		return err
	}
	if dir, err = os.MkdirTemp(dir, "assay-bench-store"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	input, err := generate(dir, text, cases)
	if err != nil {
		return err
	}
	fmt.Printf("%d cases of %d bytes in the files\n", cases, input/cases)
	if err := run(program, dir, "plain.db", "hit@5,mrr,ndcg@5,precision@5,recall@5,rouge_l,token_f1,exact_match"); err != nil {
		return err
	}
	if err := sizes(filepath.Join(dir, "plain.db"), cases, "case", "records"); err != nil {
		return err
	}
	if err := times(filepath.Join(dir, "plain.db"), filepath.Join(dir, "again.db"), records); err != nil {
		return err
	}
	if err := sizes(filepath.Join(dir, "again.db"), records, "case", "records"); err != nil {
		return err
	}
	if server != "" {
		if err := times(filepath.Join(dir, "plain.db"), server, records); err != nil {
			return err
		}
		if err := sizesOfServer(server, records); err != nil {
			return err
		}
	}
	if _, err := generate(dir, text, judged); err != nil {
		return err
	}
	err = run(program, dir, "judged.db", "faithfulness,answer_correctness,answer_relevance,context_relevance", "--judge", "fake:")
	if err != nil {
		return err
	}
	calls, err := number(filepath.Join(dir, "judged.db"), `SELECT count(*) FROM calls`)
	if err != nil {
		return err
	}
	fmt.Printf("%d judged calls, %.1f a case\n", calls, float64(calls)/float64(judged))
	if err := sizes(filepath.Join(dir, "judged.db"), int(calls), "call", "calls", "texts"); err != nil {
		return err
	}
	return replies(filepath.Join(dir, "judged.db"))
}

// prose returns the documentation as one text.
func prose(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: has no Markdown files", dir)
	}
	var all strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return "", err
		}
		all.Write(bytes.ToValidUTF8(text, nil))
	}
	return strings.Join(strings.Fields(all.String()), " "), err
}

// seed makes every run of this program measure the same cases, if the documentation is
// the same.
const seed = 15

// generate writes cases and responses and returns their size.
func generate(dir, text string, cases int) (int, error) {
	r := rand.New(rand.NewPCG(seed, 0))
	window := func(n int) string {
		at := r.IntN(len(text) - n)
		return strings.ToValidUTF8(text[at:at+n], "")
	}
	var questions, responses bytes.Buffer
	for i := range cases {
		id := fmt.Sprintf("q%d", i)
		var passages []map[string]any
		for rank := range 5 {
			passages = append(passages, map[string]any{"document": fmt.Sprintf("d%d", i*10+rank), "text": window(850), "score": r.Float64()})
		}
		answer := window(250)
		for to, value := range map[*bytes.Buffer]any{
			&questions: map[string]any{"id": id, "question": window(90) + "?", "ground_truth": answer[:100] + window(60),
				"expected_contexts": []string{fmt.Sprintf("d%d", i*10+r.IntN(6))}, "tags": []string{[]string{"easy", "hard"}[i%2]}},
			&responses: map[string]any{"id": id, "answer": answer, "contexts": passages, "latency_ms": 100 + r.IntN(900)},
		} {
			if err := json.NewEncoder(to).Encode(value); err != nil {
				return 0, err
			}
		}
	}
	return questions.Len() + responses.Len(), errors.Join(os.WriteFile(filepath.Join(dir, "cases.jsonl"), questions.Bytes(), 0o666),
		os.WriteFile(filepath.Join(dir, "responses.jsonl"), responses.Bytes(), 0o666))
}

// run evaluates the cases.
func run(program, dir, db, metrics string, more ...string) error {
	cmd := exec.Command(program, append([]string{"run", "--adapter", "recorded", "--dataset", "cases.jsonl", "--responses", "responses.jsonl",
		"--metrics", metrics, "--store", db, "--output", "none", "--formats", "json"}, more...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// sizes prints the bytes that tables and their indexes have in a file, each by the
// number of what they hold.
func sizes(path string, n int, what string, tables ...string) error {
	total := int64(0)
	for _, table := range tables {
		size, err := number(path, `SELECT coalesce(sum(pgsize), 0) FROM dbstat
			WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name = '`+table+`')`)
		if err != nil {
			return err
		}
		total += size
		fmt.Printf("  table %-8s %8d bytes a %s\n", table, size/int64(n), what)
	}
	fmt.Printf("  in all         %8d bytes a %s\n", total/int64(n), what)
	return nil
}

func sizesOfServer(address string, n int) error {
	size, err := numberOf("pgx", address, `SELECT pg_total_relation_size('records')`)
	fmt.Printf("  table records  %8d bytes a case, PostgreSQL\n", size/int64(n))
	return err
}

func number(path, query string) (int64, error) { return numberOf("sqlite", path, query) }

func numberOf(driver, name, query string) (n int64, err error) {
	db, err := sql.Open(driver, name)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return n, db.QueryRow(query).Scan(&n)
}

// replies prints the mean sizes of the texts of calls.
func replies(path string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	defer s.Close()
	var n, requests, replies int
	for c, err := range s.Calls(ctx) {
		if err != nil {
			return err
		}
		n, requests, replies = n+1, requests+len(c.Request), replies+len(c.Reply)
	}
	fmt.Printf("  a call has a request of %d bytes and a reply of %d\n", requests/n, replies/n)
	return nil
}

// batch is the number of records that are put at once.
const batch = 64

// times prints the processor time of writing and reading records.
func times(from, to string, n int) error {
	ctx := context.Background()
	a, err := store.Open(ctx, from)
	if err != nil {
		return err
	}
	defer a.Close()
	b, err := store.Open(ctx, to)
	if err != nil {
		return err
	}
	defer b.Close()
	h, err := a.Run(ctx, store.Latest)
	if err != nil {
		return err
	}
	var recs []assay.Record
	for r, err := range a.Records(ctx, h.ID) {
		if err != nil {
			return err
		}
		recs = append(recs, r)
	}
	if err := b.CreateRun(ctx, h); err != nil {
		return err
	}
	step := func(what string, f func() (int, error)) error {
		cpu, start := used(), time.Now()
		n, err := f()
		fmt.Printf("  %-28s processor %6.2f s  wall %6.2f s  (%d)\n", what, (used() - cpu).Seconds(), time.Since(start).Seconds(), n)
		return err
	}
	err = step("write", func() (int, error) {
		part := make([]assay.Record, 0, batch)
		for seq := range n {
			r := recs[seq%len(recs)]
			r.Seq, r.Case.ID = seq, fmt.Sprintf("q%d", seq)
			if part = append(part, r); len(part) == batch || seq == n-1 {
				if err := b.Put(ctx, h.ID, part...); err != nil {
					return seq, err
				}
				part = part[:0]
			}
		}
		return n, nil
	})
	if err != nil {
		return err
	}
	err = step("read records", func() (have int, err error) {
		for _, err := range b.Records(ctx, h.ID) {
			if err != nil {
				return have, err
			}
			have++
		}
		return have, nil
	})
	if err != nil {
		return err
	}
	return step("read briefs", func() (seen int, err error) {
		for _, err := range b.Briefs(ctx, h.ID, 0, 0) {
			if err != nil {
				return seen, err
			}
			seen++
		}
		return seen, nil
	})
}

// used returns the processor time of this process.
func used() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
