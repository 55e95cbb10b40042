// Package build says what the program was built from: the facts that scripts/build.sh
// links into it, or those that the go command records.
package build

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"strings"
)

// Set by scripts/build.sh with -ldflags -X. They are empty in a program that the go
// command built by itself.
var (
	version string
	commit  string
	date    string
)

// Info is what the program was built from.
type Info struct {
	// Version is the release, as v1.4.0; or devel with the revision of the checkout.
	Version string `json:"version"`
	// Commit is the revision of the source, in full. It is empty where nothing recorded it.
	Commit string `json:"commit,omitempty"`
	// Date is when the revision was made, in RFC 3339. A build has no date of its own: it
	// would make two builds of the same source different.
	Date string `json:"date,omitempty"`
	// Modified tells whether the checkout had changes that are not in Commit.
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

// Of returns the facts of this program.
func Of() Info {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return of(info, Info{Version: version, Commit: commit, Date: date, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH})
}

// of takes what the go command recorded, unless facts were linked in.
func of(info *debug.BuildInfo, linked Info) Info {
	if linked.Version != "" {
		linked.Modified = strings.HasSuffix(linked.Version, "-dirty")
		return linked
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	linked.Commit, linked.Date = settings["vcs.revision"], settings["vcs.time"]
	linked.Modified = settings["vcs.modified"] == "true"
	linked.Version = cmp.Or(info.Main.Version, "(devel)")
	if linked.Version == "(devel)" {
		linked.Version = "devel"
		if rev := linked.Commit; rev != "" {
			linked.Version += "-" + rev[:min(12, len(rev))]
		}
		if linked.Modified {
			linked.Version += "-dirty"
		}
	}
	return linked
}
