package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"

	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
)

// installed says where a package of Debian puts the files of an archive; others are left out.
var installed = map[string]string{
	"LICENSE":                "/usr/share/doc/assay/copyright",
	"NOTICE":                 "/usr/share/doc/assay/NOTICE",
	"README.md":              "/usr/share/doc/assay/README.md",
	"completions/assay.bash": "/usr/share/bash-completion/completions/assay",
	"completions/assay.fish": "/usr/share/fish/vendor_completions.d/assay.fish",
	"completions/_assay":     "/usr/share/zsh/vendor-completions/_assay",
}

// debian writes a .deb.
func (r *release) debian(b built) (err error) {
	scratch, err := os.MkdirTemp("", "assay-deb-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	contents := files.Contents{{Source: b.path, Destination: "/usr/bin/assay", FileInfo: &files.ContentFileInfo{Mode: 0o755, MTime: r.date}}}
	for _, f := range r.files {
		to, ok := installed[f.path]
		if !ok {
			continue
		}
		source := filepath.Join(scratch, filepath.Base(f.path))
		if err := os.WriteFile(source, f.content, 0o644); err != nil {
			return err
		}
		contents = append(contents, &files.Content{Source: source, Destination: to, FileInfo: &files.ContentFileInfo{Mode: 0o644, MTime: r.date}})
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: program, Arch: b.arch, Platform: b.os, Version: r.version, Section: "devel", Priority: "optional", MTime: r.date,
		Maintainer: "assay <maintainers@assay-eval.dev>", Homepage: r.url, License: "Apache-2.0", DisableGlobbing: true,
		Description: program + " " + description + ".", Overridables: nfpm.Overridables{
			Contents: contents, Recommends: []string{"ca-certificates"},
		},
	})
	if err := nfpm.PrepareForPackager(info, "deb"); err != nil {
		return err
	}
	var out bytes.Buffer
	if err := deb.Default.Package(info, &out); err != nil {
		return err
	}
	return r.write(r.name(b)+".deb", out.Bytes())
}
