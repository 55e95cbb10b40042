package canary

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// A Set is the frozen answers of one judge, with all that they depend on.
type Set struct {
	// Judge identifies the judge, with the prompt of support alone.
	Judge assay.JudgeInfo `json:"judge"`
	// N is the number of items that was asked for.
	N         int              `json:"n"`
	Languages []judge.Language `json:"languages,omitempty"`
	// Run is what froze the answers, those to the items, given twice in a row.
	Run     string      `json:"run"`
	Version string      `json:"version"`
	Since   time.Time   `json:"since"`
	Answers [2][]Answer `json:"answers"`
	// Past are the times of the sets before this one to which the answers were not alike.
	Past []time.Time `json:"past,omitempty"`
}

// Of returns a set without answers: that of a judge, a number of items and languages, of which
// there may be none.
func Of(j assay.JudgeInfo, n int, languages ...judge.Language) Set {
	return Set{Judge: j.For(question.Support.Operation()).About([]string{question.Support.Operation()}), N: n, Languages: languages}
}

// ID returns the hash of what the answers depend on: the judge with its parameters and the
// version of the question, the items and their languages.
func (s Set) ID() string {
	key, err := json.Marshal(struct {
		Version   string
		Judge     assay.JudgeInfo
		N         int
		Languages []judge.Language
	}{Version, s.Judge, s.N, s.Languages})
	if err != nil {
		panic(err) // texts and numbers
	}
	sum := sha256.Sum256(key)
	return hex.EncodeToString(sum[:])
}

// Items returns the items of the set.
func (s Set) Items() []Item { return Items(s.N, s.Languages...) }

// Asked returns the languages of the items.
func (s Set) Asked() []judge.Language {
	var out []judge.Language
	for _, it := range s.Items() {
		out = append(out, it.Language)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Freeze keeps two rounds of answers. It is an error if a quarter of the items or more lack one
// of the two: such a set would tell little, and forever.
func (s *Set) Freeze(run string, since time.Time, answers [2][]Answer) error {
	items := s.Items()
	both := 0
	for i := range items {
		if answers[0][i].Known && answers[1][i].Known {
			both++
		}
	}
	if 4*both <= 3*len(items) {
		return fmt.Errorf("%d of %d items have a ruling in both rounds: expected more than three quarters to freeze the answers", both, len(items))
	}
	s.Run, s.Version, s.Since, s.Answers = run, Version, since, answers
	return nil
}

// First describes the run that froze the answers.
func (s Set) First() assay.Canary {
	c := s.Now(s.Answers[1])
	c.First, c.Likeness, c.Changed, c.P, c.Differs = true, 0, 0, nil, false
	return c
}

// LeftOut says why nothing was asked or compared.
func (s Set) LeftOut(why string) assay.Canary {
	return assay.Canary{Provider: s.Judge.Provider, Model: s.Judge.Model, Since: s.Since, Why: why}
}

// Draw returns a draw of a judge for a round of answers: another for each key, so that no reply
// of another key is taken from the ledger, and the same each time, so that a run that is resumed
// pays for nothing twice. All draws show the claims of a passage in one order: lists are turned
// by the number of the draw, and none has as many claims as the draws are apart.
func Draw(key string, round int) int {
	sum := sha256.Sum256([]byte(key))
	const most, apart = 1 << 23, 60 // 60 is divided by 1 to 6, the claims of a passage
	return apart * (1<<20 + 2*int(binary.BigEndian.Uint32(sum[:])%most) + round)
}
