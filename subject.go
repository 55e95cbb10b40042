package assay

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Subject names what people judge when they judge a case: the question, the answer and the
// passages that were shown with it. Two records with the same subject deserve the same
// label, whichever runs they are of.
//
// It is the SHA-256, in hexadecimal, of a list of texts, each preceded by its length in
// bytes as eight bytes, the most significant first: "assay.subject/1", the question, "answer"
// and the answer ("none" and "" if there is none), and the text of each passage in its
// order. A passage without a text counts by its id, document and source, joined by newlines.
func Subject(r Record) string {
	h := sha256.New()
	put := func(text string) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(text)))
		h.Write(n[:])
		h.Write([]byte(text))
	}
	put("assay.subject/1")
	put(r.Case.Question)
	if r.Response == nil || r.Response.NoAnswer {
		put("none")
		put("")
	} else {
		put("answer")
		put(r.Response.Answer)
	}
	if r.Response != nil {
		for _, p := range r.Response.Passages {
			if p.Text != "" {
				put(p.Text)
			} else {
				put(p.ID + "\n" + p.Document + "\n" + p.Source)
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
