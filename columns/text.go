package columns

import (
	"iter"
	"strings"

	"github.com/assay-eval/assay"
)

// Texts are the texts of records in which people search, in lower case as
// [strings.ToLower] makes it: question, answer and failure. A record's texts are at the
// row that the record has in the [Table] of the same records.
type Texts struct {
	rows []rowTexts
	size int
}

// A rowTexts has the texts of a record one after the other, and where the answer and the
// failure begin.
type rowTexts struct {
	all             string
	answer, failure int32
}

// Add adds the texts of the next record.
func (t *Texts) Add(r *assay.Record) {
	answer, failure := "", ""
	if r.Response != nil {
		answer = r.Response.Answer
	}
	if r.Failure != nil {
		failure = r.Failure.Kind + "\n" + r.Failure.Message
	}
	t.add(strings.ToLower(r.Case.Question), strings.ToLower(answer), strings.ToLower(failure))
}

func (t *Texts) add(question, answer, failure string) {
	t.rows = append(t.rows, rowTexts{question + answer + failure, int32(len(question)), int32(len(question) + len(answer))})
	t.size += len(question) + len(answer) + len(failure)
}

// Len returns the number of rows.
func (t *Texts) Len() int { return len(t.rows) }

// Size returns how much memory the texts take, in bytes.
func (t *Texts) Size() int { return t.size + 24*cap(t.rows) }

// Question returns the question of a row.
func (t *Texts) Question(row int) string { return t.rows[row].all[:t.rows[row].answer] }

// Answer returns the answer of a row, "" if there is none.
func (t *Texts) Answer(row int) string {
	r := &t.rows[row]
	return r.all[r.answer:r.failure]
}

// Failure returns the kind of the failure of a row and its message, on two lines; "" if
// there was none.
func (t *Texts) Failure(row int) string { return t.rows[row].all[t.rows[row].failure:] }

// Parts yields the texts of parts of [PartRows] rows in a form that can be stored. No rows
// have no part.
func (t *Texts) Parts() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for from := 0; from < len(t.rows); from += PartRows {
			var part [][3]string
			for row := from; row < min(from+PartRows, len(t.rows)); row++ {
				part = append(part, [3]string{t.Question(row), t.Answer(row), t.Failure(row)})
			}
			if !yield(encoded(part)) {
				return
			}
		}
	}
}

// AddPart adds the rows of a stored part. After an error, which is an [ErrEncoding], the
// texts cannot be used any more.
func (t *Texts) AddPart(body []byte) error {
	var part [][3]string
	if err := decoded(body, &part); err != nil {
		return err
	}
	for _, r := range part {
		t.add(r[0], r[1], r[2])
	}
	return nil
}
