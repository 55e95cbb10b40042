package canary

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

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
	// Run is what froze the answers.
	Run string `json:"run"`
	Frozen
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

// of names the judge of a result.
func (s Set) of(c assay.Canary) assay.Canary {
	c.Provider, c.Model = s.Judge.Provider, s.Judge.Model
	return c
}

// Freeze keeps two rounds of answers. It is an error if a quarter of the items or more lack one
// of the two: such a set would tell little, and forever.
func (s *Set) Freeze(f Frozen) error {
	items := s.Items()
	both := 0
	for i := range items {
		if f.Answers[0][i].Known && f.Answers[1][i].Known {
			both++
		}
	}
	if 4*both <= 3*len(items) {
		return fmt.Errorf("%d of %d items have a ruling in both rounds: expected more than three quarters to freeze the answers", both, len(items))
	}
	f.Version = Version
	s.Frozen = f
	return nil
}

// First describes the run that froze the answers.
func (s Set) First() assay.Canary {
	c := Compare(s.Items(), s.Frozen, s.Answers[1])
	return s.of(assay.Canary{Since: s.Since, First: true, Items: c.Items, Noise: c.Noise, Usual: c.Usual, Past: s.Past})
}

// Now compares answers with the frozen ones.
func (s Set) Now(answers []Answer) assay.Canary {
	return s.of(Compare(s.Items(), s.Frozen, answers))
}

// LeftOut says why nothing was asked or compared.
func (s Set) LeftOut(why string) assay.Canary {
	return s.of(assay.Canary{Since: s.Since, Why: why})
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
