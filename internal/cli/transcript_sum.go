package cli

import (
	"cmp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric/speech"
	"github.com/assay-eval/assay/stats"
)

// A scoredTranscript is the score of all utterances of two files. It keeps no texts but
// those of the worst utterances, unless all are asked for.
type scoredTranscript struct {
	Reference, Hypothesis string
	// Format is the input format, and Told is set if the user has named it.
	Format string
	Told   bool
	// Columns says which columns of tables were read.
	Columns string
	Profile speech.Profile
	Unit    speech.Unit
	Script  speech.Script
	// N is the number of utterances. Utterances lists them with --per-utterance.
	N          int
	Utterances []scoredUtterance
	// Total has the sums of the rates and of the rewordings.
	Total speech.Comparison
	// Numbers lists as many as are shown, or all for JSON.
	Numbers  speech.Numbers
	Keywords speech.Keywords
	// Asked is set if keywords were given.
	Asked bool

	spreads map[spreadKey]*spread
	// worst are the worst utterances in each unit that may be the selected one.
	worst map[speech.Unit]*worstList
	// speakers counts the lines that begin with what may be the name of a speaker, removed the transcripts without their names
	// of speakers and markup, and tags the tags of sounds that count as words.
	speakers, removed, tags map[string]int
	// silent is the number of utterances of which nothing was said and something heard.
	silent int
	// each is set if errors are kept, of every utterance, in the order of speech.Units.
	each   bool
	errors [][3]int
	// cjk and letters are the numbers of characters of the references, which say the unit.
	cjk, letters int
}

type scoredUtterance struct {
	spokenPair
	speech.Comparison
}

// A scoredPair is all that is computed for an utterance.
type scoredPair struct {
	scoredUtterance
	// names are those of speakers, and the markup, that were removed.
	names        []string
	numbers      speech.Numbers
	keywords     speech.Keywords
	cjk, letters int
}

// shownNumbers is the number of list entries that a table shows.
const shownNumbers = 10

// scoredAtOnce is the number of utterances whose scores are held at once.
const scoredAtOnce = 1 << 12

// score compares all pairs and sums the counts. show is told of the progress.
func (s *scoredTranscript) score(pairs []spokenPair, f transcriptFlags, show func(what string, done, total int)) {
	s.Numbers = speech.Numbers{Lost: []string{}, Added: []string{}}
	s.Keywords = speech.Keywords{Said: []string{}, Lost: []string{}}
	s.speakers, s.removed, s.tags = map[string]int{}, map[string]int{}, map[string]int{}
	s.spreads = map[spreadKey]*spread{}
	for _, key := range spreadsOf(f, s.Script) {
		s.spreads[key] = &spread{}
	}
	s.worst = map[speech.Unit]*worstList{}
	for _, u := range speech.Units() {
		if s.Unit == "" || s.Unit == u {
			s.worst[u] = &worstList{most: f.worst}
		}
	}
	rewordings := map[[2]string]int{}
	options := speech.Options{Profile: s.Profile, Segment: f.segment}
	if len(pairs) == 1 {
		options.Progress = func(done, total int) { show("characters aligned", done, total) }
	}
	score := func(p spokenPair) scoredPair {
		var names []string
		if !s.Profile.Raw {
			reference, a := speech.Spoken(p.Reference, p.Hypothesis)
			hypothesis, b := speech.Spoken(p.Hypothesis, p.Reference)
			p.Reference, p.Hypothesis, names = reference, hypothesis, append(a, b...)
		}
		u := scoredPair{
			names:           names,
			scoredUtterance: scoredUtterance{p, speech.Compare(p.Reference, p.Hypothesis, options)},
			numbers:         speech.CompareNumbers(p.Reference, p.Hypothesis),
			keywords:        speech.CompareKeywords(p.Reference, p.Hypothesis, f.keywords, s.Profile, s.Script),
		}
		for _, r := range u.Comparison.Reference {
			if text.IsCJK(r) {
				u.cjk++
				u.letters++
			} else if unicode.IsLetter(r) || unicode.IsDigit(r) {
				u.letters++
			}
		}
		return u
	}
	workers := runtime.GOMAXPROCS(0)
	for part := range slices.Chunk(pairs, scoredAtOnce) {
		scored := make([]scoredPair, len(part))
		var group sync.WaitGroup
		for first := range workers {
			group.Go(func() {
				for i := first; i < len(part); i += workers {
					scored[i] = score(part[i])
				}
			})
		}
		group.Wait()
		for i := range scored {
			s.add(&scored[i], f)
			for _, w := range scored[i].WrittenChinese {
				rewordings[[2]string{w.Spoken, w.Written}] += w.Count
			}
		}
		if len(pairs) > 1 {
			show("utterances", s.N, len(pairs))
		}
	}
	s.Total.WrittenChinese = []speech.Rewording{}
	for k, n := range rewordings {
		s.Total.WrittenChinese = append(s.Total.WrittenChinese, speech.Rewording{Spoken: k[0], Written: k[1], Count: n})
	}
	slices.SortFunc(s.Total.WrittenChinese, func(a, b speech.Rewording) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.Spoken, b.Spoken), strings.Compare(a.Written, b.Written))
	})
	if s.Unit == "" {
		s.Unit = unitFor(s.cjk, s.letters)
	}
}

