package web

import (
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestCaseSegment: every id of a case stands in a path, and is found again.
func TestCaseSegment(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", ".", "..", "~", "a/b", "~~", "q 1", "%2e%2e", "\x00", "a?b#c"})).Draw(t, "id")
		segment := caseSegment(id)
		address, err := url.Parse("/runs/r/cases/" + segment)
		if err != nil {
			t.Fatal(err)
		}
		// A browser resolves dots also where they are escaped.
		if plain := strings.ToLower(segment); strings.ContainsAny(segment, "/?#") || plain == "" || plain == "." || plain == ".." || plain == "%2e" {
			t.Fatalf("%q is the segment %q", id, segment)
		}
		if got := CaseOf(strings.TrimPrefix(address.Path, "/runs/r/cases/")); got != id {
			t.Fatalf("%q becomes %q", id, got)
		}
	})
}

// TestLocal: only addresses of this server are gone back to.
func TestLocal(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "http://evil.example", "//evil.example", "/\\evil.example", "/a\n", "javascript:alert(1)"} {
		if got := local(address); got != "" {
			t.Errorf("%q leads to %q", address, got)
		}
	}
	if got := local("/runs/a?q=x"); got != "/runs/a?q=x" {
		t.Errorf("leads to %q", got)
	}
}
