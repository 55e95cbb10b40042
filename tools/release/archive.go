package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"path"
	"slices"
	"time"
)

// archive writes the program and what belongs to it: a .tar.gz, for Windows a .zip.
func (r *release) archive(b built) error {
	files := slices.Concat(r.files, []packed{b.file})
	if b.os == "windows" {
		content, err := zipped(files, r.date)
		if err != nil {
			return err
		}
		return r.write(r.name(b)+".zip", content)
	}
	content, err := tarred(files, r.date)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(content); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return r.write(r.name(b)+".tar.gz", out.Bytes())
}

// tarred packs files that belong to root, after the folders that they are in.
func tarred(files []packed, date time.Time) ([]byte, error) { return tarOf(files, nil, date) }

// layer packs the files of an image, and folders that its user may write to.
func layer(files []packed, date time.Time) ([]byte, error) {
	return tarOf(files, []tar.Header{{Name: "tmp/", Mode: 0o1777}, {Name: "data/", Mode: 0o755, Uid: user, Gid: user}}, date)
}

func tarOf(files []packed, own []tar.Header, date time.Time) ([]byte, error) {
	for _, folder := range folders(files) {
		own = append(own, tar.Header{Name: folder + "/", Mode: 0o755})
	}
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, h := range own {
		h.Typeflag, h.ModTime, h.Format = tar.TypeDir, date, tar.FormatPAX
		if err := w.WriteHeader(&h); err != nil {
			return nil, err
		}
	}
	for _, f := range files {
		h := tar.Header{Typeflag: tar.TypeReg, Name: f.path, Mode: f.mode, Size: int64(len(f.content)), ModTime: date, Format: tar.FormatPAX}
		if err := w.WriteHeader(&h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// folders lists the folders that files are in, each after the one that it is in.
func folders(files []packed) []string {
	var out []string
	for _, f := range files {
		for dir := path.Dir(f.path); dir != "."; dir = path.Dir(dir) {
			out = append(out, dir)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func zipped(files []packed, date time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.path, Method: zip.Deflate, Modified: date}
		h.SetMode(0o644)
		to, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := io.Copy(to, bytes.NewReader(f.content)); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
