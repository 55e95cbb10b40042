package chunk

import "strings"

// A Heading starts a section of a Markdown text.
type Heading struct {
	// Start is the byte offset of the heading's line, past its indentation.
	Start int
	// Level is 1 for the outermost to 6.
	Level int
	// Title is the heading without its marks.
	Title string
}

// Headings returns the headings of a Markdown text: lines that begin with one to six
// "#" and a space, and lines underlined by "===" or "---", except inside fenced code
// blocks.
func Headings(s string) []Heading {
	var out []Heading
	fence := ""
	prev, prevStart := "", 0
	for pos := 0; pos < len(s); {
		end := len(s)
		if n := strings.IndexByte(s[pos:], '\n'); n >= 0 {
			end = pos + n
		}
		raw := s[pos:end]
		line := strings.TrimLeft(raw, " ")
		indent := len(raw) - len(line)
		start := pos + indent
		line = strings.TrimRight(line, " \t\r")
		pos = end + 1
		if indent > 3 {
			prev = ""
			continue
		}
		if mark := fenceMark(line); mark != "" && (fence == "" || strings.HasPrefix(mark, fence) && mark == line) {
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
			prev = ""
			continue
		}
		if fence != "" {
			continue
		}
		if level, title := underline(line), strings.TrimSpace(prev); level > 0 && title != "" && !marked(prev) {
			out = append(out, Heading{prevStart, level, title})
			prev = ""
			continue
		}
		if level, title := atx(line); level > 0 {
			if title != "" {
				out = append(out, Heading{start, level, title})
			}
			prev = ""
			continue
		}
		prev, prevStart = line, start
	}
	return out
}

// fenceMark returns the run of backquotes or tildes that opens or closes a code block,
// or "".
func fenceMark(line string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// underline returns the level of the heading that the line underlines, 0 if none.
func underline(line string) int {
	switch {
	case len(line) >= 3 && strings.Trim(line, "=") == "":
		return 1
	case len(line) >= 3 && strings.Trim(line, "-") == "":
		return 2
	}
	return 0
}

// marked reports whether a line above "---" is a list item, a quotation or a table row,
// which does not become a heading.
func marked(line string) bool {
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ") || line[0] == '>' || line[0] == '|'
}

func atx(line string) (level int, title string) {
	level = len(line) - len(strings.TrimLeft(line, "#"))
	if level == 0 || level > 6 || level == len(line) || line[level] != ' ' && line[level] != '\t' {
		return 0, ""
	}
	title = strings.TrimSpace(line[level:])
	// Closing marks, as in "## Title ##", do not belong to the title.
	if bare := strings.TrimRight(title, "#"); bare == "" || strings.HasSuffix(bare, " ") {
		title = strings.TrimSpace(bare)
	}
	return level, title
}
