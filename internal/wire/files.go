package wire

import (
	"archive/tar"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/assay-eval/assay/internal/checks"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/store"
)

// mostFiles is the size limit of the files of a run that are stored for workers, in bytes.
const mostFiles = 256 << 20

// errTooLarge means that the files of a run exceed the limit.
var errTooLarge = fmt.Errorf("its files are larger than %d MB together", mostFiles>>20)

// A fileList holds the paths of the files and folders that the preparation of a run reads, by
// their names in the settings. A nil one forgets them.
type fileList struct {
	mu    sync.Mutex
	paths map[string]string
}

// read resolves the name of a file or folder of data. It is not for what is of a machine, such as
// a program or a key.
func (w World) read(name string) string {
	at := w.Path(name)
	if l := w.files; l != nil && name != "" {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.paths[name] = at
	}
	return at
}

// hashes returns the hashes of the files that a number rests on, by their settings, and that of the target's program.
// Requests choose the dataset, which has its own hash, as folders have.
func hashes(r *config.Resolved, w World) (found map[string]string, err error) {
	sums := map[string]hash.Hash{}
	add := func(key, at string) {
		if info, missing := os.Stat(at); missing != nil || !info.Mode().IsRegular() || key == run.Program && info.Size() > maxProgram {
			return
		}
		f, wrong := os.Open(at)
		if wrong == nil {
			sums[key] = cmp.Or(sums[key], sha256.New())
			_, wrong = io.Copy(sums[key], f)
			wrong = errors.Join(wrong, f.Close())
		}
		if wrong != nil {
			err = errors.Join(err, config.About(key, wrong))
		}
	}
	for _, s := range config.Settings {
		switch value := r.Get(s.Key); {
		case s.Model:
			for spec := range strings.SplitSeq(value, ",") {
				file, ok := strings.CutPrefix(strings.TrimSpace(spec), "fake:")
				if !ok {
					continue
				}
				text, _ := os.ReadFile(w.Path(file)) // who reads it says what is wrong
				if script, wrong := llm.ReadFakeScript(file, text); wrong == nil {
					sums[s.Key] = cmp.Or(sums[s.Key], sha256.New())
					fmt.Fprintln(sums[s.Key], script.Identity())
				}
			}
		case s.File && !s.Free && !s.Request && value != "":
			add(s.Key, w.Path(value))
		}
	}
	words, _ := checks.Command(r.Command) // the adapter says what is wrong with it
	for _, word := range append(words, r.Own["object"], r.Own["chain-path"], r.Own["index-path"]) {
		if file, _, ok := strings.Cut(word, ".py:"); ok {
			word = file + ".py"
		}
		if !filepath.IsAbs(word) {
			word = filepath.Join(w.Path(cmp.Or(r.Dir, ".")), word)
		}
		add(run.Program, word)
	}
	found = map[string]string{}
	for key, sum := range sums {
		found[key] = hex.EncodeToString(sum.Sum(nil))
	}
	return found, err
}

// A fileIndex says where the files of a run are in its archive.
type fileIndex struct {
	// Paths are the places by the names in the settings.
	Paths map[string]string `json:"paths"`
}

// archive writes the files as a tar archive, which depends on their names and contents alone, and
// returns where they are in it. Of a folder it has every regular file, but for those that are
// hidden.
func (l *fileList) archive(to io.Writer) (fileIndex, error) {
	index := fileIndex{Paths: map[string]string{}}
	out := tar.NewWriter(to)
	size := int64(0)
	add := func(name, at string) error {
		info, err := os.Stat(at)
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		if size += info.Size(); size > mostFiles {
			return errTooLarge
		}
		f, err := os.Open(at)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := out.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: info.Size()}); err != nil {
			return err
		}
		_, err = io.CopyN(out, f, info.Size())
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, name := range slices.Sorted(maps.Keys(l.paths)) {
		place := path.Join(strconv.Itoa(i), filepath.Base(l.paths[name]))
		at, err := filepath.EvalSymlinks(l.paths[name])
		if errors.Is(err, fs.ErrNotExist) {
			continue // the preparation did without it
		}
		if err != nil {
			return index, fmt.Errorf("%s: %w", name, err)
		}
		index.Paths[name] = place
		err = filepath.WalkDir(at, func(one string, d fs.DirEntry, err error) error {
			rel, relErr := filepath.Rel(at, one)
			switch {
			case err != nil || relErr != nil:
				return errors.Join(err, relErr)
			case rel != "." && strings.HasPrefix(d.Name(), ".") && d.IsDir():
				return fs.SkipDir
			case rel != "." && strings.HasPrefix(d.Name(), "."), d.IsDir():
				return nil
			}
			return add(path.Join(place, filepath.ToSlash(rel)), one)
		})
		if err != nil {
			return index, fmt.Errorf("%s: %w", name, err)
		}
	}
	return index, out.Close()
}

