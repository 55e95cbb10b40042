package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/atomic"
	"github.com/assay-eval/assay/internal/redact"
	"github.com/assay-eval/assay/spans"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/target"
)

func newImportTraces(env *Env) *cobra.Command {
	var imported traceImport
	cmd := &cobra.Command{
		Use:  "traces [FILE|DIR…]",
		RunE: func(cmd *cobra.Command, args []string) error { return imported.run(cmd.Context(), env, args) },
	}
	storeFlag(cmd, env, &imported.store)
	cmd.Flags().BoolVar(&imported.received, "received", false, "import the traces that assay serve received")
	cmd.Flags().DurationVar(&imported.since, "since", 0, "only traces that were received in that time before now, such as 24h (0: all)")
	cmd.Flags().StringVar(&imported.out, "output", "", "folder for cases.jsonl and responses.jsonl (required)")
	redactFlag(cmd, &imported.redact)
	cmd.Flags().BoolVar(&imported.force, "force", false, "overwrite the files if they are there")
	return cmd
}

// A traceImport reads traces and counts what it makes of them.
type traceImport struct {
	out, store      string
	redact          string
	force, received bool
	since           time.Duration

	cases                                  assay.Cases
	answers, passages, staged, tokens, bad int
	unread, incomplete, checks, cut        int
	rules                                  *redact.Rules
	redacted                               redact.Counts
	conventions                            []string
	// shapes counts the forms of what retrievers put out and that is not read.
	shapes map[string]int
}

func (t *traceImport) run(ctx context.Context, env *Env, args []string) (err error) {
	switch {
	case t.out == "":
		return errors.New("--output is missing: expected a folder for cases.jsonl and responses.jsonl")
	case t.received == (len(args) > 0):
		return errors.New("name files of traces, or use --received for those that assay serve received")
	case t.since < 0 || t.since > 0 && !t.received:
		return errors.New("use --since with a time of 0 or more, together with --received")
	}
	casesFile, responsesFile := filepath.Join(t.out, "cases.jsonl"), filepath.Join(t.out, "responses.jsonl")
	for _, path := range []string{casesFile, responsesFile} {
		if atomic.Replaces(env.Path(path)) && !t.force {
			return hinted(fmt.Errorf("%s: already exists: expected a new folder", path), "--force overwrites it")
		}
	}
	if t.rules, err = redactRules(env, t.redact); err != nil {
		return err
	}
	t.redacted, t.shapes = redact.Counts{}, map[string]int{}
	files, err := traceFiles(env, args)
	if err != nil {
		return err
	}
	collected, err := spans.NewCollector()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, collected.Close()) }()
	add := func(s spans.Span) error {
		t.rules.Span(&s, t.redacted)
		return collected.Add(s)
	}
	for _, name := range files {
		err := readSpans(env.Path(name), name, add)
		var skipped *spans.SkippedError
		if errors.As(err, &skipped) {
			env.Warn("warning: %s: %v", name, skipped)
		} else if err != nil {
			return err
		}
	}
	if t.received {
		if err := t.receive(ctx, env, add); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(env.Path(t.out), 0o755); err != nil {
		return err
	}
	err = atomic.WriteFile(env.Path(responsesFile), func(w io.Writer) error { return t.write(w, collected) })
	if err == nil {
		err = atomic.WriteFile(env.Path(casesFile), func(w io.Writer) error {
			_, err := dataset.Write(w, &dataset.Dataset{Cases: &t.cases}, "jsonl")
			return err
		})
	}
	if err != nil {
		return err
	}
	t.report(env, collected)
	env.Hint("assay run --adapter recorded --dataset %s --responses %s", casesFile, responsesFile)
	return nil
}

// receive reads the spans in the database.
func (t *traceImport) receive(ctx context.Context, env *Env, add func(spans.Span) error) (err error) {
	s, err := openKept(ctx, env, t.store, "--store names another")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	var since time.Time
	if t.since > 0 {
		since = env.Now().Add(-t.since)
	}
	return s.Spans(ctx, "", since, func(batch store.SpanBatch) error {
		body, err := batch.Body(ctx)
		if err != nil {
			return err
		}
		list, err := spans.Batch(body)
		if err != nil {
			return err
		}
		for _, span := range list {
			if err := add(span); err != nil {
				return err
			}
		}
		return nil
	})
}

