package embed

import (
	"encoding/json"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/llm"
)

// TestDivideAddsUp holds the parts of a reply to the whole, whatever the texts.
func TestDivideAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringN(0, 60, -1), 1, 40).Draw(t, "texts")
		whole := llm.Reply{Cost: rapid.Int64Range(0, 1e9).Draw(t, "cost"), Priced: true}
		whole.Usage.Input = rapid.IntRange(0, 1e6).Draw(t, "tokens")
		var r llm.Request
		list := make([]kept, len(texts))
		for i, s := range texts {
			r.Messages = append(r.Messages, llm.Message{Role: "user", Text: s})
			list[i].Vector = packed([]float32{float32(i)})
		}
		said, _ := json.Marshal(list)
		whole.Text = string(said)
		parts, err := divide(r, whole)
		if err != nil || len(parts) != len(texts) {
			t.Fatalf("%d parts, %v", len(parts), err)
		}
		tokens, cost := 0, int64(0)
		for i, p := range parts {
			if p.Usage.Input < 0 || p.Cost < 0 || !p.Priced {
				t.Fatalf("part %d: %+v", i, p)
			}
			tokens, cost = tokens+p.Usage.Input, cost+p.Cost
			one, err := readKept(p.Text)
			if err != nil || one.Vector != list[i].Vector {
				t.Fatalf("part %d is %+v, %v", i, one, err)
			}
		}
		if tokens != whole.Usage.Input || cost != whole.Cost {
			t.Fatalf("%d tokens and %d: want %d and %d", tokens, cost, whole.Usage.Input, whole.Cost)
		}
	})
}

// TestUnit holds a vector to its direction and to length 1, and its packed form to its bits.
func TestUnit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float32Range(-1e6, 1e6), 1, 50).Draw(t, "vector")
		out, scaled, err := unit(v)
		length, dot, now := 0.0, 0.0, 0.0
		for _, x := range v {
			length += float64(x) * float64(x)
		}
		length = math.Sqrt(length)
		if length == 0 {
			if err == nil {
				t.Fatal("a zero vector has no direction")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range out {
			dot += float64(x) * float64(v[i])
			now += float64(x) * float64(x)
		}
		if math.Abs(math.Sqrt(now)-1) > 2*tolerance || math.Abs(dot/length-1) > 2*tolerance || scaled != (math.Abs(length-1) > tolerance) {
			t.Fatalf("length %v, cosine %v, scaled %v; before %v", math.Sqrt(now), dot/length, scaled, length)
		}
		back, err := unpacked(packed(out))
		if err != nil || len(back) != len(out) {
			t.Fatal(err)
		}
		for i := range back {
			if math.Float32bits(back[i]) != math.Float32bits(out[i]) {
				t.Fatalf("number %d: %v, was %v", i, back[i], out[i])
			}
		}
	})
}
