package text

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Encoded is what data should be that [NotText] complains of.
const Encoded = "text in UTF-8, or in UTF-16 with a byte order mark"

// NotText says why data, which is decoded if it began with a byte order mark, is not text, and
// in which line; "" if it is text, and line 0 if that is so of all lines.
func NotText(b []byte) (problem string, line int) {
	at := bytes.IndexByte(b, 0)
	if at >= 0 {
		if name := looksUTF16(b); name != "" {
			return fmt.Sprintf("looks like UTF-16 without a byte order mark (iconv -f %s -t UTF-8 converts it)", name), 0
		}
	}
	bad := firstInvalid(b)
	if at < 0 || bad >= 0 && bad < at {
		at = bad
	}
	if at < 0 {
		return "", 0
	}
	if kind := Other(b); kind != "" {
		return kind, 0
	}
	line = 1 + bytes.Count(b[:at], []byte{'\n'})
	column := at - bytes.LastIndexByte(b[:at], '\n')
	if b[at] == 0 {
		return fmt.Sprintf("byte %d of the line is 0, so this is not text", column), line
	}
	return fmt.Sprintf("byte %d of the line (0x%02x) is not UTF-8", column, b[at]), line
}

// looksUTF16 returns the encoding if every second byte of the beginning is 0, as
// in UTF-16 of Latin letters, whose high byte comes last in UTF-16LE; else "".
func looksUTF16(b []byte) string {
	b = b[:min(len(b), 512)&^1]
	var zero [2]int
	for i, c := range b {
		if c == 0 {
			zero[i%2]++
		}
	}
	half := len(b) / 2
	if half == 0 || max(zero[0], zero[1])*10 < half*7 || min(zero[0], zero[1])*10 > half {
		return ""
	}
	if zero[1] > zero[0] {
		return "UTF-16LE"
	}
	return "UTF-16BE"
}

// firstInvalid returns the offset of the first byte that is not UTF-8, or -1.
func firstInvalid(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return -1
}

// QuoteTabs quotes the fields of tab-separated text that was written without quotes, so that encoding/csv reads it. plain is
// false for any other text: one whose lines differ in their tabs, or whose quotes are in pairs within lines.
func QuoteTabs(b []byte) (out []byte, plain bool) {
	lines := bytes.Split(b, []byte{'\n'})
	for _, line := range lines {
		if len(bytes.TrimSpace(line)) > 0 && bytes.Count(line, []byte{'\t'}) != bytes.Count(lines[0], []byte{'\t'}) {
			return b, false
		}
	}
	in := csv.NewReader(bytes.NewReader(b))
	in.Comma, in.FieldsPerRecord, in.ReuseRecord = '\t', -1, true
	for !plain {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return b, false
		}
		plain = err != nil || slices.ContainsFunc(row, func(field string) bool { return strings.Contains(field, "\n") })
	}
	for _, line := range lines {
		if line = bytes.TrimSuffix(line, []byte{'\r'}); len(line) > 0 {
			line = bytes.ReplaceAll(bytes.ReplaceAll(line, []byte(`"`), []byte(`""`)), []byte{'\t'}, []byte("\"\t\""))
			out = append(append(append(out, '"'), line...), '"')
		}
		out = append(out, '\n')
	}
	return out, true
}