// add adds an utterance to the sums.
func (s *scoredTranscript) add(u *scoredPair, f transcriptFlags) {
	s.N++
	for _, name := range u.names {
		s.removed[strings.Clone(name)]++
	}
	p := u.spokenPair
	for _, name := range append(speech.Names(p.Reference, p.Hypothesis), speech.Names(p.Hypothesis, p.Reference)...) {
		s.speakers[strings.Clone(name)]++
	}
	for _, tag := range append(speech.Tags(p.Hypothesis, p.Reference, s.Profile), speech.Tags(p.Reference, p.Hypothesis, s.Profile)...) {
		s.tags[strings.Clone(tag)]++
	}
	if f.perUtterance {
		s.Utterances = append(s.Utterances, u.scoredUtterance)
	}
	s.Total.Strict, s.Total.Folded = s.Total.Strict.Add(u.Strict), s.Total.Folded.Add(u.Folded)
	if s.each {
		var errors [3]int
		for i, unit := range speech.Units() {
			errors[i] = u.Of(s.Script).Of(unit).Errors()
		}
		s.errors = append(s.errors, errors)
	}
	for key, d := range s.spreads {
		if c, ok := key.of(u.Comparison.Of(key.script)); ok {
			d.add(c)
		}
	}
	for unit, w := range s.worst {
		w.add(&u.scoredUtterance, s.Script, unit)
	}
	s.Numbers.Counts = s.Numbers.Counts.Add(u.numbers.Counts)
	keep := func(list, more []string) []string {
		for _, n := range more {
			if len(list) < shownNumbers || f.format == "json" {
				// The number is a part of the text.
				list = append(list, strings.Clone(n))
			}
		}
		return list
	}
	s.Numbers.Lost, s.Numbers.Added = keep(s.Numbers.Lost, u.numbers.Lost), keep(s.Numbers.Added, u.numbers.Added)
	s.Keywords.Said, s.Keywords.Lost = append(s.Keywords.Said, u.keywords.Said...), append(s.Keywords.Lost, u.keywords.Lost...)
	if c := u.Comparison.Of(s.Script).Characters; c.Reference() == 0 && c.Insertions > 0 {
		s.silent++
	}
	s.cjk, s.letters = s.cjk+u.cjk, s.letters+u.letters
}

// unitFor returns the unit that fits a reference with so many CJK characters among its
// letters and digits: characters for Chinese, words for text with hardly any Chinese, mixed
// for text with both.
func unitFor(cjk, letters int) speech.Unit {
	const hardly = 0.05
	switch share := float64(cjk) / float64(max(letters, 1)); {
	case share <= hardly:
		return speech.Words
	case share < 1-hardly:
		return speech.Mixed
	}
	return speech.Characters
}

// counts returns the counts of an utterance in the selected unit and script.
func (s *scoredTranscript) counts(u scoredUtterance) speech.Counts { return u.Of(s.Script).Of(s.Unit) }

// A ratePart is what a row of rates counts: a unit, or the mixed unit in one script.
type ratePart string

