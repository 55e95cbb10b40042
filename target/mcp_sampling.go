package target

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
	replies "github.com/assay-eval/assay/target/reply"
)

// mcpMaxSampling bounds the sampling requests of one call: the server decides how many
// it sends, and the user pays.
const mcpMaxSampling = 32

// An mcpCall is a tool call with the sampling requests that belong to it.
type mcpCall struct {
	ctx     context.Context
	latency time.Duration
	// draw is the case's draw, so that each draw gets replies of its own.
	draw int

	mu     sync.Mutex
	over   bool
	asked  int
	stages []assay.Stage
	usage  assay.Usage
	// failed is why the last sampling request has no reply.
	failed error
	// warnings say which replies of the model are cut off, refused or calls.
	warnings []string
}

// begin makes a call the owner of sampling requests, until done.
func (s *mcpSession) begin(ctx context.Context, draw int) (_ *mcpCall, done func()) {
	ctx, cancel := context.WithCancel(ctx)
	c := &mcpCall{ctx: ctx, draw: draw}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = c
	return c, func() {
		s.mu.Lock()
		s.current = nil
		s.mu.Unlock()
		cancel()
		c.mu.Lock()
		c.over = true
		c.mu.Unlock()
	}
}

// options declares the client's capabilities.
//
//nolint:staticcheck // deprecated since 2026-07-28, and what servers ask for
func (s *mcpSession) options() *mcp.ClientOptions {
	o := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}
	if s.m.cfg.Sampler == nil {
		return o
	}
	// This handler accepts several parts per message, but no tools.
	o.Capabilities.Sampling = &mcp.SamplingCapabilities{}
	o.CreateMessageWithToolsHandler = s.sample
	return o
}

// sample answers a sampling request of the server.
//
//nolint:staticcheck // deprecated since 2026-07-28, and what servers ask for
func (s *mcpSession) sample(ctx context.Context, r *mcp.CreateMessageWithToolsRequest) (*mcp.CreateMessageWithToolsResult, error) {
	s.mu.Lock()
	call := s.current
	s.mu.Unlock()
	if call == nil {
		return nil, mcpSamplingError(errors.New("no call is in progress that the sampling request could belong to"))
	}
	call.mu.Lock()
	call.asked++
	asked := call.asked
	call.mu.Unlock()
	if asked > mcpMaxSampling {
		err := fmt.Errorf("more than %d sampling requests in one call", mcpMaxSampling)
		call.fail(err)
		return nil, mcpSamplingError(err)
	}
	request, left, err := mcpRequest(s.m.cfg.Base, r.Params)
	if err != nil {
		call.fail(err)
		return nil, mcpSamplingError(err)
	}
	request.Draw += call.draw
	// The request ends with the call, or when the server cancels it.
	within, cancel := context.WithCancel(call.ctx)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	elapsed := stopwatch(s.m.cfg.Now)
	reply, err := s.m.cfg.Sampler.Complete(within, request)
	if err != nil {
		if within.Err() == nil {
			call.fail(err)
		}
		return nil, mcpSamplingError(err)
	}
	if reply.Latency == 0 {
		reply.Latency = elapsed()
	}
	stop := mcpStop(reply.Stop)
	if cut, ok := mcpCut(reply.Text, r.Params.StopSequences); ok {
		reply.Text, reply.Stop, stop = cut, "", "stopSequence"
	}
	model := s.m.cfg.Sampler.Name()
	if request.Model != "" {
		model += ":" + request.Model
	}
	call.answered(model, request, reply, left)
	if reply.Model == "" {
		reply.Model = request.Model
	}
	return &mcp.CreateMessageWithToolsResult{
		Role: "assistant", Model: reply.Model, StopReason: stop, Content: []mcp.Content{&mcp.TextContent{Text: reply.Text}},
	}, nil
}

// mcpSamplingError is the error that the server receives.
func mcpSamplingError(err error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "sampling: " + err.Error()}
}

// mcpRequest converts a sampling request to a model request. left lists what could not
// be passed on.
//
//nolint:staticcheck // deprecated since 2026-07-28, and what servers ask for
func mcpRequest(base llm.Request, p *mcp.CreateMessageWithToolsParams) (r llm.Request, left []string, err error) {
	r = base
	if r.Operation == "" {
		r.Operation = Sampling
	}
	if p.SystemPrompt != "" {
		r.System = strings.TrimPrefix(r.System+"\n\n"+p.SystemPrompt, "\n\n")
	}
	if n := int(min(p.MaxTokens, 1<<30)); n > 0 && (r.MaxTokens == 0 || n < r.MaxTokens) {
		r.MaxTokens = n
	}
	if p.Temperature != 0 {
		r.Temperature = &p.Temperature
	}
	r.Messages = append([]llm.Message(nil), base.Messages...)
	others := 0
	for _, m := range p.Messages {
		var texts []string
		for _, c := range m.Content {
			if t, ok := c.(*mcp.TextContent); ok {
				texts = append(texts, t.Text)
			} else {
				others++
			}
		}
		role := "user"
		if m.Role == "assistant" {
			role = "assistant"
		}
		if len(texts) > 0 {
			r.Messages = append(r.Messages, llm.Message{Role: role, Text: strings.Join(texts, "\n")})
		}
	}
	if len(r.Messages) == len(base.Messages) {
		return r, nil, errors.New("the request has no text")
	}
	if others > 0 {
		left = append(left, fmt.Sprintf("%d parts that are not text", others))
	}
	if len(p.Tools) > 0 {
		left = append(left, "tools")
	}
	if p.IncludeContext != "" && p.IncludeContext != "none" {
		left = append(left, "the context of "+p.IncludeContext)
	}
	if hints := p.ModelPreferences; hints != nil && len(hints.Hints) > 0 && hints.Hints[0] != nil {
		left = append(left, fmt.Sprintf("the preference for a model like %q", hints.Hints[0].Name))
	}
	return r, left, nil
}

