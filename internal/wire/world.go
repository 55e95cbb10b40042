package wire

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag/profile"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/target"
)

// World holds the external dependencies of a job.
type World struct {
	// Path resolves a path that the user gave.
	Path func(string) string
	// CacheDir is the folder for indexes and embeddings; "" disables the cache.
	CacheDir string
	// Getenv looks up an environment variable, such as the one that holds a
	// provider's key.
	Getenv func(string) string
	Now    func() time.Time
	// Began is when the user began to wait, if the world is that of one run; zero counts
	// only the preparation and the evaluation of each run.
	Began time.Time
	// Random is the source of the random part of run ids.
	Random io.Reader
	// Stop, when closed, lets the cases in flight finish and starts no more.
	Stop <-chan struct{}
	// Version is the version of the program.
	Version string
	// Stderr receives the standard error output of a target that is a command;
	// if nil, only its last lines are kept, for messages.
	Stderr io.Writer
	// Caller is the program that started this one, if a run may ask it; nil if not.
	Caller *target.Caller
	// Command is the command line, for the header.
	Command []string
	// Progress is notified of progress; nil is ignored.
	Progress Progress
	// Reporting receives the builder of the report when the run begins; it can be asked for
	// the report so far while the run goes on. It may be nil.
	Reporting func(*report.Builder)
	// Profile returns the prompt profile with the name; nil means only the
	// built-in ones.
	Profile func(ctx context.Context, name string) (profile.Profile, error)
	// Tell receives messages that are not progress of the run, such as that its
	// store is unavailable. It may be nil. It may be called from any goroutine.
	Tell func(text string)
	// Limits are those of the providers of models, shared by all runs and evaluations of
	// the process; nil gives each its own.
	Limits *llm.Limits
	// Dry is set to prepare a run that will not be performed. Limits that it could not meet
	// are then told by [Prepared.Unmet].
	Dry bool
	// Target replaces the target that the settings name, if it is not nil.
	Target assay.Target
	// Data replaces the dataset that the settings name, if it is not nil.
	Data *dataset.Dataset

	// files are those that the preparation of a run reads; nil if nobody wants to know.
	files *fileList
}

// Progress receives the progress of a job. It is called from one goroutine at a
// time.
type Progress interface {
	// Preparing reports that done of the total parts of a preparation such as
	// "embedding" are done.
	Preparing(what string, done, total int)
	// Started reports that the run begins, and how many of its cases are
	// already done.
	Started(h assay.Header, done int)
	// Finished is called with each record as soon as it is stored.
	Finished(assay.Record)
}

// CacheDir returns the folder that the setting "cache" names. For "off" it is
// "". For "" it is the folder "assay" in the user's cache, which is taken from
// XDG_CACHE_HOME or else HOME, and "" if neither is set.
func CacheDir(setting string, getenv func(string) string, path func(string) string) string {
	if setting == "off" {
		return ""
	}
	if setting != "" {
		return path(setting)
	}
	base := getenv("XDG_CACHE_HOME")
	if home := getenv("HOME"); base == "" && home != "" {
		base = filepath.Join(home, ".cache")
	}
	if base == "" {
		base, _ = os.UserCacheDir() // Windows has neither variable
	}
	if base == "" {
		return ""
	}
	return filepath.Join(base, "assay")
}
