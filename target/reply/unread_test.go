package reply_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/assay-eval/assay/target/reply"
)

// TestUnread: a text beside passages may be an answer under an unknown name. What a search server says of its reply is none.
func TestUnread(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"summary": "It is free of charge.", "contexts": ["c"]}`:                                                "summary",
		`{"llmOutput": "Free", "documents": [{"text": "c"}]}`:                                                    "llmOutput",
		`{"policy": "It is free.", "sources": ["a.md"], "model": "gpt 4"}`:                                       "policy",
		`{"policy": "免费。", "sources": ["a.md"]}`:                                                                 "policy",
		`{"data": "It is free.", "query": "What is the fee", "documents": [{"text": "c"}]}`:                      "data",
		`{"result": {"bot_reply": "It is free.", "chunks": ["c"]}}`:                                              "result.bot_reply",
		`{"contexts": ["c"], "stages": [{"name": "generate", "output": "It is free."}]}`:                         "the stage generate",
		`{"contexts": ["c"], "stages": [{"name": "generate", "output": ""}]}`:                                    "",
		`{"answer": "It is free.", "summary": "It is free of charge.", "contexts": ["c"]}`:                       "",
		`{"results": [{"id": "d", "score": 1}], "total": 1, "took": "12 ms", "search_type": "knn"}`:              "",
		`{"results": [{"id": "d", "score": 1}], "message": "Found one of them", "created_at": "2026-11-30 1:0"}`: "",
		`{"documents": ["c"], "rewritten_query": "fee of the library", "topic": "the fee"}`:                      "",
		`{"documents": ["c"], "standalone": "What is the fee of the library?", "cursor": "a b"}`:                 "",
		`{"documents": ["c"], "metadata": {"note": "two words"}, "mode": "hybrid", "label": "cosine"}`:           "",
	} {
		v := decode(t, body)
		m, _, ok := reply.Detect(v)
		resp, _, err := m.Read(v)
		if !ok || err != nil || resp.Unread != want || (want != "") != (len(resp.Warnings) == 1) {
			t.Errorf("%s: unread %q, %v, %v, want %q", body, resp.Unread, resp.Warnings, err, want)
		}
	}
	var stopped any
	for _, body := range []string{`{"question": "q", "__interrupt__": [{"value": "approve"}]}`, `{"contexts": ["c"], "answer": "A draft.", "__interrupt__": []}`} {
		stopped = decode(t, body)
		m, _, ok := reply.Detect(stopped)
		if _, _, err := m.Read(stopped); !ok || !errors.Is(err, reply.ErrNoAnswer) || !strings.Contains(err.Error(), "stopped at an interrupt") {
			t.Errorf("a graph at an interrupt: %s: %v", body, err)
		}
	}
	draft, _ := reply.NewMapping(map[string]string{"answer": "answer"})
	if resp, _, err := draft.Read(stopped); err != nil || resp.Answer != "A draft." || len(resp.Warnings) != 1 {
		t.Errorf("a graph at an interrupt, by a path: %+v, %v", resp, err)
	}
	v := decode(t, `{"output": "It is free.", "state": "max_steps_error"}`)
	agent, _, _ := reply.Detect(v)
	if resp, _, err := agent.Read(v); err != nil || resp.Answer == "" || len(resp.Warnings) != 1 {
		t.Errorf("an agent at its maximum of steps: %+v, %v", resp, err)
	}
	m, err := reply.NewMapping(map[string]string{"passages": "contexts"})
	if resp, _, _ := m.Read(decode(t, `{"summary": "It is free.", "contexts": ["c"]}`)); err != nil || resp.Unread != "" {
		t.Errorf("a mapping without an answer: unread %q, %v", resp.Unread, err)
	}
}
