package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
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

// readTranscripts reads a folder with a file for each utterance, whose id is the path of
// the file without its ending.
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
		look := transcriptLook{}
		one, err := parseTranscripts(data, file, look.format(file))
		if err != nil {
			return nil, err
		}
		f.Utterances = append(f.Utterances, utterance{id, one.Utterances[0].Text})
	}
	if len(f.Utterances) == 0 {
		return nil, fmt.Errorf("%s: no transcripts: want files that end in %s", name, strings.Join(transcriptExtensions, ", "))
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
func plainText(data []byte, lines []string, format string) (string, error) {
	switch format {
	case "srt", "vtt":
		return cueText(lines)
	case "whisper":
		return whisperText(data)
	}
	return strings.Join(lines, "\n"), nil
}

// cueText returns the texts of subtitles, .srt or .vtt, in their order. What stands between
// the cues, such as notes and styles, is none.
func cueText(lines []string) (string, error) {
	var texts []string
	cue, cues := false, 0
	for _, l := range lines {
		l = strings.TrimSpace(l)
		switch {
		case cueTimes().MatchString(l):
			cue = true
			cues++
		case l == "":
			cue = false
		case cue:
			texts = append(texts, html.UnescapeString(cueTags().ReplaceAllString(l, "")))
		}
	}
	if cues == 0 {
		return "", errors.New("no subtitles: want cues with times, as in 00:00:01.000 --> 00:00:02.500")
	}
	return strings.Join(texts, "\n"), nil
}

// whisperText returns the text of a transcript in JSON: of Whisper, and of servers with
// OpenAI's API, at text or in the segments; of whisper.cpp, in transcription.
func whisperText(data []byte) (string, error) {
	type segment struct{ Text string }
	var v struct {
		Text                    *string
		Segments, Transcription []segment
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return "", fmt.Errorf("no transcript in JSON: %w", err)
	}
	if v.Text != nil {
		return *v.Text, nil
	}
	var texts []string
	for _, s := range append(v.Segments, v.Transcription...) {
		texts = append(texts, s.Text)
	}
	if texts == nil {
		return "", errors.New(`no transcript: want an object with "text", as Whisper writes it, or with "segments" or "transcription"`)
	}
	return strings.Join(texts, ""), nil
}
