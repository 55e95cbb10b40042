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

// Bounds of a title that becomes the name of a file. Nextcloud Notes cuts
// titles at 100 characters; a file's name has 255 bytes at most, its index of
// files 250, and the suffix is one of 4 bytes in general. Room is left for the
// " (2)" by which Notes tells two of the same name apart.
const (
	maxNameRunes = 90
	maxNameBytes = 230
)

// names gives every document the title that it is listed under: the template
// filled in. Where titles become files the names are such that Notes changes
// nothing in them (see fileName), so that a document can be found again by its
// title. Names that would be the same get a mark made of the id, and so do those
// that Notes takes for none: "" and "0".
func names(docs []assay.Document, tmpl string, files bool) ([]string, error) {
	out := make([]string, len(docs))
	count := map[string]int{}
	for i, d := range docs {
		name, err := template.Text(tmpl, map[string]any{"id": d.ID, "title": d.Title, "source": d.Source, "metadata": metadata(d)}, nil)
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

// fold is how names are compared: some file systems know no case.
func fold(name string) string { return strings.ToLower(name) }

// illegal are the characters that Notes takes out of titles.
const illegal = `*|/\:"<>?`

// fileName makes a name of a text that Notes leaves as it is: composed (NFC), as
// Nextcloud keeps the names of files; without the characters that are illegal in
// them somewhere, and those beyond the basic plane, which some databases cannot
// hold; white space as single spaces; no dot or space at either end.
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
