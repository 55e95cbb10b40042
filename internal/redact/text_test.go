package redact

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/assay-eval/assay/spans"
)

const someRules = `recognise: [email, phone, card, url_credentials]
replace:
- {name: order, pattern: 'ORD-[0-9]{8}'}
drop: [user.*, '*.user_id', session.id]
`

// TestTexts: what is found is replaced in texts and in JSON, however it is escaped.
func TestTexts(t *testing.T) {
	t.Parallel()
	r := rulesOf(t, someRules)
	for in, want := range map[string]string{
		"":               "",
		"nothing, [b]":   "nothing, [b]",
		"ORD-12345678":   "[order]",
		"ORD-1234567":    "ORD-1234567",
		"[email] [order": "[email] [order",
		"a@b.co ORD-12345678 a@b.co,+852 9123 4567": "[email] [order] [email],[phone]",
		// What stands beside a mark is searched again.
		"4111111111111111ORD-12345678": "[card][order]",
		"https://u:p@host.example/":    "https://[url_credentials]@host.example/",
		// Documents: strings, numbers and names. One without data stays as it is written.
		`{"q": "a", "n": 1.50}`:                          `{"q": "a", "n": 1.50}`,
		`{"q": "a@b.co", "n": 1.50}`:                     `{"n":1.50,"q":"[email]"}`,
		`{"q": "a\u0040b.co \"x\""}`:                     `{"q":"[email] \"x\""}`,
		`{"q": "\"a@b.co\" & <b>\né"}`:                   `{"q":"\"[email]\" & <b>\né"}`,
		`[4111111111111111, 42, 4.111111111111111e15]`:   `["[card]",42,"[card]"]`,
		`{"phone": 91234567, "id": 91234567}`:            `{"id":91234567,"phone":"[phone]"}`,
		`{"phone": "91234567", "phones": ["9123-4567"]}`: `{"phone":"[phone]","phones":["[phone]"]}`,
		`{"customerMobileNo": "91234567"}`:               `{"customerMobileNo":"[phone]"}`,
		`{"a@b.co": 1, "c@d.ef": null, "e@f.gh": 3}`:     `{"[email]":1,"[email] 2":null,"[email] 3":3}`,
		`"a@b.co"`:       `"[email]"`,
		` [ "a@b.co" ] `: `["[email]"]`,
		`{"inner": "{\"q\": \"a\\u0040b.co\", \"n\": 4111111111111111}"}`: `{"inner":"{\"n\":\"[card]\",\"q\":\"[email]\"}"}`,
		// Fields that are dropped.
		`{"user_id": 1, "a": {"user_id": "x", "b": 2}}`:    `{"a":{"b":2},"user_id":1}`,
		`{"a": {"user_id": "a@b.co"}}`:                     `{"a":{}}`,
		`{"user.x": 1, "user.y": [1, {"z": "}"}], "b": 2}`: `{"b":2}`,
		// Documents that are cut off, or in a text.
		`{"q": "a\u0040b.co", "t": "\njohn@x.co`:    `{"q": "[email]", "t": "\n[email]`,
		`Input: {"q": "{\"m\": \"a\\u0040b.co\"}"}`: `Input: {"q": "{\"m\": \"[email]\"}"}`,
		`see \ud83d\ude00a@b.co`:                    `see \ud83d\ude00[email]`,
		// Addresses of the web, and characters that look alike.
		"https://x.example/?mail=john%40x.com&n=1": "https://x.example/?mail=[email]&n=1",
		"100% of a@b.co":           "100% of [email]",
		"ｊｏｈｎ＠ｘ．ｃｏｍ":               "[email]",
		"電話：９１２３４５６７。":             "電話：[phone]。",
		"+852\u00a09123\u20114567": "[phone]",
		"a\u200b@b.co":             "[email]",
		"4111\u00ad111111111111":   "[card]",
	} {
		if got := r.alone(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// TestSpan: everything in a span is redacted, and counted.
func TestSpan(t *testing.T) {
	t.Parallel()
	r := rulesOf(t, someRules)
	s := spans.Span{
		Trace: "0123456789abcdef0123456789abcdef", ID: "run of a@b.co", Parent: "run of c@d.ef",
		Name: "mail a@b.co", Failure: "no a@b.co", Failed: true,
		Attributes: map[string]any{
			"input.value": "from a@b.co", "user.email": "a@b.co", "user": "u", "session.id": "s", "card": json.Number("4111111111111111"),
			"count": json.Number("12"), "double": json.Number("4.111111111111111e+15"), "ok": true, "none": nil,
			"list": []any{"a@b.co", []any{map[string]any{
				"x": "ORD-12345678", "user_id": "u", "c@d.ef": json.Number("1"), "a@b.co": json.Number("2"),
			}}},
			"phone.number": json.Number("91234567"),
		},
		Events: []spans.Event{{Name: "a@b.co", Attributes: map[string]any{"exception.message": "a@b.co", "user.id": "u"}}},
	}
	counts := Counts{}
	r.Span(&s, counts)
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"t":"0123456789abcdef0123456789abcdef","i":"ID","p":"PARENT","n":"mail [email]",` +
		`"s":"0001-01-01T00:00:00Z","e":"0001-01-01T00:00:00Z",` +
		`"a":{"card":"[card]","count":12,"double":"[card]","input.value":"from [email]",` +
		`"list":["[email]",[{"[email]":2,"[email] 2":1,"x":"[order]"}]],"none":null,"ok":true,"phone.number":"[phone]","user":"u"},` +
		`"v":[{"n":"[email]","a":{"exception.message":"[email]"}}],"f":"no [email]","x":true}`
	want = strings.Replace(want, `"s":"0001-01-01T00:00:00Z","e":"0001-01-01T00:00:00Z",`, "", 1)
	if len(s.ID) != 16 || len(s.Parent) != 16 || s.ID == s.Parent {
		t.Errorf("ids %q, %q: want sixteen digits each, different", s.ID, s.Parent)
	}
	if got := strings.NewReplacer(s.ID, "ID", s.Parent, "PARENT").Replace(string(b)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	again := spans.Span{ID: "run of a@b.co"}
	r.Span(&again, Counts{})
	if again.ID != s.ID {
		t.Errorf("the id is %q at second, %q at first", again.ID, s.ID)
	}
	wantCounts := Counts{"email": 10, "order": 1, "card": 2, "phone": 1, "drop user.*": 2, "drop session.id": 1, "drop *.user_id": 1}
	for _, name := range r.Names() {
		if counts[name] != wantCounts[name] {
			t.Errorf("%s was counted %d times, want %d", name, counts[name], wantCounts[name])
		}
	}
}

// TestGoldenTracesHaveNone: recognisers find nothing in what real instrumentations recorded
// about public documents: ids, times, versions and counts are no personal data.
func TestGoldenTracesHaveNone(t *testing.T) {
	t.Parallel()
	r := all(t)
	for _, s := range goldenSpans(t) {
		before, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		counts := Counts{}
		r.Span(&s, counts)
		if after, err := json.Marshal(s); err != nil || string(after) != string(before) || len(counts) > 0 {
			t.Errorf("span %q: %v was found, %v", s.Name, counts, err)
		}
	}
}

// TestPseudonyms: equal data have equal pseudonyms, however they are written; another key
// gives others.
func TestPseudonyms(t *testing.T) {
	t.Parallel()
	load := func(key string) *Rules {
		dir := t.TempDir()
		write(t, dir, "redact.yaml", "recognise: [email, card, phone]\npseudonyms: my.key\n")
		write(t, dir, "my.key", strings.Repeat(key, 32)+"\n")
		r, err := Load(dir+"/redact.yaml", "redact.yaml")
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := load("k")
	got := r.alone("a@b.co A@B.CO c@d.ef 4111111111111111 4111-1111-1111-1111 [email]")
	parts := strings.Fields(got)
	if parts[0] != parts[1] || parts[0] == parts[2] || parts[3] != parts[4] || parts[5] != "[email]" ||
		len(parts[0]) != len("[email:01234567]") {
		t.Errorf("got %q", got)
	}
	if again := r.alone(got); again != got {
		t.Errorf("%q becomes %q", got, again)
	}
	if other := load("l").alone("a@b.co"); other == parts[0] {
		t.Errorf("two keys give the same pseudonym %q", other)
	}
}

// checkAlone checks what holds of any text: rules find nothing in what they left, and JSON
// stays JSON.
func checkAlone(t *testing.T, r *Rules, in string) {
	t.Helper()
	out := r.alone(in)
	if again := r.alone(out); again != out {
		t.Errorf("%q becomes %q, and this %q", in, out, again)
	}
	if trimmed := strings.TrimSpace(in); trimmed != "" && strings.IndexByte(`{["`, trimmed[0]) >= 0 && json.Valid([]byte(in)) &&
		!json.Valid([]byte(out)) {
		t.Errorf("%q was JSON, %q is not", in, out)
	}
	quoted, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	whole := `{"a": [` + string(quoted) + `]}`
	if got := r.alone(whole); !json.Valid([]byte(got)) {
		t.Errorf("%q was JSON, %q is not", whole, got)
	}
}

func FuzzRedact(f *testing.F) {
	for _, texts := range found {
		for _, text := range texts {
			f.Add(strings.NewReplacer("«", "", "»", "").Replace(text))
		}
	}
	for _, text := range []string{
		`{"q": "a\u0040b.co", "n": 4111111111111111, "user.x": [1, {"a": null}]}`, `[[], {}, "", -1.5e-3, true]`, `{"user.a": 1, "user.b": 2}`,
		`\ud83d\ude00`, `\ud83d`, `%4`, `\u00`, "[email][card]", "[[email]", "a@b.co@c.de", "１２３", "\xff@\xfe.co",
		"4111111111111111 4111111111111111", "+1 +1 +1 212 555 1234", "tel 1234567 1234567", "1.2.3.4:1.2.3.4", "::1:1.2.3.4::",
	} {
		f.Add(text)
	}
	r := rulesOf(f, "recognise: ["+strings.Join(recogniserNames(), ", ")+"]\n"+
		"replace:\n- {name: order, pattern: 'ORD-[0-9]{8}'}\ndrop: [user.*]\n")
	f.Fuzz(func(t *testing.T, in string) { checkAlone(t, r, in) })
}
