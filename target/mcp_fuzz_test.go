package target

import (
	"bufio"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/process"
)

// Whatever a server prints between its messages, they arrive, and nothing else
// does.
func FuzzMCPOutput(f *testing.F) {
	f.Add("Starting…", "[info] x\n{\"level\": 1}")
	f.Add("{", "[{}]\r\n[1]\n\n")
	f.Add(`{"jsonrpc": 2}`, "\ufeff{}")
	f.Add(`{"jsonrpc":"2.0","method":"x"}`, "a\x00b")
	f.Fuzz(func(t *testing.T, before, after string) {
		const message = `{"jsonrpc":"2.0","id":1,"result":{}}`
		var want []string
		for line := range strings.SplitSeq(before+"\n"+message+"\n"+after, "\n") {
			if mcpIsMessage([]byte(line)) {
				want = append(want, strings.TrimSpace(line))
			}
		}
		if !slices.Contains(want, message) {
			t.Fatal("the message is not taken for one")
		}
		noise := &process.Tail{}
		out := &mcpStdout{lines: bufio.NewReader(strings.NewReader(before + "\n" + message + "\n" + after)), noise: noise, over: make(chan struct{})}
		raw, err := io.ReadAll(out)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for line := range strings.SplitSeq(string(raw), "\n") {
			if line = strings.TrimSpace(line); line != "" {
				got = append(got, line)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("read %q: want %q", got, want)
		}
		if n, size := len(noise.Lines()), len(noise.String()); n > 20 || size > 4<<10+8 {
			t.Errorf("%d lines of %d bytes are kept", n, size)
		}
	})
}

// Any schema gives arguments that satisfy its own check, or an error.
func FuzzMCPSchema(f *testing.F) {
	f.Add(`{"type": "object", "properties": {"query": {"type": "string"}, "k": {"type": "integer"}}, "required": ["query"]}`, 3)
	f.Add(`{"properties": {"a": {"anyOf": [{"type": ["string", null]}]}, "b": {"default": 1}}, "required": ["b", "b", "c"]}`, 0)
	f.Add(`{"properties": [], "required": "x", "additionalProperties": {}}`, -1)
	f.Fuzz(func(t *testing.T, schema string, topK int) {
		v, ok := mcpJSON(schema)
		if !ok {
			return
		}
		m := &MCP{cfg: MCPConfig{TopK: topK}}
		args, err := m.arguments(&mcp.Tool{Name: "t", InputSchema: v}, &assay.Case{Question: "q?"})
		if err != nil {
			return
		}
		found := false
		for name, value := range args {
			found = found || value == "q?"
			if _, known := mcpInputOf(&mcp.Tool{InputSchema: v}).properties[name]; !known {
				t.Errorf("argument %q is not of the schema %s", name, schema)
			}
		}
		if !found {
			t.Errorf("the arguments %v lack the question", args)
		}
	})
}
