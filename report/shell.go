package report

import "strings"

// shellLine writes the words of a command as a shell takes them: those that hold
// more than letters, digits and plain signs stand in single quotes.
func shellLine(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if w == "" || strings.ContainsFunc(w, inShell) {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		quoted[i] = w
	}
	return strings.Join(quoted, " ")
}

// plainInShell are the signs beside letters and digits that mean nothing there.
const plainInShell = "-_=./:,@%+"

// inShell reports whether a shell could give a sign a meaning of its own.
func inShell(r rune) bool {
	plain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(plainInShell, r)
	return !plain
}
