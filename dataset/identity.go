package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/assay-eval/assay"
)

// identify gives every case an id and reports duplicate ids. A generated id is
// "q-" and 12 hexadecimal digits of the SHA-256 of the question, so it does not
// change when cases are added, moved or relabelled. Repeated questions get the
// suffixes "-2", "-3" and so on.
func (l *loader) identify() {
	first := make(map[string]*assay.Case, len(l.cases))
	for i := range l.cases {
		c := &l.cases[i]
		if c.ID == "" {
			continue
		}
		if was := first[c.ID]; was != nil {
			where := fmt.Sprintf("first in line %d", was.Origin.Line)
			if was.Origin.Line == 0 || was.Origin.Line == c.Origin.Line {
				where = "by an earlier case"
			}
			_ = l.add(&Error{File: c.Origin.File, Line: c.Origin.Line, Index: i, Case: c.ID, Field: "id", Problem: "given twice, " + where,
				Want: "a unique id"})
			continue
		}
		first[c.ID] = c
	}
	// made counts the ids generated for each question.
	made := map[string]int{}
	for i := range l.cases {
		c := &l.cases[i]
		if c.ID != "" {
			continue
		}
		if made[c.Question] > 0 {
			l.warn(c.Origin, "question", "repeats the question of an earlier case, and neither has an id")
		}
		sum := sha256.Sum256([]byte(c.Question))
		base := "q-" + hex.EncodeToString(sum[:6])
		for c.ID == "" || first[c.ID] != nil {
			made[c.Question]++
			if c.ID = base; made[c.Question] > 1 {
				c.ID = fmt.Sprintf("%s-%d", base, made[c.Question])
			}
		}
		first[c.ID] = c
	}
	for i, resp := range l.recorded {
		if l.responses == nil {
			l.responses = make(map[string]assay.Response, len(l.recorded))
		}
		l.responses[l.cases[i].ID] = resp
	}
}

// hashVersion changes whenever the same cases get another hash.
const hashVersion = "assay dataset 1\n"

// Hash identifies cases by everything that can change a score: ids, questions,
// labels, tags, groups, criticality, paths of recordings, and their order. It is
// "sha256:" and the hexadecimal SHA-256 of a version line and the JSON of each
// case, one per line, without its position and metadata. It does not depend on
// the file format, and is the same for two files of responses to the same cases.
func Hash(cases []assay.Case) string {
	h := sha256.New()
	h.Write([]byte(hashVersion))
	enc := json.NewEncoder(h)
	for _, c := range cases {
		c.Origin, c.Metadata = assay.Origin{}, nil
		// Strings, numbers and booleans always encode.
		if err := enc.Encode(c); err != nil {
			panic(fmt.Sprintf("case %q does not encode: %v", c.ID, err))
		}
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
