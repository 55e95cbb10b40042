// Package document holds what a report says, as values: sections of
// paragraphs, tables, lists and plots. The report package builds a document
// once; each format renders it. Texts are as datasets and systems gave them:
// a format makes them safe for the place where it writes them.
package document

import (
	"iter"

	"github.com/assay-eval/assay/report/draw"
)

// A View is how much of a document a format shows. Values without a view are
// in all of them.
type View uint8

// The views: a glance on a terminal, a text to read from top to bottom, and a
// page with plots on which cases are looked up.
const (
	Glance View = 1 << iota
	Reading
	Page
)

// In reports whether a value with these views is part of one.
func (v View) In(one View) bool { return v == 0 || v&one != 0 }

// A Document is the report of a run or a comparison of runs.
type Document struct {
	// Kicker says what kind of document it is, Title what it is about.
	Kicker, Title string
	// Headline describes it in a few parts, Status is a line below.
	Headline []Text
	Status   Text
	// Facts stand at the top of a text, Cards at the top of a page.
	Facts    []Fact
	Cards    []Card
	Sections []Section
	// Saved says where the whole report is, for a terminal.
	Saved string
	// More says that n are left out: "… and 3 more".
	More func(n int) string
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
	// Nav names the section in a list of links; "" takes the title.
	Nav string
	// Word is a verdict beside the title.
	Word   *Span
	Blocks []Block
	Views  View
	// Bare are the views in which the title is left out.
	Bare View
	// Sub is set for a part of the section before.
	Sub bool
}

// A Block is a part of a section.
type Block interface{ views() View }

// Kind says what a paragraph is for.
type Kind uint8

// The kinds of paragraphs: plain text, what was found, a note that explains.
const (
	Plain Kind = iota
	Finding
	Note
)

// A Paragraph is a sentence or several.
type Paragraph struct {
	Kind  Kind
	Text  Text
	Views View
}

// A List has items, each with items of its own.
type List struct {
	Items   []Item
	Ordered bool
	// Label names the items where they do not stand in a list: on a terminal.
	Label string
	Kind  Kind
	Views View
}

// An Item is one of a [List].
type Item struct {
	Text Text
	Sub  []Text
}

// Lines are lines of a terminal, each cut to its width.
type Lines struct {
	Lines []string
	Views View
}

// Facts are named values.
type Facts struct {
	Items []Fact
	Views View
}

// A Fact is a named value of one line or several.
type Fact struct {
	Name  string
	Lines []Text
	// Verdict heads the lines.
	Verdict *Span
	// Hang indents the lines that follow a broken line.
	Hang bool
}

// A Figure is a plot with a caption.
type Figure struct {
	Plot    draw.Plot
	Caption Text
	Views   View
}

// A Fold hides blocks until they are asked for.
type Fold struct {
	Title  string
	Blocks []Block
	Views  View
}

// Beside puts blocks side by side where there is room.
type Beside struct {
	Blocks []Block
	Views  View
}

// A Labelled is a named part of a case: a text, and blocks below it.
type Labelled struct {
	Label  string
	Text   Text
	Blocks []Block
	Views  View
}

// A Quote is a text of several lines as it was given.
type Quote struct {
	Text string
	Role Role
	// Cites is how many passages the text may cite, as "[1]".
	Cites int
	Views View
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
	Views View
}

// A Passage is an excerpt of a document. Each part but the text may be "".
type Passage struct {
	Text, Name, Title, Score string
	// Relevance says whether the labels call it relevant, which Mark repeats.
	Relevance string
	Mark      Mark
	Note      string
}

// A Transcript sets what was heard beside what was said.
type Transcript struct {
	Pieces []Heard
	Views  View
}

// A Heard is a stretch of a transcript beside the reference. Same is set where
// the two agree; else Ref is what was said and Hyp what was heard, either of
// which may be "".
type Heard struct {
	Same     bool
	Ref, Hyp string
}

// Cases are made one at a time, so that no more than one is held.
type Cases struct {
	All   iter.Seq[Case]
	Views View
}

// A Case is one case with all that is known of it.
type Case struct {
	Heading Text
	Blocks  []Block
}

func (b Paragraph) views() View  { return b.Views }
func (b List) views() View       { return b.Views }
func (b Lines) views() View      { return b.Views }
func (b Facts) views() View      { return b.Views }
func (b Figure) views() View     { return b.Views }
func (b Fold) views() View       { return b.Views }
func (b Beside) views() View     { return b.Views }
func (b Labelled) views() View   { return b.Views }
func (b Quote) views() View      { return b.Views }
func (b Transcript) views() View { return b.Views }
func (b Cases) views() View      { return b.Views }
func (b Passages) views() View   { return b.Views }
func (b Lookup) views() View     { return b.Views }
func (b Table) views() View      { return b.Views }

// For gives the sections of a view with the blocks that it shows. A section
// without a block is left out, unless parts of it follow.
func (d *Document) For(v View) []Section {
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

// Visible gives the blocks of a view.
func Visible(blocks []Block, v View) []Block {
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
			b = x.in(v)
		}
		out = append(out, b)
	}
	return out
}
