package convert

import (
	"context"
	"errors"
)

// DeepEval converts tests of DeepEval: files below a folder.
func DeepEval(context.Context, string, string, []string, Options) (*Converted, error) {
	return nil, errors.New("todo")
}
