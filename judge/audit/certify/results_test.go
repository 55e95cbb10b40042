//go:build results

package certify_test

import (
	"crypto/sha256"
	_ "embed"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/judge/audit/certify"
	"github.com/assay-eval/assay/judge/offline"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/scripts/labels"
)

var (
	update = flag.Bool("update", false, "write docs/results/certificates.md anew")
	//go:embed testdata/head.md
	headText string
	//go:embed testdata/smollm2.md
	smolText string
	// smollm2.json was recorded as smollm2.md says.
	//go:embed testdata/smollm2.json
	smolFile string
)

// onPage is how many items of each question and language the offline judge is asked about.
const onPage = 1000

// TestResults certifies the judges that run without a key, and compares with
// docs/results/certificates.md.
func TestResults(t *testing.T) {
	var b strings.Builder
	b.WriteString(headText)
	b.WriteString("\n## Planted rates\n\n")
	plantedTable(t, &b)
	data := offlineSection(t, &b)
	smolSection(t, &b)
	b.WriteString("\n## The data\n\nEach row of a file names its own licence and source.\n\n")
	b.WriteString("| file | licence | SHA-256 |\n|---|---|---|\n")
	for _, d := range data {
		data := original(t, d.Name)
		fmt.Fprintf(&b, "| %s | %s | `%.6x` |\n", d.Name, licence(data), sha256.Sum256(data))
	}
	// Kernels for different processors add in different orders, which may move a ruling.
	requiretest.ResultsPage(t, "certificates.md", b.String(), *update, regexp.MustCompile(`-?\d+\.\d+`), 0.02)
}

// plantedTable writes how often intervals hold what was planted: 95 of 100 times, less two standard
// errors of 100 seeds, and half a point of 1000.
func plantedTable(t *testing.T, b *strings.Builder) {
	const seeds = 1000
	fmt.Fprintf(b, "| stand-in | items | rate | planted | mean width | held, first 100 seeds | held, %d seeds | ", seeds)
	b.WriteString("held if narrowed to four fifths |\n|---|---|---|---|---|---|---|---|\n")
	var together []string
	for _, p := range plantedJudges {
		first, all := p.tally(t, 100), p.tally(t, seeds)
		for i, name := range plantedRates {
			fmt.Fprintf(b, "| %s | %d | %s | %.2f | %.3f ", p.name, p.items, name, p.rates()[i], all.width[i])
			fmt.Fprintf(b, "| %d | %d | %d |\n", first.held[i], all.held[i], all.narrow[i])
			if first.held[i] < 91 || all.held[i] < 945 {
				t.Errorf("%s: %s is held in %d of 100 and %d of %d seeds", p.name, name, first.held[i], all.held[i], seeds)
			}
		}
		together = append(together, fmt.Sprintf("%s %d and %d", p.name, all.all, all.worse))
	}
	fmt.Fprintf(b, "\nIn how many of the %d seeds all three rates are held, and a part that is no worse than the rest is called worse:\n%s.\n",
		seeds, strings.Join(together, "; "))
}

