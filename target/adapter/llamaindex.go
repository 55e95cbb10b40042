package adapter

import (
	"context"
	"errors"

	"github.com/assay-eval/assay/target"
)

var llamaindex = Adapter{
	Name:     "llamaindex",
	Doc:      "a LlamaIndex index or query engine, as a Python object",
	Example:  "--index-path DIR, or path/to/rag.py:engine",
	Program:  "python",
	Object:   "index-path",
	Settings: []Setting{{Key: "index-path", Implies: true, Doc: `LlamaIndex index: its folder, or file.py:engine; "-" is one in the Python program that started assay`}},
	Open: func(_ context.Context, e *Env) (Opened, error) {
		path := e.Own["index-path"]
		if path == "" {
			return Opened{}, errors.New("adapter llamaindex: no index: want --index-path DIR, or path/to/rag.py:query_engine")
		}
		return e.openPython("index-path", path, target.NewLlamaIndex)
	},
}
