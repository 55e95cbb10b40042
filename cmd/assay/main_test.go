package main

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestStart reads what the packages of the program do before main begins. What is
// compiled, parsed or computed there costs time at every start, whatever the command is.
// The limits are twice what the packages need, and are counted in allocations, which are
// the same on every machine.
func TestStart(t *testing.T) {
	const (
		most      = 2_000 // allocations of one package
		mostOurs  = 700   // allocations of a package of this module
		mostBytes = 4_000_000
	)
	if os.Getenv("ASSAY_TEST_START") != "" {
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestStart$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1", "ASSAY_TEST_START=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	line := regexp.MustCompile(`init (\S+) @.* clock, (\d+) bytes, (\d+) allocs`)
	bytes, packages := 0, 0
	for _, m := range line.FindAllStringSubmatch(string(out), -1) {
		size, _ := strconv.Atoi(m[2]) // the pattern admits only numbers
		allocations, _ := strconv.Atoi(m[3])
		bytes += size
		limit := most
		if strings.HasPrefix(m[1], "github.com/assay-eval/assay") {
			limit = mostOurs
			packages++
		}
		if allocations > limit {
			t.Errorf("%s makes %d allocations of %d bytes before main begins: want at most %d; do the work at the first use",
				m[1], allocations, size, limit)
		}
	}
	if bytes > mostBytes {
		t.Errorf("packages allocate %d bytes before main begins: want at most %d", bytes, mostBytes)
	}
	if packages < 20 {
		t.Errorf("%d packages of this module: want all that the program has; output: %s", packages, out)
	}
}
