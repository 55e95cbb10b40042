package query

import (
	"fmt"
	"strings"
)

// Words say what is wrong with a filter, in one language.
type Words interface {
	// FilterAt stands before what is wrong with a filter: the column where it is.
	FilterAt(column int, message string) string
	// FilterNotUTF8 says that a filter is not UTF-8.
	FilterNotUTF8() string
	// FilterClosesNothing says that a parenthesis closes no group.
	FilterClosesNothing() string
	// FilterTermAfter says that a term is missing after a word.
	FilterTermAfter(word string) string
	// FilterTermBefore says that a term is missing before a word or a sign.
	FilterTermBefore(what string) string
	// FilterTooDeep says that groups are nested deeper than most.
	FilterTooDeep(most int) string
	// FilterWantTerm says that a term is missing.
	FilterWantTerm() string
	// FilterGroupOpen says that a group is not closed.
	FilterGroupOpen() string
	// FilterValueAfter says that a value is missing after a text.
	FilterValueAfter(text string) string
	// FilterFieldBefore says that a field is missing before an operator.
	FilterFieldBefore(op string) string
	// FilterSpaceBeforeQuote says that a space is missing before a quote.
	FilterSpaceBeforeQuote() string
	// FilterSpaceAfterQuote says that a space is missing after a quote.
	FilterSpaceAfterQuote() string
	// FilterParenthesisOpen says that a parenthesis within a word is not closed.
	FilterParenthesisOpen() string
	// FilterEmptyQuotes says that quotes have no text.
	FilterEmptyQuotes() string
	// FilterQuoteOpen says that a quote is not closed.
	FilterQuoteOpen() string
	// FilterGuess suggests a name.
	FilterGuess(near string) string
	// FilterOneOf lists names that would be right.
	FilterOneOf(names []string) string
	// FilterSearchText adds to a hint how to search for a text.
	FilterSearchText(hint, quoted string) string
	// FilterNoMetric says that no metric and no field has a name.
	FilterNoMetric(name, hint string) string
	// FilterUnordered says that a field takes no comparison, and what to write.
	FilterUnordered(name, instead string) string
	// FilterNoValue says that a field has no such value.
	FilterNoValue(name, value, hint string) string
	// FilterIsText says that a field is searched, and what to write.
	FilterIsText(name, instead string) string
	// FilterNoTag says that no case has a tag.
	FilterNoTag(tag, hint string) string
	// FilterNotNumber says that a value is no number, and what is wanted.
	FilterNotNumber(term, value, want string) string
	// FilterDuration names what a duration is written as.
	FilterDuration() string
	// FilterDollars names what an amount is written as.
	FilterDollars() string
	// FilterNumber names a number.
	FilterNumber() string
	// FilterIsNumber says that a field is compared.
	FilterIsNumber(name string) string
	// FilterOneNumber says that a comparison takes one number.
	FilterOneNumber(term string) string
	// FilterIsMetric says that a metric is compared, or has a state.
	FilterIsMetric(metric, name string) string
	// FilterNoState says that a score has no such state.
	FilterNoState(metric, value, hint string) string
	// FilterNoOrder says that cases have no such order.
	FilterNoOrder(name, hint string) string
	// FilterNotCounted says that documents are not counted before a run is finished.
	FilterNotCounted() string
	// FilterNoDelta says that the cases of one run have no change.
	FilterNoDelta() string
	// FilterNoChange says that the runs of a comparison share no such metric.
	FilterNoChange(metric, hint string) string
	// FilterNoDraws says that no run of a comparison asked a case twice.
	FilterNoDraws() string
	// FilterNoFlaky says that the cases of one run have no such mark.
	FilterNoFlaky() string
	// FilterNoLabel says that records have no labels.
	FilterNoLabel() string
}

// English has the words of filters in English.
type English struct{}

// FilterAt implements [Words].
func (English) FilterAt(column int, message string) string {
	return fmt.Sprintf("column %d: %s", column, message)
}

// FilterNotUTF8 implements [Words].
func (English) FilterNotUTF8() string { return "the query is not UTF-8" }

// FilterClosesNothing implements [Words].
func (English) FilterClosesNothing() string {
	return "this closes no group: write \")\" in quotes to search for it"
}

// FilterTermAfter implements [Words].
func (English) FilterTermAfter(word string) string { return fmt.Sprintf("want a term after %s", word) }

// FilterTermBefore implements [Words].
func (English) FilterTermBefore(what string) string {
	return fmt.Sprintf("want a term before %s; write it in quotes to search for it", what)
}

// FilterTooDeep implements [Words].
func (English) FilterTooDeep(most int) string {
	return fmt.Sprintf("groups are nested more than %d deep", most)
}

// FilterWantTerm implements [Words].
func (English) FilterWantTerm() string { return "want a term here, such as status:failed" }

// FilterGroupOpen implements [Words].
func (English) FilterGroupOpen() string {
	return "this group is not closed: want \")\" after its last term"
}

