package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// identify gives every case an id and reports duplicate ids. A generated id is
// "q-" and 12 hexadecimal digits of the SHA-256 of the question, so it does not
// change when cases are added, moved or relabelled. Repeated questions get the
// suffixes "-2", "-3" and so on.
func (l *loader) identify() {
	first := make(map[text.Key]int32, l.cases.Len())
	for i, c := range l.cases.All() {
		if c.ID == "" {
			continue
		}
		if at, given := first[text.KeyOf(c.ID)]; given {
			was := l.cases.At(int(at))
			where := fmt.Sprintf("first in line %d", was.Origin.Line)
			if was.Origin.Line == 0 || was.Origin.Line == c.Origin.Line {
				where = "by an earlier case"
			}
			_ = l.add(&Error{File: c.Origin.File, Line: c.Origin.Line, Index: i, Case: c.ID, Field: "id", Problem: "given twice, " + where,
				Want: "a unique id"})
			continue
		}
		first[text.KeyOf(c.ID)] = int32(i)
	}
	if len(first) < l.cases.Len() {
		l.generateIDs(first)
	}
}

// byID returns what was recorded of cases by their ids; nil if that is nothing.
func byID[T any](cases *assay.Cases, recorded map[int]T) map[string]T {
	if len(recorded) == 0 {
		return nil
	}
	out := make(map[string]T, len(recorded))
	for i, of := range recorded {
		out[cases.At(i).ID] = of
	}
	return out
}

// generateIDs gives an id to each case without one; first has the ids that are taken.
func (l *loader) generateIDs(first map[text.Key]int32) {
	// made counts the ids generated for each question.
	made := map[text.Key]int{}
	l.cases = l.cases.Change(func(i int, c *assay.Case) {
		if c.ID != "" {
			return
		}
		question := text.KeyOf(c.Question)
		if made[question] > 0 {
			l.warn(c.Origin, "question", "repeats the question of an earlier case, and neither has an id")
		}
		base := MadeID(c.Question)
		for taken := true; taken; _, taken = first[text.KeyOf(c.ID)] {
			made[question]++
			if c.ID = base; made[question] > 1 {
				c.ID = fmt.Sprintf("%s-%d", base, made[question])
			}
		}
		first[text.KeyOf(c.ID)] = int32(i)
	})
}

// MadeID returns the id that the first case of a question is given if it has none.
func MadeID(question string) string {
	key := text.KeyOf(question)
	return "q-" + hex.EncodeToString(key[:6])
}

// hashVersion changes whenever the same cases get another hash.
const hashVersion = "assay dataset 1\n"

// Hash identifies cases by everything that can change a score: ids, questions,
// labels, tags, groups, criticality, paths of recordings, and their order. It is
// "sha256:" and the hexadecimal SHA-256 of a version line and the JSON of each
// case, one per line, without its position and metadata. It does not depend on
// the file format, and is the same for two files of responses to the same cases.
func Hash(cases *assay.Cases) string {
	h := sha256.New()
	h.Write([]byte(hashVersion))
	enc := json.NewEncoder(h)
	for _, c := range cases.All() {
		c.Origin, c.Metadata = assay.Origin{}, nil
		// Strings, numbers and booleans always encode.
		if err := enc.Encode(c); err != nil {
			panic(fmt.Sprintf("case %q does not encode: %v", c.ID, err))
		}
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
