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
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay/store"
)

// A Scope is the permission of a token. Each includes the weaker ones.
type Scope string

// The scopes. ScopeNone is for operations that need no token.
const (
	ScopeNone  Scope = "none"
	ScopeRead  Scope = "read"
	ScopeLabel Scope = "label"
	ScopeRun   Scope = "run"
	ScopeAdmin Scope = "admin"
)

// Scopes lists the scopes of tokens, weakest first.
var Scopes = []Scope{ScopeRead, ScopeLabel, ScopeRun, ScopeAdmin}

// Covers reports whether the scope includes another.
func (s Scope) Covers(need Scope) bool { return s.rank() >= need.rank() }

func (s Scope) rank() int { return slices.Index(append([]Scope{ScopeNone}, Scopes...), s) }

// A Token is the stored form of a token. The token cannot be derived from it.
type Token struct {
	ID      string    `json:"id"`
	Name    string    `json:"name,omitempty"`
	Scope   Scope     `json:"scope"`
	Created time.Time `json:"created"`
	// Expires is the zero time for a token that does not expire.
	Expires time.Time `json:"expires,omitzero"`
	// Hash is the SHA-256 of the secret, in hexadecimal.
	Hash string `json:"hash"`
}

// tokenPrefix lets secret scanners recognise tokens.
const tokenPrefix = "assay_"

// NewToken creates a token with the id, which must be a UUID, and stores its hash.
// The token itself is returned once and not stored. It has 256 random bits, so that
// a plain hash suffices. An unknown scope is an error.
func NewToken(ctx context.Context, s *store.Store, t Token, random io.Reader) (string, error) {
	if t.Scope.rank() < 1 {
		return "", fmt.Errorf("scope %q: expected one of %q", t.Scope, Scopes)
	}
	var secret [32]byte
	if _, err := io.ReadFull(random, secret[:]); err != nil {
		return "", fmt.Errorf("new token: %w", err)
	}
	text := tokenPrefix + strings.ReplaceAll(t.ID, "-", "") + "_" + base64.RawURLEncoding.EncodeToString(secret[:])
	t.Hash = hashed(text)
	body, err := json.Marshal(t)
	if err != nil {
		return "", fmt.Errorf("new token: %w", err)
	}
	return text, s.CreateItem(
		ctx, store.Item{Kind: store.KindToken, ID: t.ID, Name: t.Name, Created: t.Created, Updated: t.Created, Body: body},
	)
}

// Tokens lists the stored tokens, latest first.
func Tokens(ctx context.Context, s *store.Store) ([]Token, error) {
	items, _, err := s.Items(ctx, store.KindToken, store.ItemQuery{})
	if err != nil {
		return nil, err
	}
	tokens := make([]Token, 0, len(items))
	for _, it := range items {
		t, err := readToken(ctx, s, it.ID)
		if errors.Is(err, store.ErrNotFound) {
			continue // revoked meanwhile
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

// errToken is an invalid token: unknown, revoked, expired or malformed.
var errToken = errors.New("invalid token")

// verify finds the token of a text. Its timing reveals nothing about the secret:
// the look-up uses the public half, and hashes are compared in constant time, also
// when there is no such token.
func verify(ctx context.Context, s *store.Store, text string, now time.Time) (Token, error) {
	id, ok := tokenID(text)
	var t Token
	if ok {
		var err error
		if t, err = readToken(ctx, s, id); err != nil && !errors.Is(err, store.ErrNotFound) {
			return Token{}, err
		}
	}
	same := subtle.ConstantTimeCompare([]byte(hashed(text)), []byte(t.Hash)) == 1
	if !ok || !same || !t.Expires.IsZero() && now.After(t.Expires) {
		return Token{}, errToken
	}
	return t, nil
}

// tokenID returns the public half of a token.
func tokenID(text string) (string, bool) {
	rest, ok := strings.CutPrefix(text, tokenPrefix)
	id, secret, two := strings.Cut(rest, "_")
	if !ok || !two || len(id) != 32 || secret == "" {
		return "", false
	}
	id = id[:8] + "-" + id[8:12] + "-" + id[12:16] + "-" + id[16:20] + "-" + id[20:]
	return id, isID(id)
}

// hashed returns the SHA-256 of a text, in hexadecimal.
func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
