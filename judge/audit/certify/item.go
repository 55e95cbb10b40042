package certify

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

// A Kind is what people labelled.
type Kind string

// The kinds of labelled items.
const (
	// Claim is a claim that sources bear out or not.
	Claim Kind = "claim"
	// Answer is an answer that says what a reference does or not.
	Answer Kind = "answer"
	// Passage is a passage that is relevant to a question or not.
	Passage Kind = "passage"
	// Point is a statement that an answer makes or not.
	Point Kind = "point"
)

// A Label is what people say of an item.
type Label string

// The labels. A claim that is not borne out is Contradicted if its sources say otherwise.
const (
	Yes          Label = "yes"
	Partly       Label = "partly"
	No           Label = "no"
	Contradicted Label = "contradicted"
)

// labelWords are the words for labels in files, in lower case with "_" for spaces.
var labelWords = map[Label][]string{
	Yes: {"yes", "true", "1", "supported", "supports", "entailment", "equivalent", "relevant", "made", "support", "excellent"},
	Partly: {"partly", "partial", "partially", "0.5", "partially_supported", "partially_equivalent", "partially_relevant",
		"partial_support", "acceptable", "could_be_improved"},
	No: {"no", "false", "0", "not_supported", "not_found", "neutral", "not_equivalent", "not_relevant", "not_made", "not_support",
		"bad"},
	Contradicted: {"contradicted", "contradiction", "refutes"},
}

// labelOf reads a label.
func labelOf(s string) (Label, bool) {
	s = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(s)), " ", "_")
	for l, words := range labelWords {
		if slices.Contains(words, s) {
			return l, true
		}
	}
	return "", false
}

// An Item is something that people labelled and that a judge can be asked about.
type Item struct {
	ID, Dataset string
	Kind        Kind
	Language    judge.Language
	// Asked is the question of the user that it belongs to; "" if there is none.
	Asked string
	// Text is the claim, answer, passage or point.
	Text string
	// Sources are what a claim is compared with, the references of an answer, or the answer
	// that may make a point.
	Sources []string
	Label   Label
	// People are the labels of several people, if the data have them.
	People []Label
	// Cluster names the source that the item is from.
	Cluster string
	// Tags are the parts of the data that it belongs to, see [assay.CertifiedSlice].
	Tags   []string
	Origin assay.Origin
}

// A Set is what was read from files of labelled items.
type Set struct {
	Items []Item
	// Files are the files, with the hash of each.
	Files []File
	// Unfit counts the rows that are left out, because they fit no question or because another file has them, by reason.
	Unfit map[string]int
	// files has the file that each item was read from first.
	files map[string]string
}

// A File is a file of labelled items.
type File struct {
	// Data has its name and hash, and counts the items read.
	Data assay.CertifiedData
	path string
}
