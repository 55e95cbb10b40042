package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/catalog"
	"github.com/assay-eval/assay/metric/treceval"
)

const generated = "<!-- Generated from the definitions of the metrics by make docs. Change those. -->\n\n"

// metricPages lists the pages of docs/metrics: one for each group of metrics, one for the measures
// of trec_eval, and README.md, which lists all metrics.
func metricPages() map[string]func(io.Writer) {
	byGroup := map[metric.Group][]*metric.Def{}
	for _, d := range catalog.All().Defs() {
		byGroup[d.Group] = append(byGroup[d.Group], d)
	}
	pages := map[string]func(io.Writer){
		"metrics/README.md":   func(w io.Writer) { writeMetricIndex(w, byGroup) },
		"metrics/" + trecPage: writeTRECPage,
	}
	for group, defs := range byGroup {
		pages["metrics/"+pageOf(group)] = func(w io.Writer) { writeMetricPage(w, group, defs) }
	}
	return pages
}

// pageOf returns the file name of the page of a group.
func pageOf(g metric.Group) string { return strings.ReplaceAll(string(g), " ", "-") + ".md" }

func heading(g metric.Group) string { return strings.ToUpper(string(g[:1])) + string(g[1:]) }

func writeMetricIndex(w io.Writer, byGroup map[metric.Group][]*metric.Def) {
	fmt.Fprint(w, generated, "# Metrics\n\n",
		"`assay metrics NAME` prints the same. A name may carry a cutoff and parameters: `ndcg@10`, `rbp(p=0.5)`, `rouge_l(part=r)`; `[@k]` "+
			"may and `@k` must be given.\n")
	for _, g := range metric.Groups() {
		if byGroup[g] == nil {
			continue
		}
		fmt.Fprintf(w, "\n## [%s](%s)\n\n", heading(g), pageOf(g))
		tableOf(w, "metric | | needs", byGroup[g], func(d *metric.Def) []string {
			return []string{fmt.Sprintf("[`%s`](%s#%s)", nameWithCutoff(d), pageOf(g), d.Name), escape(firstSentence(d.Doc) + remark(d)), needsOf(d)}
		})
	}
	fmt.Fprintf(w, "\nAlso: [%s](%s).\n", trecTitle, trecPage)
}

func writeMetricPage(w io.Writer, g metric.Group, defs []*metric.Def) {
	fmt.Fprint(w, generated, "# ", heading(g), "\n\n[All metrics](README.md)\n")
	if g == metric.Judged {
		writeQuestions(w, defs)
	}
	for _, d := range defs {
		fmt.Fprintf(w, "\n<a id=\"%s\"></a>\n\n## %s\n\n`%s`\n\n%s\n\n", d.Name, escape(d.Title), nameWithCutoff(d), escape(d.Doc))
		for _, f := range metricFacts(d) {
			switch {
			case f.name == "formula":
				fmt.Fprintf(w, "    %s\n\n", f.text)
			case f.name == "":
				fmt.Fprintf(w, "  - %s\n", escape(f.text))
			case f.name == "parameters":
				fmt.Fprintf(w, "- **parameters**\n  - %s\n", escape(f.text))
			default:
				fmt.Fprintf(w, "- **%s**: %s\n", f.name, escape(f.text))
			}
		}
	}
}

// writeQuestions lists the questions to a judge, with the metrics that use the answers.
func writeQuestions(w io.Writer, defs []*metric.Def) {
	fmt.Fprint(w, "\n## Questions to the judge\n\nEach is asked once a case, and only where a metric of the run reads it.\n\n",
		"| question | prompt | read by |\n|---|---|---|\n")
	for _, q := range question.All {
		var prompts, metrics []string
		for _, t := range q.Puts() {
			prompts = append(prompts, "`"+t.Operation()+"`")
		}
		for _, d := range defs {
			if d.Asks.With().Has(q.ID()) {
				metrics = append(metrics, fmt.Sprintf("[%s](#%s)", d.Name, d.Name))
			}
			for _, more := range askedMore(d) {
				if more.question.ID() == q.ID() {
					metrics = append(metrics, fmt.Sprintf("[%s](#%s) with %s", d.Name, d.Name, more.with))
				}
			}
		}
		if metrics == nil {
			metrics = []string{"the server's accuracy tests"}
		}
		fmt.Fprintf(w, "| %s | %s | %s |\n", q, strings.Join(prompts, ", "), strings.Join(metrics, ", "))
	}
}

// escape escapes plain text for Markdown.
func escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "<", "&lt;", "`", "\\`", "[", `\[`).Replace(s)
}

// trecPage is the file name of the page of trec_eval's measures.
const trecPage = "trec-eval.md"

// writeTRECPage writes the page about the measures of trec_eval.
func writeTRECPage(w io.Writer) {
	fmt.Fprintf(w, "%s# %s\n\n[All metrics](README.md)\n\n", generated, strings.ToUpper(trecTitle[:1])+trecTitle[1:])
	fmt.Fprint(w, "`assay measure` computes these from run files, byte for byte as trec_eval prints them. A measure with a\n",
		"metric beside it has the formula of that metric, which a run computes. ", trecEdges, "\n\n")
	tableOf(w, "measure | metric |", treceval.Families(), func(f treceval.Family) []string {
		name := ""
		if f.Metric != nil {
			name = code(nameWithCutoff(f.Metric))
		}
		return []string{code(f.Usage), name, escape(firstSentence(f.Doc))}
	})
}
