package extract

import (
	"bytes"
	"strconv"
)

// Kinds of operands.
const (
	pdfNumber = iota
	pdfString
	pdfName
	pdfArray
	pdfOther
)

// pdfOperand is an operand of a content stream or of a character map.
type pdfOperand struct {
	kind int
	num  float64
	str  string // value of a string or a name
	list []pdfOperand
}

// pdfLexer splits a content stream into operators with their operands. It never fails:
// it skips what it does not understand.
type pdfLexer struct {
	data []byte
	pos  int
}

// next returns the next operator with its operands; ok is false at the end.
func (l *pdfLexer) next() (op string, args []pdfOperand, ok bool) {
	for {
		l.skip()
		if l.pos >= len(l.data) {
			return "", nil, false
		}
		if a, word, isWord := l.value(0); !isWord {
			// More operands than any operator has are noise; the last ones count.
			if len(args) == maxOperands {
				args = args[:0]
			}
			args = append(args, a)
		} else if word == "BI" {
			l.inlineImage()
			args = args[:0]
		} else if word != "" {
			return word, args, true
		}
	}
}

// skip skips white space and comments.
func (l *pdfLexer) skip() {
	for l.pos < len(l.data) {
		switch c := l.data[l.pos]; {
		case isPDFSpace(c):
			l.pos++
		case c == '%':
			for l.pos < len(l.data) && l.data[l.pos] != '\n' && l.data[l.pos] != '\r' {
				l.pos++
			}
		default:
			return
		}
	}
}

// value reads one operand or operator. Arrays and dictionaries nested deeper than 16
// are ignored.
func (l *pdfLexer) value(depth int) (a pdfOperand, word string, isWord bool) {
	c := l.data[l.pos]
	switch {
	case c == '(':
		return pdfOperand{kind: pdfString, str: l.literal()}, "", false
	case c == '<' && l.pos+1 < len(l.data) && l.data[l.pos+1] == '<':
		l.pos += 2
		l.until(">>", depth)
		return pdfOperand{kind: pdfOther}, "", false
	case c == '<':
		return pdfOperand{kind: pdfString, str: l.hex()}, "", false
	case c == '[':
		l.pos++
		return pdfOperand{kind: pdfArray, list: l.until("]", depth)}, "", false
	case c == '/':
		l.pos++
		return pdfOperand{kind: pdfName, str: l.name()}, "", false
	case bytes.IndexByte([]byte(")>]{}"), c) >= 0:
		l.pos++
		return a, "", true
	}
	start := l.pos
	for l.pos < len(l.data) && !isPDFSpace(l.data[l.pos]) && !isPDFDelimiter(l.data[l.pos]) {
		l.pos++
	}
	word = string(l.data[start:l.pos])
	if n, err := strconv.ParseFloat(word, 64); err == nil && (c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9') {
		return pdfOperand{kind: pdfNumber, num: n}, "", false
	}
	return a, word, true
}

// until reads values up to the closing mark.
func (l *pdfLexer) until(mark string, depth int) (list []pdfOperand) {
	for {
		l.skip()
		if l.pos >= len(l.data) {
			return list
		}
		if bytes.HasPrefix(l.data[l.pos:], []byte(mark)) {
			l.pos += len(mark)
			return list
		}
		if depth > 16 {
			l.pos++
			continue
		}
		if a, _, isWord := l.value(depth + 1); !isWord && len(list) < maxOperands {
			list = append(list, a)
		}
	}
}

// literal reads "(…)" with its escapes.
func (l *pdfLexer) literal() string {
	var b []byte
	depth := 0
	for ; l.pos < len(l.data); l.pos++ {
		c := l.data[l.pos]
		switch c {
		case '(':
			if depth++; depth == 1 {
				continue
			}
		case ')':
			if depth--; depth == 0 {
				l.pos++
				return string(b)
			}
		case '\\':
			l.pos++
			b = l.escape(b)
			continue
		}
		b = append(b, c)
	}
	return string(b)
}

// escape handles the character after a backslash, and leaves the position at its last
// byte.
func (l *pdfLexer) escape(b []byte) []byte {
	if l.pos >= len(l.data) {
		return b
	}
	c := l.data[l.pos]
	if i := bytes.IndexByte([]byte("nrtbf"), c); i >= 0 {
		return append(b, "\n\r\t\b\f"[i])
	}
	switch {
	case c == '\r':
		if l.pos+1 < len(l.data) && l.data[l.pos+1] == '\n' {
			l.pos++
		}
		return b
	case c == '\n':
		return b
	case c >= '0' && c <= '7':
		n := 0
		for i := 0; i < 3 && l.pos < len(l.data) && l.data[l.pos] >= '0' && l.data[l.pos] <= '7'; i++ {
			n = n*8 + int(l.data[l.pos]-'0')
			l.pos++
		}
		l.pos--
		return append(b, byte(n))
	}
	return append(b, c)
}

// hex reads "<…>"; a missing last digit counts as 0.
func (l *pdfLexer) hex() string {
	var b []byte
	half := -1
	for l.pos++; l.pos < len(l.data); l.pos++ {
		c := l.data[l.pos]
		if c == '>' {
			l.pos++
			break
		}
		d, err := strconv.ParseUint(string(c), 16, 8)
		if err != nil {
			continue
		}
		if half < 0 {
			half = int(d)
		} else {
			b, half = append(b, byte(half<<4|int(d))), -1
		}
	}
	if half >= 0 {
		b = append(b, byte(half<<4))
	}
	return string(b)
}

// name reads a name after its slash; "#41" in it is "A".
func (l *pdfLexer) name() string {
	var b []byte
	for ; l.pos < len(l.data) && !isPDFSpace(l.data[l.pos]) && !isPDFDelimiter(l.data[l.pos]); l.pos++ {
		c := l.data[l.pos]
		if c == '#' && l.pos+2 < len(l.data) {
			if n, err := strconv.ParseUint(string(l.data[l.pos+1:l.pos+3]), 16, 8); err == nil {
				c = byte(n)
				l.pos += 2
			}
		}
		b = append(b, c)
	}
	return string(b)
}

// inlineImage skips the bytes of an image, up to "EI" between white space.
func (l *pdfLexer) inlineImage() {
	for {
		i := bytes.Index(l.data[l.pos:], []byte("EI"))
		if i < 0 {
			l.pos = len(l.data)
			return
		}
		at := l.pos + i
		l.pos = at + 2
		if at > 0 && isPDFSpace(l.data[at-1]) && (l.pos == len(l.data) || isPDFSpace(l.data[l.pos])) {
			return
		}
	}
}

func isPDFSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isPDFDelimiter(c byte) bool {
	return bytes.IndexByte([]byte("()<>[]{}/%"), c) >= 0
}
