package retrieval

import (
	"cmp"
	"iter"
	"maps"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
)

// Alike yields the expected documents that no passage names, each with the name of a passage that would be it but for the
// name's form: case, folder, address, file extension, zeros.
func Alike(graded map[string]int, passages []assay.Passage) iter.Seq2[string, string] {
	return func(yield func(label, name string) bool) {
		labels := maps.Clone(graded)
		maps.DeleteFunc(labels, func(_ string, grade int) bool { return grade < 1 })
		for _, p := range passages {
			label, _ := assay.Label(graded, p.ID, p.Document, p.Source)
			delete(labels, label)
		}
		// The last of these maps are those of names without their extension: it may be missing on one
		// side, and is otherwise that of another file.
		of := map[string]string{}
		var full, bases [2]map[string]int
		for i := range full {
			full[i], bases[i] = map[string]int{}, map[string]int{}
			for label := range labels {
				form := formOf(label)
				if bare := extension().ReplaceAllString(form, ""); i > 0 {
					if bare == form {
						continue
					}
					form = bare
				}
				base := form[strings.LastIndexAny(form, `/\`)+1:]
				of[form], of[base], full[i][form], bases[i][base] = label, label, 1, 1
			}
		}
		for _, p := range passages {
			for _, name := range []string{p.ID, p.Document, p.Source} {
				own := formOf(name)
				if _, other := graded[name]; other {
					continue // it is another document
				}
				for i, key := range []string{own, own, extension().ReplaceAllString(own, "")} {
					form, ok := assay.Label(full[i%2], key)
					if !ok {
						form, ok = assay.Label(bases[i%2], key)
						ok = ok && (!strings.ContainsAny(name, `/\`) || within(own, formOf(of[form])))
					}
					if label := of[form]; ok && (partOf(name) == partOf(label) || partOf(name) == "" || partOf(label) == "") && !yield(label, name) {
						return
					}
				}
			}
		}
	}
}

// extension matches the extension of a file of text.
var extension = lazyregexp.New(`\.(txt|text|md|markdown|rst|adoc|html?|xml|jsonl?|csv|tsv|pdf|docx?|pptx?|xlsx?|odt|rtf|epub)$`)

// within reports whether one path is the end of the other.
func within(a, b string) bool {
	return strings.HasSuffix("/"+a, "/"+b) || strings.HasSuffix("/"+b, "/"+a)
}

var (
	// addressing matches what addresses of one page, or ids with and without their kind, may differ by.
	addressing = lazyregexp.New(`^[a-z][a-z0-9+.]+://(?:www\.)?|^(?:chunk|passage|doc|document|id):|\?[^?]*=.*$|(?:/index\.html?)?/*$`)
	uuid       = lazyregexp.New(`^[0-9a-f]{32}$`)
	separators = strings.NewReplacer(`\`, "/", "_", "-", " ", "-", ".html", ".html", ".htm", ".html")
)

// formOf returns a name without its case, its form of Unicode, zeros before a number, and what
// addresses of one page may differ by.
func formOf(name string) string {
	for _, plain := range assay.Decoded(name) {
		name = plain
	}
	name = separators.Replace(strings.TrimRight(text.Fold(name), " \t\r\n"))
	if bare := strings.ReplaceAll(name, "-", ""); uuid().MatchString(bare) {
		name = bare
	}
	if strings.Contains(name, "://") {
		name, _, _ = strings.Cut(name, "#") // elsewhere it begins the number of a chunk
	}
	for short := addressing().ReplaceAllString(name, ""); short != "" && short != name; short = addressing().ReplaceAllString(name, "") {
		name = short
	}
	if strings.Trim(name, "0123456789") == "" {
		name = cmp.Or(strings.TrimLeft(name, "0"), name)
	}
	return name
}

// partOf returns which part of a document a name says, after "#" or "?"; "" if none: "a.md#3" is
// another chunk than "a.md#4".
func partOf(name string) string {
	if i := strings.IndexAny(name, "#?"); i >= 0 {
		return formOf(name[i+1:])
	}
	return ""
}
