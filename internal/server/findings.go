package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"slices"

	doubt "github.com/assay-eval/assay/dataset/check"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/store"
	"github.com/danielgtaylor/huma/v2"
)

// findingSpace is the size limit of the findings that were asked for last, in bytes.
const findingSpace = 16 << 20

func findingsSize(d *web.DatasetFile) int {
	size := 1 << 10
	for _, f := range d.Findings {
		size += 100 + len(f.Says)
		for _, id := range f.Cases {
			size += 16 + len(id)
		}
	}
	return size
}

// File implements [web.DatasetBackend]. The dataset is checked without embeddings and rankings. What
// is found is kept until the dataset changes.
func (b pageBackend) File(ctx context.Context, name string) (*web.DatasetFile, error) {
	views, err := b.s.catalogue(ctx)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(views, func(v datasetView) bool { return v.Name == name })
	if at < 0 {
		return nil, nil
	}
	key, err := b.s.versionOf(views[at])
	if err != nil {
		return nil, err
	}
	out, err := b.s.checks.fixed(ctx, key, func() (*web.DatasetFile, error) { return b.s.checkDataset(ctx, name) })
	var said huma.StatusError
	switch {
	case errors.Is(err, store.ErrNotFound): // deleted meanwhile
		return nil, nil
	case errors.As(err, &said) && said.GetStatus() == http.StatusConflict:
		return &web.DatasetFile{Problem: err.Error()}, nil
	}
	return out, err
}

// versionOf returns a text that changes when the dataset does: the time of its last version, or the
// sizes and times of the files.
func (s *Server) versionOf(v datasetView) (string, error) {
	if v.Updated != nil {
		return fmt.Sprintf("upload %s %d", v.Name, v.Updated.UnixNano()), nil
	}
	text := "folder " + v.Name
	err := filepath.WalkDir(filepath.Join(s.cfg.Datasets, v.Name), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			text += fmt.Sprintf("\n%q %d %d", path, info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
	return text, err
}

func (s *Server) checkDataset(ctx context.Context, name string) (*web.DatasetFile, error) {
	found, err := s.findDataset(ctx, name)
	if err != nil {
		return nil, err
	}
	d, err := s.loadWhileAlone(ctx, found)
	if err != nil {
		return nil, err
	}
	in := doubt.Input{Cases: d.Cases.List()}
	// A dataset that brings no documents is checked without.
	in.Documents, _ = d.Documents(ctx)
	rep, err := doubt.Run(ctx, in)
	if err != nil {
		return nil, err
	}
	return &web.DatasetFile{Hash: d.Info.Hash, Stats: d.Stats(), Findings: rep.Findings}, nil
}
