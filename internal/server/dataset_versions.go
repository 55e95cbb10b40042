package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/store"
)

// version returns what the last version of a dataset is.
func (k *keptDataset) version() web.DatasetVersion {
	v := web.DatasetVersion{Version: max(k.Info.Version, 1), Hash: k.Info.Hash, By: k.Info.By, Case: k.Case}
	if v.At = optionalTime(k.Info.Updated); v.At.IsZero() {
		v.At = optionalTime(k.Info.Created)
	}
	return v
}

func optionalTime(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// versions returns all versions of a dataset, the last first.
func (k *keptDataset) versions() []web.DatasetVersion {
	out := append(slices.Clone(k.History), k.version())
	slices.Reverse(out)
	return out
}

func (s *Server) versionRoutes() {
	registerList(s, "list-dataset-versions", func(ctx context.Context, in *struct {
		DatasetPath
		Paging
	}) ([]web.DatasetVersion, error) {
		d, err := s.findDataset(ctx, in.Name)
		if err != nil || d.path != "" {
			return nil, s.orAbsent(ctx, err, "dataset", in.Name)
		}
		return d.kept.versions(), nil
	})
}

// datasetWith finds a dataset by name, in the version with a hash if there is one, else in the last.
func (s *Server) datasetWith(ctx context.Context, name, hash string) (*foundDataset, error) {
	d, err := s.findDataset(ctx, name)
	if err != nil || hash == "" || d.path != "" || d.former || d.kept.Info.Hash == hash {
		return d, err
	}
	items, _, err := s.store.Items(ctx, store.KindVersion, store.ItemQuery{Parent: name, Name: hash, Limit: 1})
	if err != nil || len(items) == 0 {
		return d, err
	}
	return s.findDataset(ctx, items[0].ID)
}

// load reads the cases of a dataset of the server. The error is a problem if they cannot be read.
func (s *Server) load(ctx context.Context, d *foundDataset) (*dataset.Dataset, error) {
	release, err := take(ctx, s.filing)
	if err != nil {
		return nil, err
	}
	defer release()
	return s.loadWhileAlone(ctx, d)
}

// loadWhileAlone is load for a caller that has the place of who reads files.
func (s *Server) loadWhileAlone(ctx context.Context, d *foundDataset) (*dataset.Dataset, error) {
	dir, err := os.MkdirTemp("", "assay-dataset-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path, err := d.place(dir)
	if err != nil {
		return nil, err
	}
	out, err := dataset.Load(ctx, path, dataset.Options{Now: s.now()})
	if err != nil {
		return nil, conflict("the dataset cannot be read: " + err.Error())
	}
	return out, nil
}

// unwritable says why a dataset cannot get another version, "" if it can.
func unwritable(d *foundDataset) string {
	switch {
	case d.path != "":
		return "the dataset is in the server's folder, whose files the server does not write: upload it under another name (POST " + prefix +
			"/datasets), and edit that"
	case d.former:
		return "this is an earlier version, which does not change: edit the last one, NAME without @NUMBER"
	case strings.EqualFold(filepath.Ext(d.kept.File), ".zip"):
		return "the dataset is an archive with documents of its own, which cannot be written: convert its cases to assay's own format " +
			"(assay dataset convert), and upload them"
	}
	return ""
}

// renew stores the next version of an upload, with other cases than the last one: a person changed a case. The caller has
// the claim on the dataset, and the place of who reads files. The last version is kept under its number first, so that a
// failure in between loses nothing.
func (s *Server) renew(ctx context.Context, old *keptDataset, d *dataset.Dataset, by, caseID string) (*keptDataset, error) {
	next, err := rewritten(old, d)
	if err != nil {
		return nil, err
	}
	got, err := s.loadWhileAlone(ctx, &foundDataset{kept: *next})
	if err != nil {
		return nil, err
	}
	if got.Info.Hash != dataset.Hash(d.Cases) {
		return nil, errors.New("the dataset does not read as it was written")
	}
	was, now := old.version(), s.now()
	next.History = append(slices.Clone(old.History), was)
	next.Info = asLoaded(datasetView{Name: old.Info.Name, From: "upload", Created: old.Info.Created, Updated: &now, By: by,
		Version: was.Version + 1, Size: int64(len(next.Content))}, got)
	next.Case = caseID
	former, err := json.Marshal(old)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(next)
	if err != nil {
		return nil, err
	}
	name := old.Info.Name
	if err := s.store.PutItem(ctx, store.Item{Kind: store.KindVersion, ID: name + "@" + strconv.Itoa(was.Version), Name: was.Hash,
		Parent: name, Created: was.At, Updated: was.At, Body: former}); err != nil {
		return nil, err
	}
	return next, s.store.PutItem(ctx, store.Item{Kind: store.KindDataset, ID: name, Name: name, Created: optionalTime(old.Info.Created),
		Updated: now, Body: body})
}

// rewritten returns an upload with other cases. It is in assay's own format, which holds everything: a table becomes JSON
// lines.
func rewritten(old *keptDataset, d *dataset.Dataset) (*keptDataset, error) {
	next := &keptDataset{File: old.File}
	form := dataset.FormOf(old.File)
	if form != "assay" && form != "yaml" {
		form = "jsonl"
		next.File = strings.TrimSuffix(old.File, filepath.Ext(old.File)) + ".jsonl"
	}
	var out bytes.Buffer
	lost, err := dataset.Write(&out, d, form)
	if err != nil {
		return nil, err
	}
	if lost != nil {
		return nil, conflict(fmt.Sprintf("the dataset has what a new version could not keep: %s. Want a file without them",
			strings.Join(lost, ", ")))
	}
	if out.Len() > maxUpload {
		return nil, conflict(fmt.Sprintf("the new version would have %d MiB: expected at most %d", out.Len()>>20, maxUpload>>20))
	}
	next.Content = out.Bytes()
	return next, nil
}
