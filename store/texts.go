package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/assay-eval/assay"
)

// textColumns are the columns of a textRow. A text is what the requests of many calls
// have in common: the system prompt and the schema of the reply.
const textColumns = `id, checksum, packed`

const insertText = `INSERT INTO texts (` + textColumns + `) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING`

// shortestText is the length in bytes from which a text is stored apart.
const shortestText = 256

// A textRow is a row of the table texts.
type textRow struct {
	id, checksum int64
	packed       []byte
}

// textID derives the id of a text from its content. Should two texts ever have the same,
// the checksum of a call with the other one does not match.
func textID(text []byte) int64 {
	sum := sha256.Sum256(text)
	return int64(binary.BigEndian.Uint64(sum[:8]))
}

func textSum(id int64, text []byte) int64 {
	return seal(0, sumOf(text, "texts", strconv.FormatInt(id, 10)))
}

func newText(text []byte) (textRow, error) {
	packed, err := pack(string(text))
	if err != nil {
		return textRow{}, err
	}
	id := textID(text)
	return textRow{id, textSum(id, text), packed[0]}, nil
}

// packedTexts are the rows of texts that were packed last. All calls of an operation have the
// same, and most transactions insert it again; see [callInserter.texts].
type packedTexts struct {
	mu   sync.Mutex
	rows map[int64]textRow
}

// mostPackedTexts bounds the rows that are kept; a run has one an operation and a language.
const mostPackedTexts = 64

// of returns the row of a text with its id.
func (p *packedTexts) of(id int64, text []byte) (textRow, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	row, known := p.rows[id]
	if known {
		return row, nil
	}
	row, err := newText(text)
	if err != nil {
		return row, err
	}
	if p.rows == nil || len(p.rows) >= mostPackedTexts {
		p.rows = map[int64]textRow{}
	}
	p.rows[id] = row
	return row, nil
}

func (t *textRow) verify() error {
	text, err := unpack(nil, true, t.packed)
	if err != nil || textSum(t.id, text) != t.checksum {
		return &alteredError{fmt.Sprintf("text %d of requests", t.id), "one of the columns id, packed", "texts",
			"ask for the replies to these requests again with --refresh"}
	}
	return nil
}

// common returns where a request, which is JSON, holds what it has in common with those of
// the same operation: its members schema and system, with the comma before them. It is empty
// if they are short, or apart.
func common(request []byte) (from, to int) {
	at := afterSpace(request, 0)
	if at >= len(request) || request[at] != '{' {
		return 0, 0
	}
	at++
	for {
		at = afterSpace(request, at)
		before := at
		if at < len(request) && request[at] == ',' {
			at = afterSpace(request, at+1)
		}
		if at >= len(request) || request[at] != '"' {
			break
		}
		name := request[at:afterValue(request, at)]
		at = afterSpace(request, at+len(name))
		at = afterValue(request, afterSpace(request, at+1))
		switch {
		case string(name) != `"schema"` && string(name) != `"system"`:
		case to == 0:
			from, to = before, at
		case to == before:
			to = at
		}
	}
	if to-from < shortestText {
		return 0, 0
	}
	return from, to
}

// afterSpace returns where the white space of JSON that begins at a place ends.
func afterSpace(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || '\t' <= text[at] && text[at] <= '\r') {
		at++
	}
	return at
}

// afterValue returns where the value of JSON that begins at a place ends.
func afterValue(text []byte, at int) int {
	depth := 0
	for at < len(text) {
		switch text[at] {
		case '"':
			at++
			for at < len(text) && text[at] != '"' {
				if text[at] == '\\' {
					at++
				}
				at++
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return at // a number or a word that ends its object
			}
			depth--
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return at
			}
			at++
			continue
		default:
			at++
			continue
		}
		if at = min(at+1, len(text)); depth == 0 {
			return at
		}
	}
	return at
}

// packCall packs the texts of a call, but not what its request has between from and to:
// from, the length of the rest of the request, and this rest with the reply in a frame.
func packCall(c *assay.Call, from, to int) ([]byte, error) {
	rest := string(c.Request[:from]) + string(c.Request[to:])
	parts, err := pack(rest + string(c.Reply))
	if err != nil {
		return nil, err
	}
	head := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(from)), uint64(len(rest)))
	return append(head, parts[0]...), nil
}

// unpackCall is the inverse of packCall; text is the packed row of texts.
func unpackCall(packed, text []byte) (request, reply []byte, err error) {
	from, n := binary.Uvarint(packed)
	length, m := binary.Uvarint(packed[max(n, 0):])
	if n <= 0 || m <= 0 || from > length {
		return nil, nil, fmt.Errorf("%w: it has no lengths", errPacked)
	}
	both, err := unpack(nil, true, packed[n+m:])
	if err != nil {
		return nil, nil, err
	}
	if length > uint64(len(both)) {
		return nil, nil, fmt.Errorf("%w: it is shorter than its request", errPacked)
	}
	request, reply = both[:length:length], both[length:]
	if text != nil {
		apart, err := unpack(nil, true, text)
		if err != nil {
			return nil, nil, err
		}
		request = slices.Concat(request[:from], apart, request[from:])
	}
	return request, reply, nil
}

// callInserter inserts calls in a transaction, after their texts.
type callInserter struct {
	s     *Store
	tx    *sql.Tx
	known map[int64]bool
}

// texts inserts the texts of calls in the order of their ids: concurrent transactions with
// the same new texts would otherwise wait for each other.
func (i *callInserter) texts(ctx context.Context, calls ...assay.Call) error {
	fresh := map[int64][]byte{}
	for _, c := range calls {
		if from, to := common(c.Request); to > 0 {
			if id := textID(c.Request[from:to]); !i.known[id] {
				fresh[id] = c.Request[from:to]
			}
		}
	}
	ids := make([]int64, 0, len(fresh))
	for id := range fresh {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		t, err := i.s.packedTexts.of(id, fresh[id])
		if err != nil {
			return err
		}
		// Even where the text exists, the statement keeps it from being removed until the
		// commit; see [Store.DropCalls].
		if _, err := i.tx.ExecContext(ctx, insertText, t.id, t.checksum, t.packed); err != nil {
			return i.s.explain(err)
		}
		i.known[id] = true
	}
	return nil
}

// insert inserts a call by a query, keepCall or replaceCall, and reports whether it was written.
func (i *callInserter) insert(ctx context.Context, query string, c assay.Call) (bool, error) {
	from, to := common(c.Request)
	text := sql.NullInt64{Int64: textID(c.Request[from:to]), Valid: to > 0}
	if text.Valid && !i.known[text.Int64] {
		if err := i.texts(ctx, c); err != nil {
			return false, err
		}
	}
	packed, err := packCall(&c, from, to)
	if err != nil {
		return false, fmt.Errorf("call %q: %w", c.Key, err)
	}
	made := stamp(c.Made)
	res, err := i.tx.ExecContext(ctx, query, c.Key, c.Run, c.Operation, c.Provider, c.Model, made,
		c.Usage.InputTokens, c.Usage.OutputTokens, c.Usage.Cost, int64(c.Latency), seal(callSums(&c, made)), text, packed)
	if err != nil {
		return false, i.s.explain(err)
	}
	n, err := res.RowsAffected()
	return n > 0, i.s.explain(err)
}
