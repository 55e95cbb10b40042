package wire

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag/profile"
)

// World is what a job needs from outside.
type World struct {
	// Path resolves a path that the user gave.
	Path func(string) string
	// CacheDir keeps indexes and embeddings; "" keeps none.
	CacheDir string
	// Getenv looks up an environment variable, such as the one that holds a
	// provider's key.
	Getenv func(string) string
	Now    func() time.Time
	// Random gives the random part of run ids.
	Random io.Reader
	// Stop, when closed, lets the cases in flight finish and starts no more.
	Stop <-chan struct{}
	// Version is that of the program.
	Version string
	// Stderr gets what a target that is a command writes there; nil keeps its
	// last lines for messages.
	Stderr io.Writer
	// Command is the command line, for the header.
	Command []string
	// Progress hears of what goes on; nil hears nothing.
	Progress Progress
	// Profile gives the prompt profile of a name; nil knows those that come with
	// the program.
	Profile func(ctx context.Context, name string) (profile.Profile, error)
	// Tell hears of what is no progress of the run, such as that its store is
	// away; nil hears nothing. It may be called from any goroutine.
	Tell func(text string)
	// Model may put something around a provider of models, such as what tells
	// how long its calls take; nil leaves it as it is.
	Model func(llm.Provider) llm.Provider
	// Target stands in for the one that the settings name; nil is none.
	Target assay.Target
}

// Progress hears of a job's steps. It is called from one goroutine at a time.
type Progress interface {
	// Preparing says that total parts of a preparation such as "embedding" are
	// to be done, of which done are.
	Preparing(what string, done, total int)
	// Started says that the run of the header begins, and that so many of its
	// cases are done already.
	Started(h assay.Header, done int)
	// Finished hands over each record as soon as it is kept.
	Finished(assay.Record)
}

// CacheDir gives the folder that the setting "cache" names: for "off" none, "";
// for "" the folder "assay" of the user's cache, which XDG_CACHE_HOME names, or
// else HOME, and of which there may be none.
func CacheDir(setting string, getenv func(string) string, path func(string) string) string {
	if setting == "off" {
		return ""
	}
	if setting != "" {
		return path(setting)
	}
	base := getenv("XDG_CACHE_HOME")
	if base == "" {
		if home := getenv("HOME"); home != "" {
			base = filepath.Join(home, ".cache")
		} else if dir, err := os.UserCacheDir(); err == nil {
			base = dir
		} else {
			return ""
		}
	}
	return filepath.Join(base, "assay")
}
