package requiretest

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// Apart skips a test under the race detector, which only slows it down: its work is arithmetic of
// one goroutine, or that of another program. It adds the folder and the name of the test to the
// file ASSAY_APART, if there is one, so that CI runs the test without the detector.
func Apart(t testing.TB) {
	t.Helper()
	if !Race {
		return
	}
	if file := os.Getenv("ASSAY_APART"); file != "" {
		note(t, file)
	}
	t.Skip("runs without the race detector")
}

func note(t testing.TB, file string) {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	name, _, _ := strings.Cut(t.Name(), "/")
	if _, err := fmt.Fprintln(list, folder, name); err != nil {
		t.Fatal(err)
	}
}
