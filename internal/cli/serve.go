package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/oserror"
	"github.com/assay-eval/assay/internal/server"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/target/adapter"
)

// defaultAddr is where a server listens unless it is told otherwise.
const defaultAddr = "127.0.0.1:8321"

// serveFlags are the flags of assay serve that are not settings of runs.
type serveFlags struct {
	config    string
	addr      string
	hosts     []string
	endpoints []string
	datasets  string
	runs      int
	waiting   int
	clients   int
	tokens    bool
	// firstToken makes a token if requests need one and the store has none.
	firstToken bool
	grace      time.Duration
	runLimit   time.Duration
	redact     string
	quiet      bool
	noUI       bool
	// listening is called with the address, once requests are accepted.
	listening func(addr string)
}

func newServe(env *Env) *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:  "serve",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return serve(cmd.Context(), env, cmd.Flags(), f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.addr, "addr", defaultAddr, "address to listen on, as HOST:PORT; port 0 takes a free one")
	configFlag(cmd, &f.config)
	fl.StringVar(&f.datasets, "datasets", "", "folder whose files and folders requests may name as datasets")
	fl.StringSliceVar(&f.hosts, "host", nil,
		"name by which requests may call the server when no token is needed, beside localhost (repeatable)")
	fl.StringSliceVar(&f.endpoints, "allow-endpoint", nil, "address of a target that a request may set, with what is below it (repeatable)")
	fl.BoolVar(&f.tokens, "require-token", false, "ask for a token with every request, on loopback too")
	fl.BoolVar(&f.firstToken, "first-token", false,
		"if requests need a token and the store has none, create one with scope admin and print it on standard error, once")
	fl.IntVar(&f.runs, "runs", 1, "how many runs go on at once; the others wait")
	fl.IntVar(&f.waiting, "waiting", 100, "how many runs may wait")
	fl.IntVar(&f.clients, "connections-per-client", 100,
		"how many connections one address may have; 0 for any number, as behind a reverse proxy")
	fl.DurationVar(&f.runLimit, "run-limit", 24*time.Hour,
		"how long a run may take before it is stopped and the next gets its place; it can be resumed (0: no limit)")
	fl.DurationVar(&f.grace, "grace", 30*time.Second, "how long requests, and the cases in flight of a stopped run, may take to finish")
	redactFlag(cmd, &f.redact)
	fl.BoolVar(&f.noUI, "no-ui", false, "serve the API alone, without the web interface")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "log what goes wrong only, not every request")
	addSettingsThat(cmd, served, config.Setting.Flagged)
	return cmd
}

// served reports whether a setting applies to a server: not those of the cases of one
// run, nor of its report and verdict.
func served(s config.Setting) bool {
	switch {
	case s.Section == config.SectionData, s.Section == config.SectionCases, s.Verdict, s.Compared:
		return false
	case s.Implies != "" && adapter.Find(s.Implies).RunOnly:
		return false
	}
	return !slices.Contains([]string{"name", "output", "formats"}, s.Key)
}

func serve(ctx context.Context, env *Env, flags *pflag.FlagSet, f serveFlags) error {
	if err := f.check(env); err != nil {
		return err
	}
	r, err := resolve(env, flags, f.config)
	if err != nil {
		return err
	}
	if err := wire.CheckChunks(r.Config); r.Pipelined() && err != nil {
		return err
	}
	s, err := openStore(ctx, env, r.Store)
	if err != nil {
		return err
	}
	defer s.Close()
	tokens := f.tokens || !onLoopback(f.addr)
	first := false // the first token is to be created
	if tokens {
		kept, err := server.Tokens(ctx, s)
		if err != nil {
			return err
		}
		valid := slices.ContainsFunc(kept, func(t server.Token) bool { return t.Expires.IsZero() || t.Expires.After(env.Now()) })
		if first = f.firstToken && len(kept) == 0; !first && !valid {
			return hinted(fmt.Errorf("--addr %s: requests to this address need a token, and the store has none", f.addr),
				"assay serve token create --scope admin makes one, and --first-token does so at the first start",
				"--addr 127.0.0.1:8321 is reached from this machine alone, and needs none")
		}
	}
	rules, err := redactRules(env, f.redact)
	if err != nil {
		return err
	}
	level := slog.LevelInfo
	if f.quiet {
		level = slog.LevelWarn
	}
	logs := slog.NewJSONHandler(env.Stderr, &slog.HandlerOptions{Level: level})
	world := newWorld(env, r, nil, nil)
	world.Stop = nil
	srv, err := server.New(server.Config{
		Store: s, Settings: r, World: world, Log: slog.New(logs), Tokens: tokens, Hosts: f.hosts, Endpoints: f.endpoints,
		Datasets: env.Path(f.datasets), Runs: f.runs, Waiting: f.waiting, NoUI: f.noUI, Redact: rules,
		Grace: f.grace, RunLimit: f.runLimit,
	})
	if err != nil {
		return err
	}
	if rules != nil {
		env.Warn("spans are redacted by %s before they are stored: %s", f.redact, strings.Join(rules.Names(), ", "))
	}
	if first {
		tell := func(token string) { env.Warn("the store had no token; sign in with %s", token) }
		if err := createToken(ctx, env, s, server.Token{Name: "first", Scope: server.ScopeAdmin}, tell); err != nil {
			return err
		}
	}
	f.listening = func(addr string) {
		env.Warn("listening on http://%s  (%s)", addr, map[bool]string{false: "the API: /docs", true: "the API alone: /docs"}[f.noUI])
	}
	return f.listen(ctx, env, srv, logs)
}

