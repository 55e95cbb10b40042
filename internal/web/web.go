// Package web has the pages of the web interface. Each screen is one file with its
// handler and what its template shows, and one template in page. The pages read through
// the interface [Backend]; the server implements it with what it keeps for its API.
//
// The state of a page is in its address: filter, order, page of the list, case. Every
// link and every form works without a script; nav.js replaces a part of the page instead
// of loading all of it. Language and theme are cookies.
package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"html/template"
	"io"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/query"
	textkit "github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/html"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/store"
)

// A Backend answers what the pages show. An error with a method GetStatus has that HTTP
// status, and its text is shown.
type Backend interface {
	CallBackend
	LabBackend
	TrendBackend
	// Runs returns headers of runs with their means, and how many runs there are.
	Runs(ctx context.Context, q store.RunQuery) ([]Run, int, error)
	// Run returns a run by its full id.
	Run(ctx context.Context, id string) (Run, error)
	// Named returns the id of the run that a name, the prefix of an id or "latest" stands for.
	Named(ctx context.Context, ref string) (id string, err error)
	// RunSections returns the rendered sections of a run's report, as write makes them of
	// it. What write makes of a finished run is kept under the key.
	RunSections(ctx context.Context, h assay.Header, key string, write func(io.Writer, *report.Report) error) ([]byte, error)
	// Cases returns the cases of a run that a query selects, in an order.
	Cases(ctx context.Context, h assay.Header, q query.Query, order query.Order) (*wire.CaseList, error)
	// Comparison returns a comparison of runs, whose ids are separated by commas. baseline is
	// one of them; "" means the first.
	Comparison(ctx context.Context, runs, baseline, primary string) (Comparison, error)
	// Record returns the record of a case.
	Record(ctx context.Context, h assay.Header, caseID string) (assay.Record, error)
	// SignIn exchanges a token for the session of a browser. The error is [ErrToken] if there
	// is no such token.
	SignIn(ctx context.Context, token string) (session string, end time.Time, err error)
	// SignOut ends a session, if there is one.
	SignOut(ctx context.Context, session string) error
	SliceBackend
	DatasetBackend
	PointBackend
	StartBackend
}

// A Run is a run as lists show it.
type Run struct {
	assay.Header
	wire.Means
	// Done counts the records so far, Failed those of them without a response.
	Done, Failed int
}

// Config is the configuration of the pages.
type Config struct {
	Backend Backend
	// Language is the code of the language of readers who ask for none that there is.
	Language string
	// Tokens is set if readers must sign in.
	Tokens bool
	// Now is the clock.
	Now func() time.Time
	// Problem logs an error that is no reader's fault, and returns what the reader is told.
	Problem func(ctx context.Context, err error) error
	// Patience is how long a reader waits for a page before a page says how far it is; 0 means
	// 700 ms.
	Patience time.Duration
}

// Pages are the pages of the web interface.
type Pages struct {
	cfg    Config
	static *assets
	pages  *template.Template
	// preparing are the pages whose work goes on without a request.
	preparing *preparations
}

// A Route is a page or a file.
type Route struct {
	// Pattern is that of a [http.ServeMux].
	Pattern string
	// Open is set if the page needs no token, Label if it needs one that allows labels, Run one
	// that allows to start runs.
	Open, Label, Run bool
	Handler          http.Handler
}

//go:embed page
var templates embed.FS

// New returns the pages.
func New(cfg Config) *Pages {
	static := newAssets()
	funcs := template.FuncMap{
		"line":  document.Line,
		"lines": textkit.Visible,
		"asset": static.url,
		"dict":  dict,
	}
	parsed, err := template.New("").Funcs(funcs).ParseFS(templates, "page/*.tmpl")
	if err != nil { // the templates are inside the program
		panic(err)
	}
	if cfg.Patience == 0 {
		cfg.Patience = patience
	}
	return &Pages{cfg: cfg, static: static, pages: parsed, preparing: newPreparations()}
}

