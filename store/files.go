package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"
)

const (
	// kindFile is a part of a stored file; its name is the fingerprint of the file.
	kindFile = "file"
	// kindFileOf is the file of a run; its id is the run's, its name the fingerprint.
	kindFileOf = OfRun + "file"
)

// filePart is the size of a part of a file before it is packed, in bytes.
const filePart = 4 << 20

// A part is the body of an item of [kindFile]. The last part has no content: it says that the
// others are there.
type part struct {
	Packed []byte `json:"packed,omitempty"`
	// Parts is the number of the others, in the last part.
	Parts int `json:"parts,omitempty"`
}

func partID(fingerprint string, i int) string { return fmt.Sprintf("%s %06d", fingerprint, i) }

func lastPartID(fingerprint string) string { return fingerprint + " last" }

// NameFile says that a run has the file with a fingerprint, and reports whether its content is
// stored. about is JSON that [Store.RunFile] returns. A file that a run has is kept until the run
// is deleted, and after that until [Store.DropFiles].
func (s *Store) NameFile(ctx context.Context, runID, fingerprint string, about json.RawMessage, now time.Time) (stored bool, err error) {
	it := Item{Kind: kindFileOf, ID: runID, Name: fingerprint, Parent: runID, Created: now, Updated: now, Body: about}
	if err := s.Try(ctx, func(ctx context.Context) error { return s.PutItem(ctx, it) }); err != nil {
		return false, err
	}
	// After the name is stored, nobody drops the content.
	err = s.Try(ctx, func(ctx context.Context) error {
		_, err := s.Item(ctx, kindFile, lastPartID(fingerprint))
		return err
	})
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// RunFile returns the fingerprint of the file that a run has, and what [Store.NameFile] was told
// about it. If it has none, the error is [ErrNotFound].
func (s *Store) RunFile(ctx context.Context, runID string) (fingerprint string, about json.RawMessage, err error) {
	err = s.Try(ctx, func(ctx context.Context) error {
		it, err := s.Item(ctx, kindFileOf, runID)
		fingerprint, about = it.Name, it.Body
		return err
	})
	return fingerprint, about, err
}

// PutFile stores the content of a file in parts, packed. If the content does not have the
// fingerprint, its SHA-256 in hexadecimal digits, that is an error, and nothing counts as stored.
func (s *Store) PutFile(ctx context.Context, fingerprint string, content io.Reader, now time.Time) error {
	put := func(id string, p part) error {
		body, err := json.Marshal(p)
		if err != nil {
			return err
		}
		it := Item{Kind: kindFile, ID: id, Name: fingerprint, Created: now, Updated: now, Body: body}
		return s.Try(ctx, func(ctx context.Context) error { return s.PutItem(ctx, it) })
	}
	sum := sha256.New()
	buffer := make([]byte, filePart)
	for n := 0; ; n++ {
		size, err := io.ReadFull(content, buffer)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		if size == 0 {
			if err := fits(sum, fingerprint); err != nil {
				return err
			}
			return put(lastPartID(fingerprint), part{Parts: n})
		}
		sum.Write(buffer[:size])
		packed, err := pack(string(buffer[:size]))
		if err != nil {
			return err
		}
		if err := put(partID(fingerprint, n), part{Packed: packed[0]}); err != nil {
			return err
		}
	}
}

// fits compares the checksum of a content with its fingerprint.
func fits(sum hash.Hash, fingerprint string) error {
	if is := hex.EncodeToString(sum.Sum(nil)); is != fingerprint {
		return fmt.Errorf("the file %.12s… has another content now: its fingerprint is %.12s…", fingerprint, is)
	}
	return nil
}

// File writes the content of a stored file. If it is not stored, the error is [ErrNotFound]. It
// is complete and has the fingerprint if the error is nil.
func (s *Store) File(ctx context.Context, fingerprint string, to io.Writer) error {
	read := func(id string) (p part, err error) {
		var it Item
		err = s.Try(ctx, func(ctx context.Context) (err error) {
			it, err = s.Item(ctx, kindFile, id)
			return err
		})
		if err == nil {
			err = json.Unmarshal(it.Body, &p)
		}
		return p, err
	}
	last, err := read(lastPartID(fingerprint))
	if err != nil {
		return err
	}
	sum := sha256.New()
	for i := range last.Parts {
		p, err := read(partID(fingerprint, i))
		if err != nil {
			return err
		}
		content, err := unpack(nil, true, p.Packed)
		if err != nil {
			return fmt.Errorf("%s %q: %w", kindFile, partID(fingerprint, i), err)
		}
		sum.Write(content)
		if _, err := to.Write(content); err != nil {
			return err
		}
	}
	return fits(sum, fingerprint)
}

// unnamed are the parts of files that no run has.
const unnamed = ` FROM items WHERE kind = '` + kindFile + `' AND updated < $1
	AND NOT EXISTS (SELECT 1 FROM items AS named WHERE named.kind = '` + kindFileOf + `' AND named.name = items.name)`

// DropFiles removes the files that were stored before a time and that no run has, and returns
// their number.
func (s *Store) DropFiles(ctx context.Context, before time.Time) (n int, err error) {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return 0, s.explain(err)
	}
	defer func() {
		if err != nil {
			// the first error is the one to report
			_ = tx.Rollback()
		}
	}()
	// No run may be given a file meanwhile.
	for _, q := range s.db.exclude("items") {
		if _, err := tx.ExecContext(ctx, q); err != nil {
			return 0, s.explain(err)
		}
	}
	if err := tx.QueryRowContext(ctx, `SELECT count(DISTINCT name)`+unnamed, stamp(before)).Scan(&n); err != nil {
		return 0, s.explain(err)
	}
	if _, err := tx.ExecContext(ctx, `DELETE`+unnamed, stamp(before)); err != nil {
		return 0, s.explain(err)
	}
	return n, s.explain(tx.Commit())
}

// staleFiles counts the files that DropFiles removes, and their size in bytes.
func (s *Store) staleFiles(ctx context.Context, before time.Time) (n int, size int64, err error) {
	var sum sql.NullInt64
	err = s.read.QueryRowContext(ctx, `SELECT count(DISTINCT name), CAST(sum(size) AS bigint)`+unnamed, stamp(before)).Scan(&n, &sum)
	return n, sum.Int64, s.explain(err)
}
