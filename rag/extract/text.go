package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode/utf32"

	textunicode "golang.org/x/text/encoding/unicode"
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

// decode decodes UTF-8, with or without a byte order mark, or UTF-16 or UTF-32 with
// one. Line ends become "
// ".
func decode(data []byte) (string, error) {
	s, err := decodeUnicode(data)
	if err != nil {
		return "", err
	}
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

func decodeUnicode(data []byte) (string, error) {
	for _, m := range []struct {
		mark string
		read func([]byte) ([]byte, error)
	}{
		// UTF-32's little-endian mark begins with that of UTF-16.
		{"\xff\xfe\x00\x00", utf32.UTF32(utf32.LittleEndian, utf32.UseBOM).NewDecoder().Bytes},
		{"\x00\x00\xfe\xff", utf32.UTF32(utf32.BigEndian, utf32.UseBOM).NewDecoder().Bytes},
		{"\xff\xfe", textunicode.UTF16(textunicode.LittleEndian, textunicode.UseBOM).NewDecoder().Bytes},
		{"\xfe\xff", textunicode.UTF16(textunicode.BigEndian, textunicode.UseBOM).NewDecoder().Bytes},
	} {
		if bytes.HasPrefix(data, []byte(m.mark)) {
			b, err := m.read(data)
			return string(b), err
		}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return "", fmt.Errorf("not text: a zero byte at offset %d", i)
	}
	if !utf8.Valid(data) {
		i := 0
		for i < len(data) {
			r, n := utf8.DecodeRune(data[i:])
			if r == utf8.RuneError && n == 1 {
				break
			}
			i += n
		}
		return "", fmt.Errorf("line %d: not UTF-8: byte 0x%02x at offset %d: want UTF-8, or UTF-16 with a byte order mark",
			1+bytes.Count(data[:i], []byte("\n")), data[i], i)
	}
	return string(data), nil
}

func lineEnds(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}
