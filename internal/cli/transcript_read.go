package cli

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// An utterance is a text with the ID of the utterance, "" if the format has none.
type utterance struct {
	ID, Text string
}

// A transcriptFile is the content of one file.
type transcriptFile struct {
	// Name is the file name.
	Name string
	// Format is the input format, one of transcriptFormats.
	Format     string
	Utterances []utterance
	// segments are the segments of an .stm file, and words the words of a .ctm file, in the order
	// of their times.
	segments []segment
	words    []timedWord
	// group is 1 more than the index of the word that opens the current alternatives of a
	// .ctm file; 0 outside of alternatives.
	group int
	// id and text are the columns that were read of a table, and rows its rows.
	id, text string
	rows     []tableRow
	// warning says what may be wrong with the pairs, "" if nothing.
	warning string
}

// A segment is a time range of a recording.
type segment struct {
	recording  string
	start, end float64
	// An ignored segment is not scored, and words recognised in it are dropped.
	ignored bool
	id      string
}

// A timedWord is a recognised word with the middle of its time range.
type timedWord struct {
	recording string
	middle    float64
	word      string
}

// transcriptFormats are the input formats.
var transcriptFormats = []string{"text", "lines", "tsv", "csv", "kaldi", "sphinx", "stm", "ctm", "srt", "vtt", "whisper", "nemo"}

// hasIDs reports whether utterances of the format have IDs.
func hasIDs(format string) bool {
	return !slices.Contains([]string{"text", "srt", "vtt", "whisper"}, format)
}

var (
	// sphinxLine matches a line that ends with the ID of an utterance and, in results, its
	// score.
	sphinxLine = lazyregexp.New(`^(.*)\(([^()\s]+)(?:\s+-?[0-9.e+]+)?\)$`)
	// sphinxMarks removes markers that are not words.
	sphinxMarks = strings.NewReplacer("<s>", " ", "</s>", " ", "<sil>", " ")
	// stmMarks matches noises and unintelligible passages.
	stmMarks = lazyregexp.New(`\(?<[^<>\s]*>\)?|\(\(\)\)`)
)

// parseTranscripts parses transcripts in a format other than lines, which [pairLines] reads.
// texts are the names of what holds a text in a table or manifest, the best first.
func parseTranscripts(lines []string, name, format string, texts []string) (*transcriptFile, error) {
	f := &transcriptFile{Name: name, Format: format}
	if !hasIDs(format) {
		text, err := plainText(lines, format)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		f.Utterances = []utterance{{Text: text}}
		return f, nil
	}
	var rows []tableRow
	if format == "csv" || format == "nemo" {
		var err error
		if rows, err = f.tableRows(lines, texts); err != nil {
			return nil, err
		}
	} else {
		for i, l := range lines {
			rows = append(rows, tableRow{line: i, text: strings.TrimSpace(l)})
		}
	}
	first := map[string]int{}
	for _, row := range rows {
		i, l := row.line, row.text
		if row.id == "" && (l == "" || strings.HasPrefix(l, ";;")) {
			continue
		}
		u, err := utterance{row.id, l}, error(nil)
		if row.id == "" {
			u, err = f.line(l)
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		case format == "ctm" || u == utterance{}:
			continue
		case first[u.ID] > 0:
			return nil, fmt.Errorf("%s:%d: duplicate utterance %q, first on line %d", name, i+1, u.ID, first[u.ID])
		}
		first[u.ID] = i + 1
		f.Utterances = append(f.Utterances, u)
	}
	slices.SortStableFunc(f.words, func(a, b timedWord) int { return cmp.Compare(a.middle, b.middle) })
	if len(f.Utterances) == 0 && len(f.words) == 0 {
		return nil, fmt.Errorf("%s: no utterances: expected lines in the format %s", name, format)
	}
	return f, nil
}

// line parses a line with an ID. The utterance is empty if there is nothing to score.
func (f *transcriptFile) line(l string) (utterance, error) {
	switch f.Format {
	case "tsv":
		id, text, _ := strings.Cut(l, "\t")
		if strings.Contains(text, "\t") {
			return utterance{}, fmt.Errorf("%d columns: must be an id and a text, or a header must name the columns", 2+strings.Count(text, "\t"))
		}
		return utterance{strings.TrimSpace(id), strings.TrimSpace(text)}, nil
	case "kaldi":
		id, text, _ := strings.Cut(strings.ReplaceAll(l, "\t", " "), " ")
		return utterance{id, strings.TrimSpace(text)}, nil
	case "sphinx":
		m := sphinxLine().FindStringSubmatch(l)
		if m == nil {
			return utterance{}, fmt.Errorf("%q: expected a text and its id in parentheses, as in %q", l, "<s> two words </s> (u1)")
		}
		return utterance{m[2], strings.TrimSpace(sphinxMarks.Replace(m[1]))}, nil
	case "stm":
		return f.stm(l)
	}
	return utterance{}, f.ctm(l)
}

