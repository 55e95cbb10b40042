package target

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-eval/assay/target/reply"
)

//go:embed shim/*.py
var shimFiles embed.FS

// shimParts lists the files of the shim in the order in which they run.
var shimParts = []string{"protocol.py", "load.py", "call.py", "read.py", "listen.py", "index.py", "score.py", "main.py"}

// shimBoot reads a first line from standard input with the program, which then reads
// the rest. The process list shows one short line, and no file has to be written.
const shimBoot = `import os, json; requests = os.fdopen(os.dup(0), "rb"); hello = json.loads(requests.readline()); ` +
	`exec(compile(hello["code"], "<assay>", "exec"))`

// pythonStart bounds the time to load a chain, which may include a large model.
const pythonStart = 5 * time.Minute

// The kinds of Python objects.
const (
	// Python is a function, or an object with a method such as query.
	Python = "python"
	// LangChain is a runnable, a chain, a graph or a retriever.
	LangChain = "langchain"
	// LlamaIndex is an index, a query engine, a chat engine, a retriever, a workflow, or the
	// folder of an index. An index from a folder returns only passages unless a model is
	// configured that can answer.
	LlamaIndex = "llamaindex"
	// Scorer scores texts, and answers no questions: [Exec.Call] sends it {"pairs":
	// [[document, claim]…]}, and the field "result" of the reply is what it returned. See
	// target/shim/score.py.
	Scorer = "scorer"
)

// An execPython is the embedded Python program around a user's object.
type execPython struct {
	kind    string
	name    string // for messages
	command []string
	hello   []byte // the first line
}

// NewPython makes a target of an object in a Python file. path is
// "path/to/rag.py:chain", python is the interpreter ("" means python3). The kind tells which
// library the program around it may load; each also takes functions, synchronous or not, and
// any object with a method such as invoke, query or run; "rag.py:make_chain()" calls a
// function that returns the object. Its result may be text, messages, documents, or an
// object of these.
//
// The command of c is ignored. Send, if set, is the object's input instead of the
// question; Read, if set, holds paths in its result. All questions are asked
// concurrently.
func NewPython(kind, python, path string, c ExecConfig) (*Exec, error) {
	if python == "" {
		python = "python3"
	}
	if c.Caller == nil {
		if err := checkObject(kind, path, c.Dir); err != nil {
			return nil, err
		}
	}
	var code strings.Builder
	for _, name := range shimParts {
		part, err := fs.ReadFile(shimFiles, "shim/"+name)
		if err != nil {
			return nil, err
		}
		code.Write(part)
	}
	hello, err := jsonLine(map[string]any{
		"code": code.String(), "kind": kind, "path": path, "top_k": max(c.TopK, 0), "limit": maxExecLine,
		"raw": !c.Read.Empty() || kind == Scorer, "send": c.Send != nil,
	})
	if err != nil {
		return nil, err
	}
	// The shim handles requests in threads and in one event loop.
	c.Pipelined = true
	if c.Start == 0 {
		c.Start = pythonStart
	}
	return newExec(c, &execPython{
		kind: kind, name: fmt.Sprintf("%s (%s %s)", python, kind, path),
		command: []string{python, "-u", "-c", shimBoot}, hello: hello,
	})
}

// shimPaths are the paths in the shim's replies: a text or a number that the object returned, and what callbacks heard.
var shimPaths = map[string]string{
	reply.Answer: "answer", reply.Passages: "passages", reply.InputTokens: "usage.input_tokens", reply.OutputTokens: "usage.output_tokens",
}

// mapping returns the mapping for a reply of the shim, and the part of the reply that
// it applies to.
func (p *execPython) mapping(v map[string]any) (m reply.Mapping, whole any, err error) {
	if inner, ok := v["whole"]; ok {
		if m, _, ok := reply.Detect(inner); ok {
			return m, inner, nil
		}
		return m, inner, fmt.Errorf("the object that it returned has no known shape: %s, or read: with paths to their equivalents", unknownShape(inner))
	}
	paths := maps.Clone(shimPaths)
	if v["stages"] != nil {
		paths[reply.Stages] = "stages"
		if v["passages"] == nil {
			delete(paths, reply.Passages) // those of the stages replace them
		}
	}
	m, err = reply.NewMapping(paths)
	return m, v, err
}

// checkObject detects obvious mistakes in a path before Python is started, with shorter
// messages than Python's.
func checkObject(kind, path, dir string) error {
	folder := kind == LlamaIndex
	at := func(p string) string {
		if dir == "" || filepath.IsAbs(p) {
			return p
		}
		return filepath.Join(dir, p)
	}
	if folder {
		if info, err := os.Stat(at(path)); err == nil && info.IsDir() {
			return nil
		}
	}
	also := ""
	if folder {
		also = ", or the folder that index.storage_context.persist wrote"
	}
	i := strings.LastIndexByte(path, ':')
	if i < 1 || i == len(path)-1 || strings.ContainsAny(path[i+1:], `/\`) {
		if strings.HasSuffix(path, ".py") {
			return fmt.Errorf("%s: %q does not name an object: expected %q or another name in the file", kind, path, path+":chain")
		}
		return fmt.Errorf("%s: %q: expected a file and the name of an object in it, such as %q%s", kind, path, "rag.py:chain", also)
	}
	file := path[:i]
	if !strings.HasSuffix(file, ".py") && !strings.ContainsAny(file, `/\`) {
		return nil // a module
	}
	if info, err := os.Stat(at(file)); err != nil || info.IsDir() {
		return fmt.Errorf("%s: there is no file %q: expected a path relative to the working directory%s", kind, file, also)
	}
	return nil
}
