package dataset

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// A folder is a directory or a zip archive. Only files with known names are read,
// and nothing is unpacked to disk.
type folder struct {
	// names lists the files, relative to the dataset.
	names []string
	open  func(name string) (io.ReadCloser, error)
	close func()
	// left bounds what may be read from all files together.
	left *left
}

func (f *folder) has(name string) bool { return slices.Contains(f.names, name) }

// splits lists the names of the judgment files.
func (f *folder) splits() []string {
	var out []string
	for _, name := range f.names {
		if dir, file := path.Split(name); dir == "qrels/" && strings.HasSuffix(file, ".tsv") {
			out = append(out, strings.TrimSuffix(file, ".tsv"))
		}
	}
	slices.Sort(out)
	return out
}

// openDirectory lists the files of a dataset in a directory.
func openDirectory(dir string) *folder {
	f := &folder{close: func() {}}
	tree := os.DirFS(dir)
	for _, sub := range []string{".", "qrels"} {
		// If a directory cannot be listed, its files are reported as missing.
		entries, _ := fs.ReadDir(tree, sub)
		for _, e := range entries {
			if !e.IsDir() {
				f.names = append(f.names, path.Join(sub, e.Name()))
			}
		}
	}
	f.open = func(name string) (io.ReadCloser, error) { return tree.Open(name) }
	return f
}

func isZip(magic []byte) bool {
	return bytes.HasPrefix(magic, []byte("PK\x03\x04")) || bytes.HasPrefix(magic, []byte("PK\x05\x06"))
}

const (
	// maxEntries bounds the list of an archive: entries are cheap to write but
	// expensive to hold.
	maxEntries = 10_000
	// maxRatio is the largest compression ratio of a file that is larger than
	// freeSize. JSON compresses about 5 times, judgments 20 times.
	maxRatio = 200
	freeSize = 16 << 20
)

// officeParts tell the documents of office programs, which are zip archives, by a file in them.
var officeParts = map[string]string{
	"xl/workbook.xml": "an Excel workbook", "xl/workbook.bin": "an Excel workbook", "word/document.xml": "a Word document",
	"ppt/presentation.xml": "a PowerPoint presentation", "content.xml": "an OpenDocument file",
}

// openZip finds the dataset in an archive: at its top level, or in its only
// folder.
func openZip(r io.ReaderAt, size int64, name string) (*folder, error) {
	bad := func(problem, want string) error {
		return &Error{File: name, Index: -1, Problem: problem, Want: want}
	}
	z, err := zip.NewReader(r, size)
	if errors.Is(err, zip.ErrFormat) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, bad("the zip archive is cut short or damaged", "a whole one")
	}
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, bad("zip: "+err.Error(), "a zip archive")
	}
	if len(z.File) > maxEntries {
		return nil, bad(fmt.Sprintf("the archive has %d entries", len(z.File)), fmt.Sprintf("at most %d", maxEntries))
	}
	byName := map[string]*zip.File{}
	var tops []string
	for _, entry := range z.File {
		if !fs.ValidPath(strings.TrimSuffix(entry.Name, "/")) || strings.Contains(entry.Name, `\`) {
			return nil, bad(fmt.Sprintf("entry %q points outside the archive", clip(entry.Name)), "plain relative names")
		}
		if strings.HasSuffix(entry.Name, "/") || strings.HasPrefix(entry.Name, "__MACOSX/") {
			continue
		}
		if byName[entry.Name] != nil {
			return nil, bad(fmt.Sprintf("entry %q is there twice", clip(entry.Name)), "one of them")
		}
		byName[entry.Name] = entry
		if dir, file := path.Split(entry.Name); file == "queries.jsonl" && strings.Count(dir, "/") <= 1 {
			tops = append(tops, dir)
		}
	}
	if len(tops) > 1 {
		return nil, bad("the archive holds more than one dataset", "one queries.jsonl")
	}
	top := ""
	if tops != nil {
		top = tops[0]
	}
	for part, kind := range officeParts {
		if byName[part] != nil {
			return nil, bad(text.Convert(kind), "")
		}
	}
	f := &folder{close: func() {}}
	for full := range byName {
		if rel, ok := strings.CutPrefix(full, top); ok {
			f.names = append(f.names, rel)
		}
	}
	slices.Sort(f.names)
	f.open = func(rel string) (io.ReadCloser, error) { return openEntry(byName[top+rel]) }
	return f, nil
}

func openEntry(entry *zip.File) (io.ReadCloser, error) {
	if entry == nil {
		return nil, fs.ErrNotExist
	}
	// Bit 0 means that the content is encrypted.
	if entry.Flags&1 != 0 {
		return nil, &fs.PathError{Op: "open", Path: entry.Name, Err: errors.New("the entry is encrypted: expected a plain archive")}
	}
	r, err := entry.Open()
	if err != nil {
		return nil, err
	}
	limit := max(freeSize, int64(min(entry.CompressedSize64, 1<<40))*maxRatio)
	return &unpacked{r, limit}, nil
}

// unpacked bounds the unpacked size of a compressed file.
type unpacked struct {
	io.ReadCloser
	left int64
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.ReadCloser.Read(p)
	if u.left -= int64(n); u.left < 0 {
		return 0, fmt.Errorf("the entry unpacks to more than %d times its size: expected a smaller ratio", maxRatio)
	}
	if errors.Is(err, zip.ErrChecksum) {
		err = errors.New("the entry is damaged: its checksum is wrong")
	}
	return n, err
}
