package dataset

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// folder is a directory or a zip archive, of which only files that are known
// by name are read; nothing is ever unpacked to disk.
type folder struct {
	// names lists the files, relative to the data set.
	names []string
	open  func(name string) (io.ReadCloser, error)
	close func()
	// left bounds what may be read of the files together.
	left *left
}

func (f *folder) has(name string) bool { return slices.Contains(f.names, name) }

// splits lists the names of the judgments.
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

// openDirectory lists the files of a data set in a directory.
func openDirectory(dir string) *folder {
	f := &folder{close: func() {}}
	tree := os.DirFS(dir)
	for _, sub := range []string{".", "qrels"} {
		// A directory that cannot be listed lacks its files; that is reported.
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

func isZip(magic []byte) bool { return string(magic) == "PK\x03\x04" || string(magic) == "PK\x05\x06" }

const (
	// maxEntries bounds the list of an archive, whose entries cost nothing to
	// write and much to hold.
	maxEntries = 10_000
	// maxRatio is how many times its size a packed file may unpack to, once it
	// is larger than freeSize. JSON packs about 5 times, judgments 20 times.
	maxRatio = 200
	freeSize = 16 << 20
)

// openZip finds the data set in an archive: at its top, or in the one folder
// there.
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
			return nil, bad(fmt.Sprintf("entry %q leads out of the archive", clip(entry.Name)), "plain relative names")
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
		return nil, bad("the archive holds more than one data set", "one queries.jsonl")
	}
	top := ""
	if tops != nil {
		top = tops[0]
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
	// Bit 0 says that the content is encrypted.
	if entry.Flags&1 != 0 {
		return nil, &fs.PathError{Op: "open", Path: entry.Name, Err: errors.New("the entry is encrypted: want a plain archive")}
	}
	r, err := entry.Open()
	if err != nil {
		return nil, err
	}
	limit := max(freeSize, int64(min(entry.CompressedSize64, 1<<40))*maxRatio)
	return &unpacked{r, limit}, nil
}

// unpacked bounds what a packed file can become.
type unpacked struct {
	io.ReadCloser
	left int64
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.ReadCloser.Read(p)
	if u.left -= int64(n); u.left < 0 {
		return 0, fmt.Errorf("the entry unpacks to more than %d times its size: want honest data", maxRatio)
	}
	if errors.Is(err, zip.ErrChecksum) {
		err = errors.New("the entry is damaged: its checksum is wrong")
	}
	return n, err
}
