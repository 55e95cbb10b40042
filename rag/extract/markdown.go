package extract

import (
	"context"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// parseMarkdown keeps the text as it is, less the front matter. The title is
// that of the front matter, else the first heading.
func parseMarkdown(_ context.Context, data []byte) (content, error) {
	s, err := decode(data)
	if err != nil {
		return content{}, err
	}
	title, body := frontMatter(s)
	if title == "" {
		title = firstHeading(body)
	}
	return content{title: title, text: body}, nil
}

// frontMatter cuts the block between two lines of "---" off the beginning, and
// gives the title that it names.
func frontMatter(s string) (title, body string) {
	rest, ok := strings.CutPrefix(s, "---\n")
	if !ok {
		return "", s
	}
	block, body, ok := strings.Cut(rest, "\n---\n")
	if !ok {
		if block, ok = strings.CutSuffix(rest, "\n---"); !ok {
			return "", s
		}
		body = ""
	}
	for line := range strings.Lines(block) {
		key, value, ok := strings.Cut(line, ":")
		if !ok && strings.TrimSpace(line) != "" && !strings.HasPrefix(strings.TrimSpace(line), "-") && line[0] != ' ' && line[0] != '#' {
			// Prose between two rules is no front matter.
			return "", s
		}
		if ok && key == "title" {
			title = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return title, body
}

// maxHeadingSearch bounds the search for a title: one that comes later names a
// section, and the parser's time need not grow with the file.
const maxHeadingSearch = 64 << 10

// firstHeading gives the plain text of the first heading, or "".
func firstHeading(s string) string {
	if len(s) > maxHeadingSearch {
		s = s[:maxHeadingSearch]
	}
	src := []byte(s)
	var title string
	root := goldmark.DefaultParser().Parse(text.NewReader(src))
	// The walk ends by status, never by error.
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && entering {
			title = plain(h, src)
			if strings.TrimSpace(title) != "" {
				return ast.WalkStop, nil
			}
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return title
}

// plain gives the text below a node without its marks.
func plain(n ast.Node, src []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch c := c.(type) {
		case *ast.Text:
			b.Write(c.Segment.Value(src))
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(c.Value)
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}
