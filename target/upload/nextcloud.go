package upload

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/target"
)

// The kinds of system.
const (
	KindNextcloud = "nextcloud"
	KindHTTP      = "http"
	KindMCP       = "mcp"
)

// Kinds lists the kinds of system.
func Kinds() []string { return []string{KindNextcloud, KindHTTP, KindMCP} }

// notesPath is the path of the Notes API, version 1.
const notesPath = "/index.php/apps/notes/api/v1"

// notesChunk is how many notes are listed per request.
const notesChunk = 1000

// NextcloudConfig describes the account in which documents become notes.
type NextcloudConfig struct {
	// Endpoint is the address of Nextcloud or of its Notes API.
	Endpoint string
	User     string
	Password secret.Secret
	// Category is the folder of the notes, with "/" between its parts; "" for none.
	Category string
	// Header is sent with every request.
	Header  http.Header
	Secrets secret.Set
	// Client makes the calls; nil is http.DefaultClient.
	Client *http.Client
	Now    func() time.Time
}

// Nextcloud is the Notes app of a Nextcloud server. A document becomes a note whose
// title begins with the document's id.
type Nextcloud struct {
	*client
	c     NextcloudConfig
	place Destination

	mu sync.Mutex
	// since is the server's time at the first listing.
	since time.Time
}

// NewNextcloud checks the configuration and calls nothing.
func NewNextcloud(c NextcloudConfig) (*Nextcloud, error) {
	if c.User == "" || c.Password.Empty() {
		return nil, errors.New("nextcloud: needs a user and an app password")
	}
	if strings.Contains(c.User, ":") {
		return nil, fmt.Errorf("user %q: contains a colon, which basic authentication cannot send", c.User)
	}
	for part := range strings.SplitSeq(c.Category, "/") {
		if fixed := fileName(part, maxNameRunes, maxNameBytes); fixed != part || part == "" && c.Category != "" {
			return nil, fmt.Errorf("category %q: Notes would change %q to %q: expected names without dots and spaces at the ends and without %s",
				c.Category, part, fixed, strings.ReplaceAll(illegal, "/", ""))
		}
	}
	secrets := append(secret.Set{c.Password}, c.Secrets...)
	cl, err := newClient(c.Endpoint, c.Header, c.Client, secrets, c.Now)
	if err != nil {
		return nil, err
	}
	cl.auth = secret.New("Basic " + base64.StdEncoding.EncodeToString([]byte(c.User+":"+c.Password.Value())))
	p := strings.TrimRight(cl.base.Path, "/")
	if !strings.HasSuffix(p, "/apps/notes/api/v1") {
		p = strings.TrimSuffix(p, "/index.php") + notesPath
	}
	cl.base.Path, cl.base.RawQuery = p, ""
	into := "notes of " + c.User
	if c.Category != "" {
		into += " in " + c.Category
	}
	return &Nextcloud{c: c, client: cl, place: Destination{KindNextcloud, cl.base.String(), into}}, nil
}

// Destination returns the address, the user and the category.
func (n *Nextcloud) Destination() Destination { return n.place }

// Naming puts the id first: it makes titles unique, as Notes requires, survives the
// truncation of a title, and can be read back from it.
func (n *Nextcloud) Naming() (template string, files bool) { return "{{id}} {{title}}", true }

// Body returns a note.
func (n *Nextcloud) Body(it Item) (any, error) {
	return map[string]any{"title": it.Name, "content": it.Text, "category": n.c.Category}, nil
}

// Show returns the request that creates a note.
func (n *Nextcloud) Show(it Item) (string, error) {
	return show(n, n.client, http.MethodPost, n.notes(""), nil, it)
}

func (n *Nextcloud) notes(id string) string { return n.client.base.JoinPath("notes", id).String() }

// A note is the JSON form of a note.
type note struct {
	ID       json.Number `json:"id"`
	ETag     string      `json:"etag"`
	Title    *string     `json:"title"`
	Category string      `json:"category"`
	Content  *string     `json:"content"`
	// Error is set if the server could not read the file.
	Error bool `json:"error"`
}

func (n note) remote() Remote { return Remote{ID: n.ID.String(), Name: *n.Title, Tag: n.ETag} }

// as decodes a value into a typed one.
func as(v, into any) error {
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil || v == nil {
		return target.Errorf(target.Reply, "reply is not one of Nextcloud Notes: %.200s", data)
	}
	return nil
}

// List returns the notes of the category.
func (n *Nextcloud) List(ctx context.Context) ([]Remote, error) {
	var out []Remote
	q := url.Values{"chunkSize": {strconv.Itoa(notesChunk)}}
	for {
		got, more, err := n.list(ctx, q)
		if err != nil {
			return nil, err
		}
		out = append(out, got...)
		if more == "" {
			return out, nil
		}
		if more == q.Get("chunkCursor") {
			return nil, target.Errorf(target.Reply, "the list of notes does not end: the cursor %q came twice", more)
		}
		q.Set("chunkCursor", more)
	}
}

