package entail

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/assay-eval/assay/internal/process"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/target"
)

const (
	commandKind = "command"
	pythonKind  = "python"
)

// command is a program that stays alive: its model is loaded once.
var command = Kind{
	Name: commandKind,
	Doc: `a program that stays alive: it reads a line {"document": "…", "claim": "…"} and writes a line {"probability": 0.9}, with ` +
		`"contradiction" if it has one`,
	Example: "--set entailment-command='python score.py'",
	Free:    true,
	Batch:   32,
	Open: func(s Setup) (Source, error) {
		if s.Command == "" {
			return nil, errors.New("give the command itself in --set entailment-command")
		}
		args, err := process.Words(s.Command)
		if err != nil {
			return nil, err
		}
		e, err := target.NewExec(target.ExecConfig{Command: args, Dir: s.Dir, Stderr: s.Stderr})
		if err != nil {
			return nil, err
		}
		return &commandSource{program{e, commandKind, filepath.Base(args[0])}}, nil
	},
}

// python is an object of Python in the program that asks chains and functions, too.
var python = Kind{
	Name: pythonKind,
	Doc: "an object in Python, as FILE.py:NAME or MODULE:NAME: with predict(pairs), as HHEM and cross-encoders have, with score, as " +
		"MiniCheck and AlignScore have, or a function of a list of documents and a list of claims",
	Example: "--entailment python:hhem.py:model --python .venv/bin/python",
	Wants:   "FILE.py:NAME",
	Free:    true,
	Batch:   32,
	Open: func(s Setup) (Source, error) {
		e, err := target.NewPython(target.Scorer, s.Python, s.Model, target.ExecConfig{Dir: s.Dir, Stderr: s.Stderr})
		if err != nil {
			return nil, err
		}
		return &pythonSource{program{e, pythonKind, s.Model}, s.Label}, nil
	},
}

// A program is a process that scores.
type program struct {
	*target.Exec
	kind, model string
}

// call sends a line, and puts an error into the terms of package llm.
func (p program) call(ctx context.Context, fields map[string]any) (map[string]any, error) {
	v, err := p.Call(ctx, fields)
	if err == nil {
		return v, nil
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	kind := llm.KindServer
	var e *target.Error
	if errors.As(err, &e) {
		switch {
		case e.Kind == target.Reply:
			kind = llm.KindReply
		case e.Kind == target.Failed:
			kind = llm.KindRequest // of this pair; others may be scored
		case e.Kind == target.Refused && !e.Again:
			kind = llm.KindModel
		}
	}
	return nil, p.fail(kind, err)
}

func (p program) fail(k llm.Kind, err error) error {
	return &llm.Error{Kind: k, Provider: p.kind, Model: p.model, Message: err.Error(), Err: err, Attempts: 1}
}

type commandSource struct{ program }

// Scores implements [Source].
func (s *commandSource) Scores(ctx context.Context, pairs []Pair) (Batch, error) {
	b := Batch{Scores: make([]Score, len(pairs))}
	for i, p := range pairs {
		v, err := s.call(ctx, map[string]any{"document": p.Document, "claim": p.Claim})
		if err == nil {
			b.Scores[i], err = s.read(v)
		}
		if err != nil {
			return Batch{}, err
		}
	}
	return b, nil
}

// read reads the fields of a reply.
func (s *commandSource) read(v map[string]any) (Score, error) {
	p, ok := numberIn(v["probability"])
	if !ok {
		return Score{}, s.fail(llm.KindReply, fmt.Errorf(`the reply's "probability" is %v: expected a number from 0 to 1`, v["probability"]))
	}
	out := Score{Entailed: p}
	if other, given := v["contradiction"]; given && other != nil {
		q, ok := numberIn(other)
		if !ok {
			return Score{}, s.fail(llm.KindReply, fmt.Errorf(`the reply's "contradiction" is %v: expected a number from 0 to 1`, other))
		}
		out.Contradicted = &q
	}
	if err := out.check(); err != nil {
		return Score{}, s.fail(llm.KindReply, err)
	}
	return out, nil
}

type pythonSource struct {
	program
	label string
}

// Scores implements [Source].
func (s *pythonSource) Scores(ctx context.Context, pairs []Pair) (Batch, error) {
	sent := make([][2]string, len(pairs))
	for i, p := range pairs {
		sent[i] = [2]string{p.Document, p.Claim}
	}
	v, err := s.call(ctx, map[string]any{"pairs": sent})
	if err != nil {
		return Batch{}, err
	}
	rows, ok := v["result"].([]any)
	if !ok {
		return Batch{}, s.fail(llm.KindReply, fmt.Errorf("it returned %s: expected a list with a score for each of %d pairs",
			shown(v["result"]), len(pairs)))
	}
	b := Batch{Scores: make([]Score, len(rows))}
	for i, row := range rows {
		if b.Scores[i], err = scoreOfRow(row, s.label); err != nil {
			return Batch{}, s.fail(llm.KindReply, fmt.Errorf("pair %d: %w", i+1, err))
		}
	}
	return b, nil
}

// scoreOfRow reads what an object returns for a pair: a number, which is the probability of
// entailment; the probabilities of classes by their labels; or a list, which is the logits of
// classes that are called LABEL_0 and so on, as cross-encoders return them.
func scoreOfRow(row any, label string) (Score, error) {
	if p, ok := numberIn(row); ok {
		s := Score{Entailed: p}
		return s, s.check()
	}
	var classes []class
	of := probabilities
	switch row := row.(type) {
	case map[string]any:
		for name, v := range row {
			p, ok := numberIn(v)
			if !ok {
				return Score{}, fmt.Errorf("label %q has the score %s: expected a number", name, shown(v))
			}
			classes = append(classes, class{name, &p})
		}
	case []any:
		of = softmax // which may look like probabilities: 0, 0, 1
		for i, v := range row {
			p, ok := numberIn(v)
			if !ok {
				return Score{}, fmt.Errorf("class %d has the score %s: expected a number", i, shown(v))
			}
			classes = append(classes, class{"LABEL_" + strconv.Itoa(i), &p})
		}
	default:
		return Score{}, fmt.Errorf("a score of %s: expected a number", shown(row))
	}
	return scoreOf(classes, label, of)
}

// numberIn reads a number of JSON.
func numberIn(v any) (float64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}

// shown writes a value for a message.
func shown(v any) string {
	said, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	if len(said) > 100 {
		return string(said[:100]) + "…"
	}
	return string(said)
}
