package stats

import (
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
)

// tile is the number of patterns drawn from one generator and summed at a time:
// their words and the sums of one metric fit the nearest caches, and the tables
// made for them are used often enough to be worthwhile.
const tile = 4096

// column is the number of clusters that share a word of signs, with one bit each.
const column = 64

// draw sums every metric's clusters, and the clusters' sizes, under the same
// random sign patterns. The metrics must have the same number of clusters, of the
// same sizes.
func draw(metrics [][]cluster, seed uint64) []*flips {
	terms := make([][]float64, len(metrics)+1)
	for i := range terms {
		groups, sizes := metrics[0], true
		if i < len(metrics) {
			groups, sizes = metrics[i], false
		}
		terms[i] = make([]float64, len(groups))
		for j, g := range groups {
			terms[i][j] = g.sum
			if sizes {
				terms[i][j] = g.n
			}
		}
	}
	sums := signSums(terms, seed)
	out := make([]*flips, len(metrics))
	for i, groups := range metrics {
		out[i] = newFlips(groups)
		out[i].sum, out[i].size = sums[i], sums[len(metrics)]
	}
	return out
}

// drawSums sums each list of terms, all of the same length, under the same random
// sign patterns.
//
// A pattern is summed by table lookup: 64 signs are 8 bytes, and for each group
// of 8 clusters a table in the nearest cache holds the 256 signed sums. The
// result does not depend on the number of threads, because each tile has its own
// generator.
func drawSums(terms [][]float64, seed uint64) [][]float64 {
	sums := make([][]float64, len(terms))
	for i := range sums {
		sums[i] = make([]float64, draws)
	}
	const tiles = (draws + tile - 1) / tile
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(tiles, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			words := make([]uint64, tile)
			tables := new([column / 8][256]float64)
			for {
				t := int(next.Add(1)) - 1
				if t >= tiles {
					return
				}
				sumTile(sums, terms, t, seed, words, tables)
			}
		})
	}
	wg.Wait()
	return sums
}

// sumTile sums the patterns of tile t.
func sumTile(sums, terms [][]float64, t int, seed uint64, words []uint64, tables *[column / 8][256]float64) {
	from, to := t*tile, min((t+1)*tile, draws)
	words = words[:to-from]
	rng := signs(seed, t)
	for first := 0; first < len(terms[0]); first += column {
		for i := range words {
			words[i] = rng.Uint64()
		}
		last := min(first+column, len(terms[0]))
		for i := range terms {
			for k := range tables {
				var eight [8]float64
				copy(eight[:], terms[i][min(first+8*k, last):min(first+8*k+8, last)])
				fill(tables[k][:], eight[:])
			}
			addWords(sums[i][from:to], words, tables)
		}
	}
}

// addWords adds the signed sum of 64 clusters to each pattern's sum.
func addWords(sums []float64, words []uint64, t *[column / 8][256]float64) {
	for i, w := range words {
		sums[i] += ((t[0][byte(w)] + t[1][byte(w>>8)]) + (t[2][byte(w>>16)] + t[3][byte(w>>24)])) +
			((t[4][byte(w>>32)] + t[5][byte(w>>40)]) + (t[6][byte(w>>48)] + t[7][byte(w>>56)]))
	}
}

// signs generates the words of a tile: for every column of clusters one word per
// pattern. It uses ChaCha8, because consecutive seeds give independent streams,
// which other generators do not guarantee; it takes a hundredth of the time.
func signs(seed uint64, t int) *rand.ChaCha8 {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	binary.LittleEndian.PutUint64(key[8:], uint64(t))
	return rand.NewChaCha8(key)
}
