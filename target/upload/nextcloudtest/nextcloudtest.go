// Package nextcloudtest imitates a Nextcloud server with the Notes app: its API,
// version 1.4, in memory. It treats titles, categories, chunks and version tags as the
// app does, and it can simulate server failures.
package nextcloudtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Path is the path of the API.
const Path = "/index.php/apps/notes/api/v1"

// The only account.
const (
	User     = "alice"
	Password = "app-Pa55-w0rd/+é"
)

// A Note is a stored note.
type Note struct {
	ID       int    `json:"id"`
	ETag     string `json:"etag"`
	ReadOnly bool   `json:"readonly"`
	Modified int64  `json:"modified"`
	Title    string `json:"title"`
	Category string `json:"category"`
	Content  string `json:"content"`
	Favorite bool   `json:"favorite"`
}

// A Fault is a simulated failure of a request.
type Fault struct {
	// Status is the status of the response; 0 closes the connection without a response.
	Status int
	Header http.Header
	Body   string
	// Done executes the request and loses only its reply. Half creates the note of a
	// POST and leaves it empty.
	Done, Half bool
	// Touch lets another client change all notes before the request is served.
	Touch bool
}

// A Server is a simulated Nextcloud server.
type Server struct {
	URL string
	// Room is how many bytes of content still fit; below 0 means unlimited.
	Room int
	// Old simulates version 1.0 of the API, without filter and chunks.
	Old bool

	now    func() time.Time
	mu     sync.Mutex
	notes  []*Note
	next   int
	counts map[string]int
	fault  func(r *http.Request) *Fault
}

// New starts a server that ends with the test and uses now as its clock.
func New(t testing.TB, now func() time.Time) *Server {
	s := &Server{Room: -1, now: now, next: 100, counts: map[string]int{}}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	s.URL = h.URL
	return s
}

