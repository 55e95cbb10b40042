package speech

import (
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// Options configure [Compare].
type Options struct {
	Profile Profile
	// Segment also counts Chinese words, which loads a dictionary.
	Segment bool
	// Progress is told now and then how many characters of the reference are compared, of all of a
	// long text. It may be nil.
	Progress func(done, total int)
}

// Rates holds the counts of a pair of texts for each unit.
type Rates struct {
	Characters Counts `json:"characters"`
	Words      Counts `json:"words"`
	Mixed      Counts `json:"mixed"`
	// Scripts splits the counts of Mixed by script.
	Scripts Scripts `json:"scripts"`
	// Segmented counts words after both texts were segmented with the same
	// dictionary; nil unless [Options.Segment] is set.
	Segmented *Counts `json:"segmented,omitempty"`
}

// Of returns the counts of a unit.
func (r Rates) Of(u Unit) Counts {
	switch u {
	case Words:
		return r.Words
	case Mixed:
		return r.Mixed
	}
	return r.Characters
}

// Add returns the sums of both counts.
func (r Rates) Add(o Rates) Rates {
	sum := Rates{Characters: r.Characters.Add(o.Characters), Words: r.Words.Add(o.Words), Mixed: r.Mixed.Add(o.Mixed),
		Scripts: r.Scripts.Add(o.Scripts)}
	for _, s := range []*Counts{r.Segmented, o.Segmented} {
		if s == nil {
			continue
		}
		if sum.Segmented == nil {
			sum.Segmented = new(Counts)
		}
		*sum.Segmented = sum.Segmented.Add(*s)
	}
	return sum
}

// A Comparison holds all measures of a transcript against its reference.
type Comparison struct {
	// Normalisation names the profile and its version.
	Normalisation string `json:"normalisation"`
	// Reference and Hypothesis are the normalised texts.
	Reference  string `json:"reference"`
	Hypothesis string `json:"hypothesis"`
	// Strict distinguishes traditional from simplified characters, Folded does not.
	Strict Rates `json:"strict"`
	Folded Rates `json:"folded"`
	// WrittenChinese lists the words of spoken Cantonese that the transcriber
	// replaced by words of written Chinese.
	WrittenChinese []Rewording `json:"written_chinese_substitutions"`
}

// Compare compares a transcript with its reference.
func Compare(reference, hypothesis string, o Options) Comparison {
	c := Comparison{Normalisation: o.Profile.String(), Reference: o.Profile.Normalise(reference), Hypothesis: o.Profile.Normalise(hypothesis)}
	ref, hyp := Simplify(c.Reference), Simplify(c.Hypothesis)
	c.Folded, c.WrittenChinese = rates(ref, hyp, o.Progress)
	if c.Strict = c.Folded; ref != c.Reference || hyp != c.Hypothesis {
		c.Strict, _ = rates(c.Reference, c.Hypothesis, o.Progress)
	}
	if o.Segment {
		strict, folded := Count(Segment(c.Reference), Segment(c.Hypothesis)), Count(Segment(ref), Segment(hyp))
		c.Strict.Segmented, c.Folded.Segmented = &strict, &folded
	}
	return c
}

// rates counts a pair of normalised texts, and lists the rewordings of simplified ones.
func rates(ref, hyp string, progress func(done, total int)) (Rates, []Rewording) {
	out := make(chan Counts, 1)
	if characters := func() { out <- countCharacters(ref, hyp, progress) }; len(ref)+len(hyp) < longText {
		characters()
	} else {
		go characters()
	}
	// Without CJK characters the mixed unit is that of words.
	mixed := strings.ContainsFunc(ref, text.IsCJK) || strings.ContainsFunc(hyp, text.IsCJK)
	unit := Words
	if mixed {
		unit = Mixed
	}
	r, h := unit.Tokens(ref), unit.Tokens(hyp)
	steps := Align(r, h)
	all := Rates{Mixed: CountSteps(steps), Scripts: countScripts(r, h, steps)}
	all.Words = all.Mixed
	reworded := []Rewording{}
	if mixed {
		all.Words = Count(Words.Tokens(ref), Words.Tokens(hyp))
		reworded = rewordings(r, h, steps)
	}
	all.Characters = <-out
	return all, reworded
}

// longText is the number of bytes from which the units of a pair are counted side by side.
const longText = 1 << 16

// Of returns the rates for a script setting: folded or strict.
func (c Comparison) Of(s Script) Rates {
	if s == Folded {
		return c.Folded
	}
	return c.Strict
}

// ScriptMismatch returns the part of the character error rate that is due to the
// script alone: strict minus folded. ok is false if either rate is undefined.
func (c Comparison) ScriptMismatch() (rate float64, ok bool) {
	strict, ok := c.Strict.Characters.Rate()
	folded, _ := c.Folded.Characters.Rate()
	return strict - folded, ok
}

// A Script says whether traditional and simplified characters are distinguished.
type Script string

// The scripts.
const (
	Strict Script = "strict"
	Folded Script = "folded"
)

// In returns the text in the form that is compared.
func (s Script) In(normalised string) string {
	if s == Folded {
		return Simplify(normalised)
	}
	return normalised
}

// A Difference is a stretch in which a hypothesis differs from its reference.
type Difference struct {
	// Reference and Hypothesis are the differing parts; "" if one text has nothing there.
	Reference, Hypothesis string
	// At is the number of reference tokens before the difference.
	At int
}

// Differences returns the stretches of an alignment between hits, in order. It
// returns at most the given number, or all if most is 0.
func Differences(reference, hypothesis []string, steps []Step, most int) []Difference {
	var out []Difference
	at := 0
	for i := 0; i < len(steps) && (most == 0 || len(out) < most); i++ {
		if steps[i].Op == Hit {
			at++
			continue
		}
		var r, h []string
		start := at
		for ; i < len(steps) && steps[i].Op != Hit; i++ {
			if k := steps[i].Reference; k >= 0 {
				r = append(r, reference[k])
				at++
			}
			if k := steps[i].Hypothesis; k >= 0 {
				h = append(h, hypothesis[k])
			}
		}
		at++
		out = append(out, Difference{Join(r), Join(h), start})
	}
	return out
}

// Join joins tokens into a text, without spaces between CJK characters.
func Join(tokens []string) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 && !(isCJKToken(tokens[i-1]) && isCJKToken(t)) {
			b.WriteByte(' ')
		}
		b.WriteString(t)
	}
	return b.String()
}

// String formats the difference: "today → to day", "− today", "+ today".
func (d Difference) String() string {
	switch {
	case d.Reference == "":
		return "+ " + d.Hypothesis
	case d.Hypothesis == "":
		return "− " + d.Reference
	}
	return d.Reference + " → " + d.Hypothesis
}

func (d Difference) kind() string {
	switch {
	case d.Reference == "":
		return "inserted"
	case d.Hypothesis == "":
		return "missing"
	}
	return "substituted"
}