// keepFiles stores the files of a run for workers that lack them. Files that are too large are not
// stored, which is told.
func (p *Prepared) keepFiles(ctx context.Context, s *store.Store, runID string) error {
	l := p.world.files
	sum := sha256.New()
	index, err := l.archive(sum)
	if errors.Is(err, errTooLarge) {
		if p.world.Tell != nil {
			p.world.Tell(fmt.Sprintf("the run is not given its files, since %v: each worker needs them at the same path, as in a folder that all share", err))
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("the files for workers: %w", err)
	}
	about, err := json.Marshal(index)
	if err != nil {
		return err
	}
	fingerprint, now := hex.EncodeToString(sum.Sum(nil)), p.world.Now().UTC()
	stored, err := s.NameFile(ctx, runID, fingerprint, about, now)
	if err != nil || stored {
		return err
	}
	content, to := io.Pipe()
	go func() {
		_, err := l.archive(to)
		to.CloseWithError(err)
	}()
	defer func() { _ = content.Close() }() // ends the other side
	if err := s.PutFile(ctx, fingerprint, content, now); err != nil {
		return fmt.Errorf("the files for workers: %w", err)
	}
	return nil
}

// withFiles returns a world in which the files of a run that are missing here are those that its
// session stored. clean removes what is not in a cache.
func withFiles(ctx context.Context, s *store.Store, runID string, w World) (_ World, clean func() error, err error) {
	none := func() error { return nil }
	fingerprint, about, err := s.RunFile(ctx, runID)
	if errors.Is(err, store.ErrNotFound) {
		return w, none, nil
	}
	var index fileIndex
	if err == nil {
		err = json.Unmarshal(about, &index)
	}
	if err != nil {
		return w, none, err
	}
	real := w.Path
	missing := func(name string) bool {
		_, err := os.Stat(real(name))
		return errors.Is(err, fs.ErrNotExist)
	}
	if !slices.ContainsFunc(slices.Collect(maps.Keys(index.Paths)), missing) {
		return w, none, nil
	}
	dir, clean, err := w.fetch(ctx, s, fingerprint)
	if errors.Is(err, store.ErrNotFound) {
		return w, none, nil // they are being stored, or were removed: the preparation says what is missing
	}
	if err != nil {
		return w, none, err
	}
	w.Path = func(name string) string {
		if place, ok := index.Paths[name]; ok && missing(name) {
			return filepath.Join(dir, filepath.FromSlash(place))
		}
		return real(name)
	}
	return w, clean, nil
}

// fetch unpacks a stored archive into the cache, or into a folder that clean removes if there is
// no cache, and returns its folder. What is in the cache is not fetched again.
func (w World) fetch(ctx context.Context, s *store.Store, fingerprint string) (dir string, clean func() error, err error) {
	clean = func() error { return nil }
	parent := ""
	if w.CacheDir != "" {
		parent = filepath.Join(w.CacheDir, "files")
		if dir = filepath.Join(parent, fingerprint); isDir(dir) {
			return dir, clean, nil
		}
		if err := os.MkdirAll(parent, 0o700); err != nil {
			return "", nil, err
		}
	}
	made, err := os.MkdirTemp(parent, "assay-files-")
	if err != nil {
		return "", nil, err
	}
	remove := func() error { return os.RemoveAll(made) }
	content, to := io.Pipe()
	go func() { to.CloseWithError(s.File(ctx, fingerprint, to)) }()
	err = unarchive(content, made)
	_ = content.CloseWithError(err) // ends the other side
	if err != nil {
		return "", nil, errors.Join(err, remove())
	}
	if w.CacheDir == "" {
		return made, remove, nil
	}
	if err := os.Rename(made, dir); err != nil && !isDir(dir) { // another worker may have been first
		return "", nil, errors.Join(err, remove())
	}
	return dir, clean, remove()
}

func isDir(at string) bool {
	info, err := os.Stat(at)
	return err == nil && info.IsDir()
}

// unarchive unpacks an archive of [fileList.archive] into a folder, to its end.
func unarchive(from io.Reader, dir string) error {
	in := tar.NewReader(from)
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			// What follows the end is padding; reading it tells whether the content was whole.
			_, err := io.Copy(io.Discard, from)
			return err
		}
		if err != nil {
			return err
		}
		name := filepath.FromSlash(h.Name)
		if !filepath.IsLocal(name) {
			return fmt.Errorf("the stored files have %q, which is outside of their folder", h.Name)
		}
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return err
		}
		f, err := os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		_, err = io.Copy(f, in)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
}
