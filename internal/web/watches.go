package web

import (
	"context"
	"net/url"
	"time"

	"github.com/assay-eval/assay/watch"
)

// A WatchBackend answers what the pages of watches show.
type WatchBackend interface {
	// Watches returns all watches, the latest first.
	Watches(ctx context.Context) ([]Watch, error)
	// Watch returns a watch by its name.
	Watch(ctx context.Context, name string) (Watch, error)
}

// A Watch is what is known of a watch of production traffic.
type Watch struct {
	*watch.State
	// Running is set if a process carries it out.
	Running bool
}

// watchAddress is the address of the page of a watch.
func watchAddress(name string) string { return "/watches/" + url.PathEscape(name) }

// overdue reports whether nobody judged the round that was due: no process runs and, if a
// scheduler starts them, it has started none for more than a day.
func (w Watch) overdue(now time.Time) bool {
	late := max(w.Settings.Every, time.Hour)
	if w.Once {
		late = 25 * time.Hour
	}
	return !w.Running && !w.Due.IsZero() && now.After(w.Due.Add(late))
}

// A watchRow is a watch in the list.
type watchRow struct {
	Name, Address, State, Mark, Process, Updated string
	Sampled, Judged                              int
	// Bad is set if no process carries it out that should, Trouble if the last round was not judged.
	Bad, Trouble bool
}

// watches is the list of the watches.
func (p *Pages) watches(r *request) (view, error) {
	all, err := p.cfg.Backend.Watches(r.Context())
	if err != nil {
		return view{}, err
	}
	n := r.w.WatchNames()
	var data struct{ Rows []watchRow }
	for _, w := range all {
		row := watchRow{
			Name: w.Name, Address: watchAddress(w.Name), Process: n.NotRunning, Updated: moment(w.Updated), Sampled: w.Total.Sampled,
			Judged: w.Total.Judged, Bad: w.overdue(p.cfg.Now()), Trouble: w.Trouble != "",
		}
		if w.Running {
			row.Process = n.Running
		}
		row.State, row.Mark = watchState(r, w.Verdict())
		worse := 0
		for _, one := range w.Series {
			if one.Worse {
				worse++
			}
		}
		if worse > 0 {
			row.State = r.w.WatchSome(worse, len(w.Series))
		}
		data.Rows = append(data.Rows, row)
	}
	return view{Template: "watches", Title: n.Title, Place: placeWatch, Data: data}, nil
}

// watchState returns the name of a state, and the class of a verdict that it looks like.
func watchState(r *request, state string) (text, mark string) {
	n := r.w.WatchNames()
	switch state {
	case watch.Worse:
		return n.Worse, "fail"
	case watch.Fine:
		return n.Fine, "pass"
	case watch.New:
		return n.New, "unsure"
	}
	return n.Learning, "unsure"
}
