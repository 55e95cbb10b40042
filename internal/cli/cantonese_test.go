package cli_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/metric/speech"
)

// The monologue of the Cantonese corpus, and what a poor transcriber makes of it.
// Counted by hand, its turns have 206 letters, 26 of them Latin in four words;
// in 11 places a character has a simplified form here, five times 唔 is rewritten,
// three characters and the first English word, of seven letters, are lost.
func TestCantoneseTranscripts(t *testing.T) {
	t.Parallel()
	h := harness{t, t.TempDir()}
	for _, c := range requiretest.Cantonese(t) {
		if c.Name != "m" {
			continue
		}
		said := strings.Join(c.Turns, "\n") + "\n"
		heard := strings.NewReplacer("個", "个", "開", "开", "當", "当", "幾", "几", "體", "体", "唔", "不", "旅", "", "讀",
			"").Replace(said)
		heard = strings.Replace(heard, "partner", "", 1)
		h.write("ref.txt", said)
		h.write("hyp.txt", heard)
	}
	type counts struct{ Characters, Mixed speech.Counts }
	var out struct {
		Unit           string
		Strict, Folded counts
	}
	for _, form := range [][]string{nil, {"--lines"}} {
		scoredInto(h, &out, append([]string{"ref.txt", "hyp.txt"}, form...)...)
		if d := cmp.Diff(counts{
			Characters: speech.Counts{Hits: 180, Substitutions: 16, Deletions: 10},
			Mixed:      speech.Counts{Hits: 164, Substitutions: 16, Deletions: 4},
		}, out.Strict); d != "" || out.Unit != "mixed" {
			t.Errorf("%q: strict, by %s: %s", form, out.Unit, d)
		}
		if d := cmp.Diff(counts{
			Characters: speech.Counts{Hits: 191, Substitutions: 5, Deletions: 10},
			Mixed:      speech.Counts{Hits: 175, Substitutions: 5, Deletions: 4},
		}, out.Folded); d != "" {
			t.Errorf("%q: folded: %s", form, d)
		}
	}
	h.wants(h.assay(0, "measure", "transcript", "ref.txt", "hyp.txt"), `script mismatch 0\.053: characters 0\.126 strict, 0\.073 folded`,
		`written Chinese: 唔 → 不 5`, `Latin +0\.250`)
}
