package question

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/standin"
)

// GradeByUMBRELA grades passages for the question as UMBRELA does: one passage a call, without
// an example, by four steps that the reply leaves out, on the scale 0 to 3. The steps, the
// scale and the form of the reply are those of the published prompt; the words are ours, for
// the passage is data and not part of the instruction.
// Source: Upadhyay, Pradeep, Thakur, Craswell and Lin, arXiv 2406.06519, after Thomas et al.,
// SIGIR 2024.
var GradeByUMBRELA = task(judge.Task[[]judge.Source, []judge.Grade]{
	Name: "umbrela", Elements: true, Model: gradeByUMBRELA,
	Combine: eachOf[judge.Source](gradeBallot),
	StandIn: playUMBRELA,
})

// UMBRELA has a grade for each passage that is judged, see [GradeByUMBRELA].
var UMBRELA = about(judge.Question[[]judge.Grade]{
	Name: "umbrela", Title: "grades of the passages by UMBRELA", Tasks: []judge.AnyTask{GradeByUMBRELA}, When: hasPassages,
	Find: grading(GradeByUMBRELA),
})

// gradeByUMBRELA makes a call for each passage. A blank passage is unrelated, without a call.
func gradeByUMBRELA(ctx context.Context, m judge.Asker, s judge.Subject, passages []judge.Source) ([]judge.Grade, error) {
	out := make([]judge.Grade, len(passages))
	failed := make([]error, len(passages))
	err := judge.ForEach(ctx, atOnce, len(passages), func(ctx context.Context, i int) error {
		passage := passages[i].Text
		if strings.TrimSpace(passage) == "" {
			out[i] = judge.Grade{Known: true, Why: "the passage is empty"}
			return nil
		}
		elements := []judge.Element{{Name: queryElement, Text: s.Question}, {Name: passageElement, Text: passage}}
		level, err := askElements(ctx, m, s, elements, readFinalScore)
		switch {
		case judge.Over(ctx, err):
			return err
		case err != nil:
			failed[i] = err
			out[i] = judge.Grade{Why: "unknown: " + err.Error()}
		default:
			out[i] = judge.Grade{Known: true, Level: level, Degree: float64(level) / topScore}
		}
		return nil
	}, nil)
	if err != nil {
		return nil, err
	}
	if len(failed) > 0 && !slices.Contains(failed, nil) {
		return nil, failed[0]
	}
	return out, nil
}

const (
	queryElement   = "query"
	passageElement = "passage"
)

// readFinalScore reads a reply such as "##final score: 2", or the number alone. One that gives
// several scores, or one of another scale, is refused.
func readFinalScore(raw []byte) (int, error) {
	const want = "want ##final score: and a whole number from 0 to 3"
	reply := strings.TrimSpace(string(raw))
	if reply == "" {
		return 0, errors.New("it is empty: " + want)
	}
	found := finalScore().FindAllStringSubmatch(reply, -1)
	if found == nil {
		found = onlyScore().FindAllStringSubmatch(reply, 1)
	}
	if found == nil {
		return 0, fmt.Errorf("%q has no final score: %s", text.Shorten(reply, 40), want)
	}
	n := ofThree().ReplaceAllString(found[0][1], "")
	for _, f := range found[1:] {
		if ofThree().ReplaceAllString(f[1], "") != n {
			return 0, fmt.Errorf("%q has several final scores: %s", text.Shorten(reply, 40), want)
		}
	}
	if n < "0" || n > "3" || len(n) > 1 {
		return 0, fmt.Errorf("the final score is %s: %s", n, want)
	}
	return int(n[0] - '0'), nil
}

var (
	// finalScore finds the score with what follows it if that is a scale or another score; a
	// scale in parentheses before it is no score.
	finalScore = lazyregexp.New(`(?i)final\s+score(?:\s*\([^)\n]*\))?\W{0,6}?\s*` +
		`(-?\d+(?:[.,]\d+)?(?:[ \t]*(?:[/–-]|to\b|or\b|(?:out[ \t]+)?of\b)[ \t]*\d+)?)`)
	ofThree   = lazyregexp.New(`(?i)[ \t]*(?:/|(?:out[ \t]+)?of\b)[ \t]*3$`)
	onlyScore = lazyregexp.New(`^\W*?(-?\d+(?:\.\d+)?)\W*$`)
)

// playUMBRELA grades by the share of the question's words that the passage has, as [playGrade]
// does.
func playUMBRELA(material []byte) (any, error) {
	question, passage := textsIn(material, queryElement)[0], textsIn(material, passageElement)[0]
	share := standin.Read(question).Share(standin.Read(passage))
	return fmt.Sprintf("##final score: %d", min(topScore, int(share*4))), nil
}
