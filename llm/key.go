package llm

import (
	"bytes"
	"encoding/json"

	"github.com/assay-eval/assay/internal/callkey"
)

// keyVersion is part of every key. A change to the content of keys needs a new version
// and invalidates every ledger.
const keyVersion = "assay.call/1"

// DefaultMaxTokens is the token limit of a reply if the request sets none.
const DefaultMaxTokens = 4096

// keyed is the content of a key: everything that a reply depends on. It excludes the
// address of the server, because a replay must work in CI and wherever the same model has another
// address. Where two servers of one name get the same request, see atServer.
type keyed struct {
	Version  string `json:"version"`
	Provider string `json:"provider"`
	Request
}

// Key returns the key of a request to a provider, and the text whose SHA-256 it is:
// canonical JSON with sorted fields, normalized numbers and no spaces, so equal
// requests have equal keys. A MaxTokens of 0 means [DefaultMaxTokens]. Invalid UTF-8 is
// replaced by U+FFFD, as in the request that is sent.
//
// The order of the fields in a schema does not affect the key. Key returns an error if
// the request cannot be encoded as JSON.
func Key(provider string, r Request) (key string, request json.RawMessage, err error) {
	if r.MaxTokens == 0 {
		r.MaxTokens = DefaultMaxTokens
	}
	if len(r.Extra) == 0 {
		r.Extra = nil
	}
	if r.Messages == nil {
		r.Messages = []Message{}
	}
	text, err := json.Marshal(keyed{Version: keyVersion, Provider: provider, Request: r})
	if err != nil {
		return "", nil, err
	}
	request, err = callkey.Canonical(text)
	if err != nil {
		return "", nil, err
	}
	return callkey.Of(request), request, nil
}

// atServer returns the key of a request to one of several servers, and the text that it is the hash of. The first server to
// reply is under the key of the request itself.
func atServer(request json.RawMessage, address string) (key string, text json.RawMessage, err error) {
	var fields map[string]any
	dec := json.NewDecoder(bytes.NewReader(request))
	dec.UseNumber()
	if err := dec.Decode(&fields); err != nil {
		return "", nil, err
	}
	fields["server"] = address
	if text, err = json.Marshal(fields); err == nil {
		text, err = callkey.Canonical(text)
	}
	return callkey.Of(text), text, err
}
