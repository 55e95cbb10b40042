package web

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/document"
)

// absent is an error about a name in an address.
type absent string

// Error implements error.
func (a absent) Error() string { return document.Line(string(a)) }

// GetStatus returns the HTTP status.
func (absent) GetStatus() int { return http.StatusNotFound }

// Known is an error if a name in an address is none of names. "" is no name, and without names
// nothing is absent.
func Known(kind, name string, names []string) error {
	if name == "" || len(names) == 0 || slices.Contains(names, name) {
		return nil
	}
	names = slices.Clone(names)
	slices.Sort(names)
	return absent("no such " + kind + ": " + strconv.Quote(name) + ". There are: " + strings.Join(slices.Compact(names), ", "))
}

// choices are the values of the parameters that choose among a few. Another value would show what
// nobody asked for.
var choices = map[string][]string{
	"state": runStates,
	"class": classNames(),
	"view":  {viewForest, viewMatrix, viewSlices, viewSettings},
	"diff":  {diffOff},
	"list":  {listUnsolved, listFlaky, listUnruled},
	"by":    {"target", "name"},
	"how":   {howRandom, howUnsure},
	"cell":  cellNames[:],
	"blind": {"off"},
}

func classNames() (names []string) {
	for _, c := range report.Classes {
		names = append(names, string(c))
	}
	return names
}

// chosenOf is an error if a parameter of an address has a value that it cannot have.
func chosenOf(v values) error {
	for _, name := range slices.Sorted(maps.Keys(choices)) {
		if err := Known(name, v.Get(name), choices[name]); err != nil {
			return err
		}
	}
	return nil
}

// Measured is an error if a metric in an address is none of metrics.
func Measured(name string, metrics []assay.MetricInfo) error {
	return Known("metric", name, wire.MetricNames(metrics))
}