// mcpStop maps a stop reason to the protocol's terms.
func mcpStop(stop string) string {
	switch stop {
	case "end", "":
		return "endTurn"
	case "length":
		return "maxTokens"
	}
	return stop
}

// mcpEnding warns of a reply to a sampling request that did not end by itself.
func mcpEnding(stop string) []string {
	why := cmp.Or(replies.NoReply(stop), replies.Doubt(stop))
	if replies.Stop(stop) == replies.StopLength {
		why = "it ended at its limit of tokens"
	}
	if why == "" {
		return nil
	}
	return []string{fmt.Sprintf("a reply of the model to a sampling request may not be whole: %s (%s)", why, stop)}
}

// mcpCut ends a text before the first of the stop sequences, since not every provider
// supports them.
func mcpCut(s string, sequences []string) (string, bool) {
	end := len(s)
	for _, q := range sequences {
		if i := strings.Index(s[:end], q); q != "" && i >= 0 {
			end = i
		}
	}
	return s[:end], end < len(s)
}

// fail keeps why a sampling request has no reply.
func (c *mcpCall) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return
	}
	c.failed = err
	show(c.ctx, func(x *Exchange) { x.Notes = append(x.Notes, "sampling request not answered: "+err.Error()) })
}

// answered records a sampling request that was answered.
func (c *mcpCall) answered(model string, r llm.Request, reply llm.Reply, left []string) {
	output, _ := json.Marshal(reply.Text) // a string is always valid JSON
	note := "answered by assay on the server's request (MCP sampling)"
	if reply.Cached {
		note += "; an earlier run paid for the reply"
	}
	if reply.Model != "" && reply.Model != r.Model {
		note += "; the server names the model " + reply.Model
	}
	if len(left) > 0 {
		note += "; not passed on: " + strings.Join(left, ", ")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return
	}
	c.failed = nil
	c.warnings = append(c.warnings, mcpEnding(reply.Stop)...)
	c.stages = append(c.stages, assay.Stage{
		Name: assay.StageGenerate, Model: model, Prompt: mcpPrompt(r), Latency: reply.Latency, Output: output, Note: note,
	})
	c.usage = c.usage.Plus(reply.Total())
	show(c.ctx, func(x *Exchange) {
		x.Notes = append(x.Notes, fmt.Sprintf("sampling request answered: %d characters by %s", utf8.RuneCountInString(reply.Text), model))
		if len(left) > 0 {
			x.Notes = append(x.Notes, "not passed on to the model: "+strings.Join(left, ", "))
		}
	})
}

// mcpPrompt returns the prompt of a model as one text.
func mcpPrompt(r llm.Request) string {
	if r.System == "" && len(r.Messages) == 1 {
		return r.Messages[0].Text
	}
	var parts []string
	if r.System != "" {
		parts = append(parts, "system: "+r.System)
	}
	for _, m := range r.Messages {
		parts = append(parts, m.Role+": "+m.Text)
	}
	return strings.Join(parts, "\n\n")
}

// judge decides the outcome of a call, whose tool returned err. Servers often turn a
// failure of the model into ordinary text, even text that looks like an answer, so
// after a failed sampling request the tool's own result is not used.
func (c *mcpCall) judge(tool string, err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() != nil {
		return err
	}
	cause := c.failed
	if cause == nil {
		if e := (*Error)(nil); c.asked == 0 && errors.As(err, &e) && mcpNoSampling(err.Error()) {
			// The tool needs a missing capability: a retry would fail too.
			return &Error{Kind: e.Kind, Err: fmt.Errorf("%w; %s", e.Err, mcpSamplerHint)}
		}
		return err
	}
	again := true
	var e *llm.Error
	if errors.As(cause, &e) {
		again = e.Temporary()
	}
	then := "the tool's result is discarded, since it was produced without the model"
	switch {
	case err == nil:
	case strings.Contains(err.Error(), cause.Error()):
		then = "the tool reports the same"
	default:
		then = "then " + err.Error()
	}
	return &Error{Kind: Failed, Again: again, Err: fmt.Errorf("tool %q: a sampling request was not answered: %w; %s", tool, cause, then)}
}

// enrich adds the model calls made for the server to a response.
func (c *mcpCall) enrich(resp *assay.Response) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.stages) > 0 {
		if resp.Trace == nil {
			resp.Trace = &assay.Trace{}
		}
		resp.Trace.Stages = append(resp.Trace.Stages, c.stages...)
	}
	resp.Usage = resp.Usage.Plus(c.usage)
	resp.Warnings = append(resp.Warnings, slices.Compact(c.warnings)...)
}
