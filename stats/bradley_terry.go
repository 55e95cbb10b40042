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
	// strengths; CI is also nil below two clusters, and an interval is nil if no match of the
	// data departs from what the strengths say of it: equal outcomes do not show how far others
	// may differ.
	Log   []float64   `json:"log_odds,omitempty"`
	CI    []*Interval `json:"ci,omitempty"`
	Level float64     `json:"level"`
	// Groups are set if the strengths are not identified: lists of systems, by index. Above has
	// pairs of groups, by index: systems of the first one won every match against those of the
	// second one, so that the difference between them has no finite estimate. Pairs that follow
	// from others are left out. Two groups that no chain of pairs joins were never compared.
	Groups [][]int  `json:"groups,omitempty"`
	Above  [][2]int `json:"above,omitempty"`
}

// Ordered reports whether the groups are in one order, each above the next.
func (s Strengths) Ordered() bool {
	for i := 1; i < len(s.Groups); i++ {
		if !slices.Contains(s.Above, [2]int{i - 1, i}) {
			return false
		}
	}
	return true
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
	if s.Groups, s.Above = b.divided(); s.Groups != nil || systems < 2 {
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

// divided returns the groups of systems between which the strengths are not identified, and
// which stand above which; nil if they are identified.
func (b *bradley) divided() (groups [][]int, above [][2]int) {
	reach := b.reach()
	for i := range b.k {
		at := slices.IndexFunc(groups, func(g []int) bool { return reach[i][g[0]] && reach[g[0]][i] })
		if at < 0 {
			groups = append(groups, []int{i})
		} else {
			groups[at] = append(groups[at], i)
		}
	}
	if len(groups) < 2 {
		return nil, nil
	}
	// Who reaches more comes first: a group stands before all that it is above of.
	count := func(g []int) (n int) {
		for j := range b.k {
			if reach[g[0]][j] {
				n++
			}
		}
		return n
	}
	slices.SortStableFunc(groups, func(a, c []int) int { return count(c) - count(a) })
	over := func(a, c []int) bool { return a[0] != c[0] && reach[a[0]][c[0]] }
	for i, a := range groups {
		for j, c := range groups {
			if over(a, c) && !slices.ContainsFunc(groups, func(g []int) bool { return over(a, g) && over(g, c) }) {
				above = append(above, [2]int{i, j})
			}
		}
	}
	return groups, above
}

// reach tells which systems are reached from which by chains of wins, of which each took at
// least a part.
func (b *bradley) reach() [][]bool {
	out := make([][]bool, b.k)
	for i := range out {
		out[i] = make([]bool, b.k)
		for j := range out[i] {
			out[i][j] = i == j || b.won[i][j] > 0
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

// rounded is the share of the largest standard error that a strength could have up to which
// one is due to rounding.
const rounded = 1e-9

// intervals returns the simultaneous intervals; nil below two clusters.
func (b *bradley) intervals(log []float64, level float64, seed uint64) []*Interval {
	inverse := b.inverse(log)
	var parts [][]float64
	most := make([]float64, b.k)
	at := grouping{}
	for _, m := range b.matches {
		i := at.index(m.unit(), len(parts))
		if i == len(parts) {
			parts = append(parts, make([]float64, b.k))
		}
		surplus := (1+m.Value)/2 - chance(log[m.New]-log[m.Old])
		for s := range b.k {
			weight := inverse[s][m.New] - inverse[s][m.Old]
			parts[i][s] += surplus * weight
			most[s] += weight * weight
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
		if se[s] = math.Sqrt(se[s] * g / (g - 1)); se[s] <= rounded*math.Sqrt(most[s]) {
			se[s] = 0
		}
	}
	width := largest(parts, se, level, seed) / zQuantile((1+level)/2) * TQuantile((1+level)/2, g-1)
	out := make([]*Interval, b.k)
	for s := range out {
		if se[s] > 0 {
			out[s] = &Interval{log[s] - width*se[s], log[s] + width*se[s]}
		}
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
