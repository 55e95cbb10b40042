// Package server implements the HTTP API. docs/server.md is the guide to it, and
// /openapi.json of a running server is its contract.
//
// Each resource is one file with a method that registers its operations; the table
// in this file lists these methods. handler.go has the handling common to all
// requests.
package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/assay-eval/assay/internal/backoff"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/redact"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/summary/explore"
)

// Config is the configuration of a server.
type Config struct {
	// Store stores all data; the server does not close it.
	Store *store.Store
	// Settings are the defaults of a run. A request may name their named
	// configurations as targets.
	Settings *config.Resolved
	// World is the clock, the random source, the environment and the version.
	// Leave Stop and Progress unset: the server sets them.
	World wire.World
	// Log receives one line per request, and errors.
	Log *slog.Logger
	// Tokens means that every request needs a token. If it is not set, the server
	// must be reachable on loopback only.
	Tokens bool
	// Hosts are the host names that requests may use if no token is required, in
	// addition to those of loopback.
	Hosts []string
	// Endpoints are the addresses of targets that a request may use, in addition to
	// those of the settings: a scheme, a host and a path prefix.
	Endpoints []string
	// Datasets is the folder whose files and folders a request may name as
	// datasets; "" means none.
	Datasets string
	// Runs is the number of runs executed at the same time; below 1 means 1. Waiting
	// is the maximum number of queued runs; below 1 means 100.
	Runs, Waiting int
	// Heartbeat is the interval of heartbeats on an idle event stream; 0 means 15 s.
	Heartbeat time.Duration
	// Look is the interval at which a stream polls a run that another process
	// executes; 0 means 1 s.
	Look time.Duration
	// BodyGrace is the time after which the minimum rate applies to a request body; 0
	// means 10 s. WriteWait is the time limit for a client to accept a part of a
	// reply; 0 means 20 s.
	BodyGrace, WriteWait time.Duration
	// RunLimit is how long a run may take before it is stopped and another gets its place; 0 is no
	// limit.
	RunLimit time.Duration
	// Grace is how long a run or a job may take to end once it is stopped; 0 means 30 s.
	Grace time.Duration
	// Patience is how long a page may take before its reader is shown how far it is; 0 means
	// 700 ms.
	Patience time.Duration
	// NoUI leaves out the web interface.
	NoUI bool
	// View is set for a server that shows the runs of a store and takes labels, but starts,
	// continues and changes nothing else.
	View bool
	// Annotator is whose labels a request without a token gives, unless it says so itself; ""
	// means "me".
	Annotator string
	// Redact is applied to received spans before they are stored; nil changes nothing.
	Redact *redact.Rules
}

// A Server serves the API. The zero value is not usable: see [New].
type Server struct {
	cfg   Config
	log   *slog.Logger
	store *store.Store

	mux *http.ServeMux
	api huma.API
	// scopes maps patterns of the mux to the scope that a token needs.
	scopes map[string]Scope
	// uploads has the patterns whose request bodies are forms with files.
	uploads map[string]bool
	// screens has the patterns of the web interface, whose errors are pages.
	screens map[string]bool
	screen  *web.Pages
	// filled maps patterns to the query parameters that must not be empty if they
	// are present.
	filled map[string][]string
	// contract returns the OpenAPI description, reference the page rendered from it.
	contract, reference func() ([]byte, error)
	cross               *http.CrossOriginProtection
	meters              *meters
	replies             *replies
	queue               *queue
	backlog             *backlog
	servings            *servings
	documents           *documents
	// sleep waits between the attempts of an evaluation; tests replace it.
	sleep func(context.Context, time.Duration) error
	// summaries are the reports of runs without their cases; indexes select
	// cases; comparisons are by what they rest on.
	summaries   *runCache[runSummary]
	indexes     *runCache[*wire.CaseIndex]
	comparisons *runCache[*comparison]
	// findings are by run, or by what a comparison rests on, and metric.
	findings *runCache[explore.Finding]
	// doubtful are the cases of datasets that runs cast doubt on.
	doubtful *runCache[*web.DatasetDoubts]
	// checks are what was found in the datasets of the server.
	checks *runCache[*web.DatasetFile]
	lives  *runCache[*live]
	// fragments are parts of the pages of runs that go on.
	fragments *runCache[[]byte]
	// reads limits the reads in progress.
	reads chan struct{}
	// heavy limits the number of complete runs in memory.
	heavy chan struct{}
	// large limits the large JSON bodies in memory, filing the uploads and datasets in
	// memory (one), streams the open event streams, comparing the comparisons in
	// progress (one).
	large, filing, streams, comparing chan struct{}
	// unpacking limits the requests of spans that are large and in memory.
	unpacking chan struct{}
	// estimating limits the runs that are prepared for an estimate (one).
	estimating chan struct{}
	// renders is each token's share of the reports and comparisons in progress.
	renders *share
	// heads are the short headers of the runs.
	heads *heads
	// rendered writes the reports of runs and keeps those of finished ones.
	rendered *rendered

	// stopping is closed when the server accepts no more work.
	stopping chan struct{}
	stop     sync.Once
}

