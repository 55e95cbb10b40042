package web

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/dataset/check"
	textkit "github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
)

// A DatasetBackend answers what the pages about datasets show.
type DatasetBackend interface {
	// Datasets returns the datasets of the server and those that stored runs used, each name
	// once, the one used last first.
	Datasets(ctx context.Context) ([]Dataset, error)
	// File returns the file of a dataset, nil if the server has none of this name.
	File(ctx context.Context, name string) (*DatasetFile, error)
	// Doubts returns what runs over a content cast doubt on.
	Doubts(ctx context.Context, hash string) (*DatasetDoubts, error)
	// Briefs returns the records of a run with these numbers, in brief.
	Briefs(ctx context.Context, run string, seqs []int) ([]assay.Record, error)
}

// A Dataset is a dataset by its name.
type Dataset struct {
	Name string
	// Stem is its name in runs that know only its file; "" without any.
	Stem string
	// From is where the server has it: "folder", "upload", or "" if it has not.
	From string
	// Contents are those that runs used, the one used last first.
	Contents []ContentView
}

// A ContentView is a content of a dataset that runs used.
type ContentView struct {
	// Hash is the fingerprint of the cases.
	Hash string
	// Cases is their number, Runs that of the runs over it.
	Cases, Runs int
	// LastRun is the latest of the runs, which started at Last.
	LastRun string
	Last    time.Time
}

// A DatasetFile is the file of a dataset, with what checks found in it.
type DatasetFile struct {
	dataset.Stats
	Hash     string
	Findings []check.Finding
	// Problem is why the file cannot be read; "" if it can, and the rest is empty if not.
	Problem string
}

// DatasetDoubts are the doubts that runs cast on a content.
type DatasetDoubts struct {
	report.Doubts
	// Headers are those of the runs that were read, All the number of finished runs.
	Headers []assay.Header
	All     int
}

const (
	// doubtsShown is the number of cases of each kind on the page of a dataset, doubtsPage
	// that on a page of one kind.
	doubtsShown = 8
	doubtsPage  = 50
	// findingsShown is the number of findings of each check that are shown, casesNamed that of
	// the cases of one.
	findingsShown = 20
	casesNamed    = 5
	// tagsShown is the number of tags that are shown.
	tagsShown = 12
)

// A datasetRow is a dataset in the list.
type datasetRow struct {
	Name, Address, Where, Cases, Last, LastAddress, Day string
	Runs                                                int
	// Several says that there are several contents, "" if not.
	Several string
}

func datasetAddress(name string) string { return "/datasets/" + caseSegment(name) }

// datasets is the list of datasets.
func (p *Pages) datasets(r *request) (view, error) {
	all, err := p.cfg.Backend.Datasets(r.Context())
	if err != nil {
		return view{}, err
	}
	shown, pages := paged(r, all, runsShown)
	data := struct {
		Rows  []datasetRow
		Found string
		Pager pager
	}{Found: r.w.Say("SetsFound", words.V{"n": len(all)}), Pager: pages}
	for _, d := range shown {
		row := datasetRow{Name: d.Name, Address: datasetAddress(d.Name), Where: r.w.DatasetFrom(d.From)}
		for _, c := range d.Contents {
			row.Runs += c.Runs
		}
		if len(d.Contents) > 0 {
			last := d.Contents[0]
			row.Cases, row.Last, row.LastAddress = itoa(last.Cases), last.LastRun, runAddress(last.LastRun)
			row.Day = moment(last.Last)
		}
		if len(d.Contents) > 1 {
			row.Several = r.w.Say("SeveralContents", words.V{"n": len(d.Contents)})
		}
		data.Rows = append(data.Rows, row)
	}
	return view{Template: "datasets", Title: r.w.Names().SetNames.Datasets, Place: placeDatasets, Data: data}, nil
}

type datasetData struct {
	Name, Where string
	Contents    []contentChip
	// Doubts is nil if no run used the content.
	Doubts *doubtsData
	// File is what checks found, nil if the server does not have the file.
	File *fileData
	// Points is the address of the points of its cases, "" if the server does not have the file.
	Points string
	// Command checks the dataset.
	Command string
}

// A contentChip leads to a content of a dataset.
type contentChip struct {
	Text, Hash, Address, Day string
	Here                     bool
}

type fileData struct {
	dataset.Stats
	Problem, Counted string
	// Other is set if the file is another content than the one that is shown.
	Other  bool
	Checks []checkData
}

// checkData are the findings of a check.
type checkData struct {
	Title, Fix, More string
	Findings         []findingRow
}

type findingRow struct {
	Wrong bool
	Cases []caseLink
	Says  string
}

// A caseLink leads to a case in a run, or has no address.
type caseLink struct{ ID, Address string }

