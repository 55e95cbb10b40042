// Package server answers the HTTP API: docs/server.md is its guide, and
// /openapi.json of a running server its contract.
//
// A resource is one file with one method that registers its operations; the
// table in this file lists them. What every request goes through stands in
// handler.go.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/assay-eval/assay/internal/backoff"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/telemetry"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/store"
)

// Config is what a server is made of.
type Config struct {
	// Store keeps everything; the server does not close it.
	Store *store.Store
	// Settings are what a run has when a request says nothing else. Its named
	// configurations are the targets that a request may name.
	Settings *config.Resolved
	// World is the clock, the random source, the environment and the version.
	// Its Stop and Progress are the server's own and left unset.
	World wire.World
	// Log gets a line a request, and what went wrong.
	Log *slog.Logger
	// Tokens are required of every request when set. Without them the server
	// must be reachable on loopback only.
	Tokens bool
	// Hosts are names that requests may call the server by, beside those of
	// loopback, where no token is required.
	Hosts []string
	// Endpoints are the addresses of targets that a request may name, beside
	// those of the settings: a scheme and a host, and the beginning of a path.
	Endpoints []string
	// Datasets is the folder whose files and folders a request may name as data
	// sets; "" is none.
	Datasets string
	// Runs is how many runs go on at once; below 1 is 1. Waiting is how many may
	// wait; below 1 is 100.
	Runs, Waiting int
	// Heartbeat is how often a silent stream of events says that it lives; 0 is
	// 15 s.
	Heartbeat time.Duration
	// Look is how often a stream looks at a run that another process works on; 0
	// is 1 s.
	Look time.Duration
	// BodyGrace is how long a body may take before its rate counts; 0 is 10 s.
	// WriteWait is how long a client may take to accept a piece of a reply; 0 is
	// 20 s.
	BodyGrace, WriteWait time.Duration
	// Trace makes spans; nil makes none.
	Trace *telemetry.Tracer
}

// A Server answers the API. Its zero value is not usable: see [New].
type Server struct {
	cfg   Config
	log   *slog.Logger
	store *store.Store

	mux *http.ServeMux
	api huma.API
	// scopes maps patterns of the mux to what a token must be good for.
	scopes map[string]Scope
	// uploads has those patterns whose bodies are forms with files.
	uploads map[string]bool
	// filled has the parameters in the query that are not empty when they are
	// given.
	filled map[string][]string
	// contract is the OpenAPI description, reference the page made of it.
	contract, reference []byte
	cross               *http.CrossOriginProtection
	meters              *meters
	replies             *replies
	queue               *queue
	servings            *servings
	documents           *documents
	// sleep waits between the tries of an evaluation; tests do not wait.
	sleep     func(context.Context, time.Duration) error
	summaries *summaries
	// labelling keeps two labels of the same person from both being new.
	labelling sync.Mutex
	// reads has the reads that are answered.
	reads chan struct{}
	// heavy bounds how many whole runs are in memory at once.
	heavy chan struct{}
	// large has the large JSON bodies that are in memory, filing the upload or data
	// set that is, streams the streams of events that are open, comparing the
	// comparison that is made.
	large, filing, streams, comparing chan struct{}

	// stopping is closed when no more work is taken on.
	stopping chan struct{}
	stop     sync.Once
}

// maxStreams is how many streams of events may be open: five times what the server
// is measured with.
const maxStreams = 1000

