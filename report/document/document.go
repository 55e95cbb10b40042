// Package document holds the content of a report as values: sections of
// paragraphs, tables, lists and plots. Package report builds a document once; each
// format renders it. Texts are unescaped, as datasets and systems gave them: each
// format escapes them.
package document

import (
	"iter"

	"github.com/assay-eval/assay/report/draw"
)

// Views are ways to show a document. Values without a view are part of every view.
type Views uint8

// The views: a short one for a terminal, a text to read from top to bottom, and a
// page with plots and a table of cases.
const (
	Glance Views = 1 << iota
	Reading
	Page
)

// In reports whether a value with these views is part of one.
func (v Views) In(one Views) bool { return v == 0 || v&one != 0 }

func (v Views) views() Views { return v }

// A Document is the report of a run or a comparison of runs.
type Document struct {
	// Kicker is the kind of document, Title its subject.
	Kicker, Title string
	// Headline is a line of a few parts, Status is the line below it.
	Headline []Text
	Status   Text
	// Facts are at the top of a text, Cards at the top of a page.
	Facts    []Fact
	Cards    []Card
	Sections []Section
	// Saved says on a terminal where the whole report is.
	Saved string
	// Tight leaves out the blank lines after the head and before Saved on a terminal.
	Tight bool
	// More says that n are left out: "… and 3 more".
	More func(n int) string
	// Colon stands between a name and what follows: ": ".
	Colon string
	// Language is the code of the document's language.
	Language string
}

// A Card is one figure at the top of a page.
type Card struct {
	Name, Value, Note string
	Mark              Mark
}

// A Section is a part of a document.
type Section struct {
	ID, Title string
	// Nav is the name of the section in a list of links; "" means the title.
	Nav string
	// Word is a verdict beside the title.
	Word   *Span
	Blocks []Block
	Views  Views
	// Bare are the views without the title.
	Bare Views
	// Sub marks a part of the section before it.
	Sub bool
}

// A Block is a part of a section.
type Block interface{ views() Views }

// Kind is the purpose of a paragraph.
type Kind uint8

// The kinds of paragraphs: plain text, a finding, and an explanation.
const (
	Plain Kind = iota
	Finding
	Note
)

// A Paragraph is one or more sentences.
type Paragraph struct {
	Kind Kind
	Text Text
	Views
}

// A List has items, which may have items of their own.
type List struct {
	Items   []Item
	Ordered bool
	// Label begins each item on a terminal, which has no lists.
	Label string
	Kind  Kind
	Views
}

// An Item is one of a [List].
type Item struct {
	Text Text
	Sub  []Text
}

// Lines are lines of a terminal, each cut to its width.
type Lines struct {
	Lines []string
	Views
}

// Facts are named values.
type Facts struct {
	Items []Fact
	Views
}

// A Fact is a named value of one or more lines.
type Fact struct {
	Name  string
	Lines []Text
	// Verdict is put before the lines.
	Verdict *Span
	// Hang indents the rest of a line that is broken.
	Hang bool
}

// A Figure is a plot.
type Figure struct {
	Plot draw.Plot
	Views
}

// A Fold hides blocks until it is opened.
type Fold struct {
	Title  string
	Blocks []Block
	Views
}

// Beside puts blocks side by side if there is room.
type Beside struct {
	Blocks []Block
	Views
}

// A Labelled is a named part of a case: a text, and blocks below it.
type Labelled struct {
	Label  string
	Text   Text
	Blocks []Block
	Views
}

// A Quote is a text of several lines as it was given.
type Quote struct {
	Text string
	Role Role
	// Cites is how many passages the text may cite, as "[1]".
	Cites int
	// Marks are the words of claims.
	Marks []Highlight
	Views
}

// A Role is what a quoted text is.
type Role string

// The roles: prose without a role of its own, the question and the answer of a
// case, and a text whose spaces count, such as a prompt.
const (
	Prose    Role = ""
	Question Role = "question"
	Answer   Role = "answer"
	Verbatim Role = "verbatim"
)

// Passages are excerpts of documents, in the order of their ranks.
type Passages struct {
	Items []Passage
	// Left is how many are left out.
	Left int
	// Cited is set for those that an answer cites by rank.
	Cited bool
	Views
}

// A Passage is an excerpt of a document. Each part but the text may be "".
type Passage struct {
	Text, Name, Title, Score string
	// Relevance says whether it is relevant by the labels; Mark is Good if so.
	Relevance string
	Mark      Mark
	Note      string
	// Marks are the words that rulings rest on.
	Marks []Highlight
}

// A Transcript is an alignment of a transcript with its reference.
type Transcript struct {
	Pieces []Heard
	Views
}

