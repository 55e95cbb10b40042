package server

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/assay-eval/assay/internal/redact"
	"github.com/assay-eval/assay/spans"
)

// traces adds the receiver of OTLP over HTTP: what an exporter of OpenTelemetry sends to the
// server as its endpoint. It is no operation of the API, since the protocol has errors and
// content types of its own.
func (s *Server) traces() {
	s.page("POST /v1/traces", ScopeRun, http.HandlerFunc(s.receiveTraces))
}

// maxSpans bounds a request of spans after it is unpacked, in bytes.
const maxSpans = 64 << 20

// Codes of google.rpc.Code, which errors of OTLP have.
const (
	codeInvalid     = 3
	codeExhausted   = 8
	codeUnavailable = 14
)

// receiveTraces stores the spans of a request, redacted, all or none. They are durable before
// the reply.
// A request that is sent again, as exporters do when a reply is lost, adds spans that are
// there already: whoever reads them takes each once.
func (s *Server) receiveTraces(w http.ResponseWriter, r *http.Request) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	binary := kind == "application/x-protobuf"
	reply := otlpReply{w, binary}
	switch {
	case err != nil || !binary && kind != "application/json":
		reply.fail(http.StatusUnsupportedMediaType, codeInvalid, "expected Content-Type application/x-protobuf or application/json")
		return
	case s.stopped():
		w.Header().Set("Retry-After", "5")
		reply.fail(http.StatusServiceUnavailable, codeUnavailable, "the server is stopping")
		return
	}
	body, err := unpacked(r)
	if err != nil {
		status, code := http.StatusBadRequest, codeInvalid
		switch {
		case errors.Is(err, errTooLarge):
			status, code = http.StatusRequestEntityTooLarge, codeExhausted
		case errors.Is(err, errRefused):
			w.Header().Set("Retry-After", "1")
			status, code = http.StatusServiceUnavailable, codeUnavailable
		case errors.Is(err, errEncoding):
			status = http.StatusUnsupportedMediaType
		}
		reply.fail(status, code, err.Error())
		return
	}
	if len(body) > smallBody {
		// What is packed counts as it is unpacked: a decoded body takes many times its size.
		release, err := take(r.Context(), s.unpacking)
		if err != nil {
			return // the client is gone
		}
		defer release()
	}
	read := spans.JSON
	if binary {
		read = spans.Protobuf
	}
	list, err := read(body)
	if err != nil {
		reply.fail(http.StatusBadRequest, codeInvalid, err.Error())
		return
	}
	redacted := redact.Counts{}
	for i := range list {
		s.cfg.Redact.Span(&list[i], redacted)
	}
	if len(list) > 0 {
		err = s.keepSpans(r, list)
	}
	if err != nil {
		s.meters.failures.Inc()
		s.log.ErrorContext(r.Context(), "spans cannot be stored", "error", err)
		w.Header().Set("Retry-After", "5")
		reply.fail(http.StatusServiceUnavailable, codeUnavailable, "the store cannot take the spans; see the server's log")
		return
	}
	s.meters.spans.Add(float64(len(list)))
	for rule, n := range redacted {
		s.meters.redacted.WithLabelValues(rule).Add(float64(n))
	}
	reply.succeed()
}

func (s *Server) keepSpans(r *http.Request, list []spans.Span) error {
	batch, err := json.Marshal(list)
	if err != nil {
		return err
	}
	id, err := s.newID()
	if err != nil {
		return err
	}
	return s.store.PutSpans(r.Context(), id, batch, s.now())
}

var errEncoding = errors.New("expected Content-Encoding gzip, or none")

// unpacked reads the body of a request.
func unpacked(r *http.Request) ([]byte, error) {
	in := io.Reader(r.Body)
	switch strings.ToLower(r.Header.Get("Content-Encoding")) {
	case "", "identity":
	case "gzip":
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		in = io.LimitReader(z, maxSpans+1)
	default:
		return nil, errEncoding
	}
	b, err := io.ReadAll(in)
	if err == nil && len(b) > maxSpans {
		err = errTooLarge
	}
	return b, err
}

// An otlpReply answers an exporter in the content type of its request.
type otlpReply struct {
	w      http.ResponseWriter
	binary bool
}

// succeed sends an empty ExportTraceServiceResponse.
func (o otlpReply) succeed() { o.send(http.StatusOK, nil, []byte("{}")) }

// fail sends a google.rpc.Status.
func (o otlpReply) fail(status, code int, message string) {
	var b []byte
	b = protowire.AppendVarint(protowire.AppendTag(b, 1, protowire.VarintType), uint64(code))
	b = protowire.AppendString(protowire.AppendTag(b, 2, protowire.BytesType), message)
	text, err := json.Marshal(map[string]any{"code": code, "message": message})
	if err != nil { // a number and a text cannot fail
		text = []byte("{}")
	}
	o.send(status, b, text)
}

func (o otlpReply) send(status int, binary, text []byte) {
	kind, body := "application/json", text
	if o.binary {
		kind, body = "application/x-protobuf", binary
	}
	o.w.Header().Set("Content-Type", kind)
	o.w.WriteHeader(status)
	// Ignore clients that are gone.
	_, _ = o.w.Write(body)
}
