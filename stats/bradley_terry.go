package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A Match is one case on which two systems, given by their index, were compared.
type Match struct {
	Old, New int
	Outcome
}

// Strengths are the strengths of several systems in the model of Bradley and Terry: the
// chance that system j is preferred to system i is 1/(1 + exp(Log[i] − Log[j])).
type Strengths struct {
	// Log are the strengths as log odds; their sum is 0. CI are their simultaneous intervals:
	// all of them hold together at Level. Both are nil if the matches do not identify the
	// strengths; CI is also nil below two clusters.
	Log   []float64  `json:"log_odds,omitempty"`
	CI    []Interval `json:"ci,omitempty"`
	Level float64    `json:"level"`
	// Groups are set if the strengths are not identified: lists of systems, by index. If
	// Dominated is set, no system of a later group took any part of a win from an earlier one,
	// so that the difference between them has no finite estimate. Otherwise no match joins
	// the groups.
	Groups    [][]int `json:"groups,omitempty"`
	Dominated bool    `json:"dominated,omitempty"`
}

// Identified reports whether the matches determine the strengths.
func (s Strengths) Identified() bool { return s.Log != nil }

// rademacher is the number of random signs of clusters from which [BradleyTerry] takes the
// quantile of the largest deviation.
const rademacher = 4999

// BradleyTerry estimates the strengths of a number of systems from matches. A tie is half
// a win for each side, and an outcome of ½ is three quarters of one: the estimate for two
// systems is then the log odds of their [WinRate]. Davidson's model of ties has a parameter
// for ties instead, and no place for halves; what it adds, the share of ties, stands beside
// every win rate. Outcomes of halves have another variance than wins, and the matches of one
// case depend on each other, so that the intervals are not those of the likelihood: their
// standard errors are cluster-robust (sandwich), with the factor G/(G−1) for G clusters, and
// their common width is the quantile of the largest deviation under random signs of the
// clusters, no less than Student's.
//
// The strengths exist only if, in every division of the systems into two parts, each part
// took some of a win from the other (Ford, American Mathematical Monthly 64, 1957).
//
// Sources: Bradley and Terry, Biometrika 39, 1952; Hunter, Annals of Statistics 32, 2004;
// Liang and Zeger, Biometrika 73, 1986 (sandwich); Kline and Santos, Journal of Econometric
// Methods 1, 2012 (signs of scores).
func BradleyTerry(systems int, matches []Match, level float64, seed uint64) Strengths {
	s := Strengths{}
	if isLevel(level) {
		s.Level = level
	}
	b := &bradley{k: systems, n: square(systems), won: square(systems)}
	for _, m := range matches {
		b.add(m)
	}
	if s.Groups, s.Dominated = b.divided(); s.Groups != nil || systems < 2 {
		return s
	}
	s.Log = b.fit()
	if s.Level > 0 {
		s.CI = b.intervals(s.Log, level, seed)
	}
	return s
}

// bradley has the data of a fit: n[i][j] matches of i and j, of which i won won[i][j].
type bradley struct {
	k       int
	n, won  [][]float64
	matches []Match
}

func square(k int) [][]float64 {
	out := make([][]float64, k)
	for i := range out {
		out[i] = make([]float64, k)
	}
	return out
}

func (b *bradley) add(m Match) {
	ok := m.Old != m.New && min(m.Old, m.New) >= 0 && max(m.Old, m.New) < b.k
	if !ok || !(math.Abs(m.Value) <= 1) {
		return
	}
	b.matches = append(b.matches, m)
	b.n[m.Old][m.New]++
	b.n[m.New][m.Old]++
	b.won[m.New][m.Old] += (1 + m.Value) / 2
	b.won[m.Old][m.New] += (1 - m.Value) / 2
}

// divided returns the groups of systems between which the strengths are not identified; nil
// if they are identified.
func (b *bradley) divided() (groups [][]int, dominated bool) {
	if apart := b.classes(func(i, j int) bool { return b.n[i][j] > 0 }); len(apart) > 1 {
		return apart, false
	}
	groups = b.classes(func(i, j int) bool { return b.won[i][j] > 0 })
	if len(groups) < 2 {
		return nil, false
	}
	// The groups are joined and each beats a later one only: who reaches more comes first.
	reach := b.reach(func(i, j int) bool { return b.won[i][j] > 0 })
	count := func(g []int) (n int) {
		for j := range b.k {
			if reach[g[0]][j] {
				n++
			}
		}
		return n
	}
	slices.SortStableFunc(groups, func(a, c []int) int { return count(c) - count(a) })
	return groups, true
}

// reach tells which systems are reached from which over the edges.
func (b *bradley) reach(edge func(i, j int) bool) [][]bool {
	out := make([][]bool, b.k)
	for i := range out {
		out[i] = make([]bool, b.k)
		for j := range out[i] {
			out[i][j] = i == j || edge(i, j)
		}
	}
	for via := range b.k {
		for i := range b.k {
			for j := range b.k {
				out[i][j] = out[i][j] || out[i][via] && out[via][j]
			}
		}
	}
	return out
}

