package probe_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/probe"
)

func same(k knowing) func(int) judge.Judge { return func(int) judge.Judge { return k } }

func find(t *testing.T, r *probe.Report, name string) probe.Test {
	t.Helper()
	for _, test := range r.Tests {
		if test.Name == name {
			return test
		}
	}
	t.Fatalf("no test %q in %+v", name, r.Tests)
	return probe.Test{}
}

func failed(r *probe.Report) string {
	var out []string
	for _, test := range r.Tests {
		if test.Outcome == probe.Fail {
			out = append(out, test.Name)
		}
	}
	return strings.Join(out, ", ")
}

func TestItems(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, it := range probe.Items() {
		if seen[it.ID] {
			t.Errorf("%s is there twice", it.ID)
		}
		seen[it.ID] = true
		if judge.LanguageOf(it.Passage) != it.Language || judge.LanguageOf(it.Question) != it.Language {
			t.Errorf("%s: language %q", it.ID, it.Language)
		}
		for c := range it.Corrupted {
			for _, s := range []string{it.Statements[c], it.Corrupted[c]} {
				if s == "" || seen[s] {
					t.Errorf("%s: statement %q is empty or there twice", it.ID, s)
				}
				seen[s] = true
			}
		}
		if it.Answer(1) == it.Answer(-1) || !strings.Contains(it.Answer(1), it.Corrupted[1]) ||
			!strings.Contains(it.Answer(1), it.Statements[0]) {
			t.Errorf("%s: %q", it.ID, it.Answer(1))
		}
	}
	if len(probe.Items()) != 20 {
		t.Errorf("%d items, want 20", len(probe.Items()))
	}
}

func TestProbeOfAGoodJudge(t *testing.T) {
	t.Parallel()
	var m judge.Meter
	r, err := probe.Probe(judge.WithMeter(t.Context(), &m), same(knowing{}), probe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Fit || r.Reasons != nil {
		t.Errorf("fit %v: %q", r.Fit, r.Reasons)
	}
	// 3 corruptions of 20 items, one question each; 7 operations on 8 items;
	// 2 questions on 10 items in 5 draws.
	if spent, _ := m.Total(); spent.Calls != 60+56+100 {
		t.Errorf("%d calls counted, want 216", spent.Calls)
	}
	for name, n := range map[string]int{
		"schema": 116, "quotes": 60, "sensitivity: number": 20, "sensitivity: negation": 20, "sensitivity: entity": 20, "acceptance": 60,
		"determinism": 20,
	} {
		test := find(t, r, name)
		if test.N != n || test.Interval == nil || test.Unread != 0 {
			t.Errorf("%s: n = %d, interval %v, want n = %d", name, test.N, test.Interval, n)
		}
	}
	// 20 of 20: Wilson's lower end is 20/(20+1.96²) = 0.839.
	if ci := find(t, r, "sensitivity: number").Interval; ci.Lo < 0.838 || ci.Lo > 0.840 || ci.Hi < 1-1e-9 {
		t.Errorf("interval %v, want [0.839, 1]", ci)
	}
	if d := find(t, r, "determinism"); d.Effect != 0 || d.Outcome != probe.Noted {
		t.Errorf("determinism %+v", d)
	}
}

func TestProbeOfBadJudges(t *testing.T) {
	t.Parallel()
	garbled := &judge.Error{Operation: "mark", Message: "garbled"}
	for _, c := range []struct {
		name  string
		judge knowing
		want  string
	}{
		{"does not see negation", knowing{blind: probe.Negation}, "sensitivity: negation"},
		{"invents quotes", knowing{quoteless: true}, "quotes"},
		{"refuses all", knowing{draw: 1}, "acceptance, quotes"},
		{"garbles marks", knowing{fail: func(operation string) error {
			if operation == "mark" {
				return garbled
			}
			return nil
		}}, "schema"},
		{"garbles rulings", knowing{fail: func(string) error { return garbled }}, "schema, quotes, sensitivity: number, sensitivity: " +
			"negation, sensitivity: entity, acceptance"},
	} {
		r, err := probe.Probe(t.Context(), same(c.judge), probe.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := failed(r)
		if c.name == "refuses all" {
			// Whoever refuses all is asked for no quote: there is no effect to pass.
			c.want = "quotes, acceptance"
		}
		if got != c.want || r.Fit || len(r.Reasons) != len(strings.Split(c.want, ", ")) {
			t.Errorf("a judge that %s fails %q (%q), want %q", c.name, got, r.Reasons, c.want)
		}
	}
}

func TestProbeTellsRepairs(t *testing.T) {
	t.Parallel()
	r, err := probe.Probe(t.Context(), same(knowing{repairs: 1}), probe.Options{Items: 4})
	if err != nil {
		t.Fatal(err)
	}
	schema := find(t, r, "schema")
	if schema.Effect != 1 || schema.Outcome != probe.Pass || schema.Parts[0].Name != "at once" || schema.Parts[0].Effect != 0 ||
		schema.Parts[0].N != schema.N {
		t.Errorf("schema %+v: want all read, none at once", schema)
	}
}

func TestProbeTellsChanges(t *testing.T) {
	t.Parallel()
	r, err := probe.Probe(t.Context(), func(draw int) judge.Judge { return knowing{draw: draw} }, probe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// Support changes with the draw, equivalence does not.
	if d := find(t, r, "determinism"); d.Effect != 0.5 || d.Outcome != probe.Noted || d.Note == "" || !r.Fit {
		t.Errorf("determinism %+v, fit %v", d, r.Fit)
	}
}

func TestProbeEnds(t *testing.T) {
	t.Parallel()
	fatal := &judge.FatalError{Err: errors.New("no key")}
	if _, err := probe.Probe(t.Context(), same(knowing{fail: func(string) error { return fatal }}), probe.Options{}); !errors.Is(err, fatal) {
		t.Errorf("got %v, want the fatal error", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := probe.Probe(ctx, same(knowing{}), probe.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want it canceled", err)
	}
	for _, o := range []probe.Options{{Items: 3}, {Items: 11}, {Concurrency: -1}, {Level: 1}} {
		if _, err := probe.Probe(t.Context(), same(knowing{}), o); err == nil {
			t.Errorf("options %+v: want an error", o)
		}
	}
}
