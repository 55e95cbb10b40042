package transcribe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/textproto"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/llm"
)

const (
	openaiKind = "openai"
	endpoint   = "audio/transcriptions"
)

var openai = Kind{
	Name:    openaiKind,
	Doc:     "a server with OpenAI's /v1/audio/transcriptions API; providers of kind openai define others",
	Example: "--transcriber openai:whisper-1",
	Server:  true,
	Open: func(s Setup) (assay.Transcriber, string, error) {
		t, err := NewServer(s.Options, s.Model)
		return t, s.Model, err
	},
}

// Server transcribes by a server that speaks OpenAI's /v1/audio/transcriptions.
// Transcribe makes one call, at temperature 0, and is safe for concurrent use;
// limits, retries and the ledger are those of [Ledgered].
type Server struct {
	up    *llm.Endpoint
	model string
	// form counts the forms of the reply that the server has refused.
	form atomic.Int32
}

var _ assay.Transcriber = (*Server)(nil)

// forms are the formats of the reply, from the most informative. Models differ in
// which they support.
var forms = []string{"verbose_json", "json", "text"}

// NewServer makes one for a model. It makes no call; the errors are those of
// [llm.Open], without a model a further one.
func NewServer(o llm.Options, model string) (*Server, error) {
	if model == "" {
		return nil, errors.New("no model: expected one such as whisper-1")
	}
	up, err := llm.OpenEndpoint(openaiKind, o, endpoint)
	if err != nil {
		return nil, err
	}
	return &Server{up: up, model: model}, nil
}

// Identity names the provider and the model.
func (s *Server) Identity() string { return s.up.Name() + ":" + s.model }

// Reach implements [llm.Reacher].
func (s *Server) Reach(ctx context.Context, model string, by llm.Provider) (slow bool, err error) {
	return s.up.Reach(ctx, model, by)
}

// Address implements [llm.Located].
func (s *Server) Address() string { return s.up.Address() }

// Transcribe makes one call, and another when the server refuses the form of
// reply that it was asked for.
func (s *Server) Transcribe(ctx context.Context, r assay.Recording) (assay.Transcription, error) {
	if err := ctx.Err(); err != nil {
		return assay.Transcription{}, err
	}
	c, err := open(r)
	if err != nil {
		return assay.Transcription{}, unusable(s.up.Name(), s.model, r, err)
	}
	defer c.close()
	for {
		form := s.form.Load()
		t, err := s.ask(ctx, r, c, forms[form])
		if err == nil {
			if t.Duration == 0 {
				t.Duration = duration(c, c.size, c.format)
			}
			return t, nil
		}
		if !refuses(err, "response_format") || int(form) == len(forms)-1 {
			return assay.Transcription{}, explained(err, r)
		}
		s.form.CompareAndSwap(form, form+1)
	}
}

// refuses reports whether a server does not take a field as it was sent.
func refuses(err error, field string) bool {
	var e *llm.Error
	return errors.As(err, &e) && e.Kind == llm.KindRequest && strings.Contains(strings.ToLower(e.Message), field)
}

// explained says what else to try where a server does not know a language.
func explained(err error, r assay.Recording) error {
	var e *llm.Error
	if lang := language(r); lang != "" && refuses(err, "language") && errors.As(err, &e) {
		e.Message += "; the language was " + strconv.Quote(lang) + ": expected one that the model knows, or \"auto\""
	}
	return err
}

// ask sends the recording.
func (s *Server) ask(ctx context.Context, r assay.Recording, c *content, form string) (assay.Transcription, error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, f := range [][2]string{{"model", s.model}, {"response_format", form}, {"temperature", "0"}, {"language", language(r)}} {
		if f[1] != "" {
			_ = w.WriteField(f[0], f[1]) // a buffer takes everything
		}
	}
	part := textproto.MIMEHeader{}
	part.Set("Content-Disposition", multipart.FileContentDisposition("file", text.Visible(fileName(r, c.format))))
	part.Set("Content-Type", mediaTypes[c.format])
	_, _ = w.CreatePart(part)
	before := b.Len()
	_ = w.Close()
	body := io.MultiReader(bytes.NewReader(b.Bytes()[:before]), c.whole(), bytes.NewReader(b.Bytes()[before:]))
	reply, _, err := s.up.Post(ctx, s.model, w.FormDataContentType(), body, int64(b.Len())+c.size)
	if err != nil {
		return assay.Transcription{}, err
	}
	return s.read(reply, form)
}

var mediaTypes = map[string]string{
	"wav": "audio/wav", "mp3": "audio/mpeg", "flac": "audio/flac", "m4a": "audio/mp4", "ogg": "audio/ogg", "webm": "audio/webm",
}

// read reads a reply. A server that was asked for a text may send JSON all the
// same, not the other way round.
func (s *Server) read(reply []byte, form string) (assay.Transcription, error) {
	if begin := bytes.TrimSpace(reply); form == "text" && !bytes.HasPrefix(begin, []byte("{")) && !bytes.HasPrefix(begin, []byte("<")) {
		return assay.Transcription{Text: s.clean(string(reply))}, nil
	}
	var v struct {
		Text     *string         `json:"text"`
		Language json.RawMessage `json:"language"`
		Duration json.RawMessage `json:"duration"`
		Usage    struct {
			Input  json.RawMessage `json:"input_tokens"`
			Output json.RawMessage `json:"output_tokens"`
		} `json:"usage"`
	}
	if err := s.up.Decode(s.model, reply, &v); err != nil {
		return assay.Transcription{}, err
	}
	if v.Text == nil {
		return assay.Transcription{}, s.up.Fail(s.model, llm.KindReply, `the reply has no "text": `+string(reply))
	}
	usage := assay.Usage{InputTokens: int(number(v.Usage.Input)), OutputTokens: int(number(v.Usage.Output))}
	t := assay.Transcription{Text: s.clean(*v.Text), Usage: usage}
	if json.Unmarshal(v.Language, &t.Language) == nil {
		t.Language = text.Shorten(s.clean(t.Language), 40)
	}
	if seconds := number(v.Duration); seconds < maxDuration.Seconds() {
		t.Duration = time.Duration(seconds * float64(time.Second))
	}
	return t, nil
}

// clean makes a transcript of what a server says.
func (s *Server) clean(said string) string { return transcript(s.up.Scrub(said)) }

// number reads a number, which some servers send as a text; 0 for anything else
// and below 0.
func number(data json.RawMessage) float64 {
	var f float64
	if json.Unmarshal(data, &f) != nil {
		var s string
		if json.Unmarshal(data, &s) != nil {
			return 0
		}
		var err error
		if f, err = strconv.ParseFloat(strings.TrimSpace(s), 64); err != nil {
			return 0
		}
	}
	if !(f > 0 && f < 1e12) {
		return 0
	}
	return f
}

// transcript is a text as it is kept: without what could act on a terminal, and
// without white space around it.
func transcript(s string) string {
	return strings.TrimSpace(text.Visible(strings.TrimPrefix(s, "\ufeff")))
}
