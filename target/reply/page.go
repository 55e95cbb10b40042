package reply

import (
	"bytes"
	"fmt"
	"html"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
)

// pageHead is how much of a body is looked at, in bytes.
const pageHead = 512

// isPage reports whether a body begins like a web page.
func isPage(head []byte) bool {
	if i := bytes.IndexByte(head, '<'); i < 0 || i > len("\ufeff") && len(bytes.TrimSpace(head[len("\ufeff"):i])) > 0 {
		return false // true of nearly every reply
	}
	s := strings.ToLower(string(head[:min(len(head), pageHead)]))
	for {
		s = strings.TrimSpace(strings.TrimPrefix(s, "\ufeff"))
		rest, comment := strings.CutPrefix(s, "<!--")
		if !comment {
			break
		}
		if _, s, comment = strings.Cut(rest, "-->"); !comment {
			return false
		}
	}
	for _, begin := range []string{"<!doctype html", "<html", "<head", "<body"} {
		if strings.HasPrefix(s, begin) {
			return true
		}
	}
	return false
}

var pageTitle = lazyregexp.New(`(?is)<title[^>]*>(.*?)</title>`)

// Page describes a body that is a web page; "" if it is none.
func Page(body []byte) string {
	if !isPage(body) {
		return ""
	}
	return PageName(body)
}

// PageName describes a web page by its title.
func PageName(page []byte) string {
	if m := pageTitle().FindSubmatch(page); m != nil {
		if title := text.Collapse(text.Visible(html.UnescapeString(string(m[1])))); title != "" {
			return fmt.Sprintf("a web page, %q", text.Shorten(title, 80))
		}
	}
	return "a web page"
}
