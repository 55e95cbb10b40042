// Command assay evaluates RAG systems. See the README, or run it without
// arguments.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/assay-eval/assay/internal/build"
	"github.com/assay-eval/assay/internal/cli"
)

func main() { os.Exit(run()) }

func run() int {
	// A panic of another goroutine aborts the process: exit code 2 means that a critical case failed.
	debug.SetTraceback("crash")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	dir, err := os.Getwd()
	if err != nil {
		dir = ""
	}
	env := &cli.Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Dir: dir, Getenv: os.Getenv, Now: time.Now,
		StdoutTTY:   isTerminal(os.Stdout),
		StderrTTY:   isTerminal(os.Stderr),
		Interrupted: interrupts(cancel),
		Version:     build.Of().Version,
	}
	if env.StdoutTTY {
		env.Width, _, _ = term.GetSize(int(os.Stdout.Fd()))
	}
	return cli.Main(ctx, env, os.Args[1:])
}

// isTerminal tells whether a stream is a terminal on which lines can be written again.
func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) && colourful(f) }

// lastWords is how long a command may take to end after the second signal: long enough to store
// finished cases and to end the programs that it started.
const lastWords = time.Second

// interrupts returns a channel that is closed at the first signal, so that a command
// can finish what is in flight. The second signal calls cancel, and ends the process if that
// does not.
func interrupts(cancel func()) <-chan struct{} {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	// A terminal that goes away ends a command as Ctrl-C does, unless nohup had it ignored.
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	// If the reader of the output goes away, as head does, the write returns an error
	// and the program ends normally.
	signal.Ignore(syscall.SIGPIPE)
	stop := make(chan struct{})
	go func() {
		<-signals
		close(stop)
		<-signals
		cancel()
		time.Sleep(lastWords)
		os.Exit(cli.ExitInterrupted)
	}()
	return stop
}
