package llm

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// An Uploader sends files to a server that speaks the protocol of OpenAI, for
// what is no completion: a recording that is to be transcribed. It has the
// address, the key and the ways to fail of the provider "openai".
type Uploader struct{ transport }

// OpenUploader makes one. end is the path below the base address that is called,
// such as "audio/transcriptions"; a base address that ends in it loses it. It
// makes no call; the errors are those of [Open].
func OpenUploader(o Options, end string) (*Uploader, error) {
	t, err := openai.reach(o, "/"+strings.Trim(end, "/"))
	if err != nil {
		return nil, err
	}
	return &Uploader{t}, nil
}

// Post makes one call with a body of that type and length, and returns the body
// of its reply, 16 MB at most, and the reply's type. An error is ctx's, or an
// *[Error] as a provider gives it.
func (u *Uploader) Post(
	ctx context.Context, model, path, contentType string, body io.Reader, length int64,
) (reply []byte, replyType string, err error) {
	a, err := u.send(ctx, model, path, contentType, body, length)
	if err != nil {
		return nil, "", err
	}
	return a.body, a.header.Get("Content-Type"), nil
}

// Decode reads the JSON body of a reply, which has the field payload, as a
// provider reads its own: what is not JSON, or is JSON of an error, is an
// *[Error].
func (u *Uploader) Decode(model string, body []byte, payload string, into any) error {
	return u.read(model, answer{body, http.Header{}}, payload, func(body []byte) error { return json.Unmarshal(body, into) })
}

// Fail makes an *[Error] of the kind, without the key.
func (u *Uploader) Fail(model string, k Kind, message string) *Error {
	return u.fail(model, k, message)
}

// Scrub takes the key out of a text.
func (u *Uploader) Scrub(s string) string { return u.key.Scrub(s) }
