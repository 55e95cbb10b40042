package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// A transcriptInput is a file, or a folder that has a file for each utterance.
type transcriptInput struct {
	name string
	// folder is the path of a folder.
	folder string
	// lines are those of a file without their ends, and without empty lines at its end.
	lines []string
}

func transcriptInputOf(env *Env, name string) (transcriptInput, error) {
	if info, err := os.Stat(env.Path(name)); name != "-" && err == nil && info.IsDir() {
		return transcriptInput{name: name, folder: env.Path(name)}, nil
	}
	s := source(env, name)
	r, err := s.Open()
	if err != nil {
		return transcriptInput{}, err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		return transcriptInput{}, fmt.Errorf("%s: %w", s.Name, err)
	}
	return inputOfData(s.Name, data)
}

// inputOfData is a file whose content was read.
func inputOfData(name string, data []byte) (transcriptInput, error) {
	text := strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
	in := transcriptInput{name: name, lines: strings.Split(strings.TrimRight(text, "\n"), "\n")}
	for i, l := range in.lines {
		if !utf8.ValidString(l) {
			return in, fmt.Errorf("%s:%d: invalid UTF-8", name, i+1)
		}
	}
	return in, nil
}

// A transcriptLook is what the lines of a file show of its format.
type transcriptLook struct {
	lines int
	// spoken counts the lines that are neither blank nor a comment; first is the first of them.
	spoken int
	first  string
	// ended is set by the mark of sphinx in the first line.
	ended bool
	// matches counts the lines in each of lineFormats, others has the first line that is not.
	matches, others [len(lineFormats)]int
	// cues is set by a line of times, comments by a line that sclite's formats ignore; timed
	// counts the lines that begin with a time, piped those with an id and a bar, and listed those
	// that end in a list.
	cues, comments       bool
	timed, piped, listed int
	// clocks counts the lines that begin with a time that may be one of day, and zero is set by one of the first minute.
	clocks int
	zero   bool
	// ids are the first words of the lines. marked counts those that look like an id, and
	// again the lines whose first word was there before. folder is set for a folder.
	ids           map[string]bool
	marked, again int
	folder        bool
}

// lineFormats are formats of which each line shows that it is in the format.
var lineFormats = [...]struct {
	name string
	is   func(line string) bool
}{
	{"sphinx", func(l string) bool { return strings.HasSuffix(l, ")") && sphinxLine().MatchString(l) }},
	{"stm", func(l string) bool { f := strings.Fields(l); return len(f) > 4 && isTime(f[3]) && isTime(f[4]) }},
	{"ctm", func(l string) bool {
		f := strings.Fields(l)
		return len(f) > 4 && len(f) < 8 && isTime(f[2]) && isTime(f[3])
	}},
	{"tsv", func(l string) bool {
		id, _, ok := strings.Cut(l, "\t")
		return ok && id != "" && !strings.Contains(strings.TrimSpace(id), " ")
	}},
}

// isTime reports whether s is a time of an .stm or a .ctm file.
func isTime(s string) bool {
	_, err := seconds(s)
	return err == nil || s == "*"
}

func (k *transcriptLook) add(line string) {
	k.lines++
	if strings.HasPrefix(line, ";;") {
		k.comments = true
		return
	}
	trimmed := strings.TrimSpace(line)
	if trimmed == "" {
		return
	}
	if k.spoken++; k.spoken == 1 {
		k.first, k.ended = trimmed, strings.Contains(line, "</s>")
	}
	k.addID(trimmed)
	k.cues = k.cues || strings.Contains(trimmed, "-->") && cueTimes().MatchString(trimmed)
	if beginTime().MatchString(trimmed) {
		k.timed++
	} else if beginClock().MatchString(trimmed) {
		k.clocks++
		k.zero = k.zero || strings.HasPrefix(trimmed, "0:") || strings.HasPrefix(trimmed, "00:")
	}
	if piped().MatchString(trimmed) {
		k.piped++
	}
	if wordList().MatchString(trimmed) {
		k.listed++
	}
	for i, f := range lineFormats {
		text := trimmed
		if f.name == "tsv" {
			text = line
		}
		if f.is(text) {
			k.matches[i]++
		} else if k.others[i] == 0 {
			k.others[i] = k.lines
		}
	}
}

// addID looks at the first word of a line that is not blank.
func (k *transcriptLook) addID(line string) {
	if k.ids == nil {
		k.ids = map[string]bool{}
	}
	id, _, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
	if k.ids[id] {
		k.again++
		return
	}
	if 2*k.again > len(k.ids)+10 {
		return // They are no ids, and may be many.
	}
	k.ids[id] = true
	if strings.ContainsAny(id, "0123456789_/-") {
		k.marked++
	}
}