// A Heard is a part of a transcript with the same part of the reference. Same is
// set if they agree. Otherwise Ref is the reference and Hyp the transcript; either
// may be "".
type Heard struct {
	Same     bool
	Ref, Hyp string
}

// Cases are built one at a time to save memory.
type Cases struct {
	All iter.Seq[Case]
	Views
}

// A Case is everything that is known of one case.
type Case struct {
	Heading Text
	Blocks  []Block
}

// For returns the sections of a view with their blocks in that view. A section
// without blocks is left out, unless parts of it follow.
func (d *Document) For(v Views) []Section {
	var all []Section
	for _, s := range d.Sections {
		if s.Views.In(v) {
			s.Blocks = Visible(s.Blocks, v)
			all = append(all, s)
		}
	}
	var out []Section
	for i, s := range all {
		parent := v == Page && !s.Sub && i+1 < len(all) && all[i+1].Sub && len(all[i+1].Blocks) > 0
		if len(s.Blocks) > 0 || parent {
			out = append(out, s)
		}
	}
	return out
}

// Holds returns a function that reports whether the document's table of cases has a case;
// nil if it has all, or if there is no table.
func (d *Document) Holds() func(id string) bool {
	for _, s := range d.Sections {
		for _, b := range s.Blocks {
			if l, ok := b.(Lookup); ok {
				return l.Holds
			}
		}
	}
	return nil
}

// Visible returns the blocks of a view.
func Visible(blocks []Block, v Views) []Block {
	var out []Block
	for _, b := range blocks {
		if !b.views().In(v) {
			continue
		}
		switch x := b.(type) {
		case Beside:
			x.Blocks = Visible(x.Blocks, v)
			if v != Page {
				out = append(out, x.Blocks...)
				continue
			}
			b = x
		case Fold:
			x.Blocks = Visible(x.Blocks, v)
			b = x
		case Labelled:
			x.Blocks = Visible(x.Blocks, v)
			b = x
		case Table:
			b = x.only(func(c Column) bool { return c.Views.In(v) })
		}
		out = append(out, b)
	}
	return out
}

// A Ruling is what a judge says of a claim. It is also the class of its element.
type Ruling string

// The rulings, from the one that counts most where claims share words.
const (
	Contradicted Ruling = "contradicted"
	Unsupported  Ruling = "unsupported"
	NoRuling     Ruling = "unknown"
	Supported    Ruling = "supported"
)

// A Highlight is the words of a text that a claim is about. Highlights may overlap.
type Highlight struct {
	// Start and End are bytes of the text.
	Start, End int
	// Claim is the number of the claim, from 1, and Place that of the words among those of
	// passages, from 1; 0 in the answer.
	Claim, Place int
	Ruling       Ruling
	// Label describes the claim, in the answer.
	Label string
	// More is set if the words go on from another highlight of the same place.
	More bool
}

// Claims are the claims of an answer. Their numbers and words lead to each other.
type Claims struct {
	Items []Claim
	Views
}

// A Claim is a claim of an answer.
type Claim struct {
	Ruling Ruling
	// Word is the ruling in words, Label the claim's number with its ruling and passages.
	Word, Label, Text, Where string
	// Said is set if the answer has a highlight of the claim.
	Said   bool
	Places []Place
	// Remarks say what is not known of the claim.
	Remarks []string
}

// A Place is words of a passage that a ruling rests on.
type Place struct{ Passage, Words string }

// A Lookup is a table of cases on a page. A script searches, filters, sorts and
// opens what is in it.
type Lookup struct {
	// Script names the asset that reads the choices.
	Script  string
	Words   LookupWords
	Choices []Choice
	Columns []Column
	// Agreement is the line that opens the folded columns; "" if there are none.
	Agreement string
	// Rows are built one at a time; Shown is their number.
	Rows  iter.Seq[LookupRow]
	Shown int
	// Holds reports whether a case is in the table; nil if all are.
	Holds func(id string) bool
	Views
}

// LookupWords are the labels of a [Lookup].
type LookupWords struct {
	// Form names the form; NoScript says what a page without scripts lacks.
	Form, Search, Hint, NoScript string
	PreviousPage, NextPage       string
	PreviousCase, NextCase       string
	Close, NoCase                string
	// All counts all cases. Some counts those that are found; "#" is their number.
	All, Some string
}

// A Choice is a field of the form that filters cases: a list of options, or a
// number if it has none.
type Choice struct {
	ID, Label string
	Options   []Option
}

// An Option is one of a [Choice].
type Option struct{ Value, Text string }

// A LookupRow is one case in the table.
type LookupRow struct {
	ID string
	// Is lists the values of the options that match the row.
	Is []string
	// Place is the position of the case in the dataset.
	Place int
	Cells []Cell
	Case  Case
}
