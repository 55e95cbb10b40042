// Package words is the catalogue of the text in reports: titles, headings of tables,
// sentences. A method of [Words] is a message of package message with its values. Numbers,
// names and ids are passed in as they are to be shown.
package words

import (
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/message"
)

// Words says everything that a report says, in one language.
type Words struct{ *message.Language }

// v holds the values of a message.
type v = message.V

// English and TraditionalChinese are the words of the two languages.
var (
	English            = Words{message.English}
	TraditionalChinese = Words{message.TraditionalChinese}
)

// All lists the languages, the default first.
var All = []Words{English, TraditionalChinese}

// Findings returns the findings as sentences.
func Findings(w Words, list []gate.Finding) []string {
	var out []string
	for _, f := range list {
		out = append(out, f.In(w))
	}
	return out
}

// In returns the words of a language by its code. ok is false if there is none; w is
// then the default, as for "".
func In(language string) (w Words, ok bool) {
	for _, w := range All {
		if w.Code == language {
			return w, true
		}
	}
	return All[0], language == ""
}

// told says the message of a group by a name, or else that of "other"; data is what both see.
func (w Words) told(group, name string, data any) string {
	if !w.Has(group + "." + name) {
		name = "other"
	}
	return w.Say(group+"."+name, data)
}

// add adds what a message says to a list if there is something to say.
func (w Words) add(list *[]string, something bool, name string, data any) {
	if something {
		*list = append(*list, w.Say(name, data))
	}
}
