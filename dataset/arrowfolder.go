package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// Files that datasets of Hugging Face writes beside those of Arrow (save_to_disk): the
// list of files of one dataset, and the list of datasets, each in a folder of its own.
const (
	savedState  = "state.json"
	savedSplits = "dataset_dict.json"
)

// openSaved opens a folder that datasets of Hugging Face wrote: by save_to_disk, or its
// cache. The result is nil if the folder is none.
func openSaved(dir, name string, o Options) (*rowFile, error) {
	var splits struct{ Splits []string }
	found, err := savedJSON(dir, name, savedSplits, &splits)
	if err != nil {
		return nil, err
	}
	if found {
		split, err := chooseSplit(name, o.Split, splits.Splits)
		if err != nil {
			return nil, err
		}
		if filepath.Base(split) != split {
			return nil, &Error{File: name + "/" + savedSplits, Index: -1, Field: "splits", Problem: fmt.Sprintf("%q", clip(split)),
				Want: "names of folders"}
		}
		dir, name = filepath.Join(dir, split), name+"/"+split
	}
	parts, err := savedParts(dir, name)
	if err != nil {
		return nil, err
	}
	if parts == nil {
		if parts, err = cachedParts(dir, name, o.Split); err != nil {
			return nil, err
		}
	}
	switch {
	case parts == nil && found:
		return nil, &Error{File: name, Index: -1, Problem: "no files of Arrow", Want: "those that save_to_disk writes"}
	case parts == nil:
		return nil, nil
	}
	return openArrow(parts, name, o)
}

// savedJSON reads a file of JSON in a folder and reports whether it is there.
func savedJSON(dir, name, file string, into any) (bool, error) {
	f, err := os.Open(filepath.Join(dir, file))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, pathError(name+"/"+file, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFooter+1))
	if err != nil {
		return false, pathError(name+"/"+file, err)
	}
	if len(data) > maxFooter {
		return false, &Error{File: name + "/" + file, Index: -1, Problem: fmt.Sprintf("longer than %d MB", maxFooter>>20),
			Want: "a list of files"}
	}
	if err := json.Unmarshal(data, into); err != nil {
		return false, &Error{File: name + "/" + file, Index: -1, Problem: err.Error(), Want: "the file that save_to_disk writes"}
	}
	return true, nil
}

// savedParts lists the files that save_to_disk wrote into a folder; nil if it is none.
func savedParts(dir, name string) ([]arrowPart, error) {
	var state struct {
		Data    []struct{ Filename string } `json:"_data_files"`
		Indices []any                       `json:"_indices_data_files"`
	}
	found, err := savedJSON(dir, name, savedState, &state)
	if !found || err != nil {
		return nil, err
	}
	bad := func(field, problem, want string) error {
		return &Error{File: name + "/" + savedState, Index: -1, Field: field, Problem: problem, Want: want}
	}
	if len(state.Indices) > 0 {
		return nil, bad("_indices_data_files", "rows that a list of their numbers selects are not supported",
			"a dataset that was saved after flatten_indices()")
	}
	var parts []arrowPart
	for i, f := range state.Data {
		if f.Filename == "" || filepath.Base(f.Filename) != f.Filename {
			return nil, bad(fmt.Sprintf("_data_files[%d]", i), fmt.Sprintf("%q", clip(f.Filename)), "the name of a file beside it")
		}
		parts = append(parts, arrowPart{name: name + "/" + f.Filename, path: filepath.Join(dir, f.Filename)})
	}
	if parts == nil {
		return nil, bad("_data_files", "no files", "the names of files of Arrow")
	}
	return parts, nil
}

// shardName is the name of a file in the cache of datasets: the dataset, the split, and
// which of how many files it is, if there are several.
var shardName = lazyregexp.New(`^(?:.*?-)??([\w.]+?)(?:-(\d{5})-of-(\d{5}))?\.arrow$`)

// cachedParts lists the files of a split in the cache of datasets; nil if there are none.
// Files whose name begins with cache- hold what map and filter made of a dataset.
func cachedParts(dir, name, split string) ([]arrowPart, error) {
	entries, _ := os.ReadDir(dir) // else the folder has no dataset
	of := map[string][]string{}
	for _, e := range entries {
		if m := shardName().FindStringSubmatch(e.Name()); m != nil && !e.IsDir() && !strings.HasPrefix(e.Name(), "cache-") {
			of[m[1]] = append(of[m[1]], e.Name())
		}
	}
	if len(of) == 0 {
		return nil, nil
	}
	split, err := chooseSplit(name, split, sortedKeys(of))
	if err != nil {
		return nil, err
	}
	files := of[split]
	slices.Sort(files)
	var parts []arrowPart
	for i, file := range files {
		m := shardName().FindStringSubmatch(file)
		number, _ := strconv.Atoi(m[2]) // none is 0, of 1
		all := 1
		if m[3] != "" {
			all, _ = strconv.Atoi(m[3])
		}
		if number != i || all != len(files) {
			return nil, &Error{File: name, Index: -1, Problem: fmt.Sprintf("%d files of split %q, among them %s", len(files), split, file),
				Want: "each of its files once"}
		}
		parts = append(parts, arrowPart{name: name + "/" + file, path: filepath.Join(dir, file)})
	}
	return parts, nil
}
