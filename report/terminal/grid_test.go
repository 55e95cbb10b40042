package terminal

import (
	"slices"
	"testing"
)

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", []string{""}},
		{"one two three", []string{"one two", "  three"}},
		{"unbreakable_word x", []string{"unbreakable_word", "  x"}},
		{"每個案例詢問三次", []string{"每個案例", "  詢問三", "  次"}},
		{"一二三四，五六", []string{"一二三", "  四，五", "  六"}},
		{"一二三「四五六」", []string{"一二三", "  「四五", "  六」"}},
		{"一二 mean 三四", []string{"一二", "  mean", "  三四"}},
		{"一二mean三四", []string{"一二mean", "  三四"}},
	} {
		if got := wrap(c.text, 8, "  "); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
