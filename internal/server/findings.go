package server

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	doubt "github.com/assay-eval/assay/dataset/check"
	"github.com/assay-eval/assay/store"
)

// findingSpace is the size limit of the findings that were asked for last, in bytes.
const findingSpace = 16 << 20

// checkedDataset is a dataset that the server can read, with what checks found in it.
type checkedDataset struct {
	view     datasetView
	stats    dataset.Stats
	findings []doubt.Finding
	skipped  []string
}

func (c *checkedDataset) size() int {
	size := 1 << 10
	for _, f := range c.findings {
		size += 100 + len(f.Says)
		for _, id := range f.Cases {
			size += 16 + len(id)
		}
	}
	return size
}

// checked reads and checks a dataset of the server, without embeddings and rankings. It is
// kept until the dataset changes. The error is [store.ErrNotFound] if there is none.
func (s *Server) checked(ctx context.Context, name string) (*checkedDataset, error) {
	views, err := s.catalogue(ctx)
	if err != nil {
		return nil, err
	}
	for _, v := range views {
		if v.Name != name {
			continue
		}
		key, err := s.versionOf(v)
		if err != nil {
			return nil, err
		}
		return s.checks.of(ctx, assay.Header{ID: key, State: stateFinished}, 0, func() (*checkedDataset, error) {
			release, err := take(ctx, s.filing)
			if err != nil {
				return nil, err
			}
			defer release()
			return s.checkDataset(ctx, v)
		})
	}
	return nil, store.ErrNotFound
}

// catalogue lists the datasets of the server's folder, then the uploads.
func (s *Server) catalogue(ctx context.Context) ([]datasetView, error) {
	views, _, err := s.folder()
	if err != nil {
		return nil, err
	}
	items, _, err := s.store.Items(ctx, store.KindDataset, store.ItemQuery{})
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		views = append(views, datasetView{Name: it.ID, From: "upload", Created: &it.Created, Updated: &it.Updated, Size: it.Size})
	}
	return views, nil
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

func (s *Server) checkDataset(ctx context.Context, v datasetView) (*checkedDataset, error) {
	found, err := s.findDataset(ctx, v.Name)
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
	v = asLoaded(v, d)
	return &checkedDataset{view: v, stats: d.Stats(), findings: rep.Findings, skipped: rep.Skipped}, nil
}
