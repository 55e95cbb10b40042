package report

import (
	"bytes"
	"encoding/json"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
)

// A CallView is a call to a model on a page of its own. Its texts are whole.
type CallView struct {
	// Title is what was asked of which model, Told what the call consumed.
	Title, Told string
	// Blocks are the messages, the reply, and both as the ledger has them.
	Blocks []document.Block
}

// ShowCall returns what a page shows of a call.
func ShowCall(c assay.Call, o Options) CallView {
	w := o.words()
	n := w.Names().CallNames
	var request struct {
		System   string `json:"system"`
		Messages []struct{ Role, Text string }
	}
	var reply struct{ Text, Thinking, Unusable string }
	// What cannot be read as the parts of a message is shown as JSON alone.
	_ = json.Unmarshal(c.Request, &request)
	_ = json.Unmarshal(c.Reply, &reply)
	var blocks []document.Block
	text := func(s string) document.Block { return document.Quote{Text: s, Role: document.Verbatim} }
	fold := func(title, s string) {
		if s != "" {
			blocks = append(blocks, document.Fold{Title: title, Blocks: []document.Block{text(s)}})
		}
	}
	fold(n.Instruction, request.System)
	for _, m := range request.Messages {
		blocks = append(blocks, document.Labelled{Label: w.Say("CallRole", words.V{"role": m.Role}), Blocks: []document.Block{text(m.Text)}})
	}
	if reply.Unusable != "" {
		blocks = append(blocks, document.Paragraph{Kind: document.Finding, Text: document.T(w.Say("Unusable", words.V{"why": reply.Unusable}))})
	}
	blocks = append(blocks, document.Labelled{Label: n.Reply, Blocks: []document.Block{text(reply.Text)}})
	fold(n.Thinking, reply.Thinking)
	fold(n.RequestJSON, indented(c.Request))
	fold(n.ReplyJSON, indented(c.Reply))
	cost, took := "", ""
	if c.Usage.Cost > 0 {
		cost = caseCost(c.Usage.Cost)
	}
	if c.Latency > 0 {
		took = duration(c.Latency)
	}
	told := w.Say("CallTold", words.V{"Input": c.Usage.InputTokens, "Output": c.Usage.OutputTokens, "Cost": cost, "Took": took,
		"Made": timestamp(c.Made)})
	return CallView{Title: c.Operation + " · " + c.Provider + " " + c.Model, Told: told, Blocks: blocks}
}

// indented returns JSON on several lines.
func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}
