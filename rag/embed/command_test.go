package embed_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/rag/embed/embedtest"
)

// asCommand is what this test program does as the command under test: with ASSAY_EMBED set
// it does what that says.
func asCommand(mode string) int {
	switch mode {
	case "hang":
		time.Sleep(5 * time.Minute) // longer than any test, and not for ever should a test fail
	case "fail":
		fmt.Fprintln(os.Stderr, "no such model")
		return 2
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for n := 0; lines.Scan(); n++ {
		var in struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &in); err != nil {
			return 3
		}
		v, _ := json.Marshal(hashed(in.Text))
		switch {
		case mode == "less" && n == 1:
		case mode == "prose" && n == 1:
			fmt.Println("done!")
		case mode == "nan" && n == 1:
			fmt.Println("[1, NaN]")
		default:
			fmt.Println(string(v))
		}
	}
	return 0
}

// emulator is the program that runs this one on another processor, if any: the system does
// not start the programs of another processor by itself.
func emulator() string {
	if name := os.Getenv("ASSAY_EMULATOR"); name != "" {
		return name + " "
	}
	return ""
}

func commanded(t *testing.T, mode string) *embed.Ledgered {
	t.Helper()
	t.Setenv("ASSAY_EMBED", mode)
	return embedtest.Open(t, "command", embed.Setup{Command: emulator() + "'" + os.Args[0] + "'"}, &embedtest.Ledger{})
}

func TestCommand(t *testing.T) {
	embedtest.Kit{
		Make:    func(t *testing.T) assay.Embedder { return commanded(t, "embed") },
		Stalled: func(t *testing.T) assay.Embedder { return commanded(t, "hang") },
	}.Run(t)
}

func TestCommandFails(t *testing.T) {
	for mode, c := range map[string]struct {
		kind llm.Kind
		want string
	}{
		"fail":  {llm.KindModel, "exit status 2; stderr: no such model"},
		"less":  {llm.KindReply, "2 vectors for 3 texts: expected one for each"},
		"prose": {llm.KindReply, `line 2, "done!"`},
		"nan":   {llm.KindReply, `line 2, "[1, NaN]"`},
	} {
		_, err := commanded(t, mode).Embed(t.Context(), []string{"a", "b", "c"})
		if !llm.IsKind(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant one of kind %s: %s", mode, err, c.kind, c.want)
		}
	}
	for command, want := range map[string]string{
		"":            "give the command itself in --set embedder-command",
		"'unfinished": "expected a program and its arguments, quoted as for a shell",
	} {
		if _, err := embed.Kinds.Find("command").Open(embed.Setup{Command: command}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", command, err, want)
		}
	}
	e := embedtest.Open(t, "command", embed.Setup{Command: "./no-such-program"}, &embedtest.Ledger{})
	_, err := e.Embed(t.Context(), []string{"a"})
	if !llm.IsKind(err, llm.KindModel) || !strings.Contains(err.Error(), "expected a program that exists") {
		t.Error(err)
	}
}
