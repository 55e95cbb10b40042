package text

import (
	"bytes"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// beginnings are those of files that are not text.
var beginnings = map[string]string{
	"PK\x03\x04": "a zip archive", "%PDF-": "a PDF", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "a file of an older Office (.xls, .doc)",
	"{\\rtf": "an RTF document", "7z\xbc\xaf\x27\x1c": "a 7z archive", "Rar!": "a RAR archive", "SQLite format 3\x00": "a SQLite database",
	"\x1f\x8b": "compressed with gzip", "\x28\xb5\x2f\xfd": "compressed with zstd", "\xfd7zXZ\x00": "compressed with xz",
	"]\x00\x00": "compressed with lzma", "\x04\x22\x4d\x18": "compressed with lz4", "\x1f\x9d": "compressed with compress",
	"\x80\x02": "a pickle of Python", "\x80\x03": "a pickle of Python", "\x80\x04\x95": "a pickle of Python", "\x80\x05\x95": "a pickle of Python",
	"(lp0\n": "a pickle of Python", "(dp0\n": "a pickle of Python", "ccopy_reg\n": "a pickle of Python",
	"\x93NUMPY": "a NumPy array", "\x89HDF\r\n": "an HDF5 file", "Obj\x01": "an Avro file", "ARROW1": "an Arrow file",
}

var (
	bzip2 = lazyregexp.New(`^BZh[1-9]1AY&SY`)
	toml  = lazyregexp.New(`^(?:\s*#[^\n]*\n|\s*\n|[\w.-]+[ \t]*=[^\n]*\n)*\[\[?[A-Za-z_][\w.-]*\]\]?\s*\n[^\n=]+=`)
)

// Other says what a file is that begins as text or data of another kind than assay reads; "" if it may be what it should be.
func Other(head []byte) string {
	for begin, kind := range beginnings {
		if bytes.HasPrefix(head, []byte(begin)) {
			return kind
		}
	}
	const at = 257 // of the mark of a tar archive
	switch {
	case bzip2().Match(head):
		return "compressed with bzip2"
	case len(head) > at && bytes.HasPrefix(head[at:], []byte("ustar")):
		return "a tar archive"
	case toml().Match(head):
		return "TOML"
	}
	return ""
}

// Convert says of a file of a kind that [Other] returns what it is, and what to do.
func Convert(kind string) string {
	if strings.HasPrefix(kind, "compressed") || strings.HasSuffix(kind, "archive") {
		return "is " + kind + "; unpack it, or pack its file with gzip or zstd"
	}
	return "is " + kind + "; save its data as JSON Lines, or its table as CSV (UTF-8)"
}
