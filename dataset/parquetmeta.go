package dataset

import (
	"errors"

	"github.com/parquet-go/parquet-go/encoding/thrift"
)

var errMetadata = errors.New("the metadata is damaged")

// readMetadata reads a struct in Thrift's compact protocol, in which Parquet keeps its
// metadata, and returns its length in bytes.
func readMetadata(b []byte, into any) (int, error) {
	r := &metadataReader{thriftReader: new(thrift.CompactProtocol).NewReaderFromBytes(b), size: len(b)}
	if guarded(func() error { return thrift.NewDecoder(r).Decode(into) }) != nil {
		return 0, errMetadata
	}
	return r.BytesRead(), nil
}

type thriftReader = thrift.Reader

// A metadataReader bounds what the library takes for granted: it allocates lists of the
// size that they declare, and passes over unknown fields however deep they nest.
type metadataReader struct {
	thriftReader
	size int
	// structs counts those of lists, and open holds how many are left at each level.
	structs int
	open    []int
}

// enter notes that n structs follow.
func (r *metadataReader) enter(n int) error {
	if r.structs += n; r.structs > maxStructs || len(r.open) >= maxDepth {
		return errMetadata
	}
	if n > 0 {
		r.open = append(r.open, n)
	}
	return nil
}

// ReadField implements [thrift.Reader].
func (r *metadataReader) ReadField() (thrift.Field, error) {
	f, err := r.thriftReader.ReadField()
	switch {
	case err != nil:
	case f.Type == thrift.STRUCT:
		err = r.enter(1)
	case f.Type == thrift.STOP && len(r.open) > 0:
		last := len(r.open) - 1
		if r.open[last]--; r.open[last] == 0 {
			r.open = r.open[:last]
		}
	}
	return f, err
}

// ReadList implements [thrift.Reader]. No list of Parquet holds lists, and no list has more
// elements than bytes are left.
func (r *metadataReader) ReadList() (thrift.List, error) {
	l, err := r.thriftReader.ReadList()
	switch {
	case err != nil:
	case int(l.Size) > r.size-r.BytesRead() || l.Type == thrift.LIST || l.Type == thrift.SET || l.Type == thrift.MAP:
		err = errMetadata
	case l.Type == thrift.STRUCT:
		err = r.enter(int(l.Size))
	}
	return l, err
}

// ReadSet implements [thrift.Reader]. Parquet has no sets.
func (r *metadataReader) ReadSet() (thrift.Set, error) { return thrift.Set{}, errMetadata }

// ReadMap implements [thrift.Reader]. Parquet has no maps.
func (r *metadataReader) ReadMap() (thrift.Map, error) { return thrift.Map{}, errMetadata }

// Discard passes over n bytes, as the library asks readers of bytes to.
func (r *metadataReader) Discard(n int) (int, error) {
	return r.thriftReader.(interface{ Discard(n int) (int, error) }).Discard(n)
}
