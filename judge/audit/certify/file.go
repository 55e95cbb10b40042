// Package certify measures what the rulings of a judge are worth, on items that people
// labelled, and keeps the result as certificates.
package certify

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/schema"
)

// Schema is the version of the format of files of certificates.
const Schema = "assay.certificates/1"

var format = schema.Format{Noun: "file of certificates", Schema: Schema}

// file is the content of a file of certificates.
type file struct {
	Schema       string              `json:"schema"`
	Certificates []assay.Certificate `json:"certificates"`
}

// Read reads a file of certificates. Errors say what is wrong and where; so is a file of a
// later version of the format, and a certificate that is not complete.
func Read(r io.Reader) ([]assay.Certificate, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if data, err = format.Check(data); err != nil {
		return nil, err
	}
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, format.Located(data, err)
	}
	var problems []error
	for i, c := range f.Certificates {
		if err := check(c); err != nil {
			problems = append(problems, fmt.Errorf("certificate %d: %w", i+1, err))
		}
	}
	return f.Certificates, errors.Join(problems...)
}

// check returns what is wrong with a certificate.
func check(c assay.Certificate) error {
	switch {
	case c.Question == "":
		return errors.New("no question: expected the name of one, such as support")
	case c.Language == "":
		return errors.New("no language: expected en or zh")
	case c.Judge.Provider == "":
		return errors.New("no judge: expected its provider")
	case !(c.Level > 0 && c.Level < 1):
		return fmt.Errorf("level %v: expected a number between 0 and 1", c.Level)
	case c.Items < 0 || c.Usable < 0 || c.Usable > c.Items:
		return fmt.Errorf("%d of %d items usable: expected no more than all", c.Usable, c.Items)
	}
	for _, f := range []assay.Figure{
		c.BalancedAccuracy, c.Sensitivity, c.Specificity, c.AUROC, c.Brier, c.CalibrationError, c.Unusable,
	} {
		if v := f.Value; v != nil && !(*v >= 0 && *v <= 1) {
			return fmt.Errorf("a measure of %v: expected one of 0 to 1", *v)
		}
	}
	return nil
}

// A Merged is certificates with others that were added to them.
type Merged struct {
	// All are in the order of questions, languages, judges and dates.
	All []assay.Certificate `json:"-"`
	// Replaced are the old ones that new ones replaced, Kept those that new ones without any
	// usable ruling did not replace.
	Replaced []assay.Certificate `json:"replaced,omitempty"`
	Kept     []assay.Certificate `json:"kept,omitempty"`
}

// Merge adds certificates to others. A new one replaces that of the same question, language
// and judge, unless the old one has usable rulings and the new one has none.
func Merge(old, added []assay.Certificate) Merged {
	var m Merged
	added = slices.Clone(added)
	for _, c := range old {
		i := slices.IndexFunc(added, func(n assay.Certificate) bool { return alike(c, n) })
		switch {
		case i < 0:
			m.All = append(m.All, c)
		case c.Usable > 0 && added[i].Usable == 0:
			m.All, m.Kept = append(m.All, c), append(m.Kept, c)
			added = slices.Delete(added, i, i+1)
		default:
			m.Replaced = append(m.Replaced, c)
		}
	}
	m.All = append(m.All, added...)
	slices.SortStableFunc(m.All, func(a, b assay.Certificate) int {
		return cmp.Or(cmp.Compare(a.Question, b.Question), cmp.Compare(a.Language, b.Language),
			cmp.Compare(a.Judge.Provider, b.Judge.Provider), cmp.Compare(a.Judge.Model, b.Judge.Model), a.Date.Compare(b.Date))
	})
	return m
}

// alike reports whether a new certificate is for the judge, question and language of an old one.
func alike(old, added assay.Certificate) bool {
	return added.Question == old.Question && added.Language == old.Language && old.Fits(&added.Judge)
}

// Timed gives certificates whose replies were all in the ledger the time that the judge took
// the first time: that of the old ones in their place.
func Timed(old, added []assay.Certificate) []assay.Certificate {
	added = slices.Clone(added)
	for i, n := range added {
		if k := slices.IndexFunc(old, func(c assay.Certificate) bool { return alike(c, n) }); k >= 0 && n.Seconds == 0 {
			added[i].Seconds = old[k].Seconds
		}
	}
	return added
}

// Void lists the certificates of the judges of others, for the same question, that do not hold
// any more: provider and model are the same, and the prompt, a parameter or the passes are not.
func Void(old, others []assay.Certificate) []assay.Certificate {
	var out []assay.Certificate
	for _, c := range old {
		if slices.ContainsFunc(others, func(n assay.Certificate) bool {
			return n.Question == c.Question && n.Judge.Provider == c.Judge.Provider && n.Judge.Model == c.Judge.Model && !c.Fits(&n.Judge)
		}) {
			out = append(out, c)
		}
	}
	return out
}

// Write writes a file of certificates.
func Write(w io.Writer, all []assay.Certificate) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(file{Schema, all})
}

// Title names a certificate, and says if the judge is not shown to be better than chance.
func Title(c assay.Certificate) string {
	title := c.Question + ", " + c.Language
	switch {
	case c.WorseThanChance():
		title += ": worse than chance"
	case c.NearChance():
		title += ": not shown to be better than chance"
	}
	return title
}

// Terms says, each after a semicolon, from which degree a judge says yes and what an item costs.
func Terms(c assay.Certificate) (terms string) {
	switch ci := c.ThresholdCI; {
	case c.Threshold != nil && ci != nil:
		terms = fmt.Sprintf("; yes from a degree of %.2f (%.2f…%.2f)", *c.Threshold, ci[0], ci[1])
	case c.Threshold != nil:
		terms = fmt.Sprintf("; yes from a degree of %.2f", *c.Threshold)
	case ci != nil:
		terms = fmt.Sprintf("; too few items to choose the degree from which it says yes: %.2f…%.2f", ci[0], ci[1])
	}
	switch {
	case c.Cost == nil:
		terms += "; price not known"
	case *c.Cost > 0:
		terms += fmt.Sprintf("; $%.6f an item", *c.Cost)
	}
	return terms
}
