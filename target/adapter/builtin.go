package adapter

import "context"

var builtin = Adapter{
	Name:     "builtin",
	Doc:      "the built-in pipeline over the documents of a folder or of the dataset",
	Example:  "--corpus DIR",
	Pipeline: true,
	RunOnly:  true,
	Open:     func(ctx context.Context, e *Env) (Opened, error) { return e.Pipeline(ctx) },
}
