package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
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

// Measured is an error if a metric in an address is none of metrics.
func Measured(name string, metrics []assay.MetricInfo) error {
	var names []string
	for _, m := range metrics {
		names = append(names, m.Name)
	}
	return Known("metric", name, names)
}
