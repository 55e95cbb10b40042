package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/assay-eval/assay"
)

// identify gives every case an id and finds ids that are given twice. An id
// that is made is "q-" and 12 hexadecimal digits of the SHA-256 of the
// question, so that it stays when cases are added, moved or labelled anew. A
// question that comes again gets "-2", "-3" and so on behind it.
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
				where = "by a case before it"
			}
			_ = l.add(&Error{File: c.Origin.File, Line: c.Origin.Line, Index: i, Case: c.ID, Field: "id", Problem: "given twice, " + where,
				Want: "an id of its own"})
			continue
		}
		first[c.ID] = c
	}
	// made counts the ids that were made of a question.
	made := map[string]int{}
	for i := range l.cases {
		c := &l.cases[i]
		if c.ID != "" {
			continue
		}
		if made[c.Question] > 0 {
			l.warn(c.Origin, "question", "the same as that of a case before it, and neither has an id")
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

// hashVersion changes when the same cases get another hash.
const hashVersion = "assay dataset 1\n"

// Hash identifies cases by what can move a number: ids, questions, labels, tags,
// groups, what is critical, the paths of recordings, and their order. It is
// "sha256:" and the SHA-256, in hexadecimal, of a version line and the JSON of
// each case, one a line, without its position and metadata. So it is the same
// for every way to write the same cases, and for two files of responses to
// them.
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
