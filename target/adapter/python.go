package adapter

import (
	"context"
	"errors"

	"github.com/assay-eval/assay/target"
)

var python = Adapter{
	Name:     "python",
	Doc:      "a Python function, or an object with a method such as query",
	Example:  "--object path/to/rag.py:answer",
	Program:  "python",
	Object:   "object",
	Settings: []Setting{{Key: "object", Implies: true, Doc: `Python function or object, as file.py:name; "-" is one in the Python program that started assay`}},
	Open: func(_ context.Context, e *Env) (Opened, error) {
		path := e.Own["object"]
		if path == "" {
			return Opened{}, errors.New("adapter python: no object: want --object path/to/rag.py:answer")
		}
		return e.openPython("object", path, target.NewPython)
	},
}
