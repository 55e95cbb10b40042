package extract

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// A Problem is a finding about a file of a folder.
type Problem struct {
	// File is the slash-separated path below the folder; "" means the folder.
	File string
	// Reason says what is wrong and what would be right.
	Reason string
	// Note is set if no requested content is lost: a hidden file, an unsupported
	// format, a file without text. Otherwise a document is missing from the corpus.
	Note bool
}

// String returns "file: reason".
func (p Problem) String() string {
	if p.File == "" {
		return p.Reason
	}
	return p.File + ": " + p.Reason
}

// Folder reads all files below dir with a supported format, in the order of their
// paths. A document's id is the slash-separated path below dir, its source the path of
// the file.
//
// A file that cannot be read is a [Problem] and no document. Hidden files and folders,
// unknown extensions, symbolic links and files without text are noted once per kind
// with a count. The error is that of the folder itself, or ctx's.
func Folder(ctx context.Context, dir string) ([]assay.Document, []Problem, error) {
	files, problems, err := list(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	var docs []assay.Document
	var empty []string
	for _, id := range files {
		doc, err := read(ctx, filepath.Join(dir, filepath.FromSlash(id)), id)
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case err != nil:
			// the problem already has the path
			if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
				err = pe.Err
			}
			problems = append(problems, Problem{File: id, Reason: err.Error()})
		case doc.Text == "":
			empty = append(empty, id)
		default:
			docs = append(docs, doc)
		}
	}
	problems = note(problems, empty, "without text")
	slices.SortStableFunc(problems, func(a, b Problem) int { return strings.Compare(a.File, b.File) })
	return docs, problems, nil
}

// list walks the folder and returns the files to read, sorted.
func list(ctx context.Context, dir string) (files []string, problems []Problem, err error) {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, nil, err
	}
	var hidden, links, unknown []string
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(root, p)
		if relErr != nil {
			return relErr
		}
		id := filepath.ToSlash(rel)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && id == ".":
			return err
		case err != nil:
			problems = append(problems, Problem{File: id, Reason: err.Error()})
			return nil
		case id == ".":
			if !d.IsDir() {
				return fmt.Errorf("%s: expected a folder", dir)
			}
			return nil
		case strings.HasPrefix(d.Name(), "."):
			hidden = append(hidden, id)
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir():
		case !d.Type().IsRegular():
			links = append(links, id)
		default:
			if _, ok := format(id); ok {
				files = append(files, id)
			} else {
				unknown = append(unknown, id)
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	// WalkDir sorts by name within each folder, which differs from the order of whole
	// paths if one name is a prefix of another: "a.txt" and "a/b.txt".
	slices.Sort(files)
	problems = note(problems, hidden, "hidden")
	problems = note(problems, links, "not regular (symbolic links are not followed)")
	problems = note(problems, unknown, "of an unsupported format (supported are "+extensions()+")")
	return files, problems, nil
}

// note adds a note about files of one kind and names the first three.
func note(problems []Problem, files []string, kind string) []Problem {
	if len(files) == 0 {
		return problems
	}
	slices.Sort(files)
	names := strings.Join(files[:min(3, len(files))], ", ")
	if len(files) > 3 {
		names += ", …"
	}
	noun := "files"
	if len(files) == 1 {
		noun = "file"
	}
	return append(problems, Problem{Note: true, Reason: fmt.Sprintf("%d %s left out, %s: %s", len(files), noun, kind, names)})
}
