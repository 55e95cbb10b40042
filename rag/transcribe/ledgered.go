package transcribe

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
)

// Operation is what calls for transcripts are named in the ledger.
const Operation = "transcribe"

// Provider makes a transcriber a provider of package llm, whose client then
// gives it limits, retries and the ledger. Only a [Ledgered] can ask it: it takes
// the recording from the context.
func Provider(name string, t assay.Transcriber) llm.Provider { return provider{name, t} }

type provider struct {
	name string
	t    assay.Transcriber
}

type recordingKey struct{}

// Name is what users call the provider.
func (p provider) Name() string { return p.name }

// Complete transcribes the recording of the context.
func (p provider) Complete(ctx context.Context, r llm.Request) (llm.Reply, error) {
	rec, ok := ctx.Value(recordingKey{}).(assay.Recording)
	if !ok {
		const message = "a transcriber was called without a recording"
		return llm.Reply{}, &llm.Error{Kind: llm.KindRequest, Provider: p.name, Model: r.Model, Message: message}
	}
	t, err := p.t.Transcribe(ctx, rec)
	if err != nil {
		return llm.Reply{}, err
	}
	said, err := json.Marshal(heard{Text: t.Text, Language: t.Language, Milliseconds: t.Duration.Milliseconds()})
	if err != nil {
		return llm.Reply{}, err // texts and numbers cannot fail
	}
	return llm.Reply{
		Text: string(said), Model: r.Model, Stop: "end", Cost: t.Usage.Cost, Priced: t.Usage.Cost > 0,
		Usage: llm.Usage{Input: t.Usage.InputTokens, Output: t.Usage.OutputTokens},
	}, nil
}

// heard is a transcription as the ledger keeps it.
type heard struct {
	Text         string `json:"text"`
	Language     string `json:"language,omitempty"`
	Milliseconds int64  `json:"duration_ms,omitempty"`
}

// asked is what the ledger keeps of the question: everything that the transcript
// depends on, but not the recording itself.
type asked struct {
	Recording   string `json:"recording"`
	Language    string `json:"language"`
	Transcriber string `json:"transcriber"`
}

// Ledgered is a transcriber that asks through a client of package llm, so that
// the same bytes in the same language are transcribed once. It is safe for
// concurrent use.
type Ledgered struct {
	// Client is one around what [Provider] gave.
	Client llm.Provider
	Model  string
	// Name is the identity of the transcriber itself.
	Name string
}

var _ assay.Transcriber = Ledgered{}

// Identity is that of the transcriber itself.
func (l Ledgered) Identity() string { return l.Name }

// Transcribe takes the transcript from the ledger, or asks for it.
func (l Ledgered) Transcribe(ctx context.Context, r assay.Recording) (assay.Transcription, error) {
	if err := ctx.Err(); err != nil {
		return assay.Transcription{}, err
	}
	sum, err := digest(r)
	if err != nil {
		return assay.Transcription{}, unusable(l.Client.Name(), l.Model, r, err)
	}
	question, err := json.Marshal(asked{sum, language(r), l.Name})
	if err != nil {
		return assay.Transcription{}, unusable(l.Client.Name(), l.Model, r, err)
	}
	reply, err := l.Client.Complete(context.WithValue(ctx, recordingKey{}, r), llm.Request{
		Operation: Operation, Model: l.Model, Messages: []llm.Message{{Role: "user", Text: string(question)}},
	})
	if err != nil {
		return assay.Transcription{}, err
	}
	var h heard
	if err := json.Unmarshal([]byte(reply.Text), &h); err != nil {
		message := fmt.Sprintf("the ledger's transcript cannot be read: %v", err)
		return assay.Transcription{}, &llm.Error{Kind: llm.KindLedger, Provider: l.Client.Name(), Model: l.Model, Message: message, Err: err}
	}
	return assay.Transcription{
		Text: h.Text, Language: h.Language, Duration: time.Duration(h.Milliseconds) * time.Millisecond, Usage: reply.Total(),
	}, nil
}

// digest is "sha256:" and hexadecimal digits over the bytes of a recording.
func digest(r assay.Recording) (string, error) {
	c, err := open(r)
	if err != nil {
		return "", err
	}
	defer c.close()
	h := sha256.New()
	if _, err := io.Copy(h, c.whole()); err != nil {
		return "", err
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
}
