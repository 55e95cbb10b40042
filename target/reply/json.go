package reply

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// decodeJSON decodes one JSON value, with numbers as json.Number.
func decodeJSON(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, syntaxError(raw, err)
	}
	rest := bytes.TrimLeft(raw[d.InputOffset():], " \t\r\n")
	if len(rest) > 0 {
		return nil, fmt.Errorf("offset %d: %q follows the JSON value: expected one value", len(raw)-len(rest), beginning(rest))
	}
	return v, nil
}

// syntaxError describes where the JSON in raw is wrong.
func syntaxError(raw []byte, err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("the reply is empty: expected JSON")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the JSON ends within a value, at offset %d", len(raw))
	case errors.As(err, &syntax):
		return fmt.Errorf("invalid JSON: offset %d: %w: the reply begins %q", syntax.Offset, err, beginning(raw))
	}
	return fmt.Errorf("invalid JSON: %w", err)
}

// More says that an answer of an API holds one page of several, by the fields beside its list; "" if none says so.
func More(answer map[string]any) string {
	meta, _ := answer["meta"].(map[string]any)
	if pages, err := strconv.Atoi(fmt.Sprint(meta["totalPages"])); err == nil && pages > 1 {
		return fmt.Sprintf("meta: one page of %d", pages)
	}
	for _, in := range []string{"", "meta", "cursors", "links", "pagination", "response_metadata"} {
		fields, _ := answer[in].(map[string]any)
		if in == "" {
			fields = answer
		}
		for _, name := range []string{"next", "has_more", "hasMore", "next_cursor", "nextCursor", "next_page_token", "nextPageToken"} {
			if v := fields[name]; v != nil && v != false && v != "" {
				return strings.TrimPrefix(in+"."+name, ".") + ": one page of several"
			}
		}
	}
	return ""
}