func (f serveFlags) check(env *Env) error {
	host, _, err := net.SplitHostPort(f.addr)
	if err != nil {
		return fmt.Errorf("--addr %q: expected HOST:PORT, such as 127.0.0.1:8321", f.addr)
	}
	for _, e := range f.endpoints {
		if u, err := url.Parse(e); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" {
			return fmt.Errorf("--allow-endpoint %q: expected an address such as https://rag.example/api", e)
		}
	}
	if f.datasets != "" {
		if info, err := os.Stat(env.Path(f.datasets)); err != nil || !info.IsDir() {
			return fmt.Errorf("--datasets %q: expected an existing folder", f.datasets)
		}
	}
	if f.runs < 1 || f.waiting < 1 || f.grace <= 0 {
		return errors.New("--runs, --waiting and --grace: expected numbers above 0")
	}
	if f.runLimit < 0 {
		return fmt.Errorf("--run-limit %v: must be 0 or more", f.runLimit)
	}
	if f.clients < 0 {
		return fmt.Errorf("--connections-per-client %d: expected 0 or more", f.clients)
	}
	if host == "" {
		env.Warn("--addr %s listens on all network interfaces", f.addr)
	}
	return nil
}

// onLoopback reports whether an address is reachable only from this machine.
func onLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

const (
	// headerWait is the time limit for the headers of a request, and idleWait that of an
	// idle connection. The server itself limits bodies and replies, since uploads and
	// streams are long.
	headerWait = 10 * time.Second
	idleWait   = 2 * time.Minute
	maxHeader  = 64 << 10
)

// listen serves requests until it is asked to stop, and then waits for those in flight.
func (f serveFlags) listen(ctx context.Context, env *Env, srv *server.Server, logs slog.Handler) error {
	defer boundGrowth()()
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.addr)
	if err != nil {
		srv.Stop()
		srv.Wait()
		if oserror.AddressInUse(err) {
			return hinted(fmt.Errorf("--addr %s: address in use", f.addr), "--addr 127.0.0.1:0 picks a free port")
		}
		return fmt.Errorf("--addr %s: %w", f.addr, err)
	}
	ln = server.Listener(ln, f.clients)
	requests, drop := context.WithCancel(context.WithoutCancel(ctx))
	defer drop()
	h := &http.Server{
		Handler: srv.Handler(), ReadHeaderTimeout: headerWait, IdleTimeout: idleWait, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context { return requests }, ErrorLog: slog.NewLogLogger(logs, slog.LevelWarn),
	}
	f.listening(ln.Addr().String())
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(ln) }()
	select {
	case err := <-ended:
		srv.Stop()
		srv.Wait()
		return err
	case <-env.Interrupted:
		env.Warn("stopping: waiting for requests and cases in flight (press again to end at once)")
	case <-ctx.Done():
	}
	srv.Stop()
	within, cancel := context.WithTimeout(ctx, f.grace)
	defer cancel()
	if h.Shutdown(within) != nil {
		// Abort requests that did not finish within the grace period.
		drop()
		_ = h.Close()
	}
	waited := make(chan struct{})
	go func() {
		srv.Wait()
		close(waited)
	}()
	select {
	case <-waited:
	case <-ctx.Done():
		env.Warn("ended at once: cases in flight are asked again when their runs resume")
	}
	return nil
}
