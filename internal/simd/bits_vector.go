//go:build amd64 || arm64

package simd

// widest is the greatest width whose eight values lie in the 16 bytes that the kernels
// read at a time.
const widest = 16

// A spread says how to bring eight packed values of one width into eight words: which
// byte of the 16 goes where, how far each word is shifted, and what remains.
type spread struct {
	bytes  [32]uint8
	shifts [8]uint32
	mask   [8]uint32
}

var spreads = func() (all [widest + 1]spread) {
	for width := range all {
		s := &all[width]
		for i := range s.shifts {
			bit := i * width
			s.shifts[i] = uint32(bit & 7)
			s.mask[i] = 1<<width - 1
			for j := range 4 {
				// 0x80 stands for a zero.
				s.bytes[4*i+j] = 0x80
				if from := bit>>3 + j; from < 16 {
					s.bytes[4*i+j] = uint8(from)
				}
			}
		}
	}
	return all
}()

// groups returns how many groups of eight values the kernels may unpack, given that each
// reads 16 bytes.
func groups(n int, data []byte, width uint8) int {
	switch {
	case width > widest || len(data) < 16:
		return 0
	case width == 0:
		return n / 8
	}
	return min(n/8, (len(data)-16)/int(width)+1)
}
