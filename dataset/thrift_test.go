package dataset

import (
	"errors"
	"testing"
)

// A struct by hand, after the specification of the compact protocol: a field is a byte
// of the difference of its number and its type, and a number is in zigzag.
func TestThrift(t *testing.T) {
	t.Parallel()
	b := []byte{
		0x15, 0x03, // field 1, i32: zigzag 3 is -2
		0x18, 0x02, 'h', 'i', // field 2, text of 2 bytes
		0x11,             // field 3, true
		0x1c, 0x16, 0x08, // field 4, struct: field 1, i64: 4
		0x00,       // its end
		0x19, 0x2c, // field 5, list of 2 structs
		0x15, 0x02, 0x00, // field 1, i32: 1
		0x00,                   // empty
		0x19, 0x25, 0x02, 0x04, // field 6, list of 2 i32: passed over
		0x1b, 0x01, 0x85, 0x01, 'k', 0x02, // field 7, map of text to i32: passed over
		0x05, 0x28, 0x0a, // field 20 by its number in zigzag, i32: 5
		0x00, 0xff,
	}
	s, n, err := parseThrift(b)
	if err != nil || n != len(b)-1 {
		t.Fatalf("%v, %d bytes, want %d", err, n, len(b)-1)
	}
	inner, ok := s.inner(4)
	if s.number(1) != -2 || s.text(2) != "hi" || s.number(3) != 1 || !ok || inner.number(1) != 4 || s.number(20) != 5 || s.number(9) != 0 {
		t.Errorf("%+v", s)
	}
	if list := s.list(5); len(list) != 2 || list[0].number(1) != 1 || len(list[1]) != 0 || s.list(4) != nil {
		t.Errorf("list %+v", list)
	}
	for cut := range n {
		if _, _, err := parseThrift(b[:cut]); !errors.Is(err, errThriftCut) {
			t.Errorf("cut after %d bytes: %v, want %v", cut, err, errThriftCut)
		}
	}
}

// A list that claims more elements than bytes are left is refused before anything is
// made of it, and so is a deep nesting.
func TestThriftLies(t *testing.T) {
	t.Parallel()
	for name, b := range map[string][]byte{
		"list":   {0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07},
		"text":   {0x18, 0xff, 0xff, 0xff, 0xff, 0x0f, 'a'},
		"map":    {0x1b, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x55},
		"number": {0x15, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
		"type":   {0x1f},
	} {
		if s, _, err := parseThrift(b); err == nil {
			t.Errorf("%s: %+v, want an error", name, s)
		}
	}
	deep := make([]byte, 1000)
	for i := range deep {
		deep[i] = 0x1c
	}
	if _, _, err := parseThrift(deep); !errors.Is(err, errThrift) {
		t.Errorf("deep: %v, want %v", err, errThrift)
	}
}

func FuzzThrift(f *testing.F) {
	f.Add([]byte{0x15, 0x03, 0x18, 0x02, 'h', 'i', 0x19, 0x2c, 0x15, 0x02, 0x00, 0x00, 0x00})
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, n, err := parseThrift(b); err == nil && (n < 1 || n > len(b)) {
			t.Fatalf("%d bytes of %d", n, len(b))
		}
	})
}
