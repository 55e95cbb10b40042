package server

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/dataset"
)

// folderNames says which names datasets of the server's folder may have; see folderName.
const folderNames = `letters and digits of any script, spaces, ".", "_", "-", "+", ",", "(" and ")", at most 128, the first a letter or a digit ` +
	`and the last no space ("@" stands before the number of a version)`

// folderName reports whether a file of the server's folder can be named as a dataset. Names are
// parts of addresses and of messages, and NAME@NUMBER names a version, so that they hold neither
// "@" nor what an address, a terminal or a path takes for something else.
func folderName(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	odd := func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M, unicode.Nd) && !strings.ContainsRune(" ._-+,()", r)
	}
	return utf8.ValidString(name) && utf8.RuneCountInString(name) <= 128 && unicode.In(first, unicode.L, unicode.Nd) &&
		!strings.ContainsFunc(name, odd) && !strings.HasSuffix(name, " ")
}

// folder lists the datasets of the server's folder, and the names of those that are left out because
// of their names. Hidden files are neither.
func (s *Server) folder() (views []datasetView, leftOut []string, err error) {
	if s.cfg.Datasets == "" {
		return nil, nil, nil
	}
	entries, err := os.ReadDir(s.cfg.Datasets)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case strings.HasPrefix(name, "."):
		case !e.IsDir() && !slices.Contains(dataset.Extensions(), strings.ToLower(filepath.Ext(name))):
		case folderName(name):
			views = append(views, datasetView{Name: name, From: "folder"})
		default:
			leftOut = append(leftOut, name)
		}
	}
	return views, leftOut, nil
}

// tellLeftOut logs which datasets of the folder are left out. Requests tell that the folder cannot
// be read.
func (s *Server) tellLeftOut() {
	_, leftOut, _ := s.folder()
	for _, name := range leftOut {
		s.log.Warn("a dataset of the folder is left out because of its name", "name", name, "want", folderNames)
	}
}
