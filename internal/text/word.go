package text

import (
	"iter"
	"unicode/utf8"
)

// Words yields the words of s from left to right: what stands between characters that no
// word has and, since they have no spaces between words, every two neighbouring CJK
// characters. A word is yielded as often as it stands there.
func Words(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		word, previous := -1, -1 // where the word, and the CJK character before, begin
		for i, r := range s {
			switch {
			case isWord(r):
				if word < 0 {
					word = i
				}
				previous = -1
				continue
			case word >= 0:
				if !yield(s[word:i]) {
					return
				}
				word = -1
			}
			if !IsCJK(r) {
				previous = -1
				continue
			}
			if previous >= 0 && !yield(s[previous:i+utf8.RuneLen(r)]) {
				return
			}
			previous = i
		}
		if word >= 0 {
			yield(s[word:])
		}
	}
}

// HasWord reports whether a word occurs in s: one with a CJK character anywhere, another
// without an adjacent letter, digit or underscore. It is so for all of [Words].
func HasWord(s, word string) bool { return word != "" && occurs(s, word, isOne) }

// BeginsWith reports whether a word is the first of [Words].
func BeginsWith(s, word string) bool {
	for first := range Words(s) {
		return first == word
	}
	return false
}
