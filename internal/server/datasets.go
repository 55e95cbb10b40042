package server

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/store"
)

const (
	// maxUnpacked bounds the unpacked size of an upload in bytes: five times the
	// largest upload, about the ratio at which JSON compresses. maxPacked bounds
	// the files of an archive: ten times as many as public datasets have.
	maxUnpacked = 512 << 20
	maxPacked   = 100
	// maxMarks and maxCases bound the memory that a parsed upload takes. Prose of
	// maxUnpacked bytes has about maxMarks commas, and the largest public data
	// sets have about maxCases questions.
	maxMarks = 8_000_000
	maxCases = 200_000
	// shownProblems bounds the problems of a dataset in a reply.
	shownProblems = 50
)

// A keptDataset is an uploaded dataset as stored.
type keptDataset struct {
	File    string      `json:"file"`
	Info    datasetView `json:"info"`
	Content []byte      `json:"content"`
	// Case is that whose points differ from the version before; "" in the upload itself.
	Case string `json:"case,omitempty"`
	// History are the versions before this one, the first first.
	History []web.DatasetVersion `json:"history,omitempty"`
}

// place writes the file into a folder and returns its path.
func (d *foundDataset) place(dir string) (string, error) {
	if d.path != "" {
		return d.path, nil
	}
	path := filepath.Join(dir, d.kept.File)
	return path, os.WriteFile(path, d.kept.Content, 0o600)
}

// A foundDataset is a dataset found by name: a file in the server's folder, or an
// upload.
type foundDataset struct {
	path string
	kept keptDataset
	// former is set for a version of an upload that is not the last.
	former bool
}

// A datasetView describes a dataset.
type datasetView struct {
	Name     string        `json:"name" doc:"name of the dataset" example:"rivers.jsonl"`
	From     string        `json:"from" enum:"upload,folder" doc:"uploaded, or in the server's folder"`
	Format   string        `json:"format,omitempty" doc:"format of the file; absent in lists" example:"assay"`
	Hash     string        `json:"hash,omitempty" doc:"fingerprint of the cases; absent in lists" example:"sha256:9f86d081"`
	Cases    int           `json:"cases,omitempty" doc:"number of cases; absent in lists" example:"500"`
	Created  *time.Time    `json:"created,omitempty" doc:"time of the upload; absent for the folder" example:"2026-03-02T09:30:00Z"`
	Version  int           `json:"version,omitempty" doc:"number of the version, from 1; absent for the folder and in lists" example:"2"`
	By       string        `json:"by,omitempty" doc:"who made the version; absent for the upload itself and in lists" example:"wong"`
	Updated  *time.Time    `json:"updated,omitempty" doc:"time of the version; absent for the folder" example:"2026-03-02T09:30:00Z"`
	Size     int64         `json:"size_bytes,omitempty" doc:"size of the stored upload; absent for the folder" example:"182310"`
	Warnings []string      `json:"warnings,omitempty" nullable:"false" doc:"what is odd about it; absent in lists" example:"line 7: too short"`
	Labels   []labelsCount `json:"labels,omitempty" nullable:"false" doc:"how many cases have each label; absent in lists"`
}

// A labelsCount is how many cases have a label.
type labelsCount struct {
	Label string `json:"label" doc:"name of the label" example:"ideal"`
	Cases int    `json:"cases" doc:"number of cases that have the label" example:"480"`
}

// DatasetPath is the part of an address that names a dataset.
type DatasetPath struct {
	Name string `path:"name" maxLength:"128" doc:"name of a dataset"`
}

type datasetForm struct {
	File huma.FormFile `form:"file" required:"true" doc:"JSON, JSONL, YAML, CSV, or a zip of a BEIR dataset"`
	Name string        `form:"name" required:"false" maxLength:"128" doc:"name; default: the file's name" example:"rivers.jsonl"`
}

