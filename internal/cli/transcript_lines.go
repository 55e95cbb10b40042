package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// A transcriptInput is a file that can be read several times. What is no regular file is
// held in memory.
type transcriptInput struct {
	name string
	open func() (io.ReadCloser, error)
	// folder is the path of a folder, which has a file for each utterance.
	folder string
}

func transcriptInputOf(env *Env, name string) (transcriptInput, error) {
	s := source(env, name)
	if info, err := os.Stat(env.Path(name)); name != "-" && err == nil && info.IsDir() {
		return transcriptInput{name: name, folder: env.Path(name)}, nil
	}
	r, err := s.Open()
	if err != nil {
		return transcriptInput{}, err
	}
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return transcriptInput{name: s.Name, open: s.Open}, f.Close()
		}
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		return transcriptInput{}, fmt.Errorf("%s: %w", s.Name, err)
	}
	return transcriptInput{
		name: s.Name,
		open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil },
	}, nil
}

// lines yields the lines of the file without their ends, and without empty lines at the end
// of the file; one empty line of an empty file. An error ends them.
func (in transcriptInput) lines() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		f, err := in.open()
		if err != nil {
			yield("", err)
			return
		}
		defer f.Close()
		r := bufio.NewReaderSize(f, 1<<16)
		// empty lines are yielded once another line follows.
		empty, n := 0, 0
		for {
			line, err := r.ReadString('\n')
			if err != nil && !errors.Is(err, io.EOF) {
				yield("", fmt.Errorf("%s: %w", in.name, err))
				return
			}
			if n++; n == 1 {
				line = strings.TrimPrefix(line, "\ufeff")
			}
			if !utf8.ValidString(line) {
				yield("", fmt.Errorf("%s:%d: invalid UTF-8", in.name, n))
				return
			}
			if text, ok := strings.CutSuffix(line, "\n"); ok {
				line = strings.TrimSuffix(text, "\r")
			}
			switch {
			case line != "" || errors.Is(err, io.EOF) && n == empty+1:
				for ; empty > 0 && line != ""; empty-- {
					if !yield("", nil) {
						return
					}
				}
				if !yield(line, nil) {
					return
				}
			default:
				empty++
			}
			if err != nil {
				return
			}
		}
	}
}

// A transcriptLook is what the lines of a file tell of its format.
type transcriptLook struct {
	lines int
	// other is set by a line that is not in the format of sphinx, or of a tsv file.
	otherThanSphinx, otherThanTSV bool
	// spoken is set by a line that is not blank, ended by the mark of sphinx in the first.
	spoken, ended bool
	// ids are the first words of the lines, nil once one is there twice. marked counts those
	// that look like an id. folder is set for a folder.
	ids    map[string]bool
	marked int
	folder bool
}

func (k *transcriptLook) add(line string) {
	if k.lines++; k.lines == 1 {
		k.ended = strings.Contains(line, "</s>")
	}
	trimmed := strings.TrimSpace(line)
	if trimmed == "" {
		return
	}
	k.addID(trimmed)
	k.spoken = true
	if !k.otherThanSphinx {
		k.otherThanSphinx = !strings.HasSuffix(trimmed, ")") || !sphinxLine().MatchString(trimmed)
	}
	if !k.otherThanTSV {
		id, _, ok := strings.Cut(line, "\t")
		k.otherThanTSV = !ok || id == "" || strings.Contains(strings.TrimSpace(id), " ")
	}
}

// addID looks at the first word of a line that is not blank.
func (k *transcriptLook) addID(line string) {
	if !k.spoken {
		k.ids = map[string]bool{}
	}
	if k.ids == nil {
		return
	}
	id, _, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
	if k.ids[id] {
		k.ids = nil
		return
	}
	k.ids[strings.Clone(id)] = true
	if strings.ContainsAny(id, "0123456789_/-") {
		k.marked++
	}
}

// haveIDs reports whether the first words of the lines may be ids: none is there twice, and
// most have a digit, or a mark that ids have.
func (k *transcriptLook) haveIDs() bool { return k.ids != nil && 2*k.marked > len(k.ids) }

