package cli_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/internal/require"
)

// TestMain lets the test binary stand in for the program in scripts.
func TestMain(m *testing.M) {
	testscript.Main(tidied{m}, map[string]func(){"assay": program})
}

// tidied runs the tests, and takes away what they share.
type tidied struct{ *testing.M }

func (m tidied) Run() int {
	code := m.M.Run()
	if err := built.remove(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return max(code, 1)
	}
	return code
}

// program is cmd/assay without its reading of the terminal: scripts are not
// on one, and ASSAY_TEST_TTY makes them believe that they are.
func program() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	tty := os.Getenv("ASSAY_TEST_TTY") != ""
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	asked := make(chan struct{})
	go func() {
		<-signals
		close(asked)
	}()
	os.Exit(cli.Main(ctx, &cli.Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Dir: dir, Getenv: os.Getenv, Now: time.Now, StdoutTTY: tty, StderrTTY: tty, Width: 100,
		Interrupted: asked, Version: "test",
	}, os.Args[1:]))
}

// status is a command of scripts, "status 1 assay gate": it runs a program that
// must end with the exit code.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status CODE COMMAND [ARGUMENTS]")
	}
	var ended *exec.ExitError
	code := 0
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &ended) {
		code = ended.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// TestScripts runs the command-line sessions in testdata, one subject a file.
// ASSAY_UPDATE=1 rewrites the expected outputs.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata",
		UpdateScripts: os.Getenv("ASSAY_UPDATE") != "",
		Cmds:          map[string]func(*testscript.TestScript, bool, []string){"status": status},
		Setup: func(e *testscript.Env) error {
			e.Setenv("ROOT", require.Root())
			e.Setenv("HOME", e.WorkDir)
			return nil
		},
	})
}
