//go:build unix

package main

import (
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

// vocabulary is o200k_base, that of OpenAI's models of 2024 and later.
var vocabulary = sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) })

// tokens counts the tokens of a text.
func tokens(text string) (int, error) {
	v, err := vocabulary()
	if err != nil {
		return 0, err
	}
	return v.Count(text)
}
