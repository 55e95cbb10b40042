package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/target/upload"
)

// uploadFlags are the flags of assay corpus upload that are not settings.
type uploadFlags struct {
	to, config                  string
	user, passwordEnv, category string
	method, tool, title, readID string
	journal, trigger, waitFor   string
	documents                   documentFlags
	concurrency, retries        int
	rate                        float64
	timeout, waitTimeout        time.Duration
	force, dryRun, quiet        bool
}

// uploadData are the settings that select the documents. They may be set in the
// configuration file.
var uploadData = []string{"dataset", "format", "split", "queries", "min-relevance", "map", "qrels", "corpus", "unreadable", "offline"}

// uploadReach are the settings used to connect to the system. Only flags set them: the
// configuration file is about the system that answers questions, whose credentials must
// not be sent elsewhere.
var uploadReach = []string{"endpoint", "http.headers", "http.proxy", "http.tls.ca", "http.tls.cert", "http.tls.key",
	"http.tls.server-name",
	"http.tls.insecure", "command", "dir", "send"}

func newCorpusUpload(env *Env) *cobra.Command {
	var f uploadFlags
	cmd := &cobra.Command{
		Use:  "upload --to nextcloud|http|mcp",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return uploadCorpus(cmd.Context(), env, cmd.Flags(), f) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	choiceFlag(cmd, &f.to, "to", "kind of system", upload.Kinds())
	flags.StringVar(&f.user, "user", "", "user of Nextcloud")
	flags.StringVar(&f.passwordEnv, "password-env", "NEXTCLOUD_PASSWORD",
		"environment variable that holds the user's app password (never the password itself)")
	flags.StringVar(&f.category, "category", "", `category of the notes: a folder, with "/" between its parts`)
	flags.StringVar(&f.method, "method", "", "HTTP method of a JSON endpoint (default POST)")
	flags.StringVar(&f.tool, "tool", "", "tool of the MCP server (default nc_notes_create_note)")
	flags.StringVar(&f.title, "title", "", `template of titles (default "{{id}} {{title}}"; for http "{{title}}")`)
	flags.StringVar(&f.readID, "read-id", "", `path of the document's id in the reply (default "id", if the reply has one)`)
	flags.StringVar(&f.journal, "journal", "", "file that records the uploaded documents (default corpus-KIND.jsonl)")
	flags.StringVar(&f.trigger, "trigger", "", `call after the last document: "POST URL", or the name of an MCP tool`)
	flags.StringVar(&f.waitFor, "wait-for", "", `wait until the conditions hold: "URL PATH=VALUE …" or "[URL] tool:NAME PATH=VALUE …"`)
	flags.DurationVar(&f.waitTimeout, "wait-timeout", 30*time.Minute, "time limit of --wait-for (0: no limit)")
	f.documents.add(flags)
	standard := upload.Defaults()
	flags.IntVar(&f.concurrency, "concurrency", standard.Concurrency, "number of documents sent concurrently")
	flags.Float64Var(&f.rate, "rate", 0, "maximum requests per second (0: no limit)")
	flags.DurationVar(&f.timeout, "timeout", standard.Timeout, "time limit of a reply")
	flags.IntVar(&f.retries, "retries", standard.Retries, "number of retries of a failed request")
	flags.BoolVar(&f.force, "force", false, "replace documents whose content differs")
	flags.BoolVar(&f.dryRun, "dry-run", false, "show what would be sent, and send nothing")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print errors only")
	configFlag(cmd, &f.config)
	flags.Lookup("config").Usage += "; only settings of documents are read"
	addNamedSettings(cmd, slices.Concat(uploadData, uploadReach)...)
	flags.Lookup("dataset").Usage = "dataset that includes documents: a BEIR directory or zip file"
	flags.Lookup("corpus").Usage = "folder of documents"
	flags.Lookup("endpoint").Usage = "URL of the system; for http it may contain {{id}}"
	flags.Lookup("command").Usage = "command that starts an MCP server, with shell quoting"
	flags.Lookup("send").Usage = "JSON body for a document, with {{id}}, {{title}}, {{text}}, {{source}}, {{metadata.NAME}}, {{name}} " +
		"(its title in the system)"
	return cmd
}

// uploadCorpus runs assay corpus upload.
func uploadCorpus(ctx context.Context, env *Env, flags *pflag.FlagSet, f uploadFlags) error {
	if err := f.check(flags); err != nil {
		return err
	}
	r, err := resolve(env, flags, f.config)
	if err != nil {
		return err
	}
	own, err := f.reach(env, flags, r)
	if err != nil {
		return err
	}
	// Until something has been sent, the first interrupt may stop at once.
	early, stop := untilInterrupted(ctx, env)
	docs, warnings, err := f.documents.read(early, env, r)
	stop()
	if err != nil {
		return stoppedUpload(err)
	}
	if !f.quiet {
		for _, w := range warnings {
			env.Warn("warning: %s", w)
		}
	}
	u := uploading{env: env, flags: &f, docs: docs}
	if err := u.parse(); err != nil {
		return err
	}
	sink, secrets, err := f.open(env, own, r)
	if err != nil {
		return err
	}
	u.cfg = f.settings(env, sink, docs)
	u.cfg.Secrets, u.asked = secrets, sink
	if u.probe != nil && u.probe.Server() != "" {
		other := *own // the system's headers are not sent to another server
		other.Endpoint, other.Command = u.probe.Server(), ""
		if u.asked, err = f.openMCP(env, &other, nil, nil, nil, secrets); err != nil {
			return fmt.Errorf("--wait-for: %w", err)
		}
		defer func() { _ = u.asked.Close() }()
	}
	if f.dryRun {
		err = u.preview(ctx)
	} else {
		err = u.do(ctx)
	}
	if e := sink.Close(); err == nil && e != nil {
		env.Warn("warning: %s", secrets.Scrub(e.Error()))
	}
	return err
}

// settings returns the configuration of the upload.
func (f *uploadFlags) settings(env *Env, sink upload.Sink, docs []assay.Document) upload.Config {
	c := upload.Defaults()
	c.Sink, c.Documents, c.Title, c.Journal, c.Force = sink, docs, f.title, f.journalPath(env), f.force
	c.Concurrency, c.Rate, c.Timeout, c.Retries = f.concurrency, f.rate, f.timeout, f.retries
	c.Stop, c.Now = env.Interrupted, env.Now
	return c
}

func (f *uploadFlags) journalPath(env *Env) string { return env.Path(f.journalName()) }

func (f *uploadFlags) journalName() string {
	if f.journal != "" {
		return f.journal
	}
	return "corpus-" + f.to + ".jsonl"
}

// check reports flags that are missing, invalid, or only valid for another kind of
// system.
func (f *uploadFlags) check(flags *pflag.FlagSet) error {
	if !slices.Contains(upload.Kinds(), f.to) {
		return fmt.Errorf("--to %q: expected one of %s", f.to, strings.Join(upload.Kinds(), ", "))
	}
	only := map[string][]string{
		"user": {upload.KindNextcloud}, "password-env": {upload.KindNextcloud}, "category": {upload.KindNextcloud, upload.KindMCP},
		"method": {upload.KindHTTP}, "send": {upload.KindHTTP, upload.KindMCP}, "read-id": {upload.KindHTTP, upload.KindMCP},
		"tool": {upload.KindMCP}, "command": {upload.KindMCP}, "dir": {upload.KindMCP},
	}
	var problems []error
	flags.Visit(func(fl *pflag.Flag) {
		if kinds := only[fl.Name]; kinds != nil && !slices.Contains(kinds, f.to) {
			problems = append(problems, fmt.Errorf("--%s: only valid with --to %s", fl.Name, strings.Join(kinds, " and ")))
		}
	})
	endpoint, command := flags.Changed("endpoint"), flags.Changed("command")
	switch {
	case f.to == upload.KindMCP && endpoint == command:
		problems = append(problems, errors.New(`--to mcp: give either --endpoint URL, or --command "PROGRAM ARGUMENTS"`))
	case f.to != upload.KindMCP && !endpoint:
		problems = append(problems, fmt.Errorf("--to %s: no endpoint; use --endpoint URL", f.to))
	}
	if f.to == upload.KindNextcloud && f.user == "" {
		problems = append(problems, errors.New("--to nextcloud: no user; use --user NAME"))
	}
	for name, n := range map[string]int{"concurrency": f.concurrency - 1, "retries": f.retries, "rate": int(f.rate),
		"timeout":      int(f.timeout),
		"wait-timeout": int(f.waitTimeout)} {
		if n < 0 {
			problems = append(problems, fmt.Errorf("--%s %s: too small", name, flags.Lookup(name).Value))
		}
	}
	return errors.Join(problems...)
}

// An uploading is one invocation of assay corpus upload.
type uploading struct {
	env     *Env
	flags   *uploadFlags
	docs    []assay.Document
	cfg     upload.Config
	trigger *upload.Call
	probe   *upload.Probe
	// asked is what the probe asks.
	asked upload.Sink
}

// parse parses --trigger and --wait-for, so that a mistake in them is reported before
// anything is sent.
func (u *uploading) parse() error {
	if u.flags.trigger != "" {
		c, err := upload.ParseTrigger(u.flags.trigger, u.flags.to)
		if err != nil {
			return fmt.Errorf("--trigger: %w", err)
		}
		u.trigger = &c
	}
	if u.flags.waitFor != "" {
		p, err := upload.ParseProbe(u.flags.waitFor, u.flags.to, len(u.docs))
		if err != nil {
			return fmt.Errorf("--wait-for: %w", err)
		}
		u.probe = &p
	}
	return nil
}

func (u *uploading) preview(ctx context.Context) error {
	ctx, stop := untilInterrupted(ctx, u.env)
	defer stop()
	o, err := upload.Preview(ctx, u.cfg)
	if err != nil {
		return u.hinted(stoppedUpload(err))
	}
	w := u.env.Stdout
	fmt.Fprintf(w, "%s\n", text.Visible(o.Destination.String()))
	u.row("documents", o.Documents, "")
	u.row("known", o.Known, "the journal says that they are there")
	u.row("changed", o.Changed, "there with another content, by the journal")
	u.row("edited", o.Edited, "there with another version or title than in the journal; their content would be compared")
	u.row("listed", o.Listed, "there under their titles; their content would be compared")
	u.row("new", o.New, "would be sent")
	if o.Request != "" {
		fmt.Fprintf(w, "\n%s", text.Visible(o.Request))
	}
	if u.trigger != nil {
		fmt.Fprintf(w, "\nthen %s\n", *u.trigger)
	}
	if u.probe != nil {
		fmt.Fprintf(w, "\nuntil %s\n", *u.probe)
	}
	return nil
}

// do uploads the documents, calls the trigger and waits.
func (u *uploading) do(ctx context.Context) error {
	show, end := longWork(u.env, u.flags.quiet)
	u.cfg.Progress = show
	res, err := upload.Upload(ctx, u.cfg)
	end()
	u.printResult(res)
	if err != nil {
		return u.ended(res, err)
	}
	ctx, stop := untilInterrupted(ctx, u.env)
	defer stop()
	if err := u.follow(ctx); err != nil {
		return err
	}
	if n := len(res.Refused); n > 0 {
		return hinted(fmt.Errorf("%d of %d documents were not uploaded", n, res.Documents), "the same command retries only these")
	}
	return nil
}

// follow makes the calls that follow the documents.
func (u *uploading) follow(ctx context.Context) error {
	if u.trigger != nil {
		if err := upload.Trigger(ctx, u.cfg, *u.trigger); err != nil {
			return u.hinted(stoppedUpload(fmt.Errorf("trigger: %w", err)))
		}
	}
	if u.probe == nil {
		return nil
	}
	last, at := "", time.Duration(0)
	state, err := u.probe.Wait(ctx, u.asked, upload.Waiting{
		Timeout: u.flags.waitTimeout, Call: u.flags.timeout, Secrets: u.cfg.Secrets, Now: u.env.Now,
		Progress: func(state string, waited time.Duration) {
			if !u.flags.quiet && (state != last || waited-at >= progressInterval) {
				u.env.Warn("waiting: %s (%v)", state, waited.Round(time.Second))
				last, at = state, waited
			}
		},
	})
	var late *upload.LateError
	switch {
	case errors.As(err, &late):
		return hinted(fmt.Errorf("wait: %w", err), "all documents are uploaded; the same command continues to wait")
	case err != nil:
		return u.hinted(stoppedUpload(fmt.Errorf("wait: %w", err)))
	}
	if !u.flags.quiet {
		u.env.Warn("ready: %s", state)
	}
	return nil
}
