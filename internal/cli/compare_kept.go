package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/schema"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/report"
)

// A side is one of the runs to compare.
type side struct {
	// ref is the name that the user gave.
	ref string
	rep *report.Report
	// file is set when ref is a file.
	file bool
	// baseline is set when ref is a baseline file.
	baseline *gate.Baseline
	// settings and job are set for a config that has yet to run.
	settings *config.Resolved
	job      *wire.Prepared
}

// kept loads stored runs, the baseline first.
func (p *comparison) kept(ctx context.Context, refs []string) ([]*side, error) {
	var used func(config.Setting) bool
	hints := []string{"--configs runs configs and takes the flags of assay run"}
	if p.f.pairwise {
		used = prefers
	} else if p.flags.Changed("judge") {
		hints = append(hints, "--pairwise has the judge compare the answers of stored runs")
	}
	if unused := unusedFlags(p.flags, used, "configs", "dataset-format"); unused != "" {
		return nil, hinted(fmt.Errorf("%s: no effect on stored runs: leave it out", unused), hints...)
	}
	refs = slices.Clone(refs)
	if b := p.f.baseline; b != "" {
		refs = slices.DeleteFunc(refs, func(ref string) bool { return ref == b })
		refs = slices.Insert(refs, 0, b)
	}
	if len(refs) < 2 {
		return nil, hinted(fmt.Errorf("only one run, %q: expected two, or --baseline and a run", refs[0]), "assay runs"+p.where()+" lists the stored runs")
	}
	var all []*side
	for i, ref := range refs {
		if slices.Contains(refs[:i], ref) {
			return nil, fmt.Errorf("duplicate run %q: expected different runs", ref)
		}
		s, err := p.load(ctx, ref)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	if err := distinguish(all); err != nil {
		return nil, err
	}
	return all, nil
}

// load finds a run: in a report file, in a baseline file, or else in the store.
func (p *comparison) load(ctx context.Context, ref string) (*side, error) {
	if info, err := os.Stat(p.env.Path(ref)); err != nil || !info.Mode().IsRegular() {
		rep, err := loadReport(ctx, p.env, ref, p.common.Store)
		if err != nil && (slices.Contains(rag.Retrievers(), ref) || slices.Contains(p.common.Named(), ref)) {
			return nil, hinted(err, fmt.Sprintf("assay compare --configs %s,… runs it", ref))
		}
		return &side{ref: ref, rep: rep}, err
	}
	data, err := os.ReadFile(p.env.Path(ref))
	if err != nil {
		return nil, err
	}
	rep, baseline, err := readSide(data)
	if err != nil {
		if isYAML(ref) {
			return nil, hinted(fmt.Errorf("%s: %w", ref, err), fmt.Sprintf("assay compare --configs %s,… runs it", ref))
		}
		return nil, hidden(ref, err)
	}
	return &side{ref: ref, rep: rep, file: true, baseline: baseline}, nil
}

// readSide reads a report or a baseline.
func readSide(data []byte) (*report.Report, *gate.Baseline, error) {
	switch kind, _, _ := strings.Cut(schema.Of(data), "/"); kind {
	case "assay.baseline":
		b, err := gate.ReadBaseline(bytes.NewReader(data))
		if err != nil {
			return nil, nil, err
		}
		return report.New(b.Header(), b.Records()), b, nil
	case "assay.comparison":
		return nil, nil, errors.New("the file is a comparison: compare its runs, or their reports")
	}
	// report.Read reports a file that is not JSON.
	rep, err := report.Read(bytes.NewReader(data))
	return rep, nil, err
}

func isYAML(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// distinguish makes the names of all sides unique: for a name that is already taken, a
// file is renamed to its path and a stored run to its ID. It returns an error if two
// sides are the same stored run.
func distinguish(all []*side) error {
	taken := map[string]bool{}
	ids := map[string]string{}
	for _, s := range all {
		h := &s.rep.Header
		if first, ok := ids[h.ID]; ok && !s.file {
			return fmt.Errorf("%q and %q are the same run: expected different runs", first, s.ref)
		}
		if !s.file {
			ids[h.ID] = s.ref
		}
		switch name := s.rep.Name(); {
		case taken[name] && s.file:
			h.Name = s.ref
		case taken[name]:
			h.Name = h.ID
		}
		taken[s.rep.Name()] = true
	}
	return nil
}

// regroup gives baselines of older files, which lack them, the groups that the cases have in other sides. It returns the
// name of such a baseline if no other side has its cases with their groups.
func regroup(all []*side) (ungrouped string) {
	old := func(s *side) bool { return s.baseline != nil && s.baseline.Groups == nil }
	groups := map[string]string{}
	for _, s := range all {
		for i := 0; !old(s) && i < s.rep.Cases.Len(); i++ {
			groups[s.rep.Cases.Base(i)] = s.rep.Cases.Group(i)
		}
	}
	for _, s := range slices.DeleteFunc(slices.Clone(all), func(s *side) bool { return !old(s) }) {
		b := *s.baseline
		b.Groups = groups
		s.rep = report.New(s.rep.Header, b.Records())
		if len(groups) == 0 {
			ungrouped = s.rep.Name()
		}
	}
	return ungrouped
}

// entitle fills in missing metric titles from other sides. A baseline file has only the
// names of its metrics.
func entitle(all []*side) {
	titles := map[string]string{}
	for _, s := range all {
		for _, m := range s.rep.Header.Metrics {
			if m.Title != m.Name && m.Title != "" {
				titles[m.Name] = m.Title
			}
		}
	}
	for _, s := range all {
		for i, m := range s.rep.Header.Metrics {
			if title, ok := titles[m.Name]; ok && (m.Title == "" || m.Title == m.Name) {
				s.rep.Header.Metrics[i].Title = title
			}
		}
	}
}
