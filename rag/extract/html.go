package extract

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
)

// furniture is what surrounds a page's content, or cannot be read.
var furniture = []string{
	"nav", "footer", "aside", "script", "style", "noscript", "template", "iframe", "object", "svg", "canvas", "button", "select", "dialog",
}

// parseHTML turns a page into Markdown: headings, lists, tables and code stay;
// addresses of links, images and the page's furniture go. A page with a <main>
// element is read from there only.
func parseHTML(ctx context.Context, data []byte) (content, error) {
	s, err := decodeHTML(data)
	if err != nil {
		return content{}, err
	}
	root, err := html.Parse(strings.NewReader(s))
	if err != nil {
		return content{}, err
	}
	title := nodeText(find(root, "title"))
	if strings.TrimSpace(title) == "" {
		title = nodeText(find(root, "h1"))
	}
	body := find(root, "main")
	if strings.TrimSpace(nodeText(body)) == "" {
		body = root
	} else {
		body.Parent.RemoveChild(body)
	}
	conv := converter.NewConverter(
		converter.WithEscapeMode(converter.EscapeModeDisabled),
		converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()),
	)
	for _, tag := range furniture {
		conv.Register.TagType(tag, converter.TagTypeRemove, converter.PriorityEarly)
	}
	// A passage is read, not followed: an address is noise to the index, and so
	// are the marks of emphasis.
	for _, tag := range []string{"a", "b", "strong", "i", "em"} {
		conv.Register.RendererFor(tag, converter.TagTypeInline, renderChildren, converter.PriorityEarly)
	}
	conv.Register.RendererFor("img", converter.TagTypeInline, renderAlt, converter.PriorityEarly)
	out, err := conv.ConvertNode(body, converter.WithContext(ctx))
	return content{title: title, text: lineEnds(string(out))}, err
}

func renderChildren(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	ctx.RenderChildNodes(ctx, w, n)
	return converter.RenderSuccess
}

func renderAlt(_ converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	for _, a := range n.Attr {
		if a.Key == "alt" {
			_, _ = w.WriteString(strings.Join(strings.Fields(a.Val), " ")) // into memory
		}
	}
	return converter.RenderSuccess
}

// decodeHTML decodes by the byte order mark, else as UTF-8 where the bytes are
// that, else by the page's own declaration.
func decodeHTML(data []byte) (string, error) {
	if utf8.Valid(data) || bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) || bytes.IndexByte(data, 0) >= 0 {
		return decode(data)
	}
	enc, name, _ := charset.DetermineEncoding(data, "")
	// Windows-1252 is also what browsers take where nothing is declared: a guess
	// that would make Chinese pages into noise.
	declared := bytes.Contains(bytes.ToLower(data[:min(1024, len(data))]), []byte("charset"))
	if !declared || name == "utf-8" {
		return decode(data) // which says where it is wrong
	}
	b, err := enc.NewDecoder().Bytes(data)
	if err != nil {
		return "", fmt.Errorf("charset %s: %w", name, err)
	}
	return decode(b)
}

// find gives the first element of the name in document order, or nil.
func find(n *html.Node, name string) *html.Node {
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && c.Data == name {
			return c
		}
	}
	return nil
}

// nodeText gives the text below a node; none for nil.
func nodeText(n *html.Node) string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}
