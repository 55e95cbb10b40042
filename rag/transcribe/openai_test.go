package transcribe_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag/transcribe"
	"github.com/assay-eval/assay/rag/transcribe/transcribetest"
)

const key = "sk-planted-key-0042"

func env(name string) string { return map[string]string{"SPEECH_KEY": key}[name] }

// served opens a transcriber of a server.
func served(t *testing.T, h http.HandlerFunc) *transcribe.Server {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	s, err := transcribe.NewServer(llm.Options{Name: "speech", BaseURL: srv.URL + "/v1", KeyEnv: "SPEECH_KEY", Getenv: env}, "whisper-1")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var short = assay.Recording{Name: "q.wav", Data: transcribetest.WAV(1, "x")}

func TestServer(t *testing.T) {
	transcribetest.Kit{
		Make: func(t *testing.T, says func(mark, language string) string) assay.Transcriber {
			return served(t, func(w http.ResponseWriter, r *http.Request) {
				if err := r.ParseMultipartForm(1 << 20); err != nil {
					http.Error(w, err.Error(), http.StatusBadRequest)
					return
				}
				f, _, err := r.FormFile("file")
				if err != nil {
					http.Error(w, err.Error(), http.StatusBadRequest)
					return
				}
				data, _ := io.ReadAll(f)
				json.NewEncoder(w).Encode(map[string]any{"text": says(transcribetest.Mark(data), r.FormValue("language"))})
			})
		},
		Stalled: func(t *testing.T) assay.Transcriber {
			return served(t, func(w http.ResponseWriter, r *http.Request) {
				// Who goes is seen when the body has been read.
				io.Copy(io.Discard, r.Body)
				<-r.Context().Done()
			})
		},
	}.Run(t)
}

// What goes over the wire is what OpenAI documents.
func TestServerSends(t *testing.T) {
	var got map[string]string
	s := served(t, func(w http.ResponseWriter, r *http.Request) {
		r.ParseMultipartForm(1 << 20)
		f := r.MultipartForm.File["file"][0]
		got = map[string]string{
			"method": r.Method, "path": r.URL.Path, "key": r.Header.Get("Authorization"), "file": f.Filename, "type": f.Header.Get("Content-Type"),
			"model": r.FormValue("model"), "language": r.FormValue("language"), "form": r.FormValue("response_format"), "temperature": r.FormValue("temperature"),
			"length": fmt.Sprint(r.ContentLength > int64(len(short.Data))),
		}
		io.WriteString(w,
			`{"task":"transcribe","language":"english","duration":8.47,"text":"The stale smell of old beer lingers.","usage":{"type":"tokens","input_tokens":14,"output_tokens":45}}`)
	})
	tr, err := s.Transcribe(t.Context(), assay.Recording{Name: "dir/question.mp3", Data: short.Data, Language: "en"})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"method": "POST", "path": "/v1/audio/transcriptions", "key": "Bearer " + key, "model": "whisper-1", "language": "en", "form": "verbose_json", "temperature": "0", "length": "true",
		// The content is a WAV file, whatever its name says.
		"file": "question.wav", "type": "audio/wav",
	} {
		if got[name] != want {
			t.Errorf("%s: %q: want %q", name, got[name], want)
		}
	}
	want := assay.Transcription{
		Text:     "The stale smell of old beer lingers.",
		Language: "english",
		Duration: 8470 * time.Millisecond,
		Usage:    assay.Usage{InputTokens: 14, OutputTokens: 45},
	}
	if tr != want {
		t.Errorf("%+v: want %+v", tr, want)
	}
	if s.Identity() != "speech:whisper-1" {
		t.Error(s.Identity())
	}
}

