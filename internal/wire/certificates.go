package wire

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/certify"
)

// certify puts into a header the certificates of the run's judge on the questions that its
// metrics rest on. It returns a warning for each question and language of which the judge
// has only a certificate that no longer holds.
func (p *Prepared) certify(h *assay.Header) (warnings []string, err error) {
	if h.Judge == nil {
		return nil, nil
	}
	all, err := Certificates(p.cfg, p.world, false)
	if err != nil {
		return nil, err
	}
	questions := assay.RulingsOf(h.Metrics)
	h.Certificates = slices.DeleteFunc(slices.Clone(all), func(c assay.Certificate) bool {
		return !slices.Contains(questions, c.Question) || !c.Fits(h.Judge)
	})
	for _, m := range h.Measured(h.Metrics) {
		c := m.Certificate
		if c == nil {
			warnings = append(warnings, void(all, m, h.Judge)...)
			continue
		}
		for i := range h.Metrics {
			if on := &h.Metrics[i]; slices.Contains(on.Rulings, m.Question) {
				on.OpenThreshold = on.OpenThreshold || c.Threshold != nil && c.ThresholdCI != nil
				if c.NearChance() {
					on.NearChance = m.Question
				}
			}
		}
	}
	return warnings, nil
}

// thresholdsOf returns the thresholds by which a judge that estimates rules on a question:
// those of the certificates that fit it.
func thresholdsOf(all []assay.Certificate, info assay.JudgeInfo, question string) judge.Thresholds {
	out := judge.Thresholds{}
	for _, c := range all {
		if c.Question == question && c.Threshold != nil && c.Fits(&info) {
			t := judge.Exactly(*c.Threshold)
			if ci := c.ThresholdCI; ci != nil {
				t.Lo, t.Hi = ci[0], ci[1]
			}
			out[judge.Language(c.Language)] = t
		}
	}
	return out
}

// Certificates reads the file of certificates that the settings name. The one that is read by
// default may be missing, also where the settings are those of a stored run, which name it, and
// with yet any, where none may be written yet. Without a name there is none.
func Certificates(cfg config.Config, w World, yet bool) (all []assay.Certificate, err error) {
	defer func() { err = config.About("certificates", err) }()
	name := cfg.Certificates
	if name == "" {
		return nil, nil
	}
	f, err := os.Open(w.Path(name))
	if errors.Is(err, fs.ErrNotExist) && (yet || name == config.DefaultCertificates) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("certificates %s: %w: expected a file that assay judge certify wrote (--certificates= runs without one)", name, cause(err))
	}
	defer f.Close()
	w.read(name) // the threshold of an entailment judge is from here, for workers too
	if all, err = certify.Read(f); err != nil {
		return nil, fmt.Errorf("certificates %s: %w", name, err)
	}
	return all, nil
}

// void says that the judge has a certificate on a question, the latest of several, which does
// not hold for it any more. It returns nil if the judge has none.
func void(all []assay.Certificate, m assay.Measured, asked *assay.JudgeInfo) []string {
	var latest assay.Certificate
	var differs []string
	for _, c := range all {
		if c.Question != m.Question || c.Language != m.Language || c.Date.Before(latest.Date) {
			continue
		}
		if d, same := c.Void(asked); same && d != nil {
			latest, differs = c, d
		}
	}
	if differs == nil {
		return nil
	}
	for i, what := range differs {
		if differs[i] = "other " + what; what == "prompt" {
			differs[i] = "another prompt"
		}
	}
	return []string{fmt.Sprintf("%s, %s: the judge's certificate of %s is void: %s: assay judge certify measures it again",
		m.Question, m.Language, latest.Date.UTC().Format("2006-01-02"), strings.Join(differs, ", "))}
}