// stm parses a segment: recording, channel, speaker, start, end, labels and text.
func (f *transcriptFile) stm(l string) (utterance, error) {
	fields := strings.Fields(l)
	if len(fields) < 5 {
		return utterance{}, fmt.Errorf("%d columns: expected recording, channel, speaker, start, end and text", len(fields))
	}
	s := segment{recording: fields[0] + " " + fields[1]}
	var err error
	if s.start, err = seconds(fields[3]); err != nil {
		return utterance{}, err
	}
	if s.end, err = seconds(fields[4]); err != nil {
		return utterance{}, err
	}
	if s.end < s.start {
		return utterance{}, fmt.Errorf("the segment ends at %v, before its start at %v", s.end, s.start)
	}
	words := fields[5:]
	if len(words) > 0 && strings.HasPrefix(words[0], "<") && strings.HasSuffix(words[0], ">") {
		words = words[1:]
	}
	s.ignored = len(words) == 1 && strings.EqualFold(strings.ReplaceAll(words[0], "_", ""), "IGNORETIMESEGMENTINSCORING")
	s.id = fmt.Sprintf("%s-%s-%s", fields[0], fields[1], fields[3])
	f.segments = append(f.segments, s)
	if s.ignored {
		return utterance{}, nil
	}
	return utterance{s.id, strings.Join(strings.Fields(stmMarks().ReplaceAllString(strings.Join(words, " "), " ")), " ")}, nil
}

// ctm parses a word: recording, channel, start, duration, word and confidence.
func (f *transcriptFile) ctm(l string) error {
	fields := strings.Fields(l)
	if len(fields) < 5 {
		return fmt.Errorf("%d columns: expected recording, channel, start, duration and word", len(fields))
	}
	w := timedWord{recording: fields[0] + " " + fields[1], word: fields[4]}
	mark, isMark := alternationMarks[strings.ToUpper(w.word)]
	if isMark {
		w.word = mark
	}
	if mark == "{" {
		f.group = len(f.words) + 1
	}
	if fields[2] != "*" || f.group == 0 {
		start, err := seconds(fields[2])
		if err != nil {
			return err
		}
		long, err := seconds(fields[3])
		if err != nil {
			return err
		}
		w.middle = start + long/2
	}
	f.words = append(f.words, w)
	if f.group == 0 {
		return nil
	}
	// Alternatives stay together: all have the time of the first that has one.
	group := f.words[f.group-1:]
	at := max(group[0].middle, w.middle)
	if group[0].middle > 0 {
		at = group[0].middle
	}
	for i := range group {
		group[i].middle = at
	}
	if mark == "}" {
		f.group = 0
	}
	return nil
}

func seconds(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v >= 0 && v < 1e9) {
		return 0, fmt.Errorf("time %q: expected seconds", s)
	}
	return v, nil
}

// A spokenPair is an utterance with its transcript.
type spokenPair struct {
	ID, Reference, Hypothesis string
}

// pairTranscripts matches the utterances of two files: by ID, by the times of words, or as
// two whole texts.
func pairTranscripts(ref, hyp *transcriptFile) ([]spokenPair, error) {
	switch {
	case ref.Format == "ctm":
		return nil, fmt.Errorf("%s: words with times (.ctm) as the reference: expected segments (.stm), or a text of each recording", ref.Name)
	case hyp.Format == "ctm" && ref.Format == "stm":
		return pairByTime(ref, hyp)
	case hyp.Format == "ctm":
		hyp = hyp.recordings(ref)
	}
	if err := commonIDs(ref, hyp); err != nil {
		return nil, err
	}
	switch {
	case !hasIDs(ref.Format) && !hasIDs(hyp.Format):
		return []spokenPair{{"", ref.Utterances[0].Text, hyp.Utterances[0].Text}}, nil
	case hasIDs(ref.Format) != hasIDs(hyp.Format):
		with, without := ref, hyp
		if hasIDs(hyp.Format) {
			with, without = hyp, ref
		}
		return nil, hinted(fmt.Errorf("%s has ids (%s) and %s has none (%s): expected both with ids or both without", with.Name, with.Format,
			without.Name, without.Format),
			"--input says how the files are to be read")
	}
	heard := map[string]string{}
	for _, u := range hyp.Utterances {
		heard[u.ID] = u.Text
	}
	var pairs []spokenPair
	var lacking []string
	for _, u := range ref.Utterances {
		text, ok := heard[u.ID]
		if !ok {
			lacking = append(lacking, u.ID)
			continue
		}
		delete(heard, u.ID)
		pairs = append(pairs, spokenPair{u.ID, u.Text, text})
	}
	var unknown []string
	for _, u := range hyp.Utterances {
		if _, left := heard[u.ID]; left {
			unknown = append(unknown, u.ID)
		}
	}
	switch {
	case len(lacking) > 0:
		return nil, fmt.Errorf("%s lacks %d of the %d utterances of %s: %s", hyp.Name, len(lacking), len(ref.Utterances), ref.Name,
			someOf(lacking))
	case len(unknown) > 0:
		return nil, fmt.Errorf("%s has %d utterances that %s lacks: %s", hyp.Name, len(unknown), ref.Name, someOf(unknown))
	}
	return pairs, nil
}

