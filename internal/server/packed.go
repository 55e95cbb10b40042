package server

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
)

const (
	// packedFrom is the size from which a reply is compressed, in bytes.
	packedFrom = 1400
	// packedMost is the size up to which a reply is held back, so that it gets a tag.
	packedMost = 4 << 20
)

// A packer holds back the reply to a GET request. Its end gives the reply a tag and compresses it
// for clients that take that. Streams, and what is longer than packedMost, pass as they are written.
type packer struct {
	http.ResponseWriter
	r      *http.Request
	status int
	body   bytes.Buffer
	passes bool
	// zip is set while a long reply passes compressed.
	zip *gzip.Writer
}

// packed has h answer a request through a packer.
func packed(w http.ResponseWriter, r *http.Request, h http.Handler) {
	if r.Method != http.MethodGet {
		h.ServeHTTP(w, r)
		return
	}
	p := &packer{ResponseWriter: w, r: r, status: http.StatusOK}
	h.ServeHTTP(p, r)
	p.end()
}

// Unwrap returns the underlying writer.
func (p *packer) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// WriteHeader records the status, which is sent with the first byte.
func (p *packer) WriteHeader(status int) { p.status = status }

// Write holds back or passes the data.
func (p *packer) Write(b []byte) (int, error) {
	if !p.passes {
		p.body.Write(b)
		if p.body.Len() <= packedMost && !p.streams() {
			return len(b), nil
		}
		return len(b), p.pass()
	}
	if p.zip != nil {
		return p.zip.Write(b)
	}
	return p.ResponseWriter.Write(b)
}

// Flush passes what is held back.
func (p *packer) Flush() {
	if !p.passes {
		_ = p.pass() // the next Write fails too
	}
	if p.zip == nil {
		_ = http.NewResponseController(p.ResponseWriter).Flush() // as above
	}
}

func (p *packer) streams() bool {
	return strings.HasPrefix(p.Header().Get("Content-Type"), "text/event-stream")
}

// pass sends the head and what is held back, and passes the rest.
func (p *packer) pass() error {
	p.passes = true
	zips := !p.streams() && p.zips()
	p.ResponseWriter.WriteHeader(p.status)
	if zips {
		p.zip = gzip.NewWriter(p.ResponseWriter)
	}
	_, err := p.Write(p.body.Bytes())
	p.body = bytes.Buffer{}
	return err
}

// zips reports whether the reply is to be compressed, and says so in its head. The tag of a
// compressed reply is weak: its bytes are not those of the plain one.
func (p *packer) zips() bool {
	head := p.Header()
	kind, _, _ := strings.Cut(head.Get("Content-Type"), ";")
	text := strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "json") || strings.HasSuffix(kind, "xml")
	if !text || head.Get("Content-Encoding") != "" || p.body.Len() < packedFrom {
		return false
	}
	head.Add("Vary", "Accept-Encoding")
	if !takesGzip(p.r.Header.Get("Accept-Encoding")) {
		return false
	}
	head.Set("Content-Encoding", "gzip")
	head.Del("Content-Length")
	if tag := head.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") {
		head.Set("ETag", "W/"+tag)
	}
	return true
}

// takesGzip reports whether an Accept-Encoding allows gzip.
func takesGzip(accepted string) bool {
	for one := range strings.SplitSeq(accepted, ",") {
		name, q, _ := strings.Cut(strings.ReplaceAll(one, " ", ""), ";q=")
		if v, err := strconv.ParseFloat(q, 64); strings.EqualFold(name, "gzip") && (err != nil || v > 0) {
			return true
		}
	}
	return false
}

// end sends a reply that was held back.
func (p *packer) end() {
	if p.zip != nil {
		_ = p.zip.Close() // the client is gone
	}
	if p.passes {
		return
	}
	head := p.Header()
	if p.status == http.StatusOK && head.Get("ETag") == "" {
		sum := sha256.Sum256(p.body.Bytes())
		head.Set("ETag", `W/"`+hex.EncodeToString(sum[:12])+`"`)
	}
	zips := p.zips()
	if p.status == http.StatusOK && hasTag(p.r.Header.Get("If-None-Match"), head.Get("ETag")) {
		for _, name := range []string{"Content-Type", "Content-Length", "Content-Encoding"} {
			head.Del(name)
		}
		p.status, p.body = http.StatusNotModified, bytes.Buffer{}
	}
	if zips && p.body.Len() > 0 {
		var small bytes.Buffer
		z := gzip.NewWriter(&small)
		_, _ = z.Write(p.body.Bytes()) // memory
		_ = z.Close()
		p.body = small
	}
	p.ResponseWriter.WriteHeader(p.status)
	if p.body.Len() > 0 {
		_, _ = p.ResponseWriter.Write(p.body.Bytes()) // the client is gone
	}
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
