package extract

import (
	"strings"
	"unicode"

	"github.com/ledongthuc/pdf"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	textunicode "golang.org/x/text/encoding/unicode"
)

// pdfGlyph is one decoded code of a string.
type pdfGlyph struct {
	bytes int
	text  string
	width float64 // in thousandths of the type size
	space bool    // word spacing applies
}

// pdfFont maps codes to text and width. The text is that of the font's character map
// (ToUnicode) if it has one, else of its encoding.
type pdfFont struct {
	composite bool
	toUnicode *cmap
	simple    pdf.TextEncoding  // of a simple font
	cjk       encoding.Encoding // of a composite font in a known encoding
	widths    map[int]float64
	missing   float64
	glyphs    map[string]pdfGlyph // by the code's bytes
}

var utf16BE = textunicode.UTF16(textunicode.BigEndian, textunicode.IgnoreBOM)

// cjkEncodings are the predefined encodings of composite fonts, by the prefix of their
// names.
var cjkEncodings = []struct {
	prefix string
	enc    encoding.Encoding
}{
	{"UniGB-", utf16BE},
	{"UniCNS-", utf16BE},
	{"UniJIS-", utf16BE},
	{"UniKS-", utf16BE},
	{"GB", simplifiedchinese.GBK},
	{"B5", traditionalchinese.Big5},
	{"ETen", traditionalchinese.Big5},
	{"90ms", japanese.ShiftJIS},
	{"KSC", korean.EUCKR},
}

// font reads a font's dictionary, once per document.
func (d *pdfDocument) font(v pdf.Value) *pdfFont {
	key := v.String()
	if f, ok := d.fonts[key]; ok {
		return f
	}
	f := &pdfFont{composite: v.Key("Subtype").Name() == "Type0", glyphs: map[string]pdfGlyph{}, widths: map[int]float64{}, missing: 500}
	if m := v.Key("ToUnicode"); m.Kind() == pdf.Stream {
		if data, err := streams(m); err == nil {
			f.toUnicode = readCMap(data)
		}
	}
	if f.composite {
		name := v.Key("Encoding").Name()
		for _, e := range cjkEncodings {
			if strings.HasPrefix(name, e.prefix) {
				f.cjk = e.enc
				break
			}
		}
		f.compositeWidths(v.Key("DescendantFonts").Index(0))
	} else {
		f.simple = (&pdf.Font{V: v}).Encoder()
		f.simpleWidths(v)
	}
	d.fonts[key] = f
	return f
}

func (f *pdfFont) simpleWidths(v pdf.Value) {
	// A Type 3 font has its own units.
	unit := 1.0
	if v.Key("Subtype").Name() == "Type3" {
		unit = 1000 * v.Key("FontMatrix").Index(0).Float64()
	}
	if w := v.Key("FontDescriptor").Key("MissingWidth"); w.Float64() > 0 {
		f.missing = w.Float64()
	}
	first, list := int(v.Key("FirstChar").Int64()), v.Key("Widths")
	for i := range min(list.Len(), 256) {
		f.widths[first+i] = list.Index(i).Float64() * unit
	}
}

// compositeWidths parses the array W: "c [w1 w2 …]" and "first last w".
func (f *pdfFont) compositeWidths(v pdf.Value) {
	f.missing = 1000
	if dw := v.Key("DW"); dw.Kind() == pdf.Integer || dw.Kind() == pdf.Real {
		f.missing = dw.Float64()
	}
	w := v.Key("W")
	for i := 0; i+1 < w.Len(); {
		first := int(w.Index(i).Int64())
		if list := w.Index(i + 1); list.Kind() == pdf.Array {
			for j := range min(list.Len(), maxOperands) {
				f.widths[first+j] = list.Index(j).Float64()
			}
			i += 2
			continue
		}
		last, width := int(w.Index(i+1).Int64()), w.Index(i+2).Float64()
		for c := first; c <= last && c-first < maxOperands; c++ {
			f.widths[c] = width
		}
		i += 3
	}
}

// next returns the first glyph of a non-empty string.
func (f *pdfFont) next(raw string) pdfGlyph {
	n := min(f.length(raw), len(raw))
	code := raw[:n]
	g, ok := f.glyphs[code]
	if ok {
		return g
	}
	g = pdfGlyph{bytes: n, text: f.text(code), space: code == " "}
	if g.width, ok = f.widths[number(code)]; !ok {
		g.width = f.missing
	}
	f.glyphs[code] = g
	return g
}

// length returns the number of bytes of the first code.
func (f *pdfFont) length(raw string) int {
	switch {
	case !f.composite:
		return 1
	case f.cjk != nil:
		if f.cjk != utf16BE && raw[0] < 0x81 {
			return 1
		}
		return 2
	case f.toUnicode != nil:
		return f.toUnicode.length(raw)
	}
	return 2
}

// text returns the text of a code, U+FFFD if unknown.
func (f *pdfFont) text(code string) string {
	if f.toUnicode != nil {
		if s, ok := f.toUnicode.lookup(code); ok {
			return clean(s)
		}
	}
	switch {
	case f.cjk != nil:
		b, err := f.cjk.NewDecoder().String(code)
		if err != nil {
			return string(unicode.ReplacementChar)
		}
		return clean(b)
	case f.composite:
		return string(unicode.ReplacementChar)
	}
	return clean(f.simple.Decode(code))
}

// ligatures maps joined letter forms to letters, and special white space to spaces.
// Other compatibility forms, such as full-width punctuation, are kept.
var ligatures = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st", "\u00a0",
	" ", "\u00ad", "", "\x00", "\ufffd", "\r", " ", "\n", " ", "\t", " ")

func clean(s string) string { return ligatures.Replace(s) }
