package speech

import (
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

var (
	// speakerLabel matches a label of WhisperX and others, speakerLine a line of a name and a
	// time, as Otter writes it, and speakerName what may be a name before what was said.
	speakerLabel = lazyregexp.New(`(?im)^[ \t]*(?:\[(?:speaker|spk)[_ ]?\w{1,3}\]:?|(?:speaker|spk)[_ ]?(?:\d{1,3}|[a-z]):)[ \t]*`)
	speakerLine  = lazyregexp.New(`(?m)^\S.{0,60}?(?:[ \t]{2,}|[ \t]*\()\d{1,2}:\d\d(?::\d\d)?\)?:?[ \t]*$`)
	speakerName  = lazyregexp.New(`(?m)^[ \t]*(?:>> ?)?(\p{Lu}[\p{L}\p{N}.'’_-]*(?: [\p{Lu}\p{N}][\p{L}\p{N}.'’_-]*){0,3}|\p{Lo}{1,6})(?::(?:[ \t]+|$)|：)`)
)

// Spoken removes the labels of speakers from a transcript, also names before a colon, if
// half of the lines begin so and a name is there twice on average.
func Spoken(s string) string {
	if !strings.ContainsAny(s, ":：]") {
		return s
	}
	s = speakerLine().ReplaceAllString(speakerLabel().ReplaceAllString(s, ""), "")
	lines, n, names := 0, 0, map[string]bool{}
	for l := range strings.Lines(s) {
		if strings.TrimSpace(l) != "" {
			lines++
		}
		if name := Speaker(l); name != "" {
			n, names[name] = n+1, true
		}
	}
	if n > 1 && 2*n >= lines && n >= 2*len(names) {
		s = speakerName().ReplaceAllString(s, "")
	}
	return s
}

// Speaker returns what may be the name of a speaker that a text begins with; "" if nothing is.
func Speaker(s string) string {
	if m := speakerName().FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return ""
}
