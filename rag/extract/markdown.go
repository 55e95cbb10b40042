package extract

import (
	"context"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// parseMarkdown keeps the text without its front matter. The title is that of the front
// matter, else the first heading.
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

// frontMatter removes the block between two lines of "---" at the beginning, and
// returns its title.
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
			// prose between two rules is not front matter
			return "", s
		}
		if ok && key == "title" {
			title = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return title, body
}

// maxHeadingSearch bounds the search for a title: a later heading names a section, and
// parsing time should not grow with the file.
const maxHeadingSearch = 64 << 10

// firstHeading returns the plain text of the first heading, or "".
func firstHeading(s string) string {
	if len(s) > maxHeadingSearch {
		s = s[:maxHeadingSearch]
	}
	src := []byte(s)
	var title string
	root := goldmark.DefaultParser().Parse(text.NewReader(src))
	// The callback never returns an error.
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

// plain returns the text below a node without markup.
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
