package target

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/text"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-eval/assay"
)

// choose finds a tool by name; "" is allowed if there is only one. A missing tool ends
// the run, as an unreachable endpoint would.
func (s *mcpSession) choose(ctx context.Context, name string) (*mcp.Tool, error) {
	named := func(t *mcp.Tool) bool { return t.Name == name }
	tools, err := s.list(ctx)
	if err == nil && name != "" && !slices.ContainsFunc(tools, named) {
		// Some servers add tools depending on the client's capabilities, possibly a
		// moment after the first list.
		s.tools = nil
		tools, err = s.list(ctx)
	}
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(tools, named); i >= 0 {
		return tools[i], nil
	}
	refuse := func(format string, args ...any) error {
		return s.m.scrub(&Error{Kind: Refused, Err: fmt.Errorf("mcp: "+format, args...)})
	}
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.Name
	}
	hint := ""
	if s.m.cfg.Sampler == nil && name != "" {
		hint = "; some servers offer a tool only to clients that answer sampling requests: " + mcpSamplerHint
	}
	switch {
	case len(tools) == 0:
		return nil, refuse("the server offers no tools%s", hint)
	case name != "":
		return nil, refuse("unknown tool %q%s: the server has %s%s", name, mcpNearest(name, names), mcpNames(names), hint)
	case len(tools) > 1:
		return nil, refuse("the server has %d tools: expected the name of one of %s", len(tools), mcpNames(names))
	}
	return tools[0], nil
}

// mcpNearest returns ", did you mean …" if another name is similar to name or contains
// it.
func mcpNearest(name string, names []string) string {
	near := text.Nearest(name, names)
	for _, other := range names {
		if strings.Contains(strings.ToLower(other), strings.ToLower(name)) {
			near = other
		}
	}
	if near == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", near)
}

// mcpNames lists names for a message.
func mcpNames(names []string) string {
	const most = 40
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// An mcpInput is the schema of a tool's arguments.
type mcpInput struct {
	properties map[string]mcpProperty
	required   []string
	// open is set if arguments may have any name.
	open bool
}

type mcpProperty struct {
	Type    any             `json:"type"`
	Default any             `json:"default"`
	AnyOf   []mcpProperty   `json:"anyOf"`
	Enum    []any           `json:"enum"`
	Const   json.RawMessage `json:"const"`
}

// isText reports whether a property accepts free text.
func (p mcpProperty) isText() bool {
	if len(p.Enum) > 0 || p.Const != nil {
		return false
	}
	switch t := p.Type.(type) {
	case string:
		return t == "string"
	case []any:
		return slices.Contains(t, any("string"))
	}
	return slices.ContainsFunc(p.AnyOf, mcpProperty.isText)
}

// mcpInputOf reads the schema of a tool's arguments, as far as it is supported.
func mcpInputOf(t *mcp.Tool) mcpInput {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
		Additional any                        `json:"additionalProperties"`
	}
	raw, err := json.Marshal(t.InputSchema)
	if err == nil {
		err = json.Unmarshal(raw, &schema)
	}
	in := mcpInput{properties: map[string]mcpProperty{}, required: slices.Sorted(slices.Values(schema.Required))}
	for name, raw := range schema.Properties {
		var p mcpProperty
		_ = json.Unmarshal(raw, &p) // an unsupported property keeps its name
		in.properties[name] = p
	}
	switch more := schema.Additional.(type) {
	case bool:
		in.open = more
	case map[string]any:
		in.open = true
	}
	in.open = in.open || err != nil || len(in.properties) == 0
	return in
}

func (in mcpInput) names() []string { return slices.Sorted(maps.Keys(in.properties)) }

// Common names of tool arguments, for the values of a case.
var (
	mcpQuestionNames = []string{"query", "question", "q", "input", "text", "prompt", "message"}
	mcpTopKNames     = []string{"limit", "top_k", "k"}
)

// question finds the argument that takes the question.
func (in mcpInput) question() (string, error) {
	var required, texts []string
	for _, name := range in.names() {
		if !in.properties[name].isText() {
			continue
		}
		texts = append(texts, name)
		if slices.Contains(in.required, name) {
			required = append(required, name)
		}
	}
	if len(required) == 1 {
		return required[0], nil
	}
	among := texts
	if len(required) > 1 {
		among = required
	}
	for _, name := range mcpQuestionNames {
		if slices.Contains(among, name) {
			return name, nil
		}
	}
	if len(among) == 1 {
		return among[0], nil
	}
	return "", errors.New("it is unclear which argument takes the question")
}

// defaults builds the arguments that a schema requires.
func (in mcpInput) defaults(c *assay.Case, topK int) (map[string]any, error) {
	name, err := in.question()
	if err != nil {
		return nil, err
	}
	args := map[string]any{name: c.Question}
	for _, name := range mcpTopKNames {
		if _, ok := in.properties[name]; ok && topK >= 1 {
			args[name] = topK
			break
		}
	}
	for _, name := range in.required {
		if _, ok := args[name]; !ok && in.properties[name].Default != nil {
			args[name] = in.properties[name].Default
		}
	}
	return args, nil
}

// arguments returns the arguments of a call for a case. An unknown or missing argument
// is an error before any call.
func (m *MCP) arguments(tool *mcp.Tool, c *assay.Case) (map[string]any, error) {
	in := mcpInputOf(tool)
	var args map[string]any
	if m.send == nil {
		var err error
		if args, err = in.defaults(c, m.cfg.TopK); err != nil {
			return nil, m.scrub(&Error{Kind: Refused, Err: fmt.Errorf("mcp: tool %q: %w; set send with %s", tool.Name, err, in.describe())})
		}
	} else {
		v, err := m.send.Fill(caseValues(c, m.cfg.TopK, m.cfg.Values))
		if err != nil {
			return nil, m.scrub(&Error{Kind: Failed, Err: fmt.Errorf("mcp: send: %w", err)})
		}
		args, _ = v.(map[string]any) // NewMCP checked the type
	}
	var unknown, missing []string
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if _, ok := in.properties[name]; !ok && !in.open {
			unknown = append(unknown, name)
		}
	}
	for _, name := range in.required {
		if _, ok := args[name]; !ok {
			missing = append(missing, name)
		}
	}
	var wrong []string
	if unknown != nil {
		wrong = append(wrong, "has no argument "+strings.Join(unknown, ", "))
	}
	if missing != nil {
		wrong = append(wrong, "lacks "+strings.Join(missing, ", "))
	}
	if wrong != nil {
		return nil, m.scrub(&Error{Kind: Refused, Err: fmt.Errorf("mcp: tool %q %s; set send with %s", tool.Name, strings.Join(wrong, ", and "),
			in.describe())})
	}
	return args, nil
}

// describe lists the arguments for a message.
func (in mcpInput) describe() string {
	if len(in.properties) == 0 {
		return "no arguments, since its schema has none"
	}
	var all []string
	for _, name := range in.names() {
		if slices.Contains(in.required, name) {
			name += " (required)"
		}
		all = append(all, name)
	}
	return mcpNames(all)
}
