package llm

import (
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// TestDivideListAddsUp holds the parts of a reply to the whole, whatever the texts.
func TestDivideListAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringN(0, 60, -1), 1, 40).Draw(t, "texts")
		whole := Reply{Cost: rapid.Int64Range(0, 1e9).Draw(t, "cost"), Priced: true}
		whole.Usage.Input = rapid.IntRange(0, 1e6).Draw(t, "tokens")
		var r Request
		list := make([]string, len(texts))
		for i, s := range texts {
			r.Messages = append(r.Messages, Message{Role: "user", Text: s})
			list[i] = fmt.Sprint("entry ", i)
		}
		said, _ := json.Marshal(list)
		whole.Text = string(said)
		parts, err := divideList(r, whole)
		if err != nil || len(parts) != len(texts) {
			t.Fatalf("%d parts, %v", len(parts), err)
		}
		tokens, cost := 0, int64(0)
		for i, p := range parts {
			if p.Usage.Input < 0 || p.Cost < 0 || !p.Priced {
				t.Fatalf("part %d: %+v", i, p)
			}
			tokens, cost = tokens+p.Usage.Input, cost+p.Cost
			one, err := ReadOne[string](p)
			if err != nil || one != list[i] {
				t.Fatalf("part %d is %q, %v", i, one, err)
			}
		}
		if tokens != whole.Usage.Input || cost != whole.Cost {
			t.Fatalf("%d tokens and %d: want %d and %d", tokens, cost, whole.Usage.Input, whole.Cost)
		}
	})
}
