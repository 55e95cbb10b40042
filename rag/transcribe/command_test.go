package transcribe_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag/transcribe"
	"github.com/assay-eval/assay/rag/transcribe/transcribetest"
)

// TestMain is also the command under test: with ASSAY_ASR set it does what that
// says with the recording and the language of its arguments.
func TestMain(m *testing.M) {
	if mode := os.Getenv("ASSAY_ASR"); mode != "" {
		os.Exit(listen(mode, os.Args[1:]))
	}
	os.Exit(m.Run())
}

// aWhile is how long a command that hangs does so: longer than any test, and not
// for ever should a test fail.
const aWhile = 5 * time.Minute

func listen(mode string, args []string) int {
	if mode == "alone" {
		time.Sleep(aWhile)
		return 0
	}
	data, err := os.ReadFile(args[0])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	switch verb, rest, _ := strings.Cut(mode, ":"); verb {
	case "say":
		language := args[1]
		if language == "auto" {
			language = ""
		}
		fmt.Println(strings.NewReplacer("MARK", transcribetest.Mark(data), "LANGUAGE", language).Replace(rest))
	case "args":
		fmt.Printf("%q", args)
	case "stall":
		// A child of its own has the output open, too.
		child := exec.Command(os.Args[0], args...)
		child.Env, child.Stdout = append(os.Environ(), "ASSAY_ASR=alone"), os.Stdout
		if err := child.Start(); err != nil {
			return 4
		}
		os.WriteFile(rest, fmt.Appendf(nil, "%d", child.Process.Pid), 0o600)
		time.Sleep(aWhile)
	case "leave":
		child := exec.Command(os.Args[0], args...)
		child.Env = append(os.Environ(), "ASSAY_ASR=alone")
		if err := child.Start(); err != nil {
			return 4
		}
		fmt.Println(child.Process.Pid)
	case "fail":
		fmt.Fprintln(os.Stderr, "loading\nno such model\n"+rest)
		return 2
	case "flood":
		chunk := strings.Repeat("word ", 1<<18)
		for range 100 {
			if _, err := io.WriteString(os.Stdout, chunk); err != nil {
				return 5
			}
		}
	}
	return 0
}

// commanded opens a transcriber whose command does what the mode says.
func commanded(t *testing.T, mode string, more ...string) *transcribe.Command {
	t.Helper()
	t.Setenv("ASSAY_ASR", mode)
	c, err := transcribe.NewCommand(transcribe.CommandConfig{
		Args:    append([]string{os.Args[0], "{{audio}}", "{{language}}"}, more...),
		Temp:    t.TempDir(),
		Secrets: secret.Set{secret.New(key)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCommand(t *testing.T) {
	transcribetest.Kit{
		Make: func(t *testing.T, says func(mark, language string) string) assay.Transcriber {
			temp := t.TempDir()
			t.Cleanup(func() {
				if left, _ := os.ReadDir(temp); len(left) > 0 {
					t.Errorf("%d files are left of recordings", len(left))
				}
			})
			t.Setenv("ASSAY_ASR", "say:"+says("MARK", "LANGUAGE"))
			c, err := transcribe.NewCommand(transcribe.CommandConfig{Args: []string{os.Args[0], "{{audio}}", "{{ language }}"}, Temp: temp})
			if err != nil {
				t.Fatal(err)
			}
			return c
		},
		Stalled: func(t *testing.T) assay.Transcriber {
			return commanded(t, "stall:"+filepath.Join(t.TempDir(), "pid"))
		},
	}.Run(t)
}

// Arguments are what they are, whatever stands in a path: there is no shell.
func TestCommandArguments(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a b; $(echo) {{language}}")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "-q'.wav")
	if err := os.WriteFile(path, short.Data, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := commanded(t, "args", "--file={{audio}}:{{language}}", "$HOME").Transcribe(t.Context(),
		assay.Recording{Path: path, Language: "en"})
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%q", []string{path, "en", "--file=" + path + ":en", "$HOME"}); got.Text != want {
		t.Errorf("%s\nwant %s", got.Text, want)
	}
	// A path that is relative is so to this process, and begins with no dash.
	t.Chdir(dir)
	if got, err = commanded(t, "args").Transcribe(t.Context(),
		assay.Recording{Path: "-q'.wav"}); err != nil || got.Text != fmt.Sprintf("%q", []string{path, "auto"}) {
		t.Errorf("%s, %v", got.Text, err)
	}
}

func TestCommandFails(t *testing.T) {
	for _, c := range []struct {
		name, mode string
		kind       llm.Kind
		want       string
	}{
		{"exit status", "fail:key " + key, llm.KindRequest, "exit status 2; stderr: loading\nno such model\nkey [secret]"},
		{"too much", "flood", llm.KindRequest, "the transcript has more than 4 MiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := commanded(t, c.mode).Transcribe(t.Context(), short)
			if !llm.IsKind(err, c.kind) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v\nwant one of kind %s: %s", err, c.kind, c.want)
			}
		})
	}
	for _, c := range []struct{ program, want string }{
		{"no-such-program-anywhere", `expected a program that is on PATH, or a path such as ./program`},
		{filepath.Join(t.TempDir(), "none"), `expected a program that exists`},
		{t.TempDir(), `expected a file that may be executed`},
	} {
		cmd, err := transcribe.NewCommand(transcribe.CommandConfig{Args: []string{c.program, "{{audio}}"}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = cmd.Transcribe(t.Context(), short)
		var e *llm.Error
		if !errors.As(err, &e) || !e.Fatal() || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v\nwant %s", err, c.want)
		}
	}
}

// What a command started ends with it, when the time is over and when it leaves
// something behind.
func TestCommandEndsWithAllOfIts(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	c := commanded(t, "stall:"+pidFile)
	go func() {
		_, err := c.Transcribe(ctx, short)
		done <- err
	}()
	pid := ""
	for pid == "" {
		select {
		case err := <-done:
			t.Fatalf("it ended by itself: %v", err)
		default:
			b, _ := os.ReadFile(pidFile)
			pid = string(b)
		}
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	gone(t, pid)

	got, err := commanded(t, "leave").Transcribe(t.Context(), short)
	if err != nil {
		t.Fatal(err)
	}
	gone(t, got.Text)
}

// gone waits until a process is none any more, or is one that nobody has asked
// after.
func gone(t *testing.T, pid string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for ctx.Err() == nil {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
	}
	t.Errorf("process %s is still there", pid)
}

func TestNewCommand(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "no command: expected a program"},
		{[]string{"asr"}, "no {{audio}}: expected it where the path of the recording goes"},
		{[]string{"asr", "{{file}}"}, `unknown placeholder "file": expected {{audio}} or {{language}}`},
		{[]string{"{{audio}}", "{{audio}}"}, `command "{{audio}}": expected a program`},
		{[]string{"asr", "-i", "{{audio}}"}, ""},
	} {
		switch _, err := transcribe.NewCommand(transcribe.CommandConfig{Args: c.args}); {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)):
			t.Errorf("%q: %v: want %s", c.args, err, c.want)
		}
	}
	c, err := transcribe.NewCommand(transcribe.CommandConfig{
		Args:    []string{"/usr/bin/asr", "{{audio}}", "--key=" + key},
		Secrets: secret.Set{secret.New(key)},
	})
	if err != nil || c.Identity() != `command["/usr/bin/asr" "{{audio}}" "--key=[secret]"]` || c.Model() != "asr" {
		t.Errorf("%q, %q, %v", c.Identity(), c.Model(), err)
	}
}