// A model that knows fewer forms of a reply is asked for another, and the next
// time at once.
func TestServerForms(t *testing.T) {
	for _, c := range []struct {
		name  string
		knows string
		calls []string
	}{
		{"verbose", "verbose_json", []string{"verbose_json", "verbose_json"}},
		{"json", "json", []string{"verbose_json", "json", "json"}},
		{"text", "text", []string{"verbose_json", "json", "text", "text"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var calls []string
			s := served(t, func(w http.ResponseWriter, r *http.Request) {
				r.ParseMultipartForm(1 << 20)
				form := r.FormValue("response_format")
				calls = append(calls, form)
				switch {
				case form != c.knows:
					w.WriteHeader(http.StatusBadRequest)
					fmt.Fprintf(w,
						`{"error":{"message":"response_format '%s' is not compatible with model 'm'","type":"invalid_request_error","param":"response_format","code":"unsupported_value"}}`, form)
				case form == "text":
					io.WriteString(w, "what was said\n")
				default:
					io.WriteString(w, `{"text":"what was said"}`)
				}
			})
			for range 2 {
				if got, err := s.Transcribe(t.Context(), short); err != nil || got.Text != "what was said" || got.Duration != time.Second {
					t.Errorf("%+v, %v", got, err)
				}
			}
			if fmt.Sprint(calls) != fmt.Sprint(c.calls) {
				t.Errorf("asked for %v: want %v", calls, c.calls)
			}
		})
	}
}

func TestServerFails(t *testing.T) {
	for _, c := range []struct {
		name   string
		handle http.HandlerFunc
		kind   llm.Kind
		want   string
	}{
		{"key", status(401, `{"error":{"message":"Incorrect API key provided: `+key+`"}}`), llm.KindAuth,
			"Incorrect API key provided: [secret]; the key came from SPEECH_KEY"},
		{"rate", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "7")
			status(429, `{"error":{"message":"slow down"}}`)(w, r)
		}, llm.KindRate, "status 429: slow down"},
		{
			"no such model",
			status(404, `{"error":{"message":"The model does not exist","code":"model_not_found"}}`),
			llm.KindModel,
			"The model does not exist",
		},
		{"down", status(503, `busy`), llm.KindServer, "status 503: busy"},
		{
			"too large",
			status(413, `{"error":{"message":"Maximum content size limit (26214400) exceeded"}}`),
			llm.KindTooLong,
			"Maximum content size limit",
		},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://elsewhere.invalid/v1", http.StatusTemporaryRedirect)
		}, llm.KindModel, `the redirect to "http://elsewhere.invalid/v1" was not followed`},
		{"a page", status(200, "<!doctype html><title>Sign in</title>"), llm.KindReply, `a web page, "Sign in"`},
		{"no text", status(200, `{"segments":[]}`), llm.KindReply, `the reply has no "text": {"segments":[]}`},
		{"a text of another kind", status(200, `{"text":["a"]}`), llm.KindReply, `field "text": unexpected JSON array`},
		{"plain", status(200, `hello`), llm.KindReply, "the reply cannot be read"},
		{"empty", status(200, ``), llm.KindReply, "the reply is empty"},
		{"an error in a reply", status(200, `{"error":"model is loading"}`), llm.KindReply, "an error instead of a reply: model is loading"},
		{"an error beside a text", status(200, `{"text":"What does","error":"decoder stopped"}`), llm.KindReply, "decoder stopped"},
		{"a code beside an empty text", status(200, `{"code":500,"msg":"CUDA out of memory","text":""}`), llm.KindServer, "CUDA out of memory"},
		{"a message beside an empty text", status(200, `{"text":"","error_msg":"CUDA out of memory"}`), llm.KindReply, "CUDA out of memory"},
		{
			"too much",
			func(w http.ResponseWriter, r *http.Request) { w.Write(make([]byte, 17<<20)) },
			llm.KindReply,
			"the reply has more than 16 MB",
		},
		{"breaks off", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, `{"text":`)
		}, llm.KindNetwork, "the connection was closed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := served(t, c.handle).Transcribe(t.Context(), short)
			if !llm.IsKind(err, c.kind) || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "speech whisper-1: ") {
				t.Errorf("%v\nwant one of kind %s: %s", err, c.kind, c.want)
			}
			if strings.Contains(err.Error(), key) {
				t.Errorf("the key is in %v", err)
			}
			var e *llm.Error
			if c.name == "rate" && (!errors.As(err, &e) || e.After != 7*time.Second) {
				t.Errorf("want to wait for what the server asks for: %+v", e)
			}
		})
	}
}

