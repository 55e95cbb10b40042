package target

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target/reply"
)

// An mcpContent is the content of a result.
type mcpContent struct {
	// value is the decoded result; nil if there is none.
	value any
	// passages are the documents that came as resources.
	passages []assay.Passage
	warnings []string
}

// content splits a result: its structured content, or else its texts.
func (m *MCP) content(result *mcp.CallToolResult) mcpContent {
	var out mcpContent
	var texts []string
	ignored := map[string]int{}
	aside := func(c mcp.Content) bool { // for the model of the client alone
		t, ok := c.(*mcp.TextContent)
		return ok && t.Annotations != nil && slices.Equal(t.Annotations.Audience, []mcp.Role{"assistant"})
	}
	said := slices.ContainsFunc(result.Content, func(c mcp.Content) bool {
		_, ok := c.(*mcp.TextContent)
		return ok && !aside(c)
	})
	for _, c := range result.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			if said && aside(c) {
				ignored[mcpForModel]++
				continue
			}
			texts = append(texts, c.Text)
		case *mcp.EmbeddedResource:
			switch r := c.Resource; {
			case r == nil:
			case r.Text != "" || r.Blob == nil:
				out.passages = append(out.passages, assay.Passage{Document: r.URI, Source: r.URI, Text: r.Text})
			default:
				ignored["binary resource"]++
			}
		case *mcp.ResourceLink:
			title := c.Title
			if title == "" {
				title = c.Name
			}
			out.passages = append(out.passages, assay.Passage{Document: c.URI, Source: c.URI, Title: title})
		case *mcp.ImageContent:
			ignored["image"]++
		case *mcp.AudioContent:
			ignored["recording"]++
		default:
			ignored["part of an unknown kind"]++
		}
	}
	for _, kind := range []string{"image", "recording", "binary resource", "part of an unknown kind", mcpForModel} {
		if n := ignored[kind]; n > 0 {
			out.warnings = append(out.warnings, fmt.Sprintf("%d × %s in the result: ignored", n, kind))
		}
	}
	switch {
	case result.StructuredContent != nil && !(result.IsError && len(texts) > 0):
		out.value = result.StructuredContent
	case len(texts) > 0:
		out.value = mcpDecode(texts)
	case len(result.Content) == 0 && !result.IsError: // how FastMCP sends an empty list
		out.value, out.warnings = []any{}, []string{"the result has no content: read as an empty list of passages"}
	}
	return out
}

// mcpForModel is a text whose annotations name the assistant alone as its audience, beside others.
const mcpForModel = "text for the assistant alone"

// mcpDecode decodes texts: the JSON value if they hold one, a list if each of several
// texts is JSON, else the text.
func mcpDecode(texts []string) any {
	var list []any
	for _, t := range texts {
		if v, ok := mcpJSON(t); ok {
			list = append(list, v)
		}
	}
	switch {
	case len(list) == len(texts) && len(list) == 1:
		return list[0]
	case len(list) == len(texts):
		return list
	}
	all := strings.Join(texts, "\n")
	if v, ok := mcpJSON(all); ok {
		return v
	}
	return all
}

// mcpJSON decodes a text that is an object, a list or a quoted string. A number or a
// word such as true is an answer.
func mcpJSON(s string) (v any, ok bool) {
	s = strings.TrimSpace(strings.TrimPrefix(s, "\ufeff"))
	v = reply.Decoded(s)
	return v, v != any(s)
}

// complaint returns the message of an error result.
func (m *MCP) complaint(result *mcp.CallToolResult) string {
	v := m.content(result).value
	said, ok := v.(string)
	if !ok && v != nil {
		raw, err := json.Marshal(v)
		if err == nil {
			said = string(raw)
		}
	}
	if said = mcpQuote([]byte(said)); said == "" {
		return "failed without a reason"
	}
	return said
}

// read converts a result to a response.
func (m *MCP) read(ctx context.Context, result *mcp.CallToolResult) (assay.Response, error) {
	c := m.content(result)
	resp, err := m.interpret(ctx, c)
	if err != nil {
		return resp, m.scrub(unread(err))
	}
	if resp.Passages == nil && c.passages != nil {
		resp.Passages = c.passages
		show(ctx, func(x *Exchange) {
			x.Readings = append(x.Readings, reply.Reading{Part: "passages", Path: "content", Found: fmt.Sprintf("%d resources", len(c.passages))})
		})
	}
	resp.Warnings = append(resp.Warnings, c.warnings...)
	return resp, nil
}

func (m *MCP) interpret(ctx context.Context, c mcpContent) (assay.Response, error) {
	if c.value == nil {
		if c.passages == nil {
			return assay.Response{}, errors.New("the result holds neither text nor data" + mcpBecause(c.warnings))
		}
		// A result with only resources is a search, unless the user expects an answer.
		_, due := m.cfg.Read.Paths()[reply.Answer]
		return assay.Response{NoAnswer: !due}, nil
	}
	v := c.value
	if _, _, known := reply.Detect(v); !known && m.cfg.Read.Empty() {
		if inner, wrapped := mcpWrapped(v); wrapped {
			v = inner
		}
	}
	return readReply(ctx, m.cfg.Read, v, c.passages != nil)
}

// mcpWrapped extracts the value from {"result": …}, which a common library puts around
// anything that is not an object.
func mcpWrapped(v any) (any, bool) {
	object, _ := v.(map[string]any)
	inner, ok := object["result"]
	return inner, ok && len(object) == 1
}

func mcpBecause(warnings []string) string {
	if len(warnings) == 0 {
		return ""
	}
	return ": " + strings.Join(warnings, "; ")
}
