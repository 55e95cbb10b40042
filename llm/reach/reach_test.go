package reach_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/reach"
)

func TestKinds(t *testing.T) {
	t.Parallel()
	all := reach.Kinds[int]{{Name: "a", Server: true}, {Name: "b"}, {Name: "c", Server: true}}
	if k := all.Find("c"); k != all[2] {
		t.Errorf("c is %+v", k)
	}
	if k := all.Find("d"); k != nil {
		t.Errorf("d is %+v", k)
	}
	for what, test := range map[string]struct{ got, want []string }{
		"names": {all.Names(), []string{"b", "a", "c"}}, "words": {all.Words(), []string{"b"}}, "servers": {all.Servers(), []string{"a", "c"}},
	} {
		if !slices.Equal(test.got, test.want) {
			t.Errorf("%s %q, want %q", what, test.got, test.want)
		}
	}
}

func TestIdentity(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"tei:m":             reach.Identity("tei", "tei", "m", nil),
		"tei/own:m":         reach.Identity("tei", "own", "m", nil),
		"command":           reach.Identity("command", "command", "", nil),
		"tei:m(a=1,b=true)": reach.Identity("tei", "tei", "m", map[string]any{"b": true, "a": 1}),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestProvider(t *testing.T) {
	t.Parallel()
	request := llm.Request{Model: "m", Messages: []llm.Message{{Text: "x"}, {Text: "y"}}}
	refused, cause := &llm.Error{Kind: llm.KindAuth, Message: "refused"}, errors.New("three numbers: expected two")
	answer := func(kept any, err error) (llm.Reply, error) {
		return reach.Provider("p", func(_ context.Context, messages []string) (any, int, error) {
			if !slices.Equal(messages, []string{"x", "y"}) {
				t.Errorf("messages %q", messages)
			}
			return kept, 7, err
		}).Complete(t.Context(), request)
	}
	if r, err := answer([]int{1, 2}, nil); err != nil || r.Text != "[1,2]" || r.Model != "m" || r.Usage.Input != 7 || r.Stop != "end" {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := answer(nil, refused); err != error(refused) {
		t.Errorf("%v: want the error of the source", err)
	}
	for what, test := range map[string]struct {
		kept any
		err  error
	}{"unusable": {nil, cause}, "not JSON": {func() {}, nil}} {
		_, err := answer(test.kept, test.err)
		var e *llm.Error
		if !errors.As(err, &e) || e.Kind != llm.KindReply || e.Provider != "p" || e.Model != "m" || test.err != nil && !errors.Is(err, cause) {
			t.Errorf("%s: %#v", what, err)
		}
	}
}