// write writes the responses and keeps the cases.
func (t *traceImport) write(w io.Writer, collected *spans.Collector) error {
	for trace, err := range collected.All() {
		if err != nil {
			return err
		}
		found, unread := spans.Exchanges(trace)
		t.unread += unread
		for i := range found {
			e := &found[i]
			t.count(e)
			t.cases.Add(&e.Case)
			if err := target.WriteResponse(w, &e.Case, &e.Response, e.Failure); err != nil {
				return err
			}
		}
	}
	if t.cases.Len() == 0 && collected.Spans() == 0 {
		return hinted(errors.New("there are no spans: nothing was received, or the files have none"),
			"an exporter sends them to assay serve if OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:8321 and "+
				"OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf are set")
	}
	if t.cases.Len() == 0 {
		return hinted(fmt.Errorf("no question was found in %s of %s: expected spans by the conventions of OpenInference, "+
			"OpenTelemetry GenAI or another of docs/traces.md, with the contents of messages",
			counted(collected.Spans(), "span"), counted(collected.Traces(), "trace")),
			"many instrumentations leave out what was asked and answered unless a setting says otherwise")
	}
	return nil
}

func (t *traceImport) count(e *spans.Exchange) {
	r := &e.Response
	add := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	add(&t.answers, e.Failure == "" && r.Answer != "")
	add(&t.passages, r.Passages != nil)
	add(&t.staged, r.Trace != nil)
	add(&t.tokens, r.Usage != assay.Usage{})
	add(&t.bad, e.Failure != "")
	add(&t.incomplete, e.Incomplete)
	t.checks += e.Checks
	t.cut += e.Cut
	for _, shape := range e.Unread {
		t.shapes[shape]++
	}
	for _, c := range e.Conventions {
		if !slices.Contains(t.conventions, c) {
			t.conventions = append(t.conventions, c)
		}
	}
}

func (t *traceImport) report(env *Env, collected *spans.Collector) {
	env.Warn("%s of %s read, by the conventions of %s", counted(collected.Spans(), "span"), counted(collected.Traces(), "trace"),
		strings.Join(t.conventions, ", "))
	env.Warn("%s written to %s: %d with an answer, %d with passages, %d with stages, %d with tokens, %d failed",
		countCases(t.cases.Len()), t.out, t.answers, t.passages, t.staged, t.tokens, t.bad)
	if t.rules != nil {
		env.Warn("redacted by %s: %s", t.redact, redactedCounts(t.rules, t.redacted))
	}
	if t.incomplete > 0 {
		env.Warn("warning: the first span of %d of these cases is missing: their traces go on, or begin in a system whose spans are elsewhere",
			t.incomplete)
	}
	if t.checks > 0 {
		env.Warn("warning: %s of evaluators and guardrails passed over, with what is below: they do not answer", counted(t.checks, "span"))
	}
	if t.cut > 0 {
		env.Warn("warning: the exporter may have cut texts or dropped attributes in %s: raise or unset OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT and "+
			"OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", counted(t.cut, "span"))
	}
	for _, shape := range slices.Sorted(maps.Keys(t.shapes)) {
		env.Warn("warning: %s without passages that can be read: %s", counted(t.shapes[shape], "retrieval step"), oneLine(shape))
	}
	if t.unread > 0 {
		env.Warn("warning: %s left out, of which no question, or neither answer nor passages, are recorded", counted(t.unread, "operation"))
	}
}

// traceEndings are those of the files that are read of a folder.
var traceEndings = []string{".json", ".jsonl", ".ndjson", ".pb", ".gz", ".zst"}

// traceFiles lists the files that the arguments name.
func traceFiles(env *Env, args []string) ([]string, error) {
	var out []string
	for _, arg := range args {
		info, err := os.Stat(env.Path(arg))
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			out = append(out, arg)
			continue
		}
		some := false
		err = filepath.WalkDir(env.Path(arg), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && slices.Contains(traceEndings, strings.ToLower(filepath.Ext(path))) {
				out = append(out, path)
				some = true
			}
			return err
		})
		if err == nil && !some {
			err = fmt.Errorf("%s: no files of traces: expected some that end in %s", arg, strings.Join(traceEndings, ", "))
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func readSpans(path, name string, add func(spans.Span) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return spans.Read(f, name, add)
}
