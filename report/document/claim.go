package document

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