// take waits for a place among so many, and gives what leaves it. The error is that
// of the request.
func take(ctx context.Context, places chan struct{}) (release func(), err error) {
	select {
	case places <- struct{}{}:
		return func() { <-places }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// opened takes a place for a stream, and gives what leaves it. The error is a
// problem.
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

// maxReads is how many reads are answered at once: enough that none waits for the
// disk alone.
const maxReads = 32

// asWritten lets the library take names of fields as they are written. Else "Name"
// would be read as "name" and not be checked as that is.
var asWritten = sync.OnceFunc(func() { huma.ValidateStrictCasing = true })

// resources lists what the API has, in the order of the reference page.
var resources = []struct {
	tag, doc string
	register func(*Server, huma.API)
}{
	{"accuracy", "One question or recording at a time, with every stage kept and evaluated.", (*Server).results},
	{"accuracy", "", (*Server).evaluations},
	{"profiles", "The prompts of the built-in pipeline, which can be changed.", (*Server).profileRoutes},
	{"documents", "What the built-in pipeline answers from.", (*Server).documentRoutes},
	{"questions", "Questions to the built-in pipeline, stage by stage.", (*Server).queries},
	{"runs", "Runs: started, followed, stopped, resumed, read.", (*Server).runs},
	{"runs", "", (*Server).cases},
	{"runs", "", (*Server).events},
	{"runs", "", (*Server).reports},
	{"comparisons", "Runs set against each other, and against what they are held to.", (*Server).compare},
	{"comparisons", "", (*Server).gate},
	{"comparisons", "", (*Server).baselines},
	{"catalogue", "What a run can be made of: datasets, targets, metrics.", (*Server).datasets},
	{"catalogue", "", (*Server).targets},
	{"catalogue", "", (*Server).metrics},
	{"labels", "What people say, and how far the judge agrees with them.", (*Server).labels},
	{"labels", "", (*Server).calibration},
	{"operations", "Whether the server is well.", (*Server).ops},
}

// New makes a server and takes up the runs that an earlier one left.
func New(cfg Config) (*Server, error) {
	switch {
	case cfg.Store == nil || cfg.Settings == nil || cfg.Log == nil:
		return nil, errors.New("server: want a store, settings and a log")
	case cfg.World.Now == nil || cfg.World.Random == nil || cfg.World.Path == nil:
		return nil, errors.New("server: want a clock, a random source and a way to resolve paths")
	}
	cfg.Runs, cfg.Waiting = max(cfg.Runs, 1), orElse(cfg.Waiting, 100)
	for _, d := range []struct {
		length    *time.Duration
		otherwise time.Duration
	}{{&cfg.Heartbeat, 15 * time.Second}, {&cfg.Look, time.Second}, {&cfg.BodyGrace, bodyGrace}, {&cfg.WriteWait, writeWait}} {
		if *d.length <= 0 {
			*d.length = d.otherwise
		}
	}
	s := &Server{
		cfg: cfg, log: cfg.Log, store: cfg.Store,
		mux: http.NewServeMux(), scopes: map[string]Scope{}, uploads: map[string]bool{}, filled: map[string][]string{},
		cross: http.NewCrossOriginProtection(), stopping: make(chan struct{}),
	}
	s.meters = newMeters()
	s.replies = newReplies(s.store, cfg.World.Now)
	s.servings, s.documents, s.sleep = newServings(s), newDocuments(s), backoff.Sleep
	s.servings.uploaded, s.servings.uploadedAt = s.documents.uploaded, s.documents.uploadedAt
	s.queue, s.summaries, s.heavy = newQueue(s), newSummaries(summarySpace), make(chan struct{}, 2)
	s.reads = make(chan struct{}, maxReads)
	s.large, s.filing, s.streams = make(chan struct{}, maxLarge), make(chan struct{}, 1), make(chan struct{}, maxStreams)
	s.comparing = make(chan struct{}, 1)
	asWritten()
	s.api = humago.New(s.mux, s.description())
	s.api.UseMiddleware(statusMiddleware)
	for _, r := range resources {
		r.register(s, s.api)
	}
	if err := s.document(); err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	if err := s.documents.start(context.Background()); err != nil {
		return nil, fmt.Errorf("server: documents: %w", err)
	}
	return s, s.queue.start()
}

// orElse is n, or the default when n is below 1.
func orElse(n, otherwise int) int {
	if n < 1 {
		return otherwise
	}
	return n
}

// Stop takes on no more work: runs finish the cases in flight and are resumed by
// the next server, streams of events end. It returns at once; see [Server.Wait].
func (s *Server) Stop() {
	s.stop.Do(func() {
		close(s.stopping)
		s.queue.stop()
	})
}

// Wait waits until the runs have stopped after [Server.Stop].
func (s *Server) Wait() {
	s.queue.wait()
	s.documents.wait()
	s.servings.closeAll()
}

// stopped reports whether no more work is taken on.
func (s *Server) stopped() bool {
	select {
	case <-s.stopping:
		return true
	default:
		return false
	}
}

// now is the time in UTC.
func (s *Server) now() time.Time { return s.cfg.World.Now().UTC() }

// description is what the API says of itself, and how operations come into it.
func (s *Server) description() huma.Config {
	c := huma.DefaultConfig("assay", s.cfg.World.Version)
	c.Info.Description = "Evaluates RAG systems: retrieval, answers and every stage between, with intervals. Times are RFC 3339 in " +
		"UTC, ratios are 0 to 1, ids are opaque."
	// The library's pages load scripts of others, and its description is made
	// at the first request without a lock.
	c.DocsPath, c.SchemasPath, c.OpenAPIPath = "", "", ""
	// No $schema in replies.
	c.CreateHooks = nil
	c.Transformers = []huma.Transformer{problemTransformer}
	c.RejectUnknownQueryParameters = true
	c.OnAddOperation = append(c.OnAddOperation, s.added)
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"token": {Type: "http", Scheme: "bearer", Description: "A token that assay token create made."},
	}
	var tags []*huma.Tag
	for _, r := range resources {
		if !slices.ContainsFunc(tags, func(t *huma.Tag) bool { return t.Name == r.tag }) {
			tags = append(tags, &huma.Tag{Name: r.tag, Description: r.doc})
		}
	}
	c.Tags = tags
	return c
}
