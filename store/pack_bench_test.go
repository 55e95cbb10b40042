package store

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// What packing and unpacking a record of 6 kB with a brief of 1 kB cost.
func BenchmarkPack(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	for text.Len() < 5000 {
		text.WriteString([]string{"the ", "record ", "of ", "a case ", "is ", "packed ", "with ", "others, ", "each ", "that "}[random.IntN(10)])
		text.WriteByte(byte('a' + random.IntN(26)))
	}
	scores := `"scores":{"mrr":{"state":"scored","value":0.25,"lower":0.25,"upper":0.25},` +
		`"recall@5":{"state":"scored","value":1,"lower":1,"upper":1}}`
	brief := `{"seq":7,"case":{"id":"q7"},"response":{"answer":"` + text.String()[:700] + `"},` + scores + `}`
	record := `{"seq":7,"case":{"id":"q7"},"response":{"answer":"` + text.String() + `"},` + scores + `}`
	short, long, err := packPair(brief, record)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("pack", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := packPair(brief, record); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(short)+len(long)), "bytes")
	})
	b.Run("short", func(b *testing.B) {
		for b.Loop() {
			if _, err := unpackShort(nil, short); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("long", func(b *testing.B) {
		for b.Loop() {
			if _, err := unpackLong(nil, short, long); err != nil {
				b.Fatal(err)
			}
		}
	})
}