func (s *Server) datasets() {
	registerList(s, "list-datasets", func(ctx context.Context, _ *Paging) ([]datasetView, error) { return s.catalogue(ctx) })
	type uploaded struct {
		Location string `header:"Location"`
		Body     datasetView
	}
	register(s, "upload-dataset", func(ctx context.Context, in *struct {
		RawBody huma.MultipartFormFiles[datasetForm]
	}) (*uploaded, error) {
		v, err := s.upload(ctx, in.RawBody.Data())
		return &uploaded{prefix + "/datasets/" + v.Name, v}, err
	})
	registerOne(s, "get-dataset", func(ctx context.Context, in *DatasetPath) (v datasetView, err error) {
		d, err := s.findDataset(ctx, in.Name)
		if err != nil {
			return v, s.orAbsent(ctx, err, "dataset", in.Name)
		}
		if d.path == "" {
			return d.kept.Info, nil
		}
		set, err := s.load(ctx, d)
		if err != nil {
			return v, err
		}
		return asLoaded(datasetView{Name: in.Name, From: "folder"}, set), nil
	})
	register(s, "delete-dataset", func(ctx context.Context, in *DatasetPath) (*deletion, error) {
		gone, err := s.remove(ctx, store.KindDataset, in.Name, "dataset", validName().MatchString)
		if err != nil {
			return nil, err
		}
		return gone, s.removeOf(ctx, store.KindVersion, in.Name)
	})
	s.versionRoutes()
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

// findDataset finds a dataset by name. A name is never used as a path: a file of
// the folder is found only among the folder's entries.
func (s *Server) findDataset(ctx context.Context, name string) (*foundDataset, error) {
	views, leftOut, err := s.folder()
	if err != nil {
		return nil, err
	}
	if slices.Contains(leftOut, name) {
		return nil, wire.NotFound(fmt.Sprintf("the dataset %q of the server's folder has a name that cannot be used: expected %s", name, folderNames))
	}
	if slices.ContainsFunc(views, func(v datasetView) bool { return v.Name == name }) {
		return &foundDataset{path: filepath.Join(s.cfg.Datasets, name)}, nil
	}
	kind := store.KindDataset
	of, _, former := strings.Cut(name, "@")
	if former {
		kind = store.KindVersion
	}
	if !validName().MatchString(of) {
		return nil, wire.NotFound("no such dataset: expected its name, not a path (GET " + prefix + "/datasets lists them)")
	}
	var d foundDataset
	err = s.readItem(ctx, kind, name, &d.kept)
	d.former = former
	if errors.Is(err, store.ErrNotFound) {
		return nil, wire.NotFound("no such dataset (GET " + prefix + "/datasets lists them)")
	}
	return &d, err
}

// upload stores a dataset. The error is a problem.
func (s *Server) upload(ctx context.Context, form *datasetForm) (datasetView, error) {
	defer form.File.Close()
	base := filepath.Base(filepath.ToSlash(form.File.Filename))
	name := cmp.Or(form.Name, base)
	if !validName().MatchString(name) {
		return datasetView{}, wrong("body.name", "expected letters, digits, \".\", \"_\" and \"-\", at most 128, the first a letter or a digit", name)
	}
	ext := strings.ToLower(filepath.Ext(base))
	if !slices.Contains(dataset.Extensions(), ext) {
		return datasetView{}, wrong("body.file", "expected a file with one of the extensions "+quoted(dataset.Extensions()), base)
	}
	if s.ownPath(s.cfg.Settings, name) {
		return datasetView{}, conflict("a file in the server's own settings has this name; use another name")
	}
	if _, err := s.findDataset(ctx, name); err == nil {
		return datasetView{}, conflict("a dataset with this name already exists")
	}
	release, err := take(ctx, s.filing)
	if err != nil {
		return datasetView{}, err
	}
	defer release()
	content, err := io.ReadAll(io.LimitReader(form.File, maxUpload+1))
	if err != nil {
		return datasetView{}, err
	}
	if len(content) > maxUpload {
		return datasetView{}, huma.Error413RequestEntityTooLarge("the file is too large: expected at most 100 MiB")
	}
	if ext == ".zip" {
		if err := unpackable(content, maxUnpacked); err != nil {
			return datasetView{}, wrong("body.file", err.Error(), base)
		}
	}
	dir, err := os.MkdirTemp("", "assay-upload-")
	if err != nil {
		return datasetView{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	// Use the dataset's name, which was validated, not the client's file name.
	d := foundDataset{kept: keptDataset{File: strings.TrimSuffix(name, ext) + ext, Content: content}}
	path, err := d.place(dir)
	if err != nil {
		return datasetView{}, err
	}
	set, err := dataset.Load(ctx, path, dataset.Options{Name: name, Now: s.now(), Limits: uploadLimits})
	if err == nil {
		err = pathless(set.Cases)
	}
	if err != nil {
		return datasetView{}, problemsOf(err)
	}
	now := s.now()
	v := asLoaded(datasetView{Name: name, From: "upload", Created: &now, Updated: &now, Version: 1, Size: int64(len(content))}, set)
	d.kept.Info = v
	body, err := json.Marshal(d.kept)
	if err != nil {
		return datasetView{}, err
	}
	return v, s.store.CreateItem(ctx, store.Item{Kind: store.KindDataset, ID: name, Name: name, Created: now, Updated: now, Body: body})
}

// uploadLimits bound uploaded datasets.
var uploadLimits = dataset.Limits{Bytes: maxUnpacked, Marks: maxMarks, Cases: maxCases}

// asLoaded completes the view of a dataset by its contents.
func asLoaded(v datasetView, d *dataset.Dataset) datasetView {
	v.Format, v.Hash, v.Cases = d.Info.Format, d.Info.Hash, d.Cases.Len()
	for _, w := range d.Warnings {
		v.Warnings = append(v.Warnings, w.String())
	}
	for _, l := range d.Stats().Labels {
		v.Labels = append(v.Labels, labelsCount{l.Name, l.Cases})
	}
	return v
}

// pathless rejects cases that name files, because the paths would be read on this
// machine.
func pathless(cases *assay.Cases) error {
	var problems dataset.Errors
	for _, c := range cases.All() {
		if c.Audio != "" {
			problems = append(problems, &dataset.Error{
				File: c.Origin.File, Line: c.Origin.Line, Index: -1, Case: c.ID, Field: "audio",
				Problem: "names a file, and an upload brings none", Want: "no recording: those of the server's folder of datasets may have some",
			})
		}
	}
	if problems == nil {
		return nil
	}
	return problems
}

// problemsOf turns the errors of a dataset into a problem.
func problemsOf(err error) error {
	var problems dataset.Errors
	if !errors.As(err, &problems) {
		return wrong("body.file", err.Error(), nil)
	}
	var details []*huma.ErrorDetail
	for _, p := range problems[:min(len(problems), shownProblems)] {
		at := "body.file"
		if p.Line > 0 {
			at = fmt.Sprintf("body.file:%d", p.Line)
		}
		details = append(details, &huma.ErrorDetail{Location: at, Message: p.Error()})
	}
	return wrongs(details...)
}

// unpackable rejects an unsafe archive before anything reads it: paths that lead
// out of it, too many files, too much content. It counts the content and does not
// trust the sizes in the archive.
func unpackable(content []byte, limit int64) error {
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return fmt.Errorf("not a zip archive: %w", err)
	}
	if len(z.File) > maxPacked {
		return fmt.Errorf("%d files in the archive: expected at most %d", len(z.File), maxPacked)
	}
	var total int64
	for _, f := range z.File {
		if !filepath.IsLocal(f.Name) || strings.Contains(f.Name, `\`) {
			return fmt.Errorf("archive entry %q: path leads out of the archive", f.Name)
		}
		if f.Mode()&(os.ModeSymlink|os.ModeDevice|os.ModeNamedPipe|os.ModeSocket) != 0 {
			return fmt.Errorf("archive entry %q: not a regular file", f.Name)
		}
		r, err := f.Open()
		if err != nil {
			return fmt.Errorf("archive entry %q: %w", f.Name, err)
		}
		n, err := io.Copy(io.Discard, io.LimitReader(r, limit-total+1))
		r.Close()
		if total += n; total > limit {
			return fmt.Errorf("the archive holds more than %d MiB", limit>>20)
		}
		if err != nil {
			return fmt.Errorf("archive entry %q: %w", f.Name, err)
		}
	}
	return nil
}