// offlineSection certifies the offline judge.
func offlineSection(t *testing.T, b *strings.Builder) []assay.CertifiedData {
	m, err := embed.New("minilm")
	if err != nil {
		t.Fatal(err)
	}
	prepared := t.TempDir()
	unfit, err := labels.Prepare(prepared, requiretest.Shared(t, "data/support"), requiretest.Shared(t, "data/answers"))
	if err != nil {
		t.Fatal(err)
	}
	folders := []string{filepath.Join(prepared, "support"), filepath.Join(prepared, "answers")}
	set, err := certify.ReadFiles(folders, func(p string) string { return p })
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(set.Unfit, unfit)
	began := time.Now()
	r, err := certify.Run(t.Context(), offline.New(embed.Memo(m)), set, certify.Options{
		Items: onPage, Concurrency: 2, Now: time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the offline judge took %v", time.Since(began).Round(time.Second))
	info := r.Certificates[0].Judge
	fmt.Fprintf(b, "\n## The offline judge\n\n%s, method `%.19s`. At most %d items of each question and language, as many of each data set\n"+
		"and label as there are, no more than ten of one source. It costs nothing.\n\n", info.Model, info.PromptHash, onPage)
	tables(b, r.Certificates)
	for _, o := range r.Omitted {
		fmt.Fprintf(b, "- %s: not certified: %s\n", strings.Trim(o.Question+", "+o.Language, ", "), o.Why)
	}
	b.WriteString("\nRows that fit no question:\n\n")
	for _, why := range set.Reasons() {
		fmt.Fprintf(b, "- %d: %s\n", set.Unfit[why], why)
	}
	var data []assay.CertifiedData
	for _, f := range set.Files {
		if f.Data.Items > 0 {
			data = append(data, f.Data)
		}
	}
	return data
}

// smolSection writes what was recorded of a small model.
func smolSection(t *testing.T, b *strings.Builder) {
	all, err := certify.Read(strings.NewReader(smolFile))
	if err != nil {
		t.Fatal(err)
	}
	b.WriteString("\n" + smolText + "\n")
	tables(b, all)
}

var licencePart = regexp.MustCompile(`"license": "([^"]*)"`)

// original is the file of a data set as it was published.
func original(t *testing.T, name string) []byte {
	t.Helper()
	for _, folder := range []string{"support", "answers"} {
		if data, err := os.ReadFile(filepath.Join(requiretest.Shared(t, "data/"+folder), name)); err == nil {
			return data
		}
	}
	t.Fatalf("no file %s", name)
	return nil
}

// licence is what the rows of a file say of theirs.
func licence(data []byte) string {
	var out []string
	for _, m := range licencePart.FindAllSubmatch(data, -1) {
		out = append(out, string(m[1]))
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), ", ")
}

// tables writes certificates as tables: the measures, and the parts of the items.
func tables(b *strings.Builder, all []assay.Certificate) {
	for _, c := range all {
		fmt.Fprintf(b, "### %s\n\n", certify.Title(c))
		fmt.Fprintf(b, "%d items of %d sources, %d with a ruling", c.Items, c.Clusters, c.Usable)
		b.WriteString(certify.Terms(c))
		fmt.Fprintf(b, ".\n\n| measure | value | %.0f %% interval |\n|---|---|---|\n", 100*c.Level)
		for _, m := range []struct {
			name string
			f    assay.Figure
		}{
			{"balanced accuracy", c.BalancedAccuracy}, {"sensitivity", c.Sensitivity}, {"specificity", c.Specificity},
			{"kappa with people", c.Kappa}, {"kappa of two people", c.PeopleKappa}, {"AUROC", c.AUROC}, {"Brier", c.Brier},
			{"expected calibration error", c.CalibrationError}, {"no ruling", c.Unusable},
		} {
			fmt.Fprintf(b, "| %s | %s |\n", m.name, cells(m.f))
		}
		for i, s := range c.Slices {
			if i == 0 {
				b.WriteString("\n| part | items | balanced accuracy | interval | |\n|---|---|---|---|---|\n")
			}
			worse := ""
			if s.Worse {
				worse = "worse than on the others"
			}
			fmt.Fprintf(b, "| %s | %d | %s | %s |\n", strings.ReplaceAll(s.Name, "|", "/"), s.Items, cells(s.BalancedAccuracy), worse)
		}
		b.WriteString("\n")
	}
}

// cells are a value and its interval.
func cells(f assay.Figure) string {
	switch {
	case f.Value == nil:
		return "– | " + f.Why
	case f.CI == nil:
		return fmt.Sprintf("%.3f | ", *f.Value)
	}
	return fmt.Sprintf("%.3f | %.3f…%.3f", *f.Value, f.CI[0], f.CI[1])
}
