package text_test

import (
	"testing"

	"github.com/assay-eval/assay/internal/text"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"recall", "precision", "hit", "faithfulness", "k"}
	for word, want := range map[string]string{
		"recal": "recall", "recalll": "recall", "Recall": "recall", "rceall": "recall", // two letters changed places
		"faithfullness": "faithfulness", "faitfulnes": "faithfulness", "prcesion": "precision",
		"hti": "", "hot": "hit", "hat": "hit", // a third of three letters is one
		"weather": "", "": "", "x": "", "K": "k",
	} {
		if got := text.Nearest(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if got := text.Nearest("abcd", []string{"abce", "abcf"}); got != "abce" {
		t.Errorf("of two that are equally near: %q, want the first", got)
	}
	if got := text.Nearest("検索器", []string{"検索機"}); got != "検索機" {
		t.Errorf("one character of three: %q", got)
	}
}
