// Package redacttest plants personal data in traces, for tests of what redacts them.
package redacttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Rules is a file of rules that find all that [Plant] plants.
const Rules = `recognise: [email, phone, card, iban, ip, url_credentials, api_key, hkid, cn_id]
replace:
- {name: order, pattern: 'ORD-[0-9]{8}'}
drop: ['*.planted_id']
`

// Planted are the data that [Plant] plants; "user-7f3a" is in fields that are dropped, and one
// phone number a number in JSON.
var Planted = []string{
	"jane.roe@example.org", "9123 4567", "4111111111111111", "GB82WEST12345698765432", "203.0.113.7", "pa55word",
	"ghp_0123456789abcdef0123456789abcdef0123",
	"A123456(3)", "11010519491231002X", "ORD-12345678", "85291234567", "user-7f3a",
}

// text is what is added to every text.
var text = " (jane.roe@example.org, +852 9123 4567, 4111111111111111, GB82WEST12345698765432, 203.0.113.7, " +
	"https://u:pa55word@host.example, ghp_0123456789abcdef0123456789abcdef0123, A123456(3), 11010519491231002X, ORD-12345678)"

// Marks are what [Rules] leave of the data in a text.
const Marks = "([email], [phone], [card], [iban], [ip], https://[url_credentials]@host.example, " +
	"[api_key], [hkid], [cn_id], [order])"

// Plant plants data in every text of a trace, a JSON value a line: in texts of several words,
// and in objects and texts of JSON in texts, whose "@" are escaped, as numbers and as fields.
func Plant(t testing.TB, lines []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	for line := range bytes.Lines(lines) {
		v, ok := parsed(string(line))
		if !ok {
			t.Fatalf("%.80s: want JSON", line)
		}
		out.WriteString(encoded(planted(v, false)) + "\n")
	}
	return out.Bytes()
}

// Golden returns the golden traces by the names of their folders.
func Golden(t testing.TB, root string) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "spans", "testdata", "*", "traces.jsonl"))
	if err != nil || len(files) < 14 {
		t.Fatalf("%d golden traces, error %v: want fourteen", len(files), err)
	}
	out := map[string][]byte{}
	for _, file := range files {
		if out[filepath.Base(filepath.Dir(file))], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// Reveals returns what of the planted data a text holds, escaped or not.
func Reveals(s string) []string {
	s = strings.NewReplacer(`\u0040`, "@", `\\u0040`, "@").Replace(s)
	var out []string
	for _, p := range Planted {
		if strings.Contains(s, p) {
			out = append(out, p)
		}
	}
	return out
}

// parsed decodes a JSON value.
func parsed(s string) (v any, ok bool) {
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	return v, d.Decode(&v) == nil && !d.More()
}

// encoded encodes a value; every "@" is escaped.
func encoded(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("%v: %v", v, err))
	}
	return strings.ReplaceAll(string(b), "@", `\u0040`)
}

// planted returns a value with data in its texts. Objects within texts have further fields.
func planted(v any, inText bool) any {
	switch v := v.(type) {
	case string:
		if inner, ok := parsed(v); ok && strings.ContainsAny(v, "{[") {
			return encoded(planted(inner, true))
		}
		if len(v) > 12 && strings.Contains(v, " ") {
			return v + text
		}
	case map[string]any:
		for name, value := range v {
			v[name] = planted(value, inText)
		}
		if inText && len(v) > 0 {
			v["planted_id"], v["planted_number"], v["planted_phone"] = "user-7f3a", json.Number("4111111111111111"), json.Number("85291234567")
		}
	case []any:
		for i := range v {
			v[i] = planted(v[i], inText)
		}
	}
	return v
}