// Recent returns the notes of the category that changed since the first listing.
func (n *Nextcloud) Recent(ctx context.Context) ([]Remote, error) {
	n.mu.Lock()
	since := n.since
	n.mu.Unlock()
	if since.IsZero() {
		return n.List(ctx)
	}
	got, _, err := n.list(ctx, url.Values{"pruneBefore": {strconv.FormatInt(since.Unix(), 10)}})
	return got, err
}

func (n *Nextcloud) list(ctx context.Context, q url.Values) (out []Remote, more string, err error) {
	q.Set("exclude", "content")
	q.Set("category", n.c.Category)
	got, err := n.client.call(ctx, http.MethodGet, n.notes("")+"?"+q.Encode(), nil, nil)
	if err != nil {
		return nil, "", n.judge(err)
	}
	var list []note
	if err := as(got.value, &list); err != nil {
		return nil, "", err
	}
	for _, one := range list {
		// The last chunk repeats all notes with only their ids. API versions before 1.1
		// have no filter.
		if one.Title != nil && one.Category == n.c.Category {
			out = append(out, one.remote())
		}
	}
	if at, err := http.ParseTime(got.header.Get("Last-Modified")); err == nil {
		n.mu.Lock()
		if n.since.IsZero() {
			n.since = at
		}
		n.mu.Unlock()
	}
	return out, got.header.Get("X-Notes-Chunk-Cursor"), nil
}

// Read returns a note and its text.
func (n *Nextcloud) Read(ctx context.Context, id string) (Remote, string, error) {
	got, err := n.client.call(ctx, http.MethodGet, n.notes(id), nil, nil)
	if statusOf(err) == http.StatusNotFound {
		return Remote{}, "", ErrGone
	}
	if err != nil {
		return Remote{}, "", n.judge(err)
	}
	one, err := n.one(got.value)
	if err != nil {
		return Remote{}, "", err
	}
	if one.Content == nil || one.Error {
		return Remote{}, "", target.Errorf(target.Failed, "note %s cannot be read by the server", id)
	}
	return one.remote(), *one.Content, nil
}

// one decodes a reply that holds one note.
func (n *Nextcloud) one(v any) (note, error) {
	var one note
	if err := as(v, &one); err != nil {
		return note{}, err
	}
	if one.ID == "" || one.Title == nil {
		return note{}, target.Errorf(target.Reply, "reply is not a note: it has no id or no title")
	}
	return one, nil
}

// Put creates a note.
func (n *Nextcloud) Put(ctx context.Context, it Item) (Remote, error) {
	r, err := n.write(ctx, http.MethodPost, "", nil, it)
	return r, n.judge(err)
}

// Replace changes a note unless another client has changed it in the meantime.
func (n *Nextcloud) Replace(ctx context.Context, r Remote, it Item) (Remote, error) {
	header := http.Header{}
	if r.Tag != "" {
		header.Set("If-Match", `"`+r.Tag+`"`)
	}
	now, err := n.write(ctx, http.MethodPut, r.ID, header, it)
	switch statusOf(err) {
	case http.StatusNotFound:
		return Remote{}, ErrGone
	case http.StatusForbidden:
		return Remote{}, &RefusedError{fmt.Errorf("note %s is read-only: %w", r.ID, err)}
	case http.StatusPreconditionFailed:
		return Remote{}, &RefusedError{fmt.Errorf("note %s was changed by another client in the meantime", r.ID)}
	}
	return now, n.judge(err)
}

// write sends a note and returns it as it is now.
func (n *Nextcloud) write(ctx context.Context, method, id string, header http.Header, it Item) (Remote, error) {
	body, err := n.Body(it)
	if err != nil {
		return Remote{}, err
	}
	got, err := n.client.call(ctx, method, n.notes(id), header, body)
	if err != nil {
		return Remote{}, err
	}
	one, err := n.one(got.value)
	if err != nil {
		return Remote{}, err
	}
	return one.remote(), nil
}

// judge classifies an error: does it end the whole upload?
func (n *Nextcloud) judge(err error) error {
	switch statusOf(err) {
	case http.StatusLocked:
		// Another client is writing the file, which is temporary.
		return &target.Error{Kind: target.Status, Status: http.StatusLocked, Again: true, Err: err}
	case http.StatusInsufficientStorage:
		return &FatalError{fmt.Errorf("no space is left for the notes of %q: %w", n.c.User, err)}
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return &FatalError{fmt.Errorf("no Notes app at %s: %w", n.place.Endpoint, err)}
	}
	return judge(err)
}

// judge classifies an HTTP error: it ends the whole upload if a person has to change
// something first.
func judge(err error) error {
	var known *target.Error
	if !errors.As(err, &known) || known.Status == 0 {
		return err
	}
	switch s := known.Status; {
	case s < 400, s == http.StatusUnauthorized, s == http.StatusForbidden, s == http.StatusNotFound,
		s == http.StatusMethodNotAllowed, s == http.StatusProxyAuthRequired, s == http.StatusInsufficientStorage:
		return &FatalError{err}
	case !known.Again:
		return &RefusedError{err}
	}
	return err
}
