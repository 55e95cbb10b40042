package requiretest

import (
	"encoding/json"
	"os"
	"testing"
)

// A WorkedCase is one of the shared worked examples of a metric or a formula.
type WorkedCase struct {
	ID, Section, Fn, Note string
	Input, Expected       json.RawMessage
	// Tol is the absolute tolerance of a comparison.
	Tol float64
}

// WorkedCases returns all worked examples.
func WorkedCases(t testing.TB) []WorkedCase {
	t.Helper()
	b, err := os.ReadFile(Shared(t, "oracles/metric_examples.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		N     int
		Cases []WorkedCase
	}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) != file.N || file.N == 0 {
		t.Fatalf("the file of worked examples says %d and holds %d", file.N, len(file.Cases))
	}
	return file.Cases
}

// Worked reads the input and the expected output of one worked example.
func Worked(t testing.TB, id string, input, expected any) {
	t.Helper()
	for _, c := range WorkedCases(t) {
		if c.ID == id {
			c.Read(t, input, expected)
			return
		}
	}
	t.Fatalf("there is no worked example %q", id)
}

// Read decodes the input and the expected output.
func (c WorkedCase) Read(t testing.TB, input, expected any) {
	t.Helper()
	if err := json.Unmarshal(c.Input, input); err != nil {
		t.Fatalf("%s: input: %v", c.ID, err)
	}
	if err := json.Unmarshal(c.Expected, expected); err != nil {
		t.Fatalf("%s: expected: %v", c.ID, err)
	}
}
