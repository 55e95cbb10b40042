package rag

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/atomic"
	"github.com/assay-eval/assay/rag/chunk"
)

// cacheVersion is part of every key. Raise it when what is kept changes its
// form, or when a passage is found by another text.
const cacheVersion = 1

// shelf is the folder where indexes are kept, by the hash of what they are made
// of. A file is used only with its slip: a second file that holds the key in
// full and the checksum of the file. Both are written whole or not at all, so
// that several processes may share a shelf, and a file that is damaged, cut
// short, or of another key is made again.
type shelf struct {
	dir string // "" keeps nothing
}

// key names what a file is made of.
type key struct {
	kind string
	of   []string
}

func (k key) String() string {
	return fmt.Sprintf("assay rag cache %d\n%s\n%s\n", cacheVersion, k.kind, strings.Join(k.of, "\n"))
}

// path is where the file of the key lies.
func (s shelf) path(k key) string {
	sum := sha256.Sum256([]byte(k.String()))
	return filepath.Join(s.dir, hex.EncodeToString(sum[:16])+"."+k.kind)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// slip is what is kept beside a file of size bytes.
func slip(k key, sum uint32, size int64) string {
	return fmt.Sprintf("%scrc32c %08x of %d bytes\n", k, sum, size)
}

// has reports whether the file of the key is there, whole and of that key.
func (s shelf) has(k key) bool {
	if s.dir == "" {
		return false
	}
	want, err := os.ReadFile(s.path(k) + ".key")
	if err != nil {
		return false
	}
	sum, size, err := checksum(s.path(k))
	return err == nil && string(want) == slip(k, sum, size)
}

// label writes the slip of a file that was just written.
func (s shelf) label(k key) error {
	sum, size, err := checksum(s.path(k))
	if err != nil {
		return err
	}
	return atomic.WriteFile(s.path(k)+".key", func(w io.Writer) error {
		_, err := io.WriteString(w, slip(k, sum, size))
		return err
	})
}

func checksum(path string) (sum uint32, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	h := crc32.New(castagnoli)
	size, err = io.Copy(h, bufio.NewReaderSize(f, 1<<20))
	return h.Sum32(), size, err
}

// passagesOf gets the passages from the shelf, or splits the documents and puts
// them there.
func passagesOf(c Config, shelf shelf, make func() ([]passage, error)) ([]passage, error) {
	k := key{"passages", []string{c.CorpusHash, c.Chunk.String(), fmt.Sprint(chunk.Version)}}
	// Documents that are not split take longer to read back than to make.
	if shelf.dir == "" || c.Chunk.Method == chunk.Document {
		return make()
	}
	if shelf.has(k) {
		if data, err := os.ReadFile(shelf.path(k)); err == nil {
			if list, err := decodePassages(data, c.Documents); err == nil {
				return list, nil
			}
		}
	}
	list, err := make()
	if err != nil {
		return nil, err
	}
	err = atomic.WriteFile(shelf.path(k), func(w io.Writer) error {
		_, err := w.Write(encodePassages(list))
		return err
	})
	if err == nil {
		err = shelf.label(k)
	}
	return list, err
}

// encodePassages writes, for each passage, as unsigned varints: how many
// documents on it is, its index, start and length; then its headings, as a
// count and strings with their lengths, or 0 when they are those of the passage
// before and of the same document.
func encodePassages(list []passage) []byte {
	out := binary.AppendUvarint(nil, uint64(len(list)))
	doc := 0
	var before []string
	for _, p := range list {
		for _, n := range []int{p.doc - doc, p.index, p.start, p.end - p.start} {
			out = binary.AppendUvarint(out, uint64(n))
		}
		if p.doc == doc && slices.Equal(p.headings, before) {
			out = append(out, 0)
		} else {
			out = binary.AppendUvarint(out, uint64(len(p.headings)+1))
			for _, h := range p.headings {
				out = binary.AppendUvarint(out, uint64(len(h)))
				out = append(out, h...)
			}
		}
		doc, before = p.doc, p.headings
	}
	return out
}

// decodePassages reads what encodePassages wrote. An error means that the data
// do not fit the documents.
func decodePassages(data []byte, docs []assay.Document) ([]passage, error) {
	bad := false
	number := func(limit int) int {
		n, size := binary.Uvarint(data)
		if size <= 0 || n > uint64(limit) {
			bad, data = true, nil
			return 0
		}
		data = data[size:]
		return int(n)
	}
	count := number(len(data))
	list := make([]passage, 0, count)
	doc := 0
	var before []string
	for range count {
		doc += number(len(docs) - 1 - doc)
		length := len(docs[doc].Text)
		p := passage{doc: doc, index: number(length), start: number(length)}
		p.end = p.start + number(length-p.start)
		if n := number(len(data)); n > 0 {
			before = nil
			for range n - 1 {
				size := number(len(data))
				if bad = bad || size > len(data); bad {
					break
				}
				before = append(before, string(data[:size]))
				data = data[size:]
			}
		}
		p.headings = before
		if bad {
			return nil, errors.New("passages do not fit the documents")
		}
		list = append(list, p)
	}
	if len(data) > 0 {
		return nil, errors.New("bytes after the last passage")
	}
	return list, nil
}