// classes groups the systems that reach each other.
func (b *bradley) classes(edge func(i, j int) bool) [][]int {
	reach := b.reach(edge)
	var out [][]int
	for i := range b.k {
		at := slices.IndexFunc(out, func(g []int) bool { return reach[i][g[0]] && reach[g[0]][i] })
		if at < 0 {
			out = append(out, []int{i})
		} else {
			out[at] = append(out[at], i)
		}
	}
	return out
}

// fit maximises the likelihood by Newton's steps, which are halved while they overshoot.
func (b *bradley) fit() []float64 {
	log := make([]float64, b.k)
	now := b.likelihood(log)
	for range 200 {
		gradient := make([]float64, b.k)
		for i := range b.k {
			for j := range b.k {
				gradient[i] += b.won[i][j] - b.n[i][j]*chance(log[i]-log[j])
			}
		}
		step := times(b.inverse(log), gradient)
		size := 0.0
		for _, v := range step {
			size = max(size, math.Abs(v))
		}
		if size < 1e-12 {
			break
		}
		scale, moved := 1.0, false
		for ; scale > 1e-6; scale /= 2 {
			next := slices.Clone(log)
			for i := range next {
				next[i] += scale * step[i]
			}
			if l := b.likelihood(next); l >= now {
				log, now, moved = next, l, true
				break
			}
		}
		if !moved {
			break
		}
	}
	return log
}

func (b *bradley) likelihood(log []float64) (l float64) {
	for i := range b.k {
		for j := range b.k {
			if b.won[i][j] > 0 {
				l -= b.won[i][j] * math.Log1p(math.Exp(log[j]-log[i]))
			}
		}
	}
	return l
}

func chance(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// inverse returns the inverse of the information, with 1/k added to every entry: the
// strengths are determined up to a constant, which this sets so that their sum is 0.
func (b *bradley) inverse(log []float64) [][]float64 {
	m := square(b.k)
	for i := range b.k {
		for j := range b.k {
			m[i][j] += 1 / float64(b.k)
			if i != j {
				p := chance(log[i] - log[j])
				w := b.n[i][j] * p * (1 - p)
				m[i][j] -= w
				m[i][i] += w
			}
		}
	}
	return invert(m)
}

// intervals returns the simultaneous intervals; nil below two clusters.
func (b *bradley) intervals(log []float64, level float64, seed uint64) []Interval {
	inverse := b.inverse(log)
	var parts [][]float64
	at := grouping{}
	for _, m := range b.matches {
		i := at.index(m.unit(), len(parts))
		if i == len(parts) {
			parts = append(parts, make([]float64, b.k))
		}
		surplus := (1+m.Value)/2 - chance(log[m.New]-log[m.Old])
		for s := range b.k {
			parts[i][s] += surplus * (inverse[s][m.New] - inverse[s][m.Old])
		}
	}
	g := float64(len(parts))
	if g < 2 {
		return nil
	}
	se := make([]float64, b.k)
	for s := range se {
		for _, p := range parts {
			se[s] += p[s] * p[s]
		}
		se[s] = math.Sqrt(se[s] * g / (g - 1))
	}
	width := largest(parts, se, level, seed) / zQuantile((1+level)/2) * TQuantile((1+level)/2, g-1)
	out := make([]Interval, b.k)
	for s := range out {
		out[s] = Interval{log[s] - width*se[s], log[s] + width*se[s]}
	}
	return out
}

// largest returns the quantile, at level, of the largest deviation in standard errors under
// random signs of the clusters; at least the normal quantile.
func largest(parts [][]float64, se []float64, level float64, seed uint64) float64 {
	rng := rand.New(rand.NewPCG(seed, 0x8b7))
	most := make([]float64, rademacher)
	sums := make([]float64, len(se))
	for d := range most {
		clear(sums)
		var bits uint64
		for i, p := range parts {
			if i%64 == 0 {
				bits = rng.Uint64()
			}
			sign := 1 - 2*float64(bits>>(i%64)&1)
			for s, v := range p {
				sums[s] += sign * v
			}
		}
		for s, v := range sums {
			if se[s] > 0 {
				most[d] = max(most[d], math.Abs(v)/se[s])
			}
		}
	}
	slices.Sort(most)
	q, _ := Quantile(most, level)
	return max(q, zQuantile((1+level)/2))
}

func times(m [][]float64, v []float64) []float64 {
	out := make([]float64, len(v))
	for i, row := range m {
		for j, x := range row {
			out[i] += x * v[j]
		}
	}
	return out
}

// invert inverts a positive definite matrix by elimination with pivots.
func invert(m [][]float64) [][]float64 {
	k := len(m)
	out := square(k)
	for i := range out {
		out[i][i] = 1
	}
	for c := range k {
		pivot := c
		for r := c + 1; r < k; r++ {
			if math.Abs(m[r][c]) > math.Abs(m[pivot][c]) {
				pivot = r
			}
		}
		m[c], m[pivot], out[c], out[pivot] = m[pivot], m[c], out[pivot], out[c]
		d := m[c][c]
		for j := range k {
			m[c][j] /= d
			out[c][j] /= d
		}
		for r := range k {
			if f := m[r][c]; r != c && f != 0 {
				for j := range k {
					m[r][j] -= f * m[c][j]
					out[r][j] -= f * out[c][j]
				}
			}
		}
	}
	return out
}
