package cli

import (
	"cmp"
	"maps"
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
	Format  string
	Told    bool
	Profile speech.Profile
	Unit    speech.Unit
	Script  speech.Script
	// N is the number of utterances. Utterances lists them with --per-utterance.
	N              int
	Utterances     []scoredUtterance
	Strict, Folded speech.Rates
	WrittenChinese []speech.Rewording
	// Numbers lists as many as are shown, or all for JSON.
	Numbers  speech.Numbers
	Keywords speech.Keywords
	// Asked is set if keywords were given.
	Asked bool

	spreads map[spreadKey]*spread
	// worst are the worst utterances in each unit that may be the selected one.
	worst map[speech.Unit]*worstList
	// speakers counts the lines that begin with what may be the name of a speaker.
	speakers map[string]int
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
	numbers      speech.Numbers
	keywords     speech.Keywords
	cjk, letters int
}

// shownNumbers is the number of list entries that a table shows.
const shownNumbers = 10

// score compares all pairs and sums the counts. show is told of the progress, if it is set.
func (s *scoredTranscript) score(pairs *transcriptPairing, f transcriptFlags, show func(what string, done, total int)) error {
	s.Numbers = speech.Numbers{Lost: []string{}, Added: []string{}}
	s.Keywords = speech.Keywords{Said: []string{}, Lost: []string{}}
	s.speakers = map[string]int{}
	s.spreads = map[spreadKey]*spread{}
	for _, key := range spreadsOf(f, s.Script) {
		s.spreads[key] = &spread{rates: map[float64]int{}}
	}
	s.worst = map[speech.Unit]*worstList{}
	for _, u := range speech.Units() {
		if s.Unit == "" || s.Unit == u {
			s.worst[u] = &worstList{most: f.worst}
		}
	}
	rewordings := map[[2]string]int{}
	options := speech.Options{Profile: s.Profile, Segment: f.segment}
	if pairs.total == 1 {
		options.Progress = func(done, total int) { show("characters aligned", done, total) }
	}
	err := inOrder(pairs.each, func(p spokenPair) scoredPair {
		if !s.Profile.Raw {
			p.Reference, p.Hypothesis = speech.Spoken(p.Reference), speech.Spoken(p.Hypothesis)
		}
		u := scoredPair{
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
	}, func(u *scoredPair) {
		s.add(u, f)
		for _, w := range u.WrittenChinese {
			rewordings[[2]string{w.Spoken, w.Written}] += w.Count
		}
		if pairs.total > 1 && (s.N%1000 == 0 || s.N == pairs.total) {
			show("utterances", s.N, pairs.total)
		}
	})
	if err != nil {
		return err
	}
	s.WrittenChinese = []speech.Rewording{}
	for k, n := range rewordings {
		s.WrittenChinese = append(s.WrittenChinese, speech.Rewording{Spoken: k[0], Written: k[1], Count: n})
	}
	slices.SortFunc(s.WrittenChinese, func(a, b speech.Rewording) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.Spoken, b.Spoken), strings.Compare(a.Written, b.Written))
	})
	if s.Unit == "" {
		s.Unit = unitFor(s.cjk, s.letters)
	}
	return nil
}

// add adds an utterance to the sums.
func (s *scoredTranscript) add(u *scoredPair, f transcriptFlags) {
	s.N++
	for l := range strings.Lines(u.spokenPair.Reference + "\n" + u.spokenPair.Hypothesis) {
		if name := speech.Speaker(l); name != "" {
			s.speakers[strings.Clone(name)]++
		}
	}
	if f.perUtterance {
		s.Utterances = append(s.Utterances, u.scoredUtterance)
	}
	s.Strict, s.Folded = s.Strict.Add(u.Strict), s.Folded.Add(u.Folded)
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

// inOrder calls work for all pairs, on all processors, and add for what it returns, in
// order.
func inOrder[P, R any](pairs func(func(P, error) bool), work func(P) R, add func(*R)) error {
	// A batch is large enough that handing it over takes little of its time.
	const batch = 128
	type part struct {
		pairs   []P
		results []R
		done    chan struct{}
	}
	workers := runtime.GOMAXPROCS(0)
	todo, ordered := make(chan *part, workers), make(chan *part, 2*workers)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for p := range todo {
				for _, pair := range p.pairs {
					p.results = append(p.results, work(pair))
				}
				close(p.done)
			}
		})
	}
	var failed error
	group.Go(func() {
		defer close(ordered)
		defer close(todo)
		next := &part{done: make(chan struct{})}
		send := func() {
			if len(next.pairs) > 0 {
				ordered <- next
				todo <- next
			}
			next = &part{done: make(chan struct{})}
		}
		for pair, err := range pairs {
			if err != nil {
				failed = err
				return
			}
			if next.pairs = append(next.pairs, pair); len(next.pairs) == batch {
				send()
			}
		}
		send()
	})
	for p := range ordered {
		<-p.done
		for i := range p.results {
			add(&p.results[i])
		}
	}
	group.Wait()
	return failed
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
	parts := []ratePart{segmentedPart}
	for _, u := range speech.Units() {
		parts = append(parts, ratePart(u))
	}
	scripts := []speech.Script{script}
	switch f.format {
	case "csv":
		return nil
	case "json":
		scripts = []speech.Script{speech.Strict, speech.Folded}
	default:
		parts = append(parts, cjkPart, latinPart, otherPart)
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
	rates map[float64]int
	tally stats.Tally
}

func (d *spread) add(c speech.Counts) {
	d.tally.Add(float64(c.Errors()), float64(c.Reference()))
	if v, ok := c.Rate(); ok {
		d.n++
		d.sum += v
		d.rates[v]++
	}
}

// mean returns the mean of the rates of n utterances.
func (d *spread) mean() float64 { return d.sum / float64(d.n) }

// median returns the median of the rates of n utterances.
func (d *spread) median() float64 {
	below, middle := 0, make([]float64, 0, 2)
	for _, v := range slices.Sorted(maps.Keys(d.rates)) {
		before := below
		below += d.rates[v]
		for _, at := range []int{(d.n - 1) / 2, d.n / 2} {
			if before <= at && at < below {
				middle = append(middle, v)
			}
		}
	}
	m, _ := stats.Quantile(middle, 0.5)
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
	// full is set once the first of the list are in order, and as many as wanted.
	full bool
}

type ranked struct {
	scoredUtterance
	speech.Counts
}

func (w *worstList) add(u *scoredUtterance, script speech.Script, unit speech.Unit) {
	c := u.Of(script).Of(unit)
	if w.most == 0 || c.Errors() == 0 || w.full && worse(w.list[w.most-1].Counts, c) <= 0 {
		return
	}
	w.list = append(w.list, ranked{*u, c})
	if len(w.list) > 2*w.most+64 {
		w.cut()
		w.full = true
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