func status(code int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

// A server that repeats the key does not bring it into a transcript.
func TestServerKeepsTheKey(t *testing.T) {
	for _, form := range []string{`{"text":"say ` + key + `","language":"` + key + `"}`} {
		got, err := served(t, status(200, form)).Transcribe(t.Context(), short)
		if err != nil || got.Text != "say [secret]" || got.Language != "[secret]" {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

func TestServerLanguage(t *testing.T) {
	s := served(t,
		status(400,
			`{"error":{"message":"Invalid language 'yue'. Language parameter must be specified in ISO-639-1 format.","param":"language"}}`))
	r := short
	r.Language = "yue"
	_, err := s.Transcribe(t.Context(), r)
	if err == nil || !strings.HasSuffix(err.Error(), `; the language was "yue": expected one that the model knows, or "auto"`) {
		t.Error(err)
	}
}

func TestNewServer(t *testing.T) {
	for _, c := range []struct {
		o     llm.Options
		model string
		want  string
	}{
		{llm.Options{}, "", "no model: expected one such as whisper-1"},
		{llm.Options{BaseURL: "ftp://x"}, "m", `provider "openai": base URL "ftp://x": expected http:// or https:// and a host`},
		{
			llm.Options{BaseURL: "http://127.0.0.1/v1", KeyEnv: "NO_SUCH"},
			"m",
			`provider "openai": no key: the environment variable NO_SUCH is not set`,
		},
		{llm.Options{}, "whisper-1", `provider "openai": no key: the environment variable OPENAI_API_KEY is not set`},
		{llm.Options{BaseURL: "http://127.0.0.1/v1"}, "m", ""},
	} {
		switch _, err := transcribe.NewServer(c.o, c.model); {
		case c.want == "" && err != nil, c.want != "" && (err == nil || err.Error() != c.want):
			t.Errorf("%+v: %v: want %q", c.o, err, c.want)
		}
	}
}

// The address that users find in documentation is the whole one.
func TestServerAddress(t *testing.T) {
	for _, end := range []string{"", "/", "/v1", "/v1/audio/transcriptions", "/v1/chat/completions"} {
		var path atomic.Value
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			path.Store(r.URL.Path)
			io.WriteString(w, `{"text":"x"}`)
		}))
		s, err := transcribe.NewServer(llm.Options{BaseURL: srv.URL + end}, "m")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Transcribe(t.Context(), short); err != nil {
			t.Error(err)
		}
		want := "/v1/audio/transcriptions"
		if !strings.HasPrefix(end, "/v1") {
			want = "/audio/transcriptions"
		}
		if path.Load() != want {
			t.Errorf("%q: called %v: want %s", end, path.Load(), want)
		}
		srv.Close()
	}
}

func FuzzServerReply(f *testing.F) {
	for _, s := range []string{
		`{"text":"a","duration":"1.5","usage":{"input_tokens":1e99}}`,
		`{"text":"a","duration":-1,"language":7}`,
		`plain`,
		`{"error":{}}`,
		`[]`,
		"\ufeff{\"text\":\"x\\u0000\"}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		client := &http.Client{Transport: always(body)}
		s, err := transcribe.NewServer(llm.Options{BaseURL: "http://127.0.0.1/v1", HTTP: client}, "m")
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Transcribe(t.Context(), short)
		var e *llm.Error
		switch {
		case err != nil && !errors.As(err, &e):
			t.Errorf("%v: want an *llm.Error", err)
		case err == nil && (got.Duration < 0 || got.Usage.InputTokens < 0 || strings.ContainsAny(got.Text, "\x00\x1b")):
			t.Errorf("%+v", got)
		}
	})
}

type always []byte

func (a always) RoundTrip(r *http.Request) (*http.Response, error) {
	io.Copy(io.Discard, r.Body)
	return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(string(a))), Header: http.Header{}, Request: r}, nil
}
