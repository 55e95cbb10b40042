package llm

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// An Uploader sends files, such as recordings to transcribe, to a server that speaks
// OpenAI's protocol. Address, key and errors work as for the provider "openai".
type Uploader struct{ transport }

// OpenUploader returns an Uploader. end is the path of the endpoint below the base URL,
// such as "audio/transcriptions"; it is removed from a base URL that ends in it.
// OpenUploader makes no call; its errors are those of [Open].
func OpenUploader(o Options, end string) (*Uploader, error) {
	t, err := openai.reach(o, "/"+strings.Trim(end, "/"))
	if err != nil {
		return nil, err
	}
	return &Uploader{t}, nil
}

// Post makes one call with a body of the given content type and length. It returns the
// body of the reply, at most 16 MB, and its content type. The error is ctx's or an
// *[Error], as for a provider.
func (u *Uploader) Post(
	ctx context.Context, model, path, contentType string, body io.Reader, length int64,
) (reply []byte, replyType string, err error) {
	a, err := u.send(ctx, model, path, contentType, body, length)
	if err != nil {
		return nil, "", err
	}
	return a.body, a.header.Get("Content-Type"), nil
}

// Decode decodes the JSON body of a reply, which must have the field payload, into
// into. A body that is not JSON, or that is an error object, yields an *[Error].
func (u *Uploader) Decode(model string, body []byte, payload string, into any) error {
	return u.read(model, answer{body, http.Header{}}, payload, func(body []byte) error { return json.Unmarshal(body, into) })
}

// Fail returns an *[Error] of kind k, with the key removed from message.
func (u *Uploader) Fail(model string, k Kind, message string) *Error {
	return u.fail(model, k, message)
}

// Scrub removes the key from s.
func (u *Uploader) Scrub(s string) string { return u.key.Scrub(s) }
