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

// furniture lists elements that surround a page's content or have no text.
var furniture = []string{
	"nav", "footer", "aside", "script", "style", "noscript", "template", "iframe", "object", "svg", "canvas", "button", "select", "dialog",
}

// parseHTML converts a page to Markdown: headings, lists, tables and code are kept;
// addresses of links, images and the page's furniture are removed. If a page has a
// <main> element, only that is read.
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
	// Addresses and marks of emphasis are noise to the index.
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

// decodeHTML decodes by the byte order mark, else as UTF-8 if valid, else by the page's
// own declaration.
func decodeHTML(data []byte) (string, error) {
	if utf8.Valid(data) || bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) ||
		bytes.IndexByte(data, 0) >= 0 {
		return decode(data)
	}
	enc, name, _ := charset.DetermineEncoding(data, "")
	// Browsers assume Windows-1252 if nothing is declared, a guess that would turn
	// Chinese pages into noise.
	declared := bytes.Contains(bytes.ToLower(data[:min(1024, len(data))]), []byte("charset"))
	if !declared || name == "utf-8" {
		return decode(data) // reports the position of the error
	}
	b, err := enc.NewDecoder().Bytes(data)
	if err != nil {
		return "", fmt.Errorf("charset %s: %w", name, err)
	}
	return decode(b)
}

// find returns the first element with the name in document order, or nil.
func find(n *html.Node, name string) *html.Node {
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && c.Data == name {
			return c
		}
	}
	return nil
}

// nodeText returns the text below a node, "" for nil.
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
