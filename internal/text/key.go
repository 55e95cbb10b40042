package text

import "crypto/sha256"

// A Key stands for a text in a map or list of many. It takes less memory than the text, and
// the collector does not follow it: 128 bits of its SHA-256, so that two texts of one data
// set never have the same. The zero Key is that of no text.
type Key [16]byte

// KeyOf returns the key of a text.
func KeyOf(s string) Key {
	if s == "" {
		return Key{}
	}
	sum := sha256.Sum256([]byte(s))
	return Key(sum[:16])
}
