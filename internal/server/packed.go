package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzhttp"
)

const (
	// packedFrom is the size from which a reply is compressed, in bytes.
	packedFrom = 1400
	// packedMost is the size up to which a reply is held back, so that it gets a tag.
	packedMost = 4 << 20
)

// compressed compresses the texts that a handler replies with, for clients that take that.
var compressed = sync.OnceValue(func() func(http.Handler) http.HandlerFunc {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(packedFrom), gzhttp.EnableZstd(false), gzhttp.ContentTypeFilter(func(kind string) bool {
		kind = mediaType(kind)
		return kind != eventStreamType && (strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "json") || strings.HasSuffix(kind, "xml"))
	}))
	if err != nil { // the options are constants
		panic(err)
	}
	return wrap
})

// packed has h answer a request. Replies to GET requests get a tag and are compressed. Tags are weak:
// the bytes of a compressed reply are not those of the plain one.
func packed(w http.ResponseWriter, r *http.Request, h http.Handler) {
	if r.Method != http.MethodGet {
		h.ServeHTTP(w, r)
		return
	}
	compressed()(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t := &tagger{ResponseWriter: w, r: r, status: http.StatusOK}
		h.ServeHTTP(t, r)
		t.end()
	})).ServeHTTP(w, r)
}

// A tagger holds back a reply, to give it a tag at its end. Streams, and what is longer than
// packedMost, pass as they are written.
type tagger struct {
	http.ResponseWriter
	r      *http.Request
	status int
	body   bytes.Buffer
	passes bool
}

// Unwrap returns the underlying writer.
func (t *tagger) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// WriteHeader records the status, which is sent with the first byte.
func (t *tagger) WriteHeader(status int) { t.status = status }

// Write holds back or passes the data.
func (t *tagger) Write(b []byte) (int, error) {
	if t.passes {
		return t.ResponseWriter.Write(b)
	}
	t.body.Write(b)
	if t.body.Len() <= packedMost && !strings.HasPrefix(t.Header().Get("Content-Type"), eventStreamType) {
		return len(b), nil
	}
	return len(b), t.pass()
}

// Flush passes what is held back.
func (t *tagger) Flush() {
	if !t.passes {
		_ = t.pass() // the next Write fails too
	}
	_ = http.NewResponseController(t.ResponseWriter).Flush() // as above
}

// pass sends the head and what is held back, and passes the rest.
func (t *tagger) pass() error {
	t.passes = true
	// Handlers that set Vary replace what compressed has added.
	if vary := "Accept-Encoding"; !slices.Contains(t.Header().Values("Vary"), vary) {
		t.Header().Add("Vary", vary)
	}
	t.ResponseWriter.WriteHeader(t.status)
	if t.body.Len() == 0 {
		return nil
	}
	_, err := t.ResponseWriter.Write(t.body.Bytes())
	t.body = bytes.Buffer{}
	return err
}

// end sends a reply that was held back.
func (t *tagger) end() {
	if t.passes {
		return
	}
	head := t.Header()
	if t.status == http.StatusOK && head.Get("ETag") == "" {
		sum := sha256.Sum256(t.body.Bytes())
		head.Set("ETag", `W/"`+hex.EncodeToString(sum[:12])+`"`)
	}
	if t.status == http.StatusOK && hasTag(t.r.Header.Get("If-None-Match"), head.Get("ETag")) {
		head.Del("Content-Type")
		head.Del("Content-Length")
		t.status, t.body = http.StatusNotModified, bytes.Buffer{}
	}
	_ = t.pass() // the client is gone
}

// hasTag reports whether an If-None-Match names a tag. Tags are compared weakly.
func hasTag(list, tag string) bool {
	for one := range strings.SplitSeq(list, ",") {
		if one = strings.TrimPrefix(strings.TrimSpace(one), "W/"); one == "*" || one == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}