// recordings returns the words of a .ctm file as a text for each recording. A recording of the
// reference without words is an empty text: such a file has no line for silence. All words are one
// text if the reference is.
func (f *transcriptFile) recordings(ref *transcriptFile) *transcriptFile {
	texts := map[string][]string{}
	var ids []string
	if hasIDs(ref.Format) {
		for _, u := range ref.Utterances {
			ids, texts[u.ID] = append(ids, u.ID), nil
		}
	}
	for _, w := range f.words {
		id, _, _ := strings.Cut(w.recording, " ")
		if _, known := texts[id]; !known {
			ids = append(ids, id)
		}
		texts[id] = append(texts[id], w.word)
	}
	out := &transcriptFile{Name: f.Name, Format: f.Format}
	f.warnSilent(slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return texts[id] != nil }))
	for _, id := range ids {
		out.Utterances = append(out.Utterances, utterance{id, strings.Join(texts[id], " ")})
	}
	if !hasIDs(ref.Format) && len(ids) == 1 {
		out.Format, out.Utterances[0].ID = ref.Format, ""
	}
	return out
}

// warnSilent warns of recordings without a word, which a recognizer may have lost.
func (f *transcriptFile) warnSilent(recordings []string) {
	if len(recordings) > 0 {
		f.warning = "no word of " + someOf(recordings) + ": what was said there counts as deleted"
	}
}

func someOf(ids []string) string {
	const most = 5
	quoted := make([]string, 0, most)
	for _, id := range ids[:min(len(ids), most)] {
		quoted = append(quoted, strconv.Quote(id))
	}
	if len(ids) > most {
		quoted = append(quoted, "…")
	}
	return strings.Join(quoted, ", ")
}

// pairByTime assigns each word to the segment that has the word's middle, to that of segments
// that overlap which ends first, or else to the next or the last segment. It drops words in ignored segments.
func pairByTime(ref, hyp *transcriptFile) ([]spokenPair, error) {
	byRecording := map[string][]segment{}
	for _, s := range ref.segments {
		key := strings.ToLower(s.recording)
		byRecording[key] = append(byRecording[key], s)
	}
	for _, list := range byRecording {
		slices.SortStableFunc(list, func(a, b segment) int { return cmp.Compare(a.end, b.end) })
	}
	heard, found := map[string][]string{}, map[string]bool{}
	for _, w := range hyp.words {
		key := strings.ToLower(w.recording)
		list := byRecording[key]
		found[key] = true
		if list == nil {
			return nil, fmt.Errorf("%s: words of recording and channel %q: %s has no segment of it", hyp.Name, w.recording, ref.Name)
		}
		i := sort.Search(len(list)-1, func(i int) bool { return w.middle < list[i].end })
		for j := i; j < len(list); j++ {
			if list[j].start <= w.middle && w.middle < list[j].end {
				i = j
				break
			}
		}
		if !list[i].ignored {
			heard[list[i].id] = append(heard[list[i].id], w.word)
		}
	}
	var pairs []spokenPair
	var silent []string
	for _, s := range ref.segments {
		if s.ignored {
			continue
		}
		u := ref.Utterances[len(pairs)]
		pairs = append(pairs, spokenPair{u.ID, u.Text, strings.Join(heard[u.ID], " ")})
		if key := strings.ToLower(s.recording); u.Text != "" && !found[key] {
			found[key], silent = true, append(silent, s.recording)
		}
	}
	hyp.warnSilent(silent)
	return pairs, nil
}
