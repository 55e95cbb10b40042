package question

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	modelreply "github.com/assay-eval/assay/target/reply"
)

// RuleTrueFalse rules by one word, TRUE or FALSE, whether the answer conveys the same facts
// as one of the references. The reason is the word itself.
var RuleTrueFalse = task(judge.Task[CompareInput, judge.Ruling]{
	Name: "true_false", Elements: true, Model: ruleTrueFalse,
	Combine: judge.One[CompareInput, judge.Ruling]{Ballot: rulingBallot},
	StandIn: playTrueFalse,
})

// TrueFalse reports whether the answer conveys the same facts as a reference answer. A blank
// answer does not, without a call.
var TrueFalse = about(judge.Question[judge.Ruling]{
	Name: "true_false", Title: "TRUE or FALSE by the reference", Tasks: []judge.AnyTask{RuleTrueFalse}, When: hasAnswers,
	Find: comparing(RuleTrueFalse),
})

// The names of the elements. An answer that closes one of them forges the end of the
// material, see attack.Forged.
const (
	referenceElement = "reference_answer"
	givenElement     = "given_answer"
)

// ruleTrueFalse makes one call.
func ruleTrueFalse(ctx context.Context, m judge.Asker, s judge.Subject, in CompareInput) (judge.Ruling, error) {
	if len(in.References) == 0 {
		return judge.Ruling{}, m.Fails("no reference: want at least one")
	}
	elements := []judge.Element{{Name: "question", Text: s.Question}}
	for _, ref := range turn(in.References, m.Draw()) {
		elements = append(elements, judge.Element{Name: referenceElement, Text: ref})
	}
	elements = append(elements, judge.Element{Name: givenElement, Text: in.Answer})
	return askElements(ctx, m, s, elements, func(reply []byte) (judge.Ruling, error) {
		holds, err := readTrueFalse(string(reply))
		return judge.Ruling{Holds: holds, Degree: yes(holds), Why: strings.ToUpper(strconv.FormatBool(holds))}, err
	})
}

// readTrueFalse reads the one word of a reply in any case and with any punctuation or markup
// around it, or that word again and again. A reply that says more is refused: "not TRUE" is no TRUE.
func readTrueFalse(reply string) (bool, error) {
	const want = "want one word, TRUE or FALSE"
	reply = modelreply.Unframed(reply)
	if strings.TrimSpace(reply) == "" {
		return false, errors.New("it is empty: " + want)
	}
	said := slices.Compact(strings.FieldsFunc(strings.ToLower(reply), func(r rune) bool { return !isLetterOrDigit(r) }))
	if len(said) == 1 && (said[0] == "true" || said[0] == "false") && !strings.Contains(reply, ":") {
		return said[0] == "true", nil
	}
	words := slices.Compact(slices.Sorted(slices.Values(trueFalse().FindAllString(strings.ToLower(reply), -1))))
	says := []string{"neither TRUE nor FALSE", "more than TRUE or FALSE", "both TRUE and FALSE"}[len(words)]
	return false, fmt.Errorf("%q says %s: %s", text.Shorten(reply, 40), says, want)
}

var trueFalse = lazyregexp.New(`\b(?:true|false)\b`)

// playTrueFalse rules as [playCompare] does.
func playTrueFalse(material []byte) (any, error) {
	d := equivalenceData{Answer: textsIn(material, givenElement)[0], References: textsIn(material, referenceElement)}
	if holds, _ := playCompare(d)["equivalent"].(bool); holds {
		return "TRUE", nil
	}
	return "FALSE", nil
}
