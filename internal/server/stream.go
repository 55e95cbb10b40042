package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"time"

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

func newBell() bell { return bell{make(chan struct{})} }

// ring wakes all who wait.
func (b *bell) ring() {
	close(b.c)
	b.c = make(chan struct{})
}

// LastEvent is where a stream goes on.
type LastEvent struct {
	Last string `header:"Last-Event-ID" doc:"the id of the last event that was received; the stream goes on behind it" example:"12"`
}

// A stream sends the events of one source to a client.
type stream struct {
	s   *Server
	ctx context.Context
	out *eventStream
	// pause is the minimum time between two looks at the source, so that many streams of
	// a fast one cost no more than those of a slow one.
	pause time.Duration
}

// streamed replies with a stream that follow sends. from is the number of the last event
// that the client has, 0 if it has none. The error is a problem.
func (s *Server) streamed(last string, pause time.Duration, follow func(to stream, from int64) error) (*huma.StreamResponse, error) {
	var from int64
	if last != "" {
		var err error
		if from, err = strconv.ParseInt(last, 10, 64); err != nil || from < 0 {
			return nil, wrong("header.Last-Event-ID", "want the id of an event: a whole number from 0", last)
		}
	}
	release, err := s.opened()
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		defer release()
		ctx, end := s.whileSigned(c.Context())
		defer end()
		// The client is gone or the server is stopping, so there is nobody
		// to reply to.
		_ = follow(stream{s, ctx, newEventStream(c), pause}, from)
	}}, nil
}

// follow sends events until their source has ended. step adds what is new. here reports
// whether the source is of this process; changed is closed when it has more.
func (f *stream) follow(step func() (ended, here bool, changed <-chan struct{}, err error)) error {
	heart := time.NewTicker(f.s.cfg.Heartbeat)
	defer heart.Stop()
	look := time.NewTicker(f.s.cfg.Look)
	defer look.Stop()
	for {
		ended, here, changed, err := step()
		if err = cmp.Or(err, f.ctx.Err()); err == nil {
			err = f.out.send()
		}
		if err != nil || ended {
			return err
		}
		if !f.wait(here, changed, heart.C, look.C) {
			return f.out.send()
		}
		if changed == (<-chan struct{})(atOnce) {
			continue // a stream that is behind catches up
		}
		select {
		case <-time.After(f.pause):
		case <-f.ctx.Done():
		}
	}
}

// wait waits until there may be more; false means that the stream ends.
func (f *stream) wait(here bool, changed <-chan struct{}, heart, look <-chan time.Time) bool {
	if here {
		look = nil
	}
	for {
		select {
		case <-changed:
			return true
		case <-look:
			return true
		case <-heart:
			f.out.beat()
			if f.out.send() != nil {
				return false
			}
		case <-f.ctx.Done():
			return false
		case <-f.s.stopping:
			return false
		}
	}
}
