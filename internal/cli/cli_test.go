package cli_test

import (
	"archive/zip"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/internal/reporttest"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/store"
)

// TestMain lets the test binary act as the program: under the name "assay" it runs the
// program, for scripts that need a process ("exec assay").
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "assay" {
		program()
	}
	code, err := runTests(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// runTests runs the tests with "assay" in the PATH, and removes what they share.
func runTests(m *testing.M) (code int, err error) {
	self, err := os.Executable()
	if err != nil {
		return 1, err
	}
	dir, err := os.MkdirTemp("", "assay-bin-")
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir), built.remove()) }()
	if err := os.Symlink(self, filepath.Join(dir, "assay")); err != nil {
		return 1, err
	}
	if err := os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH")); err != nil {
		return 1, err
	}
	return m.Run(), nil
}

// A defect is no critical case that failed, which is the exit code of a panic.
func TestPanicIsFatal(t *testing.T) {
	t.Parallel()
	var stderr strings.Builder
	code := cli.Main(t.Context(), &cli.Env{Stderr: &stderr, Stdout: io.Discard}, []string{"doctor", "--dataset", "x.jsonl"}) // without Getenv
	if code != cli.ExitFatal || !strings.Contains(stderr.String(), "defect of assay: runtime error") {
		t.Errorf("code %d, %s", code, stderr.String())
	}
}

// program is cmd/assay without terminal detection. Scripts do not run on a terminal;
// ASSAY_TEST_TTY simulates one.
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

// inScript runs a command in the test's process, as cmd/assay does, and returns its
// exit code. A process of its own would cost more than most commands.
func inScript(ts *testscript.TestScript, args []string) int {
	tty := ts.Getenv("ASSAY_TEST_TTY") != ""
	return cli.Main(context.Background(), &cli.Env{
		Stdin: strings.NewReader(""), Stdout: ts.Stdout(), Stderr: ts.Stderr(),
		Dir: ts.MkAbs("."), Getenv: ts.Getenv, Now: time.Now, StdoutTTY: tty, StderrTTY: tty, Width: 100,
		Interrupted: make(chan struct{}), Version: "test",
	}, args)
}

// succeed is the command "assay" of scripts, "assay gate": it runs a command of the program
// that must succeed, or with "!" must not.
func succeed(ts *testscript.TestScript, neg bool, args []string) {
	if code := inScript(ts, args); (code != 0) != neg {
		ts.Fatalf("exit code %d", code)
	}
}

// status is a command of scripts, "status 1 assay gate": it runs a command that
// must end with the exit code.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status CODE COMMAND [ARGUMENTS]")
	}
	code := 0
	if args[1] == "assay" {
		code = inScript(ts, args[2:])
	} else {
		var ended *exec.ExitError
		if err := ts.Exec(args[1], args[2:]...); errors.As(err, &ended) {
			code = ended.ExitCode()
		} else if err != nil {
			ts.Fatalf("%v", err)
		}
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// alter executes a statement on a database behind the program's back.
func alter(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: alter STORE STATEMENT")
	}
	driver, ref := "pgx", args[0]
	if store.IsFile(ref) {
		driver, ref = "sqlite", ts.MkAbs(ref)
	}
	db, err := sql.Open(driver, ref)
	ts.Check(err)
	_, err = db.Exec(args[1])
	ts.Check(errors.Join(err, db.Close()))
}

// scripted are the commands of scripts.
var scripted = map[string]func(*testscript.TestScript, bool, []string){"assay": succeed, "status": status, "alter": alter, "zip": pack}

// pack writes a folder as a zip archive.
func pack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: zip ARCHIVE FOLDER")
	}
	file := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(file), 0o755))
	f, err := os.Create(file)
	ts.Check(err)
	z := zip.NewWriter(f)
	ts.Check(errors.Join(z.AddFS(os.DirFS(ts.MkAbs(args[1]))), z.Close(), f.Close()))
}

// TestScripts runs the command-line sessions in testdata, one subject a file.
// ASSAY_UPDATE=1 rewrites the expected outputs.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:             "testdata",
		UpdateScripts:   os.Getenv("ASSAY_UPDATE") != "",
		Cmds:            scripted,
		ContinueOnError: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("ROOT", requiretest.Root())
			e.Setenv("HOME", e.WorkDir)
			return nil
		},
	})
}

// comparable reads a report without what differs between any two runs: ids,
// times, and the names of files.
func comparable(t *testing.T, path string) map[string]any {
	t.Helper()
	rep, err := reporttest.Comparable(path)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}
