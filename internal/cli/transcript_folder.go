package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// folderFormat is the format of a folder. It cannot be chosen: a folder is one.
const folderFormat = "folder"

// transcriptExtensions are the endings of the files of a folder that are transcripts, the
// one that is read first: recognisers write the same text in several formats.
var transcriptExtensions = []string{".txt", ".lab", ".json", ".vtt", ".srt"}

// audioExtensions are endings that stay in the names of transcripts, as in "a.wav.txt".
var audioExtensions = []string{".wav", ".mp3", ".flac", ".m4a", ".ogg", ".opus", ".webm"}

// listsOf reports whether a file lists utterances, as those of LibriSpeech: the id of each begins with the file's name.
func (k *transcriptLook) listsOf(file string) bool {
	name, rest, _ := strings.Cut(filepath.Base(file), ".")
	listed := k.again == 0 && len(k.ids) > 0
	for id := range k.ids {
		after, ok := strings.CutPrefix(id, name)
		listed = listed && (strings.EqualFold(rest, "trans.txt") || ok && strings.IndexAny(after, "-_") == 0)
	}
	return listed
}

// readTranscripts reads a folder with a file for each utterance, whose id is the path of
// the file without its ending, or with files that list utterances.
func readTranscripts(name, folder string) (*transcriptFile, error) {
	best := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		hidden := path != folder && strings.HasPrefix(d.Name(), ".")
		switch {
		case err != nil:
			return err
		case d.IsDir() && hidden:
			return filepath.SkipDir
		case d.IsDir() || hidden:
			return nil
		}
		in, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		rank := slices.Index(transcriptExtensions, strings.ToLower(filepath.Ext(in)))
		if rank < 0 {
			return nil
		}
		id := strings.TrimSuffix(filepath.ToSlash(in), filepath.Ext(in))
		if ext := filepath.Ext(id); slices.Contains(audioExtensions, strings.ToLower(ext)) {
			id = strings.TrimSuffix(id, ext)
		}
		if have, ok := best[id]; !ok || rank < slices.Index(transcriptExtensions, strings.ToLower(filepath.Ext(have))) {
			best[id] = in
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	f := &transcriptFile{Name: name, Format: folderFormat}
	for _, id := range slices.Sorted(maps.Keys(best)) {
		data, err := os.ReadFile(filepath.Join(folder, best[id]))
		if err != nil {
			return nil, err
		}
		file := filepath.Join(name, best[id])
		in, err := inputOfData(file, data)
		if err != nil {
			return nil, err
		}
		look := in.look()
		format, err := look.format(file)
		if err != nil {
			return nil, err
		}
		listed := format == "text" && look.listsOf(best[id])
		if listed {
			format = "kaldi"
		}
		one, err := in.parse(format, hypTexts)
		switch {
		case err != nil:
			return nil, err
		case listed:
			f.Utterances = append(f.Utterances, one.Utterances...)
			continue
		case hasIDs(format):
			return nil, fmt.Errorf("%s: has utterances with ids (%s): a file of a folder must be the text of one utterance", file, format)
		}
		f.Utterances = append(f.Utterances, utterance{id, one.Utterances[0].Text})
	}
	if len(f.Utterances) == 0 {
		return nil, fmt.Errorf("%s: no transcripts: expected files that end in %s", name, strings.Join(transcriptExtensions, ", "))
	}
	return f, nil
}

var (
	// cueTimes matches the line of times of a cue, as in "00:00:01,000 --> 00:00:02,500"; of
	// .vtt with settings behind, and hours only where they are needed.
	cueTimes = lazyregexp.New(`^(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}\s+-->\s+(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}(?:\s|$)`)
	// cueTags matches the tags of a cue, such as <i>, <v Mary> and <00:00:01.000>.
	cueTags = lazyregexp.New(`</?[a-z][^<>]*>|<[\d:.]+>|\{\\[^{}]*\}`)
)

// plainText returns the text of a file that is one text.
func plainText(lines []string, format string) (string, error) {
	switch format {
	case "srt", "vtt":
		return cueText(lines)
	case "whisper":
		return whisperText(strings.Join(lines, "\n"))
	}
	return strings.Join(lines, "\n"), nil
}

// wordTimes matches the time of a word in a cue, which captions have that roll.
var wordTimes = lazyregexp.New(`<[\d:.]+>`)

// A cue is a subtitle with its times in seconds.
type cue struct {
	start, end float64
	lines      []string
}

// longestRoll is the time in seconds between two cues of captions that roll.
const longestRoll = 2

// rolledFrom reports whether the cue shows the lines of the cue before, of which it repeats n, and a new one. Lines that
// begin with a dash are of several speakers, and a cue may repeat what was said long before.
func (c cue) rolledFrom(before cue, n int) bool {
	return n > 0 && n < len(c.lines) && c.start <= before.end+longestRoll && !dashed().MatchString(c.lines[0])
}

// dashed matches a line of one of several speakers.
var dashed = lazyregexp.New(`^[-–—‐]`)

// cueSeconds converts the time of a cue, which cueTimes matches.
func cueSeconds(s string) (seconds float64) {
	for part := range strings.SplitSeq(strings.ReplaceAll(s, ",", "."), ":") {
		v, _ := strconv.ParseFloat(part, 64)
		seconds = seconds*60 + v
	}
	return seconds
}

// cueText returns the texts of subtitles, .srt or .vtt, in the order of their times. What stands
// between the cues, such as notes and styles, is none. Captions that roll show each line in
// several cues; it is read once.
func cueText(lines []string) (string, error) {
	var cues []cue
	open, timed := false, false
	for _, l := range lines {
		l = strings.TrimSpace(l)
		switch {
		case cueTimes().MatchString(l):
			// Without an empty line before it, the number of this cue was read as a line of the last.
			if last := len(cues) - 1; open && len(cues[last].lines) > 0 && cues[last].lines[len(cues[last].lines)-1] == strconv.Itoa(len(cues)+1) {
				cues[last].lines = cues[last].lines[:len(cues[last].lines)-1]
			}
			times := strings.Fields(l)
			open, cues = true, append(cues, cue{start: cueSeconds(times[0]), end: cueSeconds(times[2])})
		case l == "":
			open = false
		case open:
			timed = timed || wordTimes().MatchString(l)
			l = strings.Join(strings.Fields(html.UnescapeString(cueTags().ReplaceAllString(l, ""))), " ")
			cues[len(cues)-1].lines = append(cues[len(cues)-1].lines, l)
		}
	}
	if cues == nil {
		return "", errors.New("no subtitles: expected cues with times, as in 00:00:01.000 --> 00:00:02.500")
	}
	slices.SortStableFunc(cues, func(a, b cue) int { return cmp.Compare(a.start, b.start) })
	// overlap is the number of lines with which a cue repeats the end of the cue before.
	overlap := make([]int, len(cues))
	several, rolled := 0, 0
	for i := 1; i < len(cues); i++ {
		cue, before := cues[i].lines, cues[i-1].lines
		for n := 1; n <= min(len(cue), len(before)); n++ {
			if slices.Equal(cue[:n], before[len(before)-n:]) {
				overlap[i] = n
			}
		}
		if len(cue) > 1 {
			several++
		}
		if cues[i].rolledFrom(cues[i-1], overlap[i]) {
			rolled++
		}
	}
	rolls := timed || rolled > 1 && 2*rolled >= several
	var texts []string
	for i, cue := range cues {
		if rolls {
			cue.lines = cue.lines[overlap[i]:]
		}
		texts = append(texts, cue.lines...)
	}
	return strings.Join(texts, "\n"), nil
}

// whisperText returns the text of a transcript in JSON: of Whisper, and of servers with
// OpenAI's API, at text or in the segments; of whisper.cpp, in transcription.
func whisperText(data string) (string, error) {
	type segment struct{ Text string }
	var v struct {
		Text                    *string
		Segments, Transcription []segment
	}
	if err := json.Unmarshal([]byte(data), &v); err != nil && !strings.HasPrefix(strings.TrimSpace(data), "[") {
		return "", fmt.Errorf("no transcript in JSON: %w", err)
	}
	var texts []string
	between := " "
	for _, s := range append(v.Segments, v.Transcription...) {
		if strings.HasPrefix(s.Text, " ") {
			between = "" // Whisper's own segments begin with it, and others continue a word
		}
		texts = append(texts, s.Text)
	}
	if v.Text != nil && (texts == nil || strings.TrimSpace(*v.Text) != "") {
		return *v.Text, nil
	}
	if texts == nil {
		return "", errors.New(`no transcript: expected an object with "text", as Whisper writes it, or with "segments" or "transcription"`)
	}
	return strings.Join(texts, between), nil
}
