package simd

import "golang.org/x/sys/cpu"

func detect() Level {
	x := &cpu.X86
	switch {
	case !x.HasAVX2 || !x.HasFMA || !x.HasF16C:
		return Generic
	case !x.HasAVX512F || !x.HasAVX512DQ || !x.HasAVX512BW || !x.HasAVX512VL:
		return AVX2
	}
	return AVX512
}
