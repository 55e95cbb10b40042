package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"time"

	"github.com/cli/browser"
	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/server"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
)

func newView(env *Env) *cobra.Command {
	var addr, annotator string
	var stay bool
	cmd := &cobra.Command{
		Use:  "view [RUN|REPORT.json ...]",
		Args: cobra.MaximumNArgs(10),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := resolveStored(env, cmd.Flags(), "")
			if err != nil {
				return err
			}
			return view(cmd.Context(), env, r, args, addr, annotator, !stay)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:0", "address of this machine to listen on, as HOST:PORT; port 0 takes a free one")
	cmd.Flags().BoolVar(&stay, "no-browser", false, "print the address, and open no browser")
	cmd.Flags().StringVar(&annotator, "annotator", "", "whose labels are given in the browser (default: the user of the system)")
	addNamedSettings(cmd, "store", "language")
	return cmd
}

// me returns the name of the user of the system, "" if it is not known.
func me() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.Username
}

// view serves the pages until the user ends it.
func view(ctx context.Context, env *Env, r *config.Resolved, refs []string, addr, annotator string, open bool) (err error) {
	if !onLoopback(addr) {
		return hinted(fmt.Errorf("--addr %q: expected an address of this machine alone, such as 127.0.0.1:8321", addr),
			"assay serve is reached from other machines, with tokens")
	}
	s, path, err := viewed(ctx, env, r.Store, refs)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	logs := slog.NewTextHandler(env.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})
	world := newWorld(env, r, nil, nil)
	world.Stop = nil
	srv, err := server.New(server.Config{Store: s, Settings: r, World: world, Log: slog.New(logs), View: true,
		Annotator: cmp.Or(annotator, me())})
	if err != nil {
		return err
	}
	f := serveFlags{addr: addr, grace: time.Second, listening: func(at string) {
		page := "http://" + at + path
		env.Warn("%s  (Ctrl-C ends it)", page)
		if open && openBrowser(page) != nil {
			env.Warn("no browser could be opened: open the address above in one")
		}
	}}
	return f.listen(ctx, env, srv, logs)
}

// openBrowser opens a page. What the browser says is nobody's concern.
func openBrowser(page string) error {
	browser.Stdout, browser.Stderr = io.Discard, io.Discard
	return browser.OpenURL(page)
}

// viewed opens the database that has the runs, and returns the path of the page to open.
func viewed(ctx context.Context, env *Env, ref string, refs []string) (s *store.Store, path string, err error) {
	var reports []*report.Report
	for _, arg := range refs {
		rep, err := readReport(env, arg)
		if err != nil {
			return nil, "", err
		}
		if rep != nil {
			reports = append(reports, rep)
		}
	}
	switch {
	case len(reports) == 0:
		s, err = openKept(ctx, env, ref, "--store names another one", "assay quickstart and assay run create runs")
	case len(reports) < len(refs):
		err = errors.New("give either report files or runs of the database, not both")
	default:
		s, refs, err = imported(ctx, env, reports)
	}
	if err != nil {
		return nil, "", err
	}
	var ids []string
	for _, arg := range refs {
		h, err := s.Run(ctx, arg)
		if err != nil {
			return nil, "", errors.Join(err, s.Close())
		}
		ids = append(ids, h.ID)
	}
	switch len(ids) {
	case 0:
		return s, "/", nil
	case 1:
		return s, "/runs/" + url.PathEscape(ids[0]), nil
	}
	return s, "/compare?" + url.Values{"runs": {strings.Join(ids, ",")}}.Encode(), nil
}

// imported puts the runs of reports into a database that is removed when the command ends,
// and returns their ids.
func imported(ctx context.Context, env *Env, reports []*report.Report) (_ *store.Store, ids []string, err error) {
	dir, err := os.MkdirTemp("", "assay-view-")
	if err != nil {
		return nil, nil, err
	}
	env.keep(folder(dir))
	s, err := store.Open(ctx, filepath.Join(dir, "assay.db"))
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	for _, rep := range reports {
		if err := s.CreateRun(ctx, rep.Header); err != nil {
			return nil, nil, fmt.Errorf("run %q: %w", rep.Header.ID, err)
		}
		var batch []assay.Record
		for rec, err := range rep.Records() {
			if err != nil {
				return nil, nil, err
			}
			if batch = append(batch, rec); len(batch) == importBatch {
				if err := s.Put(ctx, rep.Header.ID, batch...); err != nil {
					return nil, nil, err
				}
				batch = batch[:0]
			}
		}
		if err := s.Put(ctx, rep.Header.ID, batch...); err != nil {
			return nil, nil, err
		}
		if err := wire.KeepOutcome(ctx, s, rep); err != nil {
			return nil, nil, err
		}
		ids = append(ids, rep.Header.ID)
	}
	return s, ids, nil
}

// importBatch is the number of records that are stored at once.
const importBatch = 500

// A folder is removed when it is closed.
type folder string

// Close removes the folder.
func (f folder) Close() error { return os.RemoveAll(string(f)) }