// FilterValueAfter implements [Words].
func (English) FilterValueAfter(text string) string {
	return fmt.Sprintf("want a value after %q; to search for the text, write it in quotes", text)
}

// FilterFieldBefore implements [Words].
func (English) FilterFieldBefore(op string) string {
	return fmt.Sprintf("want a field or a metric before %q, as in mrr@10<0.5; to search for the text, write it in quotes", op)
}

// FilterSpaceBeforeQuote implements [Words].
func (English) FilterSpaceBeforeQuote() string {
	return "want a space before the quote; within quotes, \\\" stands for one"
}

// FilterSpaceAfterQuote implements [Words].
func (English) FilterSpaceAfterQuote() string {
	return "want a space after the quote; within quotes, \\\" stands for one"
}

// FilterParenthesisOpen implements [Words].
func (English) FilterParenthesisOpen() string {
	return "this parenthesis is not closed in its word; to search for it, write the word in quotes"
}

// FilterEmptyQuotes implements [Words].
func (English) FilterEmptyQuotes() string { return "want text between the quotes" }

// FilterQuoteOpen implements [Words].
func (English) FilterQuoteOpen() string { return "this quote is not closed" }

// FilterGuess implements [Words].
func (English) FilterGuess(near string) string { return fmt.Sprintf("did you mean %q?", near) }

// FilterOneOf implements [Words].
func (English) FilterOneOf(names []string) string { return "want one of " + strings.Join(names, ", ") }

// FilterSearchText implements [Words].
func (English) FilterSearchText(hint, quoted string) string {
	return fmt.Sprintf("%s; to search for the text, write %s", hint, quoted)
}

// FilterNoMetric implements [Words].
func (English) FilterNoMetric(name, hint string) string {
	return fmt.Sprintf("the run has no metric %q, and no field is called so: %s", name, hint)
}

// FilterUnordered implements [Words].
func (English) FilterUnordered(name, instead string) string {
	return fmt.Sprintf("%s has no order and no parts: want %s", name, instead)
}

// FilterNoValue implements [Words].
func (English) FilterNoValue(name, value, hint string) string {
	return fmt.Sprintf("%s %q: %s", name, value, hint)
}

// FilterIsText implements [Words].
func (English) FilterIsText(name, instead string) string {
	return fmt.Sprintf("%s is a text: want %s to search in it", name, instead)
}

// FilterNoTag implements [Words].
func (English) FilterNoTag(tag, hint string) string {
	return fmt.Sprintf("no case has the tag %q: %s", tag, hint)
}

// FilterNotNumber implements [Words].
func (English) FilterNotNumber(term, value, want string) string {
	return fmt.Sprintf("%s%q: want %s", term, value, want)
}

// FilterDuration implements [Words].
func (English) FilterDuration() string { return "a duration such as 2s or 500ms" }

// FilterDollars implements [Words].
func (English) FilterDollars() string { return "an amount in US dollars such as 0.01" }

// FilterNumber implements [Words].
func (English) FilterNumber() string { return "a number" }

// FilterIsNumber implements [Words].
func (English) FilterIsNumber(name string) string {
	return fmt.Sprintf("%s is a number: want <, <=, >, >=, = or !=", name)
}

// FilterOneNumber implements [Words].
func (English) FilterOneNumber(term string) string { return fmt.Sprintf("%s takes one number", term) }

// FilterIsMetric implements [Words].
func (English) FilterIsMetric(metric, name string) string {
	return fmt.Sprintf("%s is a number: want <, <=, >, >=, =, != or a state such as %s:none", metric, name)
}

// FilterNoState implements [Words].
func (English) FilterNoState(metric, value, hint string) string {
	return fmt.Sprintf("%s %q: want a number or a state of a score: %s", metric, value, hint)
}

// FilterNoOrder implements [Words].
func (English) FilterNoOrder(name, hint string) string {
	return fmt.Sprintf("no order %q: %s", name, hint)
}

// FilterNotCounted implements [Words].
func (English) FilterNotCounted() string {
	return "documents are counted when a run is finished, and this one is not"
}

// FilterNoDelta implements [Words].
func (English) FilterNoDelta() string {
	return "delta is the change between two runs: the cases of one run have none"
}

// FilterNoChange implements [Words].
func (English) FilterNoChange(metric, hint string) string {
	return fmt.Sprintf("the runs share no metric %q: %s", metric, hint)
}

// FilterNoDraws implements [Words].
func (English) FilterNoDraws() string {
	return "flaky needs cases that were asked more than once, and these were not"
}

// FilterNoFlaky implements [Words].
func (English) FilterNoFlaky() string {
	return "flaky tells whether draws differ in one of the runs of a comparison: the cases of one run have no such mark"
}

// FilterNoLabel implements [Words].
func (English) FilterNoLabel() string {
	return "labels that people gave are known to the server and its pages: the records of a run do not have them"
}
