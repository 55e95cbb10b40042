package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/assay-eval/assay/store"
)

// A Scope is what a token is good for. Each includes those before it.
type Scope string

// The scopes. ScopeNone is of what needs no token.
const (
	ScopeNone  Scope = "none"
	ScopeRead  Scope = "read"
	ScopeRun   Scope = "run"
	ScopeAdmin Scope = "admin"
)

// Scopes lists those that a token can have, the weakest first.
var Scopes = []Scope{ScopeRead, ScopeRun, ScopeAdmin}

// Covers reports whether a token of the scope may do what needs the other.
func (s Scope) Covers(need Scope) bool { return s.rank() >= need.rank() }

func (s Scope) rank() int {
	for i, other := range append([]Scope{ScopeNone}, Scopes...) {
		if s == other {
			return i
		}
	}
	return -1
}

// A Token is what is kept of one: nothing that it could be made from.
type Token struct {
	ID      string    `json:"id"`
	Name    string    `json:"name,omitempty"`
	Scope   Scope     `json:"scope"`
	Created time.Time `json:"created"`
	// Expires is the zero time for a token that does not.
	Expires time.Time `json:"expires,omitzero"`
	// Hash is the SHA-256 of the secret, in hexadecimal.
	Hash string `json:"hash"`
}

// tokenPrefix lets scanners of repositories find tokens.
const tokenPrefix = "assay_"

// NewToken makes a token of the id and keeps its hash. The token itself is
// returned once and kept nowhere: 256 random bits, which no dictionary has, so
// that a plain hash is enough. Its id must be a UUID. A scope that does not exist
// is an error.
func NewToken(ctx context.Context, s *store.Store, t Token, random io.Reader) (string, error) {
	if t.Scope.rank() < 1 {
		return "", fmt.Errorf("scope %q: want one of %q", t.Scope, Scopes)
	}
	var secret [32]byte
	if _, err := io.ReadFull(random, secret[:]); err != nil {
		return "", fmt.Errorf("new token: %w", err)
	}
	text := tokenPrefix + strings.ReplaceAll(t.ID, "-", "") + "_" + base64.RawURLEncoding.EncodeToString(secret[:])
	t.Hash = hashToken(text)
	body, err := json.Marshal(t)
	if err != nil {
		return "", fmt.Errorf("new token: %w", err)
	}
	return text, s.CreateItem(ctx, store.Item{Kind: store.KindToken, ID: t.ID, Name: t.Name, Created: t.Created, Updated: t.Created, Body: body})
}

// Tokens lists the tokens that are kept, the latest first.
func Tokens(ctx context.Context, s *store.Store) ([]Token, error) {
	items, _, err := s.Items(ctx, store.KindToken, store.ItemQuery{})
	if err != nil {
		return nil, err
	}
	tokens := make([]Token, 0, len(items))
	for _, it := range items {
		t, err := readToken(ctx, s, it.ID)
		if errors.Is(err, store.ErrNotFound) {
			continue // it was revoked just now
		}
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, t)
	}
	return tokens, nil
}

func readToken(ctx context.Context, s *store.Store, id string) (Token, error) {
	it, err := s.Item(ctx, store.KindToken, id)
	if err != nil {
		return Token{}, err
	}
	var t Token
	if err := json.Unmarshal(it.Body, &t); err != nil {
		return Token{}, fmt.Errorf("token %q: %w", id, err)
	}
	return t, nil
}

// errToken is a token that is not good: unknown, revoked, expired or no token.
var errToken = errors.New("the token is not good")

// verify finds the token behind a text. How long it takes tells nothing of the
// secret: what is looked up is the public half, and hashes are compared in
// constant time, one that stands for no token included.
func verify(ctx context.Context, s *store.Store, text string, now time.Time) (Token, error) {
	id, ok := tokenID(text)
	var t Token
	if ok {
		var err error
		if t, err = readToken(ctx, s, id); err != nil && !errors.Is(err, store.ErrNotFound) {
			return Token{}, err
		}
	}
	same := subtle.ConstantTimeCompare([]byte(hashToken(text)), []byte(t.Hash)) == 1
	if !ok || !same || !t.Expires.IsZero() && now.After(t.Expires) {
		return Token{}, errToken
	}
	return t, nil
}

// tokenID gives the public half of a token.
func tokenID(text string) (string, bool) {
	rest, ok := strings.CutPrefix(text, tokenPrefix)
	id, secret, two := strings.Cut(rest, "_")
	if !ok || !two || len(id) != 32 || secret == "" {
		return "", false
	}
	id = id[:8] + "-" + id[8:12] + "-" + id[12:16] + "-" + id[16:20] + "-" + id[20:]
	return id, isID(id)
}

func hashToken(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
