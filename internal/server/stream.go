package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"
)

// eventStreamType is the media type of a stream of events.
const eventStreamType = "text/event-stream"

// sends describes a stream in the API: every event with its data, which is one line of JSON.
func (s *Server) sends(events map[string]any) func(*huma.Operation) {
	stream := &huma.Schema{}
	for _, name := range slices.Sorted(maps.Keys(events)) {
		data := s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeOf(events[name]), true, "")
		stream.OneOf = append(stream.OneOf, &huma.Schema{
			Title: name, Type: huma.TypeObject, Required: []string{"event", "data"},
			Properties: map[string]*huma.Schema{
				"event": {Type: huma.TypeString, Enum: []any{name}},
				"id":    {Type: huma.TypeString},
				"data":  {Type: huma.TypeString, Extensions: map[string]any{"contentMediaType": "application/json", "contentSchema": data}},
			},
		})
	}
	return gives(map[string]*huma.Response{"200": {
		Description: "Server-sent events; the data of each is one line of JSON.",
		Content:     map[string]*huma.MediaType{eventStreamType: {Schema: stream}},
	}})
}

// An eventStream writes server-sent events.
type eventStream struct {
	ctx huma.Context
	buf bytes.Buffer
}

// reconnect is the time after which a client makes a broken connection again, in milliseconds.
// Browsers take 3 s if the server names none, and those who watch a run would be as far behind
// it after a restart of the server.
const reconnect = 500

func newEventStream(ctx huma.Context) *eventStream {
	ctx.SetHeader("Content-Type", eventStreamType)
	// Keep proxies from buffering.
	ctx.SetHeader("X-Accel-Buffering", "no")
	ctx.SetStatus(http.StatusOK)
	e := &eventStream{ctx: ctx}
	fmt.Fprintf(&e.buf, "retry: %d\n\n", reconnect)
	return e
}

// add buffers an event with its data; id may be "".
func (e *eventStream) add(event, id string, data any) error {
	text, err := eventText(event, id, data)
	e.buf.Write(text)
	return err
}

// eventText encodes an event.
func eventText(event, id string, data any) ([]byte, error) {
	text, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if id != "" {
		b.WriteString("id: " + id + "\n")
	}
	b.WriteString("event: " + event + "\ndata: ")
	b.Write(text)
	b.WriteString("\n\n")
	return b.Bytes(), nil
}

// beat buffers a comment as a heartbeat.
func (e *eventStream) beat() { e.buf.WriteString(": still here\n\n") }

// send flushes the buffer. It fails when the client is gone or stops reading.
func (e *eventStream) send() error {
	if e.buf.Len() == 0 {
		return nil
	}
	_, err := e.ctx.BodyWriter().Write(e.buf.Bytes())
	if e.buf.Cap() > 1<<20 {
		e.buf = bytes.Buffer{}
	}
	e.buf.Reset()
	if f, ok := e.ctx.BodyWriter().(http.Flusher); ok && err == nil {
		f.Flush()
	}
	return err
}

// atOnce is closed, for streams that need not wait.
var atOnce = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// A bell wakes those who wait for its channel to be closed. Its owner's lock guards it.
type bell struct{ c chan struct{} }

// ring wakes all who wait.
func (b *bell) ring() {
	close(b.c)
	b.c = make(chan struct{})
}
