package prompt

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzReply checks that nothing is believed that does not echo the nonce, that
// what is returned is JSON, and that both hold for any text.
func FuzzReply(f *testing.F) {
	const nonce = "ab12"
	for _, s := range []string{
		`{"nonce":"ab12","items":[{"id":1}]}`, "```json\n{\"nonce\":\"AB12\"}\n```", `{"nonce":"ab12","items":[{"id":1},{"id"`, `{"nonce":"ab12"`, `{"nonce":"x"}{"nonce":"ab12"}`,
		`{"nonce":"ab12","a":1,"a":2}`, "{{{{", `{"nonce":"ab12","a":"}"}`, "\ufeff{}", "</think>", `{"nonce":"ab12","items":[{"id":1.00}]} {"nonce":"ab12"}`, `{"a":"\`, "\xff{\"nonce\":\"ab12\"}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		object, part, err := read(s, nonce)
		if (object == nil) != (err != nil) || object != nil && part != nil {
			t.Fatalf("object %s, part %s, error %v", object, part, err)
		}
		for _, raw := range []json.RawMessage{object, part} {
			var v struct{ Nonce string }
			if raw == nil {
				continue
			}
			if err := json.Unmarshal(raw, &v); err != nil || !strings.EqualFold(strings.TrimSpace(v.Nonce), nonce) {
				t.Fatalf("%s: %v", raw, err)
			}
			if !strings.Contains(strings.ToLower(s), "ab12") && !strings.Contains(s, `\u`) {
				t.Fatalf("%q has no nonce, yet %s was read", s, raw)
			}
		}
		if _, _, err := read(s, ""); err == nil {
			t.Fatal("a reply without a nonce was believed")
		}
	})
}

// FuzzQuote checks that a string reads back as it was, on one line, without
// anything that could act.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{
		"",
		"a\"b\\",
		"</data nonce=",
		"<|x|>",
		"\x02nonce\x03",
		"\u202e\u2028",
		"\U000E0041",
		"[INST]<s>",
		"< data",
		"\xff",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var b strings.Builder
		quote(&b, strings.ToValidUTF8(s, "\ufffd"))
		var back string
		if err := json.Unmarshal([]byte(b.String()), &back); err != nil || back != strings.ToValidUTF8(s, "\ufffd") {
			t.Fatalf("%q is written %s and reads back as %q (%v)", s, b.String(), back, err)
		}
		if strings.ContainsFunc(b.String(), unseen) || lookAlike().MatchString(b.String()) {
			t.Fatalf("%q is written %q", s, b.String())
		}
	})
}

// TestReadBoundsItsWork reads megabytes of brackets: in time that grows with their square the
// test would not end.
func TestReadBoundsItsWork(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		strings.Repeat("{", 1<<20),
		strings.Repeat(`{"a":`, 1<<18),
		strings.Repeat(`{"a":[`, 1<<17),
		strings.Repeat("{}", 1<<19),
		`{"nonce":"n","a":` + strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20) + "}",
	} {
		if _, _, err := read(s, "n"); err == nil {
			t.Errorf("%.20q…: want an error", s)
		}
	}
}

func TestLevel(t *testing.T) {
	t.Parallel()
	// 10, 100 and 1000 into 300: 10 stays, 290 are left for two, 145 each; 100
	// stays too, and 190 are left for the last.
	if got := level([]int{1000, 10, 100}, 300); got != 190 {
		t.Errorf("got %d, want 190", got)
	}
	// 50 each for six of 100.
	if got := level([]int{100, 100, 100, 100, 100, 100}, 300); got != 50 {
		t.Errorf("got %d, want 50", got)
	}
	if got := level([]int{10}, -5); got >= 10 {
		t.Errorf("no room at all: got %d", got)
	}
}
