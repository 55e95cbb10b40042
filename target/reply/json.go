package reply

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
