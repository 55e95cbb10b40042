package stats_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/stats"
)

// TestNothingButNumbers: no function panics or gives NaN or an infinity, for
// lengths from 0 up, values that are equal, huge, tiny, or no numbers
// (metrics.md §8, 12). A result that is not ok is looked at, too: a caller may
// print it.
func TestNothingButNumbers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { everything(t, draw(t)) })
}

// FuzzNothingButNumbers looks for such values by coverage.
func FuzzNothingButNumbers(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { everything(t, draw(t)) }))
}

// The same on what is most likely to go wrong, whatever rapid draws.
func TestNothingButNumbersAtTheEdges(t *testing.T) {
	t.Parallel()
	inf, nan := math.Inf(1), math.NaN()
	everything(t, drawn{a: []float64{0, 2.315841784746324e+77}, b: make([]float64, 2), names: make([]string, 2), labels: make([]bool, 2), level: 0.95})
	for _, v := range [][]float64{
		nil, {0}, {1}, {nan}, {inf}, {1e308}, {0, 0}, {1, 1}, {0, 1}, {1e308, 1e308}, {1e308, -1e308}, {5e-324, 0}, {nan, 1}, {-inf, inf}, {1e200, 1e200, 1e-200},
		{0.1, 0.1, 0.1}, {1, 0, 0, 0, 0, 0, 0, 0}, {1e154, -1e154, 1e154, 2e154, 3, 4, 5}, {1e-160, 2e-160, 5e-160, 0, 0, 0},
	} {
		for _, level := range []float64{0.95, 0.5, 0, 1, 0.9999999999999999, 5e-324, -3, nan, inf} {
			everything(t, drawn{a: v, b: reversed(v), names: make([]string, len(v)), labels: make([]bool, len(v)), level: level, n: len(v), k: 1})
		}
	}
}

func reversed(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[len(v)-1-i] = x
	}
	return out
}

// drawn holds lists of one length and some numbers.
type drawn struct {
	a, b   []float64
	names  []string
	labels []bool
	level  float64
	n, k   int
}

func draw(t *rapid.T) drawn {
	value := rapid.OneOf(
		rapid.SampledFrom([]float64{0, 1, -1, 0.5, 1e308, -1e308, 1e154, 1e-160, 5e-324, math.NaN(), math.Inf(1), math.Inf(-1)}),
		rapid.Float64Range(0, 1), rapid.Float64(), rapid.Just(0.0), rapid.Just(1.0),
	)
	// Equal values are likelier than chance would have it.
	if rapid.Bool().Draw(t, "equal") {
		value = rapid.Just(value.Draw(t, "value"))
	}
	n := rapid.IntRange(0, 9).Draw(t, "n")
	return drawn{
		a:      rapid.SliceOfN(value, n, n).Draw(t, "a"),
		b:      rapid.SliceOfN(value, n, n).Draw(t, "b"),
		names:  rapid.SliceOfN(rapid.SampledFrom([]string{"", "x", "y"}), n, n).Draw(t, "names"),
		labels: rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "labels"),
		level:  rapid.SampledFrom([]float64{0.95, 0.9, 0.5, 0.05, 0, 1, math.NaN(), 5e-324, 1 - 1e-16}).Draw(t, "level"),
		n:      rapid.IntRange(-2, 2000).Draw(t, "count"),
		k:      rapid.IntRange(-2, 9).Draw(t, "k"),
	}
}

