package document

// A Mark is the verdict that a text expresses.
type Mark uint8

// The marks: nothing, good, bad, and not known.
const (
	None Mark = iota
	Good
	Bad
	Unsure
)

// Style says what a span is.
type Style uint8

// The styles: words, letters to be read one by one, what stands out, what can
// be passed over, a verdict, the name of a metric, and the id of a case.
const (
	Words Style = iota
	Code
	Strong
	Dim
	Verdict
	Metric
	CaseID
)

// A Span is a stretch of text of one style.
type Span struct {
	Text  string
	Style Style
	Mark  Mark
	// Title and Notes are those of a metric: its full name, and what to know
	// of it. Lower is set where less is better.
	Title string
	Notes []string
	Lower bool
}

// A Text is one line or paragraph.
type Text []Span

// T makes a text of words.
func T(s string) Text {
	if s == "" {
		return nil
	}
	return Text{{Text: s}}
}

// C makes a text that is read letter by letter.
func C(s string) Text { return Text{{Text: s, Style: Code}} }

// Join puts texts behind one another.
func Join(texts ...Text) Text {
	var out Text
	for _, t := range texts {
		out = append(out, t...)
	}
	return out
}

// Of makes texts of strings.
func Of(lines ...string) []Text {
	out := make([]Text, len(lines))
	for i, l := range lines {
		out[i] = T(l)
	}
	return out
}

// Items makes the items of a list.
func Items(lines ...string) []Item {
	out := make([]Item, len(lines))
	for i, l := range lines {
		out[i] = Item{Text: T(l)}
	}
	return out
}
