// Command release packs built programs for publishing, with the names that goreleaser
// gives: an archive for each system, packages for Debian, images of containers, a bill of
// materials, a formula of Homebrew and the checksums of all.
//
//	release -version 1.4.0 -date 1764000000 -programs DIR -output DIST
//
// DIR holds GOOS_GOARCH/assay (assay.exe for Windows) for each system, as
// scripts/release.sh builds them. The same programs and the same date give the same bytes.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// program is the name of the program, of the packages and of the files.
const program = "assay"

// description is that of packages, in one line.
const description = "evaluates RAG systems end to end, with confidence intervals"

// A release is what is packed.
type release struct {
	version string // without the v, such as 1.4.0
	date    time.Time
	output  string
	// source is the repository; URL is where its releases are published.
	source, url string
	// files are those beside the program in archives and packages.
	files    []packed
	programs []built
}

// A packed file has its content and its path in an archive.
type packed struct {
	path    string
	content []byte
	mode    int64
}

// A built program is the binary for one system.
type built struct {
	os, arch string
	file     packed
	path     string
}

// name returns the name of an artefact of a program, without its extension.
func (r *release) name(b built) string {
	return fmt.Sprintf("%s_%s_%s_%s", program, r.version, b.os, b.arch)
}

// write writes an artefact, whole or not at all.
func (r *release) write(name string, content []byte) error {
	path := filepath.Join(r.output, name)
	if err := os.WriteFile(path+".part", content, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

func main() { os.Exit(run()) }

func run() int {
	r := &release{}
	var programs string
	var seconds int64
	flag.StringVar(&r.version, "version", "", "version, with or without a v")
	flag.Int64Var(&seconds, "date", 0, "date of the source, in seconds since 1970")
	flag.StringVar(&programs, "programs", "", "folder with GOOS_GOARCH/"+program)
	flag.StringVar(&r.output, "output", "", "folder that the artefacts are written to")
	flag.StringVar(&r.source, "source", ".", "folder of the repository")
	flag.StringVar(&r.url, "url", "https://github.com/assay-eval/assay", "address of the repository")
	flag.Parse()
	r.version, r.date = strings.TrimPrefix(r.version, "v"), time.Unix(seconds, 0).UTC()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := r.make(ctx, programs); err != nil {
		fmt.Fprintf(os.Stderr, "release: %v\n", err)
		return 1
	}
	return 0
}

// make writes every artefact.
func (r *release) make(ctx context.Context, programs string) error {
	if r.version == "" || r.date.Unix() <= 0 || programs == "" || r.output == "" {
		return errors.New("give -version, -date, -programs and -output")
	}
	if err := r.load(programs); err != nil {
		return err
	}
	if err := os.MkdirAll(r.output, 0o755); err != nil {
		return err
	}
	for _, b := range r.programs {
		steps := []func(built) error{r.archive, func(b built) error { return r.bill(ctx, b) }}
		if b.os == "linux" {
			steps = append(steps, r.debian, r.image)
		}
		for _, step := range steps {
			if err := step(b); err != nil {
				return fmt.Errorf("%s/%s: %w", b.os, b.arch, err)
			}
		}
	}
	if err := r.formula(); err != nil {
		return err
	}
	return r.checksums()
}

// load reads the programs and the files beside them.
func (r *release) load(programs string) error {
	folders, err := filepath.Glob(filepath.Join(programs, "*_*"))
	if err != nil {
		return err
	}
	for _, folder := range folders {
		b := built{}
		b.os, b.arch, _ = strings.Cut(filepath.Base(folder), "_")
		name := program
		if b.os == "windows" {
			name += ".exe"
		}
		b.path = filepath.Join(folder, name)
		content, err := os.ReadFile(b.path)
		if err != nil {
			return err
		}
		b.file = packed{name, content, 0o755}
		r.programs = append(r.programs, b)
	}
	if len(r.programs) == 0 {
		return fmt.Errorf("%s: no folder such as linux_amd64: expected the programs that scripts/release.sh builds", programs)
	}
	for _, name := range []string{"CHANGELOG.md", "LICENSE", "NOTICE", "README.md"} {
		content, err := os.ReadFile(filepath.Join(r.source, name))
		if err != nil {
			return err
		}
		r.files = append(r.files, packed{name, content, 0o644})
	}
	completions, err := filepath.Glob(filepath.Join(programs, "completions", "*"))
	if err != nil {
		return err
	}
	for _, path := range completions {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		r.files = append(r.files, packed{"completions/" + filepath.Base(path), content, 0o644})
	}
	slices.SortFunc(r.files, func(a, b packed) int { return cmp.Compare(a.path, b.path) })
	return nil
}
