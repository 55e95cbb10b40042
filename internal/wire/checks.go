package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/checks"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/catalog"
	"github.com/assay-eval/assay/metric/judged"
)

// Metrics returns the catalog of all metrics, with those that are checks of a configuration.
// path resolves the paths of programs; nil is for a catalog of which only names are used.
func Metrics(cfg config.Config, path func(string) string) *metric.Catalog {
	var own []*metric.Def
	for _, name := range slices.Sorted(maps.Keys(cfg.Checks)) {
		c, dir := cfg.Checks[name], ""
		if path != nil {
			dir = path(".")
		}
		own = append(own, judged.Check(name, c, schemeOf(c, path), dir))
	}
	return catalog.With(own...)
}

// maxProgram bounds the size of a file whose content is part of a scheme.
const maxProgram = 16 << 20

// schemeOf returns the hash of the definition of a check, with the content of the files that
// the command of a program names. Scores by other definitions are not compared.
func schemeOf(c assay.Check, path func(string) string) string {
	h := sha256.New()
	definition, err := json.Marshal(c)
	if err != nil { // it was read from JSON
		definition = []byte(fmt.Sprint(c))
	}
	h.Write(definition)
	for _, name := range programFiles(c) {
		if path == nil {
			continue
		}
		at := path(name)
		if info, err := os.Stat(at); err != nil || !info.Mode().IsRegular() || info.Size() > maxProgram {
			continue
		}
		data, err := os.ReadFile(at)
		if err != nil {
			continue
		}
		fmt.Fprintf(h, "\n%s %d\n%s", name, len(data), data)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// programFiles lists the words of commands that may name a file.
func programFiles(c assay.Check) (out []string) {
	if c.Kind == assay.CheckExec {
		if words, err := checks.Command(c.Value); err == nil {
			out = append(out, words...)
		}
	}
	for _, one := range c.Checks {
		out = append(out, programFiles(one)...)
	}
	return slices.DeleteFunc(out, func(word string) bool { return word == "" || strings.HasPrefix(word, "-") })
}

// addChecks adds the checks of the configuration to the chosen metrics, unless these name
// some of them. left describes those that the target has nothing to test for.
func (w *wiring) addChecks(chosen []metric.Metric, reports metric.Part) (out []metric.Metric, left []string, err error) {
	if slices.ContainsFunc(chosen, func(m metric.Metric) bool { return strings.HasPrefix(m.Name, assay.CheckPrefix) }) {
		return chosen, nil, nil
	}
	for _, name := range slices.Sorted(maps.Keys(w.cfg.Checks)) {
		m, err := w.known.Parse(assay.CheckPrefix + name)
		if err != nil {
			return nil, nil, err
		}
		if missing := m.Def.Reads &^ reports; missing != 0 {
			left = append(left, fmt.Sprintf("%s left out: the target does not report %s", m.Name, strings.Join(missing.Names(), " and ")))
			continue
		}
		chosen = append(chosen, m)
	}
	return chosen, left, nil
}

// ownChecks adds the checks of the cases, which decide whether these are right whatever the chosen
// metrics are, and has them ask the judge of the run if a case has a statement to look for.
// Without a judge the exact checks are measured alone.
func (w *wiring) ownChecks(metrics []metric.Metric, cases *assay.Cases, reports metric.Part) []metric.Metric {
	asking := judged.AskingChecks()
	i := slices.IndexFunc(metrics, func(m metric.Metric) bool { return m.Def == judged.ChecksPassed })
	if i < 0 {
		own, err := w.known.Parse(judged.ChecksPassed.Name)
		if err != nil || !cases.Any(func(c *assay.Case) bool { return len(c.Want.Checks) > 0 }) {
			return metrics
		}
		i, metrics = len(metrics), append(metrics, own)
	}
	judges := models(w.cfg) || estimates(w.cfg) && estimable(asking)
	if judges && reports&metric.ReadAnswer != 0 && cases.Any(func(c *assay.Case) bool { return slices.ContainsFunc(c.Want.Checks, checks.Judged) }) {
		metrics = slices.Clone(metrics)
		metrics[i] = metrics[i].Define(asking)
	}
	return metrics
}

// beyondAnswer reports whether a case has checks that do not all read the answer.
func beyondAnswer(c *assay.Case) bool { return !checks.ReadsAnswer(c.Want.Checks...) }

// checksOf lists the checks of the configuration that a run measures.
func (w *wiring) checksOf(metrics []metric.Metric) (out []assay.Check) {
	for _, m := range metrics {
		name, isCheck := strings.CutPrefix(m.Name, assay.CheckPrefix)
		if isCheck && m.Absent() == "" {
			out = append(out, w.cfg.Checks[name])
		}
	}
	return out
}