const (
	cjkPart       = ratePart("CJK")
	latinPart     = ratePart("Latin")
	otherPart     = ratePart("other")
	segmentedPart = ratePart("segmented")
)

// unitParts are the units, and the segmented words.
var unitParts = []ratePart{ratePart(speech.Characters), ratePart(speech.Words), ratePart(speech.Mixed), segmentedPart}

// of returns the counts of the part. ok is false if they were not asked for.
func (p ratePart) of(r speech.Rates) (c speech.Counts, ok bool) {
	switch p {
	case cjkPart:
		return r.Scripts.CJK, true
	case latinPart:
		return r.Scripts.Latin, true
	case otherPart:
		return r.Scripts.Other, true
	case segmentedPart:
		if r.Segmented == nil {
			return speech.Counts{}, false
		}
		return *r.Segmented, true
	}
	return r.Of(speech.Unit(p)), true
}

// A spreadKey is a row whose spread is shown.
type spreadKey struct {
	ratePart
	script speech.Script
}

// spreadsOf lists the rows whose spread the output has.
func spreadsOf(f transcriptFlags, script speech.Script) []spreadKey {
	parts := unitParts
	scripts := []speech.Script{script}
	if f.format == "json" {
		scripts = []speech.Script{speech.Strict, speech.Folded}
	} else {
		parts = slices.Concat(parts, []ratePart{cjkPart, latinPart, otherPart})
	}
	var out []spreadKey
	for _, p := range parts {
		for _, s := range scripts {
			out = append(out, spreadKey{p, s})
		}
	}
	return out
}

// A spread is the distribution of a rate over the n utterances that have one.
type spread struct {
	n     int
	sum   float64
	rates []float64
	tally stats.Tally
}

func (d *spread) add(c speech.Counts) {
	d.tally.Add(float64(c.Errors()), float64(c.Reference()))
	if v, ok := c.Rate(); ok {
		d.n++
		d.sum += v
		d.rates = append(d.rates, v)
	}
}

// mean returns the mean of the rates of n utterances.
func (d *spread) mean() float64 { return d.sum / float64(d.n) }

// median returns the median of the rates of n utterances.
func (d *spread) median() float64 {
	m, _ := stats.Quantile(slices.Sorted(slices.Values(d.rates)), 0.5)
	return m
}

// interval returns the confidence interval of the pooled rate, nil with fewer than two
// utterances that have a rate.
func (d *spread) interval() *stats.Interval {
	if d.n < 2 {
		return nil
	}
	// The seed is fixed so that results are reproducible.
	return d.tally.Ratio(stats.DefaultLevel, 1)
}

// A worstList keeps the utterances with the highest rate, of those with errors.
type worstList struct {
	most int
	list []ranked
}

type ranked struct {
	scoredUtterance
	speech.Counts
}

func (w *worstList) add(u *scoredUtterance, script speech.Script, unit speech.Unit) {
	c := u.Of(script).Of(unit)
	if w.most == 0 || c.Errors() == 0 {
		return
	}
	w.list = append(w.list, ranked{*u, c})
	if len(w.list) > 2*w.most+64 {
		w.cut()
	}
}

// cut sorts the list and drops what is more than wanted.
func (w *worstList) cut() {
	slices.SortStableFunc(w.list, func(a, b ranked) int { return worse(a.Counts, b.Counts) })
	if len(w.list) > w.most {
		clear(w.list[w.most:])
		w.list = w.list[:w.most]
	}
}

// worse compares the counts of utterances with errors, the highest rate first. Those
// without a rate, such as words recognised in silence, precede all others.
func worse(a, b speech.Counts) int {
	x, known := a.Rate()
	y, both := b.Rate()
	switch {
	case known != both && known:
		return 1
	case known != both:
		return -1
	}
	return cmp.Or(cmp.Compare(y, x), b.Errors()-a.Errors())
}

// worstOnes returns the worst utterances with errors, the highest rate first.
func (s *scoredTranscript) worstOnes() []scoredUtterance {
	w := s.worst[s.Unit]
	w.cut()
	out := make([]scoredUtterance, 0, len(w.list))
	for _, r := range w.list {
		out = append(out, r.scoredUtterance)
	}
	return out
}
