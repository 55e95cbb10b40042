package extract

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	unicode16 "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/assay-eval/assay/internal/text"
)

// parseText parses plain text.
func parseText(_ context.Context, data []byte) (content, error) {
	s, err := decode(data)
	return content{text: s}, err
}

// maxControl is the share of control characters above which a text is considered
// binary. Text has none except white space, logs a few colour codes; random bytes have
// one in eight.
const maxControl = 0.02

// decode decodes UTF-8, with or without a byte order mark, or UTF-16 with one. Line ends
// become "\n".
func decode(data []byte) (string, error) {
	data, _, err := transform.Bytes(unicode16.BOMOverride(encoding.Nop.NewDecoder()), data)
	if err != nil {
		return "", err
	}
	if problem, line := text.NotText(data); problem != "" {
		return "", fmt.Errorf("not text: line %d: %s: must be %s", max(line, 1), problem, text.Encoded)
	}
	s := string(data)
	control := 0
	for _, r := range s {
		if r == 0 || r == unicode.ReplacementChar || unicode.IsControl(r) && !unicode.IsSpace(r) && r != '\b' && r != 0x1b {
			control++
		}
	}
	if float64(control) > maxControl*float64(utf8.RuneCountInString(s)) {
		return "", errors.New("not text: too many control characters")
	}
	return lineEnds(s), nil
}

func lineEnds(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}
