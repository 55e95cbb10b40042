package embed_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/simd"
	"github.com/assay-eval/assay/rag/embed"
)

func BenchmarkEmbed(b *testing.B) {
	e := encoder(b)
	for _, words := range []int{10, 62, 126, 254} {
		b.Run(fmt.Sprintf("%dtokens", words+2), func(b *testing.B) {
			text := strings.TrimSpace(strings.Repeat("cat ", words))
			texts := slices.Repeat([]string{text}, 8192/(words+2))
			for b.Loop() {
				if _, err := e.Embed(b.Context(), texts); err != nil {
					b.Fatal(err)
				}
			}
			tokens := float64(b.N * len(texts) * (words + 2))
			b.ReportMetric(tokens/b.Elapsed().Seconds(), "tokens/s")
		})
	}
	for _, l := range []simd.Level{simd.Generic, simd.Best()} {
		b.Run("question/"+l.String(), func(b *testing.B) {
			e, err := embed.AtLevel(l)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := e.Embed(b.Context(), []string{"Which vitamin deficiency causes scurvy in sailors?"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		encoder(b)
	}
}

func BenchmarkTokenize(b *testing.B) {
	e := encoder(b)
	text := strings.Repeat("Vitamin C deficiency causes scurvy, said James Lind in 1753; ", 12)
	for b.Loop() {
		e.Tokens(text)
	}
	b.ReportMetric(float64(b.N*e.Tokens(text))/b.Elapsed().Seconds(), "tokens/s")
}
