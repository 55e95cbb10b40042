package adapter

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay/target"
)

var (
	langchain = pythonAdapter(target.LangChain, "a LangChain chain, as a Python object", "chain-path", "chain",
		"path/to/rag.py:chain", `LangChain chain, as file.py:chain; "-" is one in the Python program that started assay`)
	llamaindex = pythonAdapter(target.LlamaIndex, "a LlamaIndex index or query engine, as a Python object", "index-path", "index",
		"DIR, or path/to/rag.py:engine", `LlamaIndex index: its folder, or file.py:engine; "-" is one in the Python program that started assay`)
	python = pythonAdapter(target.Python, "a Python function, or an object with a method such as query", "object", "object",
		"path/to/rag.py:answer", `Python function or object, as file.py:name; "-" is one in the Python program that started assay`)
)

// pythonAdapter returns the adapter of a kind of Python objects. key is the setting that
// names the object, which is a what, such as example.
func pythonAdapter(kind, doc, key, what, example, setting string) Adapter {
	example = "--" + key + " " + example
	return Adapter{
		Name: kind, Doc: doc, Example: example, Program: "python", Object: key,
		Settings: []Setting{{Key: key, Implies: true, Doc: setting}},
		Open: func(_ context.Context, e *Env) (Opened, error) {
			path := e.Own[key]
			if path == "" {
				return Opened{}, fmt.Errorf("adapter %s: no %s: expected %s", kind, what, example)
			}
			c, o, err := e.execConfig()
			if err != nil {
				return o, err
			}
			if c.Caller, err = e.caller(key, path); err != nil {
				return o, err
			}
			o.Target, err = target.NewPython(kind, e.Python, path, c)
			o.Info.Endpoint, o.Info.Settings = path, e.described(With(nil, "python", e.Python))
			if c.Caller != nil {
				o.Info.Endpoint, o.Info.Settings = inCaller, e.described(nil)
			}
			return o, err
		},
	}
}
