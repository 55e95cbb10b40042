package adapter

import (
	"context"
	"errors"

	"github.com/assay-eval/assay/target"
)

var langchain = Adapter{
	Name:     "langchain",
	Doc:      "a LangChain chain, as a Python object",
	Example:  "--chain-path path/to/rag.py:chain",
	Program:  "python",
	Object:   "chain-path",
	Settings: []Setting{{Key: "chain-path", Implies: true, Doc: `LangChain chain, as file.py:chain; "-" is one in the Python program that started assay`}},
	Open: func(_ context.Context, e *Env) (Opened, error) {
		path := e.Own["chain-path"]
		if path == "" {
			return Opened{}, errors.New("adapter langchain: no chain: want --chain-path path/to/rag.py:chain")
		}
		return e.openPython("chain-path", path, target.NewLangChain)
	},
}

// openPython opens a Python object.
func (e *Env) openPython(key, path string, open func(python, path string, c target.ExecConfig) (*target.Exec, error)) (Opened, error) {
	c, o, err := e.execConfig()
	if err != nil {
		return o, err
	}
	if c.Caller, err = e.caller(key, path); err != nil {
		return o, err
	}
	o.Target, err = open(e.Python, path, c)
	o.Info.Endpoint, o.Info.Settings = path, e.described(With(nil, "python", e.Python))
	if c.Caller != nil {
		o.Info.Endpoint, o.Info.Settings = inCaller, e.described(nil)
	}
	return o, err
}