// Routes lists the routes.
func (p *Pages) Routes() []Route {
	return []Route{
		{Pattern: "GET /{$}", Handler: p.page(p.runs)},
		{Pattern: "GET /runs/{run}", Handler: p.ofRun(p.run)},
		{Pattern: "GET /runs/{run}/cases", Handler: p.ofRun(p.cases)},
		{Pattern: "GET /runs/{run}/slices", Handler: p.ofRun(p.slices)},
		{Pattern: "GET /runs/{run}/filter", Handler: p.completeAlone()},
		{Pattern: "GET /runs/{run}/cases/{case}", Handler: p.ofRun(p.oneCase)},
		{Pattern: "GET /runs/{run}/cases/{case}/calls", Handler: p.ofRun(p.calls)},
		{Pattern: "GET /compare", Handler: p.page(p.compare)},
		{Pattern: "GET /compare/case/{case}", Handler: p.page(p.comparedCase)},
		{Pattern: "GET /datasets", Handler: p.page(p.datasets)},
		{Pattern: "GET /datasets/{name}", Handler: p.page(p.dataset)},
		{Pattern: "GET /datasets/{name}/points", Handler: p.page(p.points)},
		{Pattern: "GET /datasets/{name}/points/{case}", Handler: p.page(p.editPoints)},
		{Pattern: "POST /datasets/{name}/points/{case}", Run: true, Handler: p.page(p.savePoints)},
		{Pattern: "GET /new", Handler: p.page(p.newRun)},
		{Pattern: "POST /new", Run: true, Handler: p.page(p.startRun)},
		{Pattern: "POST /runs/{run}/cancel", Run: true, Handler: p.page(p.cancelRun)},
		{Pattern: "GET /search", Handler: p.page(p.search)},
		{Pattern: "GET /trends", Handler: p.page(p.trends)},
		{Pattern: "GET /frontier", Handler: p.page(p.frontier)},
		{Pattern: "GET /judge", Handler: p.page(p.lab)},
		{Pattern: "GET /judge/{run}/{metric}", Handler: p.ofMetric(p.outcome)},
		{Pattern: "GET /judge/{run}/{metric}/label", Handler: p.ofMetric(p.label)},
		{Pattern: "POST /judge/{run}/{metric}/label", Label: true, Handler: p.ofMetric(p.saveLabel)},
		{Pattern: "GET /settings", Handler: p.page(p.settings)},
		{Pattern: "POST /settings", Handler: http.HandlerFunc(p.saveSettings)},
		{Pattern: "GET /signin", Open: true, Handler: p.page(p.signIn)},
		{Pattern: "POST /signin", Open: true, Handler: http.HandlerFunc(p.signedIn)},
		{Pattern: "POST /signout", Open: true, Handler: http.HandlerFunc(p.signOut)},
		{Pattern: "GET /static/{version}/{name}", Open: true, Handler: p.static},
	}
}

// Policy is the content security policy of every page.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; " +
	"form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types assay"

// A view is what a handler shows.
type view struct {
	// Template names the page, Title its subject.
	Template, Title string
	// Place is the page of the head that the view belongs to.
	Place string
	// Data is what the template gets as .Data.
	Data any
	// Status is the HTTP status; 0 means 200.
	Status int
	// Redirect is the address of another page to go to instead; "" for none.
	Redirect string
}

// A frame is what templates get.
type frame struct {
	reader
	view
	W    words.WebNames
	Say  words.Words
	Nav  []navigation
	Body template.HTML
	// Here is the address of the page.
	Here string
}

// A navigation is a link in the head of the page.
type navigation struct {
	Text, Href string
	Here       bool
}

// A request is a request for a page with its reader.
type request struct {
	*http.Request
	reader
	w words.Words
	// values are the parameters of the address.
	values values
}

// options are the options of reports in the reader's language.
func (r *request) options() report.Options { return report.Options{Language: r.Lang, Cases: -1} }

// page returns the handler of a page.
func (p *Pages) page(show func(*request) (view, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r := &request{Request: req, reader: p.readerOf(req), values: valuesOf(req.URL.Query())}
		r.w, _ = words.In(r.Lang)
		v, err := view{}, chosenOf(r.values)
		if err == nil {
			v, err = p.prepared(r, show)
		}
		if err != nil {
			v = p.failed(r, err)
			v.Redirect = p.named(r, v)
		}
		p.write(w, r, v)
	})
}

// ofRun returns the handler of a page about the run that its address names.
func (p *Pages) ofRun(show func(*request, Run) (view, error)) http.Handler {
	return p.page(func(r *request) (view, error) {
		one, err := p.cfg.Backend.Run(r.Context(), r.PathValue("run"))
		if err != nil {
			return view{}, err
		}
		return show(r, one)
	})
}

// named returns the address of a page that is unknown because it names a run in another way than
// by its id; "" for none.
func (p *Pages) named(r *request, v view) string {
	ref := r.PathValue("run")
	if v.Status != http.StatusNotFound || ref == "" || r.Method != http.MethodGet {
		return ""
	}
	id, err := p.cfg.Backend.Named(r.Context(), ref)
	if err != nil || id == ref {
		return ""
	}
	parts := strings.Split(r.URL.EscapedPath(), "/") // "", "runs" or "judge", the run, …
	parts[2] = url.PathEscape(id)
	address := strings.Join(parts, "/")
	if r.URL.RawQuery != "" {
		address += "?" + r.URL.RawQuery
	}
	return address
}