// The size limits of what is kept of runs that were asked for last, in bytes. A run of
// 100,000 cases and 10 metrics has an index of about 20 MB, and one of 60 MB once people
// search in its texts.
const (
	summarySpace = 32 << 20
	indexSpace   = 128 << 20
	// fragmentSpace is that of parts of pages.
	fragmentSpace = 8 << 20
)

// maxStreams is the maximum number of open event streams: five times the number
// that the server is measured with.
const maxStreams = 1000

// take acquires one of the places, waiting if all are in use, and returns the
// function that releases it. The error is that of ctx.
func take(ctx context.Context, places chan struct{}) (release func(), err error) {
	select {
	case places <- struct{}{}:
		return func() { <-places }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// opened acquires a place for an event stream and returns the function that releases
// it. If all are in use, the error is a problem.
func (s *Server) opened() (release func(), err error) {
	select {
	case s.streams <- struct{}{}:
		s.meters.streams.Inc()
		return func() {
			s.meters.streams.Dec()
			<-s.streams
		}, nil
	default:
		return nil, huma.ErrorWithHeaders(
			unavailable(fmt.Sprintf("%d streams are open already", maxStreams)), map[string][]string{"Retry-After": {"30"}},
		)
	}
}

// maxReads is the maximum number of concurrent reads: enough that none has to wait
// only because others wait for the disk.
const maxReads = 32

// asWritten makes the library match field names case-sensitively. Otherwise "Name"
// would be decoded as "name" without the validation of that field.
var asWritten = sync.OnceFunc(func() { huma.ValidateStrictCasing = true })

// resources register the operations of the API.
var resources = []func(*Server){
	(*Server).results, (*Server).evaluations, (*Server).jobs, (*Server).profileRoutes, (*Server).documentRoutes, (*Server).queries,
	(*Server).runs, (*Server).estimates, (*Server).cases, (*Server).calls, (*Server).events, (*Server).slices, (*Server).trends,
	(*Server).reports, (*Server).compare, (*Server).compareCases, (*Server).gate, (*Server).baselines, (*Server).datasets,
	(*Server).targets, (*Server).metrics, (*Server).labels, (*Server).calibration, (*Server).ops, (*Server).traces,
}

// New returns a server and continues the unfinished runs of an earlier one.
func New(cfg Config) (*Server, error) {
	switch {
	case cfg.Store == nil || cfg.Settings == nil || cfg.Log == nil:
		return nil, errors.New("server: needs a store, settings and a log")
	case cfg.World.Now == nil || cfg.World.Random == nil || cfg.World.Path == nil:
		return nil, errors.New("server: needs a clock, a random source and a way to resolve paths")
	}
	cfg.World.Limits = new(llm.Limits)
	if cfg.Runs = max(cfg.Runs, 1); cfg.Waiting < 1 {
		cfg.Waiting = 100
	}
	cfg.Heartbeat, cfg.Look = cmp.Or(cfg.Heartbeat, 15*time.Second), cmp.Or(cfg.Look, time.Second)
	cfg.BodyGrace, cfg.WriteWait = cmp.Or(cfg.BodyGrace, bodyGrace), cmp.Or(cfg.WriteWait, writeWait)
	cfg.Grace = cmp.Or(max(cfg.Grace, 0), 30*time.Second)
	s := &Server{
		cfg: cfg, log: cfg.Log, store: cfg.Store,
		mux: http.NewServeMux(), scopes: map[string]Scope{}, uploads: map[string]bool{},
		screens: map[string]bool{}, filled: map[string][]string{},
		cross: http.NewCrossOriginProtection(), stopping: make(chan struct{}),
	}
	s.meters = newMeters()
	for _, rule := range cfg.Redact.Names() {
		s.meters.redacted.WithLabelValues(rule)
	}
	s.replies = &replies{store: s.store, now: cfg.World.Now, swept: cfg.World.Now()}
	s.servings = &servings{s: s, open: map[string]*serving{}, opening: map[string]*sync.Mutex{}}
	s.documents, s.sleep = &documents{s: s}, backoff.Sleep
	s.queue, s.heads, s.rendered = newQueue(s), newHeads(), newRendered(renderedSpace)
	s.heavy, s.reads = make(chan struct{}, 2), make(chan struct{}, maxReads)
	s.large, s.filing, s.streams = make(chan struct{}, maxLarge), make(chan struct{}, 1), make(chan struct{}, maxStreams)
	s.estimating, s.unpacking, s.comparing = make(chan struct{}, 1), make(chan struct{}, maxLarge), make(chan struct{}, 1)
	now := cfg.World.Now
	s.summaries = newRunCache(summarySpace, now, func(sum runSummary) int { return len(sum.report) }, nil)
	s.indexes = newRunCache(indexSpace, now, (*wire.CaseIndex).Size, s.heavy)
	s.lives = newRunCache(liveSpace, now, (*live).size, nil)
	s.fragments = newRunCache(fragmentSpace, now, func(body []byte) int { return len(body) }, nil)
	s.findings = newRunCache(sliceSpace, now, explore.Finding.Size, s.heavy)
	s.comparisons = newRunCache(comparisonSpace, now, (*comparison).size, nil)
	s.checks = newRunCache(findingSpace, now, findingsSize, s.filing)
	s.doubtful = newRunCache(doubtSpace, now, doubtSize, s.comparing)
	s.renders = newShare(maxRenders, "reports or comparisons")
	asWritten()
	s.api = humago.New(s.mux, s.description())
	s.api.UseMiddleware(statusMiddleware)
	for _, register := range resources {
		register(s)
	}
	s.absent()
	if !cfg.NoUI {
		s.pages()
	}
	if err := s.document(); err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	var err error
	if s.backlog, err = newBacklog(context.Background(), s); err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	s.tellLeftOut()
	if cfg.View {
		return s, nil
	}
	s.documents.enqueue()
	return s, s.queue.start()
}

// Stop stops accepting work. Runs finish the cases in flight, and the next server
// resumes them; event streams end. Stop does not wait; see [Server.Wait].
func (s *Server) Stop() {
	s.stop.Do(func() {
		close(s.stopping)
		s.queue.stop()
		if s.screen != nil {
			s.screen.Stop()
		}
	})
}

// Wait blocks until the work has ended after [Server.Stop], then closes the targets.
func (s *Server) Wait() {
	s.queue.wait()
	s.documents.wait()
	if s.screen != nil {
		s.screen.Wait()
	}
	s.servings.closeAll()
	s.rendered.closeAll()
	s.backlog.view.Close()
}

// stopped reports whether the server accepts no more work.
func (s *Server) stopped() bool { return isClosed(s.stopping) }

// isClosed reports whether a channel that carries nothing is closed.
func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// now returns the current time in UTC.
func (s *Server) now() time.Time { return s.cfg.World.Now().UTC() }

// description returns the configuration of the API and the hooks for its operations.
func (s *Server) description() huma.Config {
	c := huma.DefaultConfig("assay", s.cfg.World.Version)
	c.Info.Description = "Evaluates RAG systems: retrieval, answers and every stage between, with intervals. Times are RFC 3339 in " +
		"UTC, ratios are 0 to 1, ids are opaque."
	// The library's pages load third-party scripts, and it renders the description
	// on the first request without a lock.
	c.DocsPath, c.SchemasPath, c.OpenAPIPath = "", "", ""
	// Replies have no $schema.
	c.CreateHooks = nil
	c.Transformers = []huma.Transformer{problemTransformer}
	c.RejectUnknownQueryParameters = true
	c.OnAddOperation = append(c.OnAddOperation, s.added)
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"token": {Type: "http", Scheme: "bearer", Description: "A token that assay serve token create made."},
	}
	c.Tags = apiOperations().tags
	return c
}
