//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// writePromptfoo writes the configuration of promptfoo into a folder.
func writePromptfoo(dir, cases, url string) error {
	data, err := os.ReadFile(cases)
	if err != nil {
		return err
	}
	type object = map[string]any
	var tests []object
	for line := range bytes.Lines(data) {
		var q question
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		tests = append(tests, object{"vars": object{"query": q.Question, "answer": q.Answer, "reference": q.Reference, "context": q.Contexts}})
	}
	var asserts []object
	for _, kind := range []string{"context-faithfulness", "answer-relevance", "context-relevance", "context-recall", "factuality"} {
		one := object{"type": kind}
		if kind != "factuality" {
			one["threshold"] = 0
		}
		if kind == "factuality" || kind == "context-recall" {
			one["value"] = "{{reference}}"
		}
		asserts = append(asserts, one)
	}
	at := object{"apiBaseUrl": url, "apiKey": "none"}
	config := object{
		"prompts": []string{"{{answer}}"}, "providers": []string{"echo"}, "tests": tests,
		"defaultTest": object{"assert": asserts, "options": object{"disableVarExpansion": true, "provider": object{
			"text":      object{"id": "openai:chat:gpt-4o", "config": at},
			"embedding": object{"id": "openai:embedding:text-embedding-3-small", "config": at},
		}}},
	}
	if data, err = json.MarshalIndent(config, "", " "); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "promptfooconfig.json"), data, 0o600)
}

// checkPromptfoo reads the scores that promptfoo wrote: five for each case, none of them made
// up for a reply that it could not read.
func checkPromptfoo(p *program, modules string) error {
	var results struct {
		Results struct {
			Results []struct {
				Grading struct {
					Components []struct {
						Score    *float64
						Pass     bool
						Reason   string
						Metadata struct{ GraderError bool }
					} `json:"componentResults"`
				} `json:"gradingResult"`
			}
		}
	}
	if err := readJSON(filepath.Join(p.Dir, "results.json"), &results); err != nil {
		return err
	}
	if n := len(results.Results.Results); n != p.cases {
		return fmt.Errorf("it scored %d cases of %d", n, p.cases)
	}
	for i, r := range results.Results.Results {
		if len(r.Grading.Components) != 5 {
			return fmt.Errorf("case %d has %d scores: want 5", i+1, len(r.Grading.Components))
		}
		for _, c := range r.Grading.Components {
			if c.Score == nil || !c.Pass || c.Metadata.GraderError {
				return fmt.Errorf("case %d has no score: %s", i+1, c.Reason)
			}
		}
	}
	var about struct{ Version string }
	if err := readJSON(filepath.Join(modules, "promptfoo", "package.json"), &about); err != nil {
		return err
	}
	p.name = "promptfoo " + about.Version
	return nil
}

func readJSON(path string, to any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, to); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
