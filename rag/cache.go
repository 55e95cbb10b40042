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

// cacheVersion is part of every key. Increment it when the format changes, or when
// passages are searched by different text.
const cacheVersion = 1

// indexCache is the folder of cached indexes, keyed by the hash of their inputs. A file is
// valid only with its stamp, a second file with the full key and the checksum of the
// first. Both are written atomically, so several processes may share it, and a
// file that is damaged, truncated, or of another key is rebuilt.
type indexCache struct {
	dir string // "" disables the cache
}

// key identifies the inputs of a file.
type key struct {
	kind string
	of   []string
}

func (k key) String() string {
	return fmt.Sprintf("assay rag cache %d\n%s\n%s\n", cacheVersion, k.kind, strings.Join(k.of, "\n"))
}

// path returns the path of the key's file.
func (c indexCache) path(k key) string {
	sum := sha256.Sum256([]byte(k.String()))
	return filepath.Join(c.dir, hex.EncodeToString(sum[:16])+"."+k.kind)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// stamp returns the content of the stamp for a file of size bytes.
func stamp(k key, sum uint32, size int64) string {
	return fmt.Sprintf("%scrc32c %08x of %d bytes\n", k, sum, size)
}

// has reports whether the key's file exists, is complete and belongs to the key.
func (c indexCache) has(k key) bool {
	if c.dir == "" {
		return false
	}
	want, err := os.ReadFile(c.path(k) + ".key")
	if err != nil {
		return false
	}
	sum, size, err := checksum(c.path(k))
	return err == nil && string(want) == stamp(k, sum, size)
}

// label writes the stamp of a new file.
func (c indexCache) label(k key) error {
	sum, size, err := checksum(c.path(k))
	if err != nil {
		return err
	}
	return atomic.WriteFile(c.path(k)+".key", func(w io.Writer) error {
		_, err := io.WriteString(w, stamp(k, sum, size))
		return err
	})
}

// partFloats is how many numbers are read or written at a time.
const partFloats = 1 << 16

// floats reads the numbers of the key's file, which fixes how many there are; nil if the
// file is not valid.
func (c indexCache) floats(k key, n int) []float32 {
	if !c.has(k) {
		return nil
	}
	f, err := os.Open(c.path(k))
	if err != nil {
		return nil
	}
	defer f.Close()
	out := make([]float32, n)
	for part := range slices.Chunk(out, partFloats) {
		if binary.Read(f, binary.LittleEndian, part) != nil {
			return nil
		}
	}
	return out
}

// keep writes numbers to the key's file.
func (c indexCache) keep(k key, numbers []float32) error {
	err := atomic.WriteFile(c.path(k), func(w io.Writer) error {
		for part := range slices.Chunk(numbers, partFloats) {
			if err := binary.Write(w, binary.LittleEndian, part); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.label(k)
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

// passagesOf reads the passages from the cache, or splits the documents and stores them
// there.
func passagesOf(c Config, cache indexCache, make func() ([]passage, error)) ([]passage, error) {
	k := key{"passages", []string{c.CorpusHash, c.Chunk.String(), fmt.Sprint(chunk.Version)}}
	// Without splitting, reading takes longer than making the passages.
	if cache.dir == "" || c.Chunk.Method == chunk.Document {
		return make()
	}
	if cache.has(k) {
		if data, err := os.ReadFile(cache.path(k)); err == nil {
			if list, err := decodePassages(data, c.Documents); err == nil {
				return list, nil
			}
		}
	}
	list, err := make()
	if err != nil {
		return nil, err
	}
	err = atomic.WriteFile(cache.path(k), func(w io.Writer) error {
		_, err := w.Write(encodePassages(list))
		return err
	})
	if err == nil {
		err = cache.label(k)
	}
	return list, err
}

// encodePassages writes each passage as unsigned varints: the increment of its
// document, its index, start and length; then its headings, as a count and
// length-prefixed strings, or 0 if they equal those of the previous passage of the same
// document.
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

// decodePassages decodes the output of encodePassages. The error means that the data do
// not match the documents.
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