// partHeader names the part of a page that a script asks for.
const partHeader = "Assay-Part"

// write renders a view, or the part of it that the request asks for.
func (p *Pages) write(w http.ResponseWriter, r *request, v view) {
	head := w.Header()
	head.Set("Content-Security-Policy", Policy)
	head.Set("Vary", "Accept-Language, Cookie, "+partHeader)
	// Without it a browser sends forms with the origin "null".
	head.Set("Referrer-Policy", "same-origin")
	head.Set("Cache-Control", "no-cache, private")
	if v.Redirect != "" {
		http.Redirect(w, r.Request, v.Redirect, http.StatusSeeOther)
		return
	}
	f := frame{reader: r.reader, view: v, W: r.w.Names().WebNames, Say: r.w, Here: r.URL.RequestURI()}
	for _, one := range places {
		if one.head {
			f.Nav = append(f.Nav, navigation{one.text(r.w), one.address, v.Place == one.name})
		}
	}
	name := "page-" + v.Template
	part := "part-" + r.Header.Get(partHeader) + "-" + v.Template
	if v.Status == 0 && p.pages.Lookup(part) != nil {
		name = part
	}
	var body bytes.Buffer
	err := p.pages.ExecuteTemplate(&body, name, f)
	if err == nil && strings.HasPrefix(name, "page-") {
		f.Body = template.HTML(body.String())
		body.Reset()
		err = p.pages.ExecuteTemplate(&body, "layout", f)
	}
	if err != nil {
		_ = p.cfg.Problem(r.Context(), err)
		http.Error(w, r.w.Names().WebNames.ErrorTitle, http.StatusInternalServerError)
		return
	}
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Set("Content-Language", r.Lang)
	if v.Status != 0 {
		w.WriteHeader(v.Status)
	}
	// A reader who has gone is nobody's error.
	_, _ = w.Write(body.Bytes())
}

// dict returns a map of pairs of names and values, for a template with several arguments.
func dict(pairs ...any) map[string]any {
	out := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		out[pairs[i].(string)] = pairs[i+1]
	}
	return out
}

// The pages of the head.
const (
	placeRuns     = "runs"
	placeCompare  = "compare"
	placeTrends   = "trends"
	placeDatasets = "datasets"
	placeNew      = "new"
	placeSearch   = "search"
	placeLab      = "judge"
	placeSettings = "settings"
	placeSignIn   = "signin"
)

// failed is the page of an error.
func (p *Pages) failed(r *request, err error) view {
	n := r.w.Names().WebNames
	err = p.cfg.Problem(r.Context(), err)
	v := view{Template: "error", Title: n.ErrorTitle, Status: http.StatusInternalServerError}
	var told interface{ GetStatus() int }
	if errors.As(err, &told) {
		v.Status, v.Data = told.GetStatus(), err.Error()
	}
	return v
}

// Refuse writes the page that says why a reader may not see another.
func (p *Pages) Refuse(w http.ResponseWriter, req *http.Request, err error) {
	p.page(func(*request) (view, error) { return view{}, err }).ServeHTTP(w, req)
}

// assets are the files that pages load. Their addresses change with their content, so that
// browsers keep them.
type assets struct {
	version string
	files   map[string][]byte
}

//go:embed static
var staticFiles embed.FS

func newAssets() *assets {
	a := &assets{files: map[string][]byte{"report.css": []byte(html.Style() + html.Themes())}}
	// The files are inside the program.
	entries, _ := staticFiles.ReadDir("static")
	for _, e := range entries {
		a.files[e.Name()], _ = staticFiles.ReadFile("static/" + e.Name())
	}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(a.files)) {
		sum.Write([]byte(name))
		sum.Write(a.files[name])
	}
	a.version = hex.EncodeToString(sum.Sum(nil)[:6])
	return a
}

// url returns the address of a file.
func (a *assets) url(name string) string { return "/static/" + a.version + "/" + name }

// ServeHTTP sends a file. One of another version of the program is not there: what it
// would name could differ.
func (a *assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, ok := a.files[r.PathValue("name")]
	if !ok || r.PathValue("version") != a.version {
		http.NotFound(w, r)
		return
	}
	media := map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}
	w.Header().Set("Content-Type", media[path.Ext(r.PathValue("name"))])
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	// A reader who has gone is nobody's error.
	_, _ = w.Write(body)
}
