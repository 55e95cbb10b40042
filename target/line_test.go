package target

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// usual are lines that parseLine reads, unusual ones that it leaves.
var usual = []string{
	`{"id":"a","answer":"x"}`,
	` { "id" : 12.50 , "question" : "  who \n is\tit" , "contexts" : [ ] , "latency_ms" : 1.5e2 } `,
	`{"case_id":" b ","response":"\u00e9\ud83d\ude00\ud83dx\\\"\/\b\f\n\r\t","passages":["one",{"content":"two","chunk_id":3,"doc_id":-1e5,` +
		`"source":"s","title":"漢字","chunk_index":4,"score":-0.25,"index":null}]}`,
	`{"user_input":"q","error":"broken","contexts":null,"answer":null,"more":{"a":"b"}}`,
	`{"id":"a","answer":"","usage":{"input_tokens":3},"trace":{"stages":[{"name":"retrieve","output":["x"]}]}}`,
	`{"id":"a","retrieved_contexts":["` + strings.Repeat("long 🙂 ", 500) + `"]}`,
}

var unusual = []string{
	``, `{`, `[]`, `null`, `{}`, `{"id":"a"}`, `{"id":"a","answer":"x"} {}`, `{"id":"a","answer":"x",}`, `{"id":"a","answer":3}`,
	`{"id":true,"answer":"x"}`, `{"id":"a","answer":"x","response":"y"}`, `{"id":"a","id":"b","answer":"x"}`, `{"id":"a","answer":"\x"}`,
	`{"id":"a","answer":"` + "\x01" + `"}`, `{"id":"a","answer":"` + "\xff" + `"}`, `{"id":"a","contexts":[null]}`,
	`{"id":"a","contexts":[{"index":1.5}]}`, `{"id":"a","contexts":[{"score":1e999}]}`, `{"id":"a","contexts":[{"score":01}]}`,
	`{"id":"a","answer":"x","latency_ms":-1}`, `{"id":"a","answer":"x","stages":[]}`, `{"id":"a","answer":"x","trace":[]}`,
	`{"i\u0064":"a","answer":"x"}`, `{"id":"a","answer":"\ud83"}`,
	`{"id":"a","more":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `,"answer":"x"}`,
	`{"id":"a","answer":nul}`, `{"id":"a","answer":"x","contexts":[{"text":"a","content":"b"}]}`,
	`{"id":"a","answer":"x","contexts":[{"text":"a","rank":[1,{"a":null,"b":[true,false]}]}]}`, `{"id":"a","answer":"x","more":[true]}`,
}

// parseLine reads the usual lines as the general reader does, and leaves it the others.
func TestParseLine(t *testing.T) {
	t.Parallel()
	for _, line := range usual {
		if _, ok := parseLine([]byte(line), nil); !ok {
			t.Errorf("%s is left to the general reader", line)
		}
		agree(t, line)
	}
	for _, line := range unusual {
		if s, ok := parseLine([]byte(line), nil); ok {
			t.Errorf("%s is read as %+v", line, s)
		}
		agree(t, line)
	}
}

func FuzzParseLine(f *testing.F) {
	for _, line := range append(usual, unusual...) {
		f.Add(line)
	}
	f.Fuzz(agree)
}

// agree compares parseLine with the general reader, and a glance with both.
func agree(t *testing.T, line string) {
	t.Helper()
	got, ok := parseLine([]byte(line), nil)
	g := &glance{}
	seen, glanced := parseLine([]byte(line), g)
	if glanced != ok || seen.id != got.id || seen.question != got.question || seen.failure != got.failure {
		t.Fatalf("%s: a glance sees %v %+v, a reading %v %+v", line, glanced, seen, ok, got)
	}
	if !ok {
		return
	}
	p := &responseReader{name: "f", ignored: map[string]int{}}
	want := p.read([]byte(line))
	if want == nil {
		t.Fatalf("%s: is read as %+v: want %v", line, got, errors.Join(p.problems...))
	}
	if d := cmp.Diff(*want, got, cmp.AllowUnexported(said{})); d != "" {
		t.Fatalf("%s: (-want +got):\n%s", line, d)
	}
	var of has
	if of.add(&got.response); of != g.has {
		t.Fatalf("%s: a glance sees %+v: want %+v", line, g.has, of)
	}
	names := map[string]int{}
	for _, name := range g.ignored {
		names[name] = 1
	}
	for name := range p.ignored {
		if names[name] == 0 {
			t.Fatalf("%s: the field %q is not told", line, name)
		}
	}
}
