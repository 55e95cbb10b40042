package upload

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target/template"
)

// Bounds of a title that becomes a file name. Nextcloud Notes cuts titles at 100
// characters; a file name has at most 255 bytes, Nextcloud's file index allows 250, and
// the suffix usually has 4 bytes. The rest is for the " (2)" by which Notes
// distinguishes equal names.
const (
	maxNameRunes = 90
	maxNameBytes = 230
)

// names returns the title of every document: the filled-in template. If titles become
// files, the names are such that Notes does not change them (see fileName), so that a
// document can be found by its title. Names that would be equal get a mark made from
// the id, and so do "" and "0", which Notes treats as empty.
func names(docs []assay.Document, tmpl string, files bool) ([]string, error) {
	out := make([]string, len(docs))
	count := map[string]int{}
	for i, d := range docs {
		name, err := template.Text(tmpl, map[string]any{"id": d.ID, "title": d.Title, "source": d.Source, "metadata": metadata(d)})
		if err != nil {
			return nil, fmt.Errorf("title of document %q: %w", d.ID, err)
		}
		if files {
			name = fileName(name, maxNameRunes, maxNameBytes)
		}
		out[i] = name
		count[fold(name)]++
	}
	if !files {
		return out, nil
	}
	for i, d := range docs {
		if count[fold(out[i])] > 1 || out[i] == "" || out[i] == "0" {
			sum := sha256.Sum256([]byte(d.ID))
			mark := " ~" + hex.EncodeToString(sum[:4])
			out[i] = strings.TrimSpace(fileName(out[i], maxNameRunes-len(mark), maxNameBytes-len(mark)) + mark)
		}
	}
	return out, nil
}

// fold normalises a name for comparison: some file systems ignore case.
func fold(name string) string { return strings.ToLower(name) }

// illegal are the characters that Notes removes from titles.
const illegal = `*|/\:"<>?`

// fileName converts a text to a name that Notes does not change: composed (NFC), as
// Nextcloud stores file names; without characters that some systems forbid, and without
// those beyond the basic plane, which some databases cannot store; white space as
// single spaces; no dot or space at either end.
func fileName(s string, runes, bytes int) string {
	s = norm.NFC.String(strings.ToValidUTF8(s, " "))
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune(illegal, r) || r > 0xffff || !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
	s = strings.TrimLeft(strings.Join(strings.Fields(s), " "), ". ")
	n := 0
	for i, r := range s {
		if n++; n > runes || i+len(string(r)) > bytes {
			s = s[:i]
			break
		}
	}
	return strings.TrimRight(s, ". ")
}
