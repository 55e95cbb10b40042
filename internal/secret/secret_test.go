package secret_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/secret"
)

func TestSecretPrints(t *testing.T) {
	t.Parallel()
	s := secret.New("sk-planted-1")
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%T%v"} {
		for _, v := range []any{s, &s, []secret.Secret{s}, struct{ k, K secret.Secret }{s, s}, map[string]secret.Secret{"k": s}} {
			if got := fmt.Sprintf(verb, v, v); strings.Contains(got, "planted") || strings.Contains(got, "706c616e") {
				t.Errorf("%s of a %T: %s", verb, v, got)
			}
		}
	}
	if got := fmt.Sprintf("%v %s %#v", s, s, s); got != "[secret] [secret] [secret]" {
		t.Errorf("prints %q", got)
	}
	data, err := json.Marshal(map[string]any{"a": s, "b": &s, "c": secret.Secret{}})
	if want := `{"a":"[secret]","b":"[secret]","c":""}`; err != nil || string(data) != want {
		t.Errorf("JSON %s, %v: want %s", data, err, want)
	}
	if s.Empty() || !(secret.Secret{}).Empty() || !secret.New("").Empty() {
		t.Error("Empty is wrong")
	}
	// What walks through values by reflection, as test printers do, meets only
	// functions.
	for i, v := 0, reflect.ValueOf(s); i < v.NumField(); i++ {
		if k := v.Field(i).Kind(); k != reflect.Func {
			t.Errorf("field %d is a %v", i, k)
		}
	}
}

func TestSecretScrub(t *testing.T) {
	t.Parallel()
	const key = "sk-a/b+c\"d<é"
	s := secret.New(key)
	quoted, err := json.Marshal(key)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                            "",
		"nothing":                     "nothing",
		key:                           "[secret]",
		"Bearer " + key + " " + key:   "Bearer [secret] [secret]",
		string(quoted):                `"[secret]"`,
		`"sk-a/b+c\"d<é"`:             `"[secret]"`,
		"k=sk-a%2Fb%2Bc%22d%3C%C3%A9": "k=[secret]",
		"sk-a/b+c&#34;d&lt;é.":        "[secret].",
		"736b2d612f622b6322643cc3a9":  "[secret]",
	} {
		if got := s.Scrub(text); got != want {
			t.Errorf("Scrub(%q) = %q: want %q", text, got, want)
		}
	}
	// Whatever stands around the key, nothing of its base64 is left but the
	// characters that share bits with the neighbours.
	for _, before := range []string{"", "a", "ab", "abc"} {
		for _, after := range []string{"", "\n", ":x"} {
			coded := base64.StdEncoding.EncodeToString([]byte(before + key + after))
			if got := s.Scrub(coded); !strings.Contains(got, "[secret]") || len(got)-len("[secret]") > len(coded)-4*len(key)/3+2 {
				t.Errorf("Scrub(%q) = %q", coded, got)
			}
		}
	}
	for _, none := range []secret.Secret{{}, secret.New("ollama"), secret.New("none")} {
		if got := none.Scrub("none of ollama's"); got != "none of ollama's" {
			t.Errorf("a word that is no secret was taken out: %q", got)
		}
	}
}

func FuzzSecretScrub(f *testing.F) {
	f.Add("sk-planted-key", "a", "b")
	f.Add("aaaaaaaaaaaa", "aaaa", "a")
	f.Add("[secret][secret]", "[secret]", "")
	f.Fuzz(func(t *testing.T, key, before, after string) {
		if len(key) < 8 || strings.Contains("[secret][secret]", key) {
			return // no key, or one that the mark itself spells
		}
		got := secret.New(key).Scrub(before + key + after)
		if strings.Contains(strings.ReplaceAll(got, "[secret]", "\x00"), key) || !strings.Contains(got, "[secret]") {
			t.Errorf("Scrub(%q) = %q: holds %q", before+key+after, got, key)
		}
	})
}

// Hide changes texts alone: no name of a field, and nothing that a number says.
func TestSetHide(t *testing.T) {
	t.Parallel()
	type part struct {
		Planted_key string
		Big         int64
		Raw         json.RawMessage
	}
	v := part{"a planted_key b", 1234567890123456789, json.RawMessage(`{"planted_key":["planted_key"]}`)}
	want := part{"a [secret] b", 1234567890123456789, json.RawMessage(`{"planted_key":["[secret]"]}`)}
	if err := (secret.Set{secret.New("Planted_key"), secret.New("planted_key")}).Hide(&v); err != nil || !reflect.DeepEqual(v, want) {
		t.Errorf("%+v, %v: want %+v", v, err, want)
	}
	if err := (secret.Set{secret.New("elsewhere")}).Hide(&want); err != nil || want.Big != v.Big {
		t.Errorf("%+v, %v", want, err)
	}
}