// dataset is the page of a dataset.
func (p *Pages) dataset(r *request) (view, error) {
	name := CaseOf(r.PathValue("name"))
	all, err := p.cfg.Backend.Datasets(r.Context())
	if err != nil {
		return view{}, err
	}
	at := slices.IndexFunc(all, func(d Dataset) bool { return d.Name == name || d.Stem == name })
	if at < 0 {
		return view{}, absent("no such dataset: " + name)
	}
	d := all[at]
	name = d.Name
	file, err := p.cfg.Backend.File(r.Context(), name)
	if err != nil {
		return view{}, err
	}
	data := datasetData{Name: d.Name, Where: r.w.DatasetFrom(d.From), Command: "assay dataset check PATH --corpus DIR --run latest"}
	contents := contentsOf(all, d, file)
	hash := chosenContent(r.values.Get("hash"), contents, file)
	for _, c := range contents {
		data.Contents = append(data.Contents, contentChip{r.w.Say("ContentOf", words.V{"cases": c.Cases, "runs": c.Runs}), textkit.ShortHash(c.Hash),
			r.URL.Path + r.values.only().with("hash", c.Hash), day(c.Last), c.Hash == hash})
	}
	var doubts *DatasetDoubts
	if slices.ContainsFunc(contents, func(c ContentView) bool { return c.Hash == hash }) {
		if doubts, err = p.cfg.Backend.Doubts(r.Context(), hash); err != nil {
			return view{}, err
		}
		if data.Doubts, err = p.doubtsOf(r, doubts); err != nil {
			return view{}, err
		}
	}
	if file != nil {
		data.Points = datasetAddress(name) + "/points"
		data.File = r.fileOf(file, hash, whole(doubts))
	}
	return view{Template: "dataset", Title: d.Name, Place: placeDatasets, Data: data}, nil
}

// chosenContent returns the content that a page shows: the one of the address, else that of
// the file, else the one used last.
func chosenContent(asked string, contents []ContentView, file *DatasetFile) string {
	switch {
	case asked != "":
		return asked
	case file != nil && file.Problem == "":
		return file.Hash
	case len(contents) > 0:
		return contents[0].Hash
	}
	return ""
}

// contentsOf returns the contents that runs over a dataset used, and that of its file under
// any name: runs of the command line have the name that the file itself states. Each content
// is in it once, with its runs of all names.
func contentsOf(all []Dataset, d Dataset, file *DatasetFile) []ContentView {
	is := func(c ContentView) func(ContentView) bool {
		return func(o ContentView) bool { return o.Hash == c.Hash }
	}
	out := slices.Clone(d.Contents)
	for _, other := range all {
		for _, c := range other.Contents {
			if file != nil && c.Hash == file.Hash && !slices.ContainsFunc(out, is(c)) {
				out = append(out, ContentView{Hash: c.Hash, Cases: c.Cases})
			}
		}
	}
	for i := range out {
		out[i].Runs = 0
		for _, other := range all {
			for _, c := range other.Contents {
				if c.Hash == out[i].Hash {
					out[i].Runs += c.Runs
					if c.Last.After(out[i].Last) {
						out[i].Last = c.Last
					}
				}
			}
		}
	}
	return out
}

// whole returns the latest run that has every case of the content, nil without one: its pages
// show what findings name.
func whole(d *DatasetDoubts) *assay.Header {
	if d == nil {
		return nil
	}
	for i := range d.Headers {
		if h := &d.Headers[i]; h.Dataset.Cases == h.Dataset.Total {
			return h
		}
	}
	return nil
}

func (r *request) fileOf(file *DatasetFile, hash string, run *assay.Header) *fileData {
	out := &fileData{Problem: file.Problem, Stats: file.Stats, Other: hash != file.Hash}
	out.Labels = slices.DeleteFunc(slices.Clone(file.Labels), func(l dataset.Count) bool { return l.Cases == 0 })
	out.Tags = file.Tags[:min(len(file.Tags), tagsShown)]
	if file.Problem != "" {
		out.Other = false
		return out
	}
	if out.Other {
		run = nil
	}
	wrong := 0
	var names []string
	by := map[string][]check.Finding{}
	for _, f := range file.Findings {
		if f.Severity == check.Wrong {
			wrong++
		}
		if by[f.Check] == nil {
			names = append(names, f.Check)
		}
		by[f.Check] = append(by[f.Check], f)
	}
	out.Counted = r.w.Say("FindingsOf", words.V{"wrong": wrong, "doubtful": len(file.Findings) - wrong})
	for _, name := range names {
		list := by[name]
		c := checkData{Title: cmp.Or(r.w.CheckTitle(name), name), Fix: r.w.CheckFix(name)}
		c.Title += " (" + itoa(len(list)) + ")"
		// "wrong" before "doubtful".
		slices.SortStableFunc(list, func(a, b check.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
		if len(list) > findingsShown {
			c.More = r.w.More(len(list) - findingsShown)
		}
		for _, f := range list[:min(len(list), findingsShown)] {
			row := findingRow{Wrong: f.Severity == check.Wrong, Says: f.Says}
			for _, id := range f.Cases[:min(len(f.Cases), casesNamed)] {
				link := caseLink{ID: id}
				if run != nil {
					link.Address = caseAddress(run.ID, id, values{})
				}
				row.Cases = append(row.Cases, link)
			}
			c.Findings = append(c.Findings, row)
		}
		out.Checks = append(out.Checks, c)
	}
	return out
}
