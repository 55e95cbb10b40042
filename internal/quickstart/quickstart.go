// Package quickstart holds the data of the tutorial: the handbook of a fictional ferry
// company, in English and Chinese, and questions about it. They were written for this
// project to cover every kind of difficulty: paraphrased facts, codes, numbers, fares
// of two years that are nearly the same, answers that need two documents, and
// unanswerable questions.
package quickstart

import (
	"embed"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/assay-eval/assay/internal/atomic"
)

//go:embed corpus gold.json
var files embed.FS

// Write copies the corpus to dir/corpus and the questions to dir/gold.json.
func Write(dir string) error {
	return fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := files.ReadFile(path)
		if err != nil {
			return err
		}
		return atomic.WriteFile(filepath.Join(dir, filepath.FromSlash(path)), func(w io.Writer) error {
			_, err := w.Write(data)
			return err
		})
	})
}
