package reply_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/assay-eval/assay/target/reply"
)

// streams are bodies of about n bytes that would be slow to put together by
// adding to a text.
func streams(n int) map[string]string {
	repeat := func(event string) string { return strings.Repeat("data: "+event+"\n\n", n/(len(event)+8)) }
	var cumulative strings.Builder
	for i := 1; cumulative.Len() < n; i += 50 {
		fmt.Fprintf(&cumulative, "data: {\"text\":%q}\n\n", strings.Repeat("word ", i))
	}
	return map[string]string{
		"tokens": repeat(`{"token":"a"}`), "chat": repeat(`{"choices":[{"delta":{"content":"a"}}]}`),
		"dify":    repeat(`{"event":"message","answer":"a"}`),
		"repeats": repeat(`{"text":"aaaaaaaaaaaaaaaaaaaa"}`), "cumulative": cumulative.String(),
		"sources":   repeat(`{"type":"source","source":{"t":1}}`),
		"ragflow":   repeat(`{"code":0,"data":{"answer":"a","reference":{"chunks":[1]}}}`),
		"langserve": strings.Repeat("event: data\ndata: {\"answer\":\"a\",\"l\":[1]}\n\n", n/44),
		"words":     repeat("a"), "one line": "data: \"" + strings.Repeat("a", n) + "\"\n\n", "many lines": strings.Repeat("data: a\n", n/8),
		"comments": strings.Repeat(":\n", n/2) + "data: a\n\n",
	}
}

// Putting a stream together is linear: of four times the bytes it allocates
// about four times as much, where a text that is added to would take sixteen
// times.
func TestReadBodyIsLinear(t *testing.T) {
	small, large := streams(1<<17), streams(1<<19)
	for name := range small {
		allocated := func(in string) float64 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, err := reply.ReadBody(strings.NewReader(in), reply.Events, reply.Mapping{}); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			return float64(after.TotalAlloc-before.TotalAlloc) / float64(len(in))
		}
		if a, b := allocated(small[name]), allocated(large[name]); b > 2*a+8 {
			t.Errorf("%s: %.1f bytes a byte, of four times as many %.1f", name, a, b)
		}
	}
}

func BenchmarkReadBody(b *testing.B) {
	for name, in := range streams(16 << 20) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := reply.ReadBody(strings.NewReader(in), reply.Events, reply.Mapping{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// large is a plain reply with n passages of 100 bytes.
func large(n int) map[string]any {
	list := make([]any, n)
	for i := range list {
		list[i] = map[string]any{"page_content": strings.Repeat("text ", 20), "metadata": map[string]any{"source": "a.md",
			"chunk_index": float64(i)}, "score": 0.5}
	}
	return map[string]any{"answer": "A", "context": list}
}

func BenchmarkDetectAndRead(b *testing.B) {
	for _, n := range []int{10, 100_000} {
		v := large(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m, _, ok := reply.Detect(v)
				if r, _, err := m.Read(v); !ok || err != nil || len(r.Passages) != n {
					b.Fatal(err)
				}
				reply.Suggest(v)
			}
		})
	}
}
