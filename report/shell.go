package report

import "strings"

// shellLine joins the words of a command for a shell. Words with other characters than
// letters, digits and [plainInShell] are put in single quotes.
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

// plainInShell are the characters besides letters and digits that have no meaning in a
// shell.
const plainInShell = "-_=./:,@%+"

// inShell reports whether a character could have a meaning in a shell.
func inShell(r rune) bool {
	plain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(plainInShell, r)
	return !plain
}