// format returns the format of the file. A file without IDs is one text.
func (k *transcriptLook) format(name string) string {
	switch ext := strings.ToLower(filepath.Ext(name)); {
	case k.folder:
		return folderFormat
	case ext == ".json":
		return "whisper"
	case slices.Contains([]string{".stm", ".ctm", ".tsv", ".srt", ".vtt"}, ext):
		return ext[1:]
	}
	switch {
	case !k.spoken:
		return "text"
	case !k.otherThanSphinx && (k.lines > 1 || k.ended):
		return "sphinx"
	case !k.otherThanTSV:
		return "tsv"
	}
	return "text"
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
func (in transcriptInput) look() (k transcriptLook, err error) {
	if in.folder != "" {
		return transcriptLook{folder: true}, nil
	}
	for line, err := range in.lines() {
		if err != nil {
			return k, err
		}
		k.add(line)
	}
	return k, nil
}

// A transcriptPairing yields the utterances of two files with their transcripts.
type transcriptPairing struct {
	// format is that of the reference, and told is set if the user has named it.
	format string
	told   bool
	total  int
	each   iter.Seq2[spokenPair, error]
}

// pairFiles pairs the utterances of two files in a format. "auto" tells it from both. Plain
// texts with as many lines, more than one, are then read as lines. Lines are read as they
// are scored; files of other formats are held in memory.
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
		return nil, fmt.Errorf("--input %s: %s and %s are folders, whose files are told by their names: want no --input", format, ref.name,
			hyp.name)
	}
	if format == autoInput || format == "lines" {
		said, err := ref.look()
		if err != nil {
			return nil, err
		}
		heard, err := hyp.look()
		if err != nil {
			return nil, err
		}
		refFormat, hypFormat := format, format
		if !p.told {
			refFormat, hypFormat = said.format(ref.name), heard.format(hyp.name)
			if said.kaldiWith(&heard, hypFormat) && refFormat == "text" {
				refFormat = "kaldi"
			}
			if heard.kaldiWith(&said, refFormat) && hypFormat == "text" {
				hypFormat = "kaldi"
			}
			if refFormat == "text" && hypFormat == "text" && said.lines == heard.lines && said.lines > 1 {
				refFormat, hypFormat = "lines", "lines"
			}
		}
		p.format = refFormat
		switch {
		case refFormat != "lines":
			return p, p.hold(ref, hyp, refFormat, hypFormat)
		case said.lines != heard.lines:
			return nil, fmt.Errorf("%s has %d lines and %s has %d: want the same number", ref.name, said.lines, hyp.name, heard.lines)
		}
		p.total, p.each = said.lines, pairLines(ref, hyp)
		return p, nil
	}
	return p, p.hold(ref, hyp, format, format)
}

// hold reads both files into memory and pairs them.
func (p *transcriptPairing) hold(ref, hyp transcriptInput, refFormat, hypFormat string) error {
	said, err := ref.parse(refFormat)
	if err != nil {
		return err
	}
	heard, err := hyp.parse(hypFormat)
	if err != nil {
		return err
	}
	pairs, err := pairTranscripts(said, heard)
	if err != nil {
		return err
	}
	p.total = len(pairs)
	p.each = func(yield func(spokenPair, error) bool) {
		for _, pair := range pairs {
			if !yield(pair, nil) {
				return
			}
		}
	}
	return nil
}

func (in transcriptInput) parse(format string) (*transcriptFile, error) {
	if in.folder != "" {
		return readTranscripts(in.name, in.folder)
	}
	r, err := in.open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	return parseTranscripts(data, in.name, format)
}

// pairLines pairs the lines of two files in order.
func pairLines(ref, hyp transcriptInput) iter.Seq2[spokenPair, error] {
	return func(yield func(spokenPair, error) bool) {
		next, stop := iter.Pull2(hyp.lines())
		defer stop()
		n := 0
		for said, err := range ref.lines() {
			heard, hypErr, ok := next()
			if n++; err == nil && !ok {
				err = fmt.Errorf("%s has fewer lines than %s: it changed while it was read", hyp.name, ref.name)
			}
			if err = errors.Join(err, hypErr); err != nil {
				yield(spokenPair{}, err)
				return
			}
			if !yield(spokenPair{fmt.Sprintf("line %d", n), strings.TrimSpace(said), strings.TrimSpace(heard)}, nil) {
				return
			}
		}
	}
}
