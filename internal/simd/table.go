//go:build amd64 || arm64

package simd

// repeated holds a constant eight times, as many as the widest register without a broadcast takes.
type repeated [8]float32

func repeat(values ...float32) []repeated {
	out := make([]repeated, len(values))
	for i, v := range values {
		for j := range out[i] {
			out[i][j] = v
		}
	}
	return out
}

// The tables are in the order of the row names in the kernels.
var (
	geluTable = repeat(
		-geluEnd, geluEnd, 0.5,
		geluP[5], geluP[4], geluP[3], geluP[2], geluP[1], geluP[0],
		geluQ[5], geluQ[4], geluQ[3], geluQ[2], geluQ[1], geluQ[0],
	)
	expTable = repeat(
		expLow, 1.44269504, expRound, -ln2High, -ln2Low,
		1./5040, 1./720, 1./120, 1./24, 1./6, 1./2, 1, 1,
	)
)
