package server

import (
	"bytes"
	"context"
	"io"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
)

// one is a reply with one item.
type one[T any] struct {
	Body T
}

// register adds the operation with an id to the API. The errors of do become problems. more changes what
// assets/operations says.
func register[I, O any](s *Server, id string, do func(context.Context, *I) (*O, error), more ...func(*huma.Operation)) {
	_, json := reflect.TypeFor[I]().FieldByName("Body")
	_, raw := reflect.TypeFor[I]().FieldByName("RawBody")
	huma.Register(s.api, operationOf(id, more...), func(ctx context.Context, in *I) (*O, error) {
		if b := bodyOf(ctx); b != nil && !json && !raw {
			// What a client asks for here would be ignored.
			if sent, _ := io.ReadAll(io.LimitReader(b, 1<<10)); !slices.Contains([]string{"", "{}", "null"}, string(bytes.TrimSpace(sent))) {
				return nil, wrong("body", "this operation takes no body: send none", nil)
			}
		}
		out, err := do(ctx, in)
		if err != nil {
			return nil, s.fail(ctx, err)
		}
		return out, nil
	})
}

// registerOne adds an operation whose reply is what do returns.
func registerOne[I, O any](s *Server, id string, do func(context.Context, *I) (O, error)) {
	register(s, id, func(ctx context.Context, in *I) (*one[O], error) {
		out, err := do(ctx, in)
		return &one[O]{out}, err
	})
}

// registerList adds an operation whose reply is a page of the list that do returns.
func registerList[I interface{ paging() Paging }, T any](s *Server, id string, do func(context.Context, *I) ([]T, error)) {
	register(s, id, func(ctx context.Context, in *I) (*list[T], error) {
		all, err := do(ctx, in)
		return cut(all, (*in).paging()), err
	})
}

// ofRun hands a handler the header of the run that a request names.
func ofRun[I interface{ run() string }, O any](
	s *Server, do func(context.Context, assay.Header, *I) (O, error),
) func(context.Context, *I) (O, error) {
	return func(ctx context.Context, in *I) (out O, err error) {
		h, err := s.header(ctx, (*in).run())
		if err != nil {
			return out, err
		}
		return do(ctx, h, in)
	}
}