func everything(t testingT, d drawn) {
	var s []stats.Sample
	var both []stats.Pair
	var counts []stats.Count
	var people []stats.Judged
	ints, ints2 := make([]int, len(d.a)), make([]int, len(d.a))
	for i, v := range d.a {
		s = append(s, stats.Sample{Value: v, Cluster: d.names[i]})
		both = append(both, stats.Pair{Old: v, New: d.b[i], Cluster: d.names[i]})
		counts = append(counts, stats.Count{Num: v, Den: d.b[i], Cluster: d.names[i]})
		people = append(people, stats.Judged{Human: &d.a[i], Judge: d.b[i], Cluster: d.names[i]})
		if d.labels[i] {
			ints[i] = i
		}
		ints2[i] = i
	}
	look := func(name string, results ...any) {
		for _, r := range results {
			if where, bad := notANumber(reflect.ValueOf(r), name); bad {
				t.Fatalf("%s is no number for %+v", where, d)
			}
		}
	}
	of := func(name string) func(v any, ok bool) { return func(v any, _ bool) { look(name, v) } }

	look("Mean", stats.Mean(s, d.level))
	look("Wilson", stats.Wilson(float64(d.k), d.n, d.level))
	look("ClopperPearson", stats.ClopperPearson(d.k, d.n, d.level))
	of("PairedT")(stats.PairedT(s, d.level))
	of("Wilcoxon")(stats.Wilcoxon(d.a))
	of("McNemar")(stats.McNemar(d.k, len(d.a), d.n))
	look("SignTest", stats.SignTest(d.k, d.n))
	look("BenjaminiHochberg", stats.BenjaminiHochberg(d.a))
	look("CompareAll", compare(both, d.level, 1))
	for _, test := range stats.Tests() {
		look("CompareBy "+test, stats.CompareBy(stats.Test(test), [][]stats.Pair{both}, d.level, 1))
		several := [][]stats.Pair{both, both[:len(both)/2], nil}
		look("CompareTogether "+test, stats.CompareTogether(stats.Test(test), several, d.level, 1))
		look("Explore "+test, stats.Explore(stats.Test(test), 2, func(int) [][]stats.Pair { return several }, 1, d.level, 1))
	}
	of("NonInferior")(stats.NonInferior(both, 0, 0.05, d.level, 1))
	of("NonInferior, bounded")(stats.NonInferior(both, 1, 0.05, d.level, 1))
	of("TOST")(stats.TOST(s, 0.1, d.level))
	corrected, _ := stats.Correct(people, stats.CorrectOptions{Level: d.level})
	look("Correct", corrected)
	look("PooledRatio", stats.PooledRatio(counts, stats.Interval{Lo: 0, Hi: math.MaxFloat64}, d.level, 1))
	of("Quantile")(stats.Quantile(finiteOf(d.a), d.level))
	first, second := 1.0, 1.0
	if len(d.a) > 0 {
		first, second = d.a[0], d.b[0]
	}
	look("NoiseFloor", stats.NoiseFloor(first, d.n, d.level))
	of("ConfidenceSequence")(stats.ConfidenceSequence(d.n, first, d.level, second))
	of("ConfidenceSequenceRho")(stats.ConfidenceSequenceRho(d.n, d.level))
	var bounds stats.Bounds
	for _, v := range d.a {
		bounds.Add(v)
	}
	of("Bounds.Mean")(bounds.Mean())
	of("Bounds.Interval")(bounds.Interval(d.level))
	shifts := stats.Shifts(d.a, d.level, 1)
	look("Shifts", shifts)
	look("Apart", stats.Apart(first, second, stats.Interval{Lo: second, Hi: first}, stats.Interval{Lo: first, Hi: second}))
	of("SpreadOf")(stats.SpreadOf(d.a, shifts, d.level))
	of("PassAtK")(stats.PassAtK(d.n, len(d.a), d.k))
	of("PassHatK")(stats.PassHatK(d.n, len(d.a), d.k))
	of("AUROC")(stats.AUROC(d.a, d.labels))
	of("Brier")(stats.Brier(d.a, d.labels))
	of("ECE")(stats.ECE(d.a, d.labels, d.k))
	of("Pearson")(stats.Pearson(d.a, d.b))
	of("Spearman")(stats.Spearman(d.a, d.b))
	of("BestThreshold")(stats.BestThreshold(d.a, d.labels))
	of("Alpha")(stats.Alpha([][]float64{d.a, d.b}, stats.IntervalDistance))
	of("WeightedKappa")(stats.WeightedKappa(ints, ints2, 0, 9, stats.Quadratic))
}

// testingT is what a test, a fuzz target and rapid have in common.
type testingT interface {
	Fatalf(format string, args ...any)
}

func finiteOf(v []float64) []float64 {
	var out []float64
	for _, x := range v {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			out = append(out, x)
		}
	}
	return out
}

// notANumber finds a NaN or an infinity in exported fields, elements and what
// pointers point to.
func notANumber(v reflect.Value, path string) (where string, found bool) {
	switch v.Kind() {
	case reflect.Float64:
		f := v.Float()
		return path, math.IsNaN(f) || math.IsInf(f, 0)
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return notANumber(v.Elem(), path)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if where, found = notANumber(v.Index(i), fmt.Sprintf("%s[%d]", path, i)); found {
				return where, true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if where, found = notANumber(v.Field(i), path+"."+v.Type().Field(i).Name); found {
				return where, true
			}
		}
	}
	return "", false
}