// Fail sets the function that decides the failure of each request; nil means none. It
// is called with the lock held, one request at a time.
func (s *Server) Fail(f func(r *http.Request) *Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// Notes returns the stored notes by title.
func (s *Server) Notes() []Note {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Note
	for _, n := range s.notes {
		out = append(out, *n)
	}
	slices.SortFunc(out, func(a, b Note) int { return cmp.Compare(a.Title, b.Title) })
	return out
}

// Count returns the number of requests with a method, or of "401" responses.
func (s *Server) Count(what string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts[what]
}

// Add stores a note as another client would.
func (s *Server) Add(title, category, content string) Note {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.create(title, category)
	n.Content = content
	s.touch(n)
	return *n
}

// Change changes a note as another client would.
func (s *Server) Change(id int, change func(*Note)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.notes {
		if n.ID == id {
			change(n)
			s.touch(n)
		}
	}
}

// Delete deletes a note.
func (s *Server) Delete(id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes = slices.DeleteFunc(s.notes, func(n *Note) bool { return n.ID == id })
}

func (s *Server) touch(n *Note) {
	s.next++
	n.ETag, n.Modified = fmt.Sprintf("e%031d", s.next), s.now().Unix()
}

func (s *Server) create(title, category string) *Note {
	s.next++
	n := &Note{ID: s.next, Category: folder(category)}
	n.Title = s.unique(title, n)
	s.notes = append(s.notes, n)
	s.touch(n)
	return n
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[r.Method]++
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("X-Notes-API-Versions", "0.2, 1.4")
	var f *Fault
	if s.fault != nil {
		f = s.fault(r)
	}
	switch {
	case f == nil:
		s.serve(w, r)
		return
	case f.Touch:
		for _, n := range s.notes {
			s.touch(n)
		}
		s.serve(w, r)
		return
	case f.Done:
		s.serve(httptest.NewRecorder(), r)
	case f.Half:
		var body Note
		if r.Method == http.MethodPost && json.NewDecoder(r.Body).Decode(&body) == nil {
			s.create(body.Title, body.Category)
		}
	}
	if f.Status == 0 {
		panic(http.ErrAbortHandler)
	}
	for k, v := range f.Header {
		w.Header()[k] = v
	}
	w.WriteHeader(f.Status)
	fmt.Fprint(w, f.Body)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	user, password, ok := r.BasicAuth()
	if !ok || user != User || password != Password {
		s.counts["401"]++
		answer(w, http.StatusUnauthorized, map[string]string{"message": "Current user is not logged in"})
		return
	}
	rest, ok := strings.CutPrefix(r.URL.Path, Path+"/notes")
	id, isID := strings.CutPrefix(rest, "/")
	switch {
	case !ok:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, "<!DOCTYPE html><title>Nextcloud</title>Page not found")
	case rest == "" && r.Method == http.MethodGet:
		s.list(w, r)
	case rest == "" && r.Method == http.MethodPost:
		s.post(w, r)
	case isID:
		s.single(w, r, id)
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

func answer(w http.ResponseWriter, status int, v any) {
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client may be gone
}

// list implements "get all notes" with the parameters of version 1.2.
func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if s.Old {
		q = url.Values{"exclude": q["exclude"], "pruneBefore": q["pruneBefore"]}
	}
	excluded := strings.Split(q.Get("exclude"), ",")
	prune, _ := strconv.ParseInt(q.Get("pruneBefore"), 10, 64)
	size, _ := strconv.Atoi(q.Get("chunkSize"))
	var afterTime int64
	var afterID int
	chunked := q.Get("chunkCursor") != ""
	if chunked {
		if _, err := fmt.Sscanf(q.Get("chunkCursor"), "%d-%d", &afterTime, &afterID); err != nil {
			answer(w, http.StatusInternalServerError, map[string]string{"errorType": "cursor"})
			return
		}
	}
	var all, full []*Note
	for _, n := range s.notes {
		if q.Has("category") && n.Category != q.Get("category") {
			continue
		}
		all = append(all, n)
		before := chunked && (n.Modified < afterTime || n.Modified == afterTime && n.ID <= afterID)
		if !(prune > 0 && n.Modified < prune) && !before {
			full = append(full, n)
		}
	}
	slices.SortFunc(full, func(a, b *Note) int { return cmp.Or(cmp.Compare(a.Modified, b.Modified), cmp.Compare(a.ID, b.ID)) })
	pending := 0
	if size > 0 && size < len(full) {
		full, pending = full[:size], len(full)-size
	}
	out := []map[string]any{}
	sent := map[int]bool{}
	for _, n := range full {
		v := fields(n)
		for _, name := range excluded {
			delete(v, name)
		}
		v["id"], sent[n.ID] = n.ID, true
		out = append(out, v)
	}
	if pending > 0 {
		last := full[len(full)-1]
		w.Header().Set("X-Notes-Chunk-Cursor", fmt.Sprintf("%d-%d", last.Modified, last.ID))
		w.Header().Set("X-Notes-Chunk-Pending", strconv.Itoa(pending))
	} else {
		// The last chunk lists every note.
		for _, n := range all {
			if !sent[n.ID] {
				out = append(out, map[string]any{"id": n.ID})
			}
		}
	}
	w.Header().Set("Last-Modified", s.now().UTC().Format(http.TimeFormat))
	answer(w, http.StatusOK, out)
}

func fields(n *Note) map[string]any {
	return map[string]any{"id": n.ID, "etag": n.ETag, "readonly": n.ReadOnly, "modified": n.Modified, "title": n.Title, "category": n.Category,
		"content": n.Content, "favorite": n.Favorite}
}

// sent is the body of a request: absent fields stay unchanged.
type sent struct {
	Title, Category, Content *string
}

func (s *Server) post(w http.ResponseWriter, r *http.Request) {
	var body sent
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		answer(w, http.StatusBadRequest, map[string]string{"errorType": "body"})
		return
	}
	n := s.create(value(body.Title), value(body.Category))
	if !s.fill(n, value(body.Content)) {
		// the app removes the note again
		s.notes = slices.DeleteFunc(s.notes, func(m *Note) bool { return m == n })
		answer(w, http.StatusInsufficientStorage, map[string]string{"errorType": "OCA\\Notes\\Service\\InsufficientStorageException"})
		return
	}
	answer(w, http.StatusOK, fields(n))
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func (s *Server) fill(n *Note, content string) bool {
	if s.Room >= 0 {
		if len(content) > s.Room {
			return false
		}
		s.Room -= len(content)
	}
	n.Content = content
	s.touch(n)
	return true
}

func (s *Server) single(w http.ResponseWriter, r *http.Request, id string) {
	i := slices.IndexFunc(s.notes, func(n *Note) bool { return strconv.Itoa(n.ID) == id })
	if i < 0 {
		answer(w, http.StatusNotFound, map[string]string{"errorType": "OCA\\Notes\\Service\\NoteDoesNotExistException"})
		return
	}
	n := s.notes[i]
	switch r.Method {
	case http.MethodGet:
		answer(w, http.StatusOK, fields(n))
	case http.MethodPut:
		s.put(w, r, n)
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

func (s *Server) put(w http.ResponseWriter, r *http.Request, n *Note) {
	if match := r.Header.Get("If-Match"); match != "" && match != `"`+n.ETag+`"` {
		answer(w, http.StatusPreconditionFailed, fields(n))
		return
	}
	var body sent
	switch err := json.NewDecoder(r.Body).Decode(&body); {
	case err != nil:
		answer(w, http.StatusBadRequest, map[string]string{"errorType": "body"})
		return
	case n.ReadOnly:
		answer(w, http.StatusForbidden, map[string]string{"errorType": "OCA\\Notes\\Service\\NoteNotWritableException"})
		return
	case body.Content != nil && !s.fill(n, *body.Content):
		answer(w, http.StatusInsufficientStorage, map[string]string{"errorType": "OCA\\Notes\\Service\\InsufficientStorageException"})
		return
	}
	if body.Category != nil {
		n.Category = folder(*body.Category)
	}
	if body.Title != nil && *body.Title != n.Title {
		n.Title = s.unique(*body.Title, n)
	}
	s.touch(n)
	answer(w, http.StatusOK, fields(n))
}
