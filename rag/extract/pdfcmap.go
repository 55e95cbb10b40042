package extract

import (
	"unicode/utf16"
)

// maxCMap bounds the entries of a character map; Unicode has about half as many.
const maxCMap = 1 << 21

// cmap maps the codes of a font to text.
type cmap struct {
	lengths [5]bool // the lengths of codes that occur, in bytes
	spaces  []codespace
	chars   map[string]string
	ranges  []cmapRange
}

// codespace is a range of valid codes of one length.
type codespace struct{ low, high string }

// cmapRange maps the codes low…high to a text whose last character is incremented.
type cmapRange struct {
	low, high string
	text      string
}

// readCMap parses a ToUnicode map. An unreadable one maps nothing.
func readCMap(data []byte) *cmap {
	m := &cmap{chars: map[string]string{}}
	lex := &pdfLexer{data: data}
	for {
		op, args, ok := lex.next()
		if !ok {
			return m
		}
		switch op {
		case "endcodespacerange":
			for i := 0; i+1 < len(args); i += 2 {
				if low, high := args[i].str, args[i+1].str; len(low) == len(high) && len(low) > 0 && len(low) <= 4 {
					m.spaces = append(m.spaces, codespace{low, high})
				}
			}
		case "endbfchar":
			for i := 0; i+1 < len(args) && len(m.chars) < maxCMap; i += 2 {
				m.add(args[i].str, utf16Text(args[i+1].str))
			}
		case "endbfrange":
			for i := 0; i+2 < len(args) && len(m.ranges)+len(m.chars) < maxCMap; i += 3 {
				m.addRange(args[i].str, args[i+1].str, args[i+2])
			}
		}
	}
}

func (m *cmap) add(code, text string) {
	if len(code) > 0 && len(code) <= 4 {
		m.lengths[len(code)] = true
		m.chars[code] = text
	}
}

func (m *cmap) addRange(low, high string, to pdfOperand) {
	if len(low) != len(high) || low > high || len(low) == 0 || len(low) > 4 {
		return
	}
	if to.kind == pdfArray {
		for i, t := range to.list {
			m.add(plus(low, i), utf16Text(t.str))
		}
		return
	}
	m.lengths[len(low)] = true
	m.ranges = append(m.ranges, cmapRange{low, high, utf16Text(to.str)})
}

// plus adds n to a code.
func plus(code string, n int) string {
	b := []byte(code)
	for i := len(b) - 1; i >= 0 && n > 0; i-- {
		n += int(b[i])
		b[i] = byte(n)
		n >>= 8
	}
	return string(b)
}

// lookup returns the text of a code.
func (m *cmap) lookup(code string) (string, bool) {
	if s, ok := m.chars[code]; ok {
		return s, true
	}
	for _, r := range m.ranges {
		if len(r.low) != len(code) || code < r.low || code > r.high {
			continue
		}
		text := []rune(r.text)
		if len(text) == 0 {
			return "", true
		}
		text[len(text)-1] += rune(number(code) - number(r.low))
		return string(text), true
	}
	return "", false
}

func number(code string) (n int) {
	for _, b := range []byte(code) {
		n = n<<8 | int(b)
	}
	return n
}

// length returns the number of bytes of the first code of raw: that of its codespace,
// else of the mapped codes, else 2.
func (m *cmap) length(raw string) int {
	for _, s := range m.spaces {
		n := len(s.low)
		if n > len(raw) {
			continue
		}
		inside := true
		for i := range n {
			inside = inside && raw[i] >= s.low[i] && raw[i] <= s.high[i]
		}
		if inside {
			return n
		}
	}
	for _, n := range []int{2, 1, 3, 4} {
		if m.lengths[n] {
			return n
		}
	}
	return 2
}

// utf16Text decodes the text of a map entry, which is big-endian UTF-16.
func utf16Text(s string) string {
	if len(s) == 1 {
		return string(rune(s[0]))
	}
	var u []uint16
	for i := 0; i+1 < len(s); i += 2 {
		u = append(u, uint16(s[i])<<8|uint16(s[i+1]))
	}
	return string(utf16.Decode(u))
}
