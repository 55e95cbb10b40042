package target

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/internal/text"
)

const (
	// maxShown bounds how much of a body a watcher sees, in characters.
	maxShown = 4 << 10
	// maxSeen bounds how much is kept for it. It is larger than maxShown, so that no
	// part of a secret remains at the cut.
	maxSeen = 64 << 10
)

// Shown shows a request, with its credentials hidden and its body indented.
func Shown(req *http.Request, body []byte, secrets secret.Set) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", req.Method, req.URL.Redacted())
	if req.Host != req.URL.Host {
		fmt.Fprintf(&b, "Host: %s\n", req.Host)
	}
	for _, name := range slices.Sorted(maps.Keys(req.Header)) {
		for _, value := range req.Header[name] {
			if secret.Header(name) {
				value = "[secret]"
			}
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	if body == nil {
		return text.Visible(secrets.Scrub(b.String()))
	}
	var indented bytes.Buffer
	if json.Indent(&indented, body, "", "  ") == nil {
		body = indented.Bytes()
	}
	return text.Visible(secrets.Scrub(b.String())) + "\n" + text.Visible(text.Shorten(secrets.Scrub(string(body)), maxShown))
}

// httpReceived shows a reply as far as it was read.
func httpReceived(resp *http.Response, body *httpBody, secrets secret.Set) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", resp.Proto, resp.Status)
	for _, name := range []string{"Content-Type", "Content-Encoding", "Location", "Retry-After"} {
		if value := resp.Header.Get(name); value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	head := text.Visible(secrets.Scrub(b.String()))
	if len(body.seen) == 0 {
		return head
	}
	shown := text.Visible(secrets.Scrub(string(body.seen)))
	if cut := text.Shorten(shown, maxShown); cut != shown {
		shown = fmt.Sprintf("%s (%d bytes were read)", cut, body.read)
	}
	return head + "\n" + shown
}