// haveIDs reports whether the first words of the lines may be ids: few are there again, and
// most have a digit, or a mark that ids have.
func (k *transcriptLook) haveIDs() bool { return 2*k.marked > len(k.ids) && 2*k.again <= len(k.ids) }

// foreign are formats that are not read, and how the first line of a file begins in them.
var foreign = []struct {
	begins func() *regexp.Regexp
	what   string
}{
	{lazyregexp.New(`^<(?:[?!]|[\w:.-]+\s+[\w:.-]+\s*=|(?:tt|transcript|html|body|Trans)\b)`), "XML"},
	{lazyregexp.New(`^File type = "ooTextFile`), "a TextGrid of Praat"}, {lazyregexp.New(`^\[Script Info\]`), "subtitles in ASS"},
	{lazyregexp.New(`^0\s+\d{4,}\s+\D`), "numbers of samples, as TIMIT has them"}, {lazyregexp.New(`^SPEAKER `), "RTTM"}, {lazyregexp.New(`^\{\\rtf`), "RTF"},
	{lazyregexp.New(`^(?:---$|(?:- )?(?:id|text|transcript|segments|speaker|start|begin|end|words):(?:\s|$))`), "YAML"},
}

// piped matches a line of LJSpeech: an id, a bar and a text.
var piped = lazyregexp.New(`^[^\s|]+\|`)

// wordList matches a line whose text is a list in quotes, also in a cell of a table.
var wordList = lazyregexp.New(`(?:^|[\s=:,;"|])\[\s*['"].*['"]\s*\]"?$`)

// beginTime matches a line that begins with a time: a time alone, in brackets, with the end of the segment, or with hours or
// fractions of a second. beginClock matches minutes and seconds, which may be the time of day.
var (
	beginTime  = lazyregexp.New(`^(?:[\[(]\d+:\d\d|\d+:\d\d(?::\d\d)?(?:[.,]\d{1,3})?(?:,\d|\s*$)|\d+:\d\d(?::\d\d(?:[.,]\d{1,3})?|[.,]\d{1,3})[ :>-])`)
	beginClock = lazyregexp.New(`^\d+:\d\d(?:[ >-]|: )`)
)

// jsonBegins matches the first line of JSON, not that of a text with a sound such as "[noise]".
var jsonBegins = lazyregexp.New(`^(?:\{\s*(?:"|$)|\[\s*(?:[{"\[]|$))`)

// format returns the format of the file. A file without IDs is one text. A file that looks
// like a format in most lines, and is not in all, is an error: as a text it would be scored
// with its ids and marks as words.
func (k *transcriptLook) format(name string) (string, error) {
	const hint = "; --input says how the files are to be read"
	ext := strings.ToLower(filepath.Ext(name))
	isJSON, what := jsonBegins().MatchString(k.first), ""
	if k.listed > 0 && 2*k.listed >= k.spoken && !isJSON {
		what = "lists of words, as icefall writes them"
	}
	switch {
	case k.folder:
		return folderFormat, nil
	case what != "": // in tables, too
	case isJSON && (k.spoken > 1 && strings.HasSuffix(k.first, "}") || strings.Contains(k.first, `"audio_filepath"`)), ext == ".jsonl":
		return "nemo", nil
	case ext == ".json", isJSON:
		return "whisper", nil
	case ext == ".trn":
		return "sphinx", nil
	case slices.Contains([]string{".stm", ".ctm", ".srt", ".vtt", ".csv"}, ext):
		return ext[1:], nil
	case isTable(k.first):
		return "csv", nil
	case ext == ".tsv":
		return "tsv", nil
	case k.cues:
		return "vtt", nil
	}
	timed := k.timed
	if k.zero {
		timed += k.clocks
	}
	switch {
	case timed > 1 && 3*timed >= k.spoken:
		what = "lines that begin with times, as Whisper prints them and LRC and SBV have them"
	case k.piped > 1 && 2*k.piped > k.spoken:
		what = "id|text, as LJSpeech has it"
	}
	for _, f := range foreign {
		if f.begins().MatchString(k.first) {
			what = f.what
		}
	}
	if what != "" {
		return "", fmt.Errorf("%s: looks like %s, which is not read: convert it to a text, .stm, .ctm, .vtt or .csv file", name, what)
	}
	for i, f := range lineFormats {
		n := k.matches[i]
		alone := f.name == "sphinx" && k.spoken == 1 && !k.ended
		switch {
		case n == 0 || alone:
		case n == k.spoken:
			return f.name, nil
		case n > 1 && 2*n > k.spoken:
			return "", fmt.Errorf("%s:%d: the line is not in the format %s, as %d of %d lines are: fix it%s", name,
				k.others[i], f.name, n, k.spoken, hint)
		}
	}
	if k.comments {
		return "", fmt.Errorf("%s: lines that begin with \";;\" are comments of sclite's formats, "+
			"but no line has an id as in \"two words (u1)\": remove the comments%s", name, hint)
	}
	return "text", nil
}

