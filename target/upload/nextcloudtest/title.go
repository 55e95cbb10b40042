package nextcloudtest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	leading  = regexp.MustCompile(`(?m)^[.\s]+`)
	anySpace = regexp.MustCompile(`[\s\p{Z}]`)
	lineEnd  = regexp.MustCompile(`\r\n|[\n\v\f\r\x{85}\x{2028}\x{2029}]`)
	counted  = regexp.MustCompile(`\s\((\d+)\)$`)
)

const maxTitle = 100

// clean removes characters that file names cannot contain.
func clean(s string) string {
	for _, c := range []string{"*", "|", "/", `\`, ":", `"`, "<", ">", "?"} {
		s = strings.ReplaceAll(s, c, "")
	}
	return strings.TrimSpace(leading.ReplaceAllString(s, ""))
}

func folder(category string) string {
	var parts []string
	for p := range strings.SplitSeq(category, "/") {
		if p = clean(p); p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, "/")
}

func safe(title string) string {
	title = strings.TrimSpace(lineEnd.Split(clean(title), 2)[0])
	title = cut(anySpace.ReplaceAllString(title, " "), maxTitle)
	if title == "" || title == "0" { // PHP's idea of empty
		return "New note"
	}
	return title
}

func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}

// unique sets the title of a note, with a number if another note in its category has
// the same title.
func (s *Server) unique(title string, of *Note) string {
	title = safe(title)
	taken := slices.ContainsFunc(s.notes, func(n *Note) bool { return n != of && n.Category == of.Category && n.Title == title })
	if !taken {
		return title
	}
	n := 2
	if m := counted.FindStringSubmatch(title); m != nil {
		n, _ = strconv.Atoi(m[1]) // digits
		n++
	}
	mark := fmt.Sprintf(" (%d)", n)
	base := counted.ReplaceAllString(title, "")
	return s.unique(cut(base, maxTitle-len(mark))+mark, of)
}