// kaldiWith reports whether the first words of the lines are ids, as Kaldi writes them,
// given the other file: one with the same ids for the most part, or one that has ids by its
// format.
func (k *transcriptLook) kaldiWith(other *transcriptLook, format string) bool {
	if !k.haveIDs() || format != "text" {
		return k.haveIDs() && hasIDs(format) && format != "stm"
	}
	shared := 0
	for id := range k.ids {
		if other.ids[id] {
			shared++
		}
	}
	return other.haveIDs() && len(k.ids) > 1 && shared > 0 && 2*shared >= min(len(k.ids), len(other.ids))
}

// look reads the file for its format.
func (in transcriptInput) look() transcriptLook {
	k := transcriptLook{folder: in.folder != ""}
	for _, line := range in.lines {
		k.add(line)
	}
	return k
}

// A transcriptPairing has the utterances of two files with their transcripts.
type transcriptPairing struct {
	// format is that of the reference, and told is set if the user has named it.
	format string
	told   bool
	// columns says which columns of tables were read.
	columns string
	pairs   []spokenPair
}

// pairFiles pairs the utterances of two files in a format. "auto" tells it from both. Plain
// texts with as many lines, more than one, are then read as lines.
func pairFiles(env *Env, refName, hypName, format string) (*transcriptPairing, error) {
	ref, err := transcriptInputOf(env, refName)
	if err != nil {
		return nil, err
	}
	hyp, err := transcriptInputOf(env, hypName)
	if err != nil {
		return nil, err
	}
	p := &transcriptPairing{format: format, told: format != autoInput}
	if p.told && ref.folder != "" && hyp.folder != "" {
		return nil, fmt.Errorf("--input %s: %s and %s are folders, whose files are told by their names; leave out --input", format, ref.name,
			hyp.name)
	}
	hypFormat := format
	if !p.told {
		said, heard := ref.look(), hyp.look()
		if p.format, err = said.format(ref.name); err != nil {
			return nil, err
		}
		if hypFormat, err = heard.format(hyp.name); err != nil {
			return nil, err
		}
		if said.kaldiWith(&heard, hypFormat) && p.format == "text" {
			p.format = "kaldi"
		}
		if heard.kaldiWith(&said, p.format) && hypFormat == "text" {
			hypFormat = "kaldi"
		}
		if p.format == "text" && hypFormat == "text" && said.lines == heard.lines && said.lines > 1 {
			p.format = "lines"
		}
	}
	if p.format == "lines" {
		p.pairs, err = pairLines(ref, hyp)
		return p, err
	}
	said, err := ref.parse(p.format, refTexts)
	if err != nil {
		return nil, err
	}
	heard, err := hyp.parse(hypFormat, hypTexts)
	if err != nil {
		return nil, err
	}
	if p.pairs, err = pairTranscripts(said, heard); err != nil {
		return nil, err
	}
	if refName == hypName && said.text == heard.text {
		heard.warning = "the same texts are the reference and the hypothesis: in a table, name the columns reference and hypothesis"
	}
	if heard.warning != "" {
		env.Warn("warning: %s: %s", hyp.name, heard.warning)
	}
	p.columns = strings.TrimPrefix(said.columns()+heard.columns(), ", ")
	for i := range p.pairs {
		if err := p.pairs[i].choose(p.format, hypFormat); err != nil {
			return nil, fmt.Errorf("%s, %s: utterance %q: %w", ref.name, hyp.name, p.pairs[i].ID, err)
		}
	}
	return p, nil
}

func (in transcriptInput) parse(format string, texts []string) (*transcriptFile, error) {
	if in.folder != "" {
		return readTranscripts(in.name, in.folder)
	}
	return parseTranscripts(in.lines, in.name, format, texts)
}

// pairLines pairs the lines of two files in order.
func pairLines(ref, hyp transcriptInput) (pairs []spokenPair, err error) {
	if len(ref.lines) != len(hyp.lines) {
		return nil, fmt.Errorf("%s has %d lines and %s has %d: expected the same number", ref.name, len(ref.lines), hyp.name, len(hyp.lines))
	}
	for i, said := range ref.lines {
		pairs = append(pairs, spokenPair{fmt.Sprintf("line %d", i+1), strings.TrimSpace(said), strings.TrimSpace(hyp.lines[i])})
	}
	return pairs, nil
}
