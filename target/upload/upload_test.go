package upload_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/target/upload"
	"github.com/assay-eval/assay/target/upload/nextcloudtest"
)

func notes(t *testing.T, s *nextcloudtest.Server) *upload.Nextcloud {
	t.Helper()
	n, err := upload.NewNextcloud(upload.NextcloudConfig{
		Endpoint: s.URL, User: nextcloudtest.User, Password: secret.New(nextcloudtest.Password), Category: "BEIR/few", Now: time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	return n
}

// config is that of an upload that does not wait.
func config(t *testing.T, s upload.Sink, docs []assay.Document) upload.Config {
	t.Helper()
	c := upload.Defaults()
	c.Sink, c.Documents, c.Journal, c.Now = s, docs, filepath.Join(t.TempDir(), "journal.jsonl"), time.Now
	c.Secrets = secret.Set{secret.New(nextcloudtest.Password)}
	c.Sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	return c
}

func documents(n int) []assay.Document {
	var docs []assay.Document
	for i := range n {
		docs = append(docs, assay.Document{ID: fmt.Sprintf("MED-%d", i+1), Title: fmt.Sprintf("Title of %d", i+1), Text: fmt.Sprintf("text %d\n",
			i+1)})
	}
	return docs
}

// once checks that every document is in the server exactly once.
func once(t *testing.T, s *nextcloudtest.Server, docs []assay.Document) {
	t.Helper()
	want := map[string]string{}
	for _, d := range docs {
		want[d.ID] = d.Text
	}
	got := map[string]string{}
	for _, n := range s.Notes() {
		id, _, _ := strings.Cut(n.Title, " ")
		if _, twice := got[id]; twice {
			t.Errorf("%q is there twice", id)
		}
		got[id] = n.Content
		if n.Category != "BEIR/few" {
			t.Errorf("%q is in %q", n.Title, n.Category)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("what is there (-want +got):\n%s", d)
	}
}

func send(t *testing.T, c upload.Config) upload.Result {
	t.Helper()
	res, err := upload.Upload(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func readJournal(t *testing.T, path string) upload.Journal {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	j, err := upload.ReadJournal(f, "journal")
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestUpload(t *testing.T) {
	t.Parallel()
	s := nextcloudtest.New(t, time.Now)
	docs := documents(30)
	docs[3].Text = ""                             // an empty document
	docs[4].Text = strings.Repeat("5 MB. ", 1e6)  // a large one
	docs[6].Title = docs[5].Title                 // the same title
	docs[7].Title = `a/b\c: "d" <e> *f* |g| h? i` // what files cannot be called
	docs[8].Title = strings.Repeat("長い題名", 60)
	c := config(t, notes(t, s), docs)
	res := send(t, c)
	if res.Added != 30 || res.Done() != 30 || len(res.Warnings) != 0 {
		t.Errorf("result %+v", res)
	}
	once(t, s, docs)
	posts := s.Count(http.MethodPost)
	// The same again: nothing is sent, nothing is read.
	if res := send(t, c); res.Known != 30 || s.Count(http.MethodPost) != posts || s.Count(http.MethodPut) != 0 {
		t.Errorf("again: %+v, %d posts", res, s.Count(http.MethodPost)-posts)
	}
	// Without its journal, the system itself tells what it has.
	lost := c
	lost.Journal = filepath.Join(t.TempDir(), "other.jsonl")
	if res := send(t, lost); res.Found != 30 || s.Count(http.MethodPost) != posts {
		t.Errorf("without the journal: %+v, %d posts", res, s.Count(http.MethodPost)-posts)
	}
	once(t, s, docs)
	for _, j := range []upload.Journal{readJournal(t, c.Journal), readJournal(t, lost.Journal)} {
		m := j.DocumentMap()
		for _, n := range s.Notes() {
			id, _, _ := strings.Cut(n.Title, " ")
			if m[fmt.Sprint(n.ID)] != id || m[n.Title] != id {
				t.Errorf("note %d %q is mapped to %q and %q", n.ID, n.Title, m[fmt.Sprint(n.ID)], m[n.Title])
			}
		}
		if len(m) != 60 {
			t.Errorf("the map has %d entries, want an id and a title for each of 30", len(m))
		}
	}
}

func TestUploadChanges(t *testing.T) {
	t.Parallel()
	s := nextcloudtest.New(t, time.Now)
	docs := documents(6)
	c := config(t, notes(t, s), docs)
	theirs := s.Add("MED-1 Title of 1", "BEIR/few", "somebody else's")
	s.Add("MED-2 Title of 2", "BEIR/few", docs[1].Text)
	s.Add("MED-3 Title of 3", "BEIR/few", "") // a server died here
	s.Add("MED-4 Title of 4", "other", "another folder is none of ours")
	res := send(t, c)
	if res.Added != 3 || res.Found != 1 || res.Replaced != 1 || len(res.Different) != 1 || res.Different[0].Document != "MED-1" ||
		res.Done() != 6 {
		t.Errorf("result %+v", res)
	}
	if j := readJournal(t, c.Journal); j.DocumentMap()[fmt.Sprint(theirs.ID)] != "MED-1" {
		t.Error("the id of what is left alone is not noted")
	}
	// It stays reported until something is done about it.
	if res := send(t, c); res.Known != 5 || len(res.Different) != 1 {
		t.Errorf("again: %+v", res)
	}
	c.Documents[4].Text = "newer"
	if res := send(t, c); res.Known != 4 || len(res.Different) != 2 {
		t.Errorf("a document has changed: %+v", res)
	}
	// A note that was deleted comes back.
	for _, n := range s.Notes() {
		if n.Title == "MED-6 Title of 6" {
			s.Delete(n.ID)
		}
	}
	c.Force = true
	if res := send(t, c); res.Known != 3 || res.Replaced != 2 || res.Added != 1 {
		t.Errorf("by force: %+v", res)
	}
	if res := send(t, c); res.Known != 6 {
		t.Errorf("after it: %+v", res)
	}
	for _, n := range s.Notes() {
		if n.Category == "other" {
			s.Delete(n.ID)
		}
	}
	once(t, s, c.Documents)
}

// TestUploadOldServer has one that lists every folder, in one piece.
func TestUploadOldServer(t *testing.T) {
	t.Parallel()
	s := nextcloudtest.New(t, time.Now)
	s.Old = true
	docs := documents(3)
	theirs := s.Add("MED-1 Title of 1", "other", docs[0].Text)
	c := config(t, notes(t, s), docs)
	if res := send(t, c); res.Added != 3 {
		t.Errorf("result %+v", res)
	}
	if res := send(t, c); res.Known != 3 {
		t.Errorf("again: %+v", res)
	}
	s.Delete(theirs.ID)
	once(t, s, docs)
}

func TestUploadReadOnly(t *testing.T) {
	t.Parallel()
	s := nextcloudtest.New(t, time.Now)
	docs := documents(2)
	n := s.Add("MED-1 Title of 1", "BEIR/few", "old")
	s.Change(n.ID, func(n *nextcloudtest.Note) { n.ReadOnly = true })
	c := config(t, notes(t, s), docs)
	c.Force = true
	res := send(t, c)
	if res.Added != 1 || len(res.Refused) != 1 || !strings.Contains(res.Refused[0].Reason, "read-only") {
		t.Errorf("result %+v", res)
	}
	// Somebody else writes between the reading and the replacing.
	s.Change(n.ID, func(n *nextcloudtest.Note) { n.ReadOnly = false })
	s.Fail(func(r *http.Request) *nextcloudtest.Fault {
		if r.Method == http.MethodPut {
			return &nextcloudtest.Fault{Touch: true}
		}
		return nil
	})
	if res := send(t, c); len(res.Refused) != 1 || !strings.Contains(res.Refused[0].Reason, "changed by another client") {
		t.Errorf("result %+v", res)
	}
}

// TestUploadRefused has a few documents refused: all others are there, and the
// same command tries those again.
func TestUploadRefused(t *testing.T) {
	t.Parallel()
	s := nextcloudtest.New(t, time.Now)
	docs := documents(50)
	for _, i := range []int{10, 20, 21, 22, 23, 24, 25, 26} {
		docs[i].Text = strings.Repeat("too large ", 200)
	}
	s.Fail(func(r *http.Request) *nextcloudtest.Fault {
		if r.ContentLength > 2000 {
			return &nextcloudtest.Fault{Status: 413, Body: "too large"}
		}
		return nil
	})
	c := config(t, notes(t, s), docs)
	c.Concurrency = 1
	res := send(t, c)
	if res.Added != 42 || len(res.Refused) != 8 ||
		res.Refused[0] != (upload.Note{Document: "MED-11", Reason: "status 413 Request Entity Too Large: too large"}) {
		t.Errorf("result %+v", res)
	}
	s.Fail(nil)
	if res := send(t, c); res.Known != 42 || res.Added != 8 {
		t.Errorf("again: %+v", res)
	}
	once(t, s, docs)
}

// TestUploadStops stops in the middle: what is in flight is finished and kept.
func TestUploadStops(t *testing.T) {
	t.Parallel()
	s := nextcloudtest.New(t, time.Now)
	docs := documents(200)
	stop := make(chan struct{})
	c := config(t, notes(t, s), docs)
	c.Stop = stop
	stopped := false
	c.Progress = func(what string, done, _ int) {
		if what == "uploading" && done >= 20 && !stopped {
			stopped = true
			close(stop)
		}
	}
	res, err := upload.Upload(context.Background(), c)
	if !errors.Is(err, upload.ErrStopped) || res.Added < 20 || res.Added > 40 {
		t.Errorf("%v: %+v", err, res)
	}
	if got := len(s.Notes()); got != res.Added {
		t.Errorf("%d notes are there, and %d are counted", got, res.Added)
	}
	c.Stop = nil
	if again := send(t, c); again.Known != res.Added || again.Added != 200-res.Added || again.Found != 0 {
		t.Errorf("again: %+v", again)
	}
	once(t, s, docs)
}

func TestUploadRate(t *testing.T) {
	t.Parallel()
	s := nextcloudtest.New(t, time.Now)
	c := config(t, notes(t, s), documents(20))
	c.Rate, c.Concurrency = 200, 8
	start := time.Now()
	send(t, c)
	// 21 requests, the first at once: at least 20 intervals of 5 ms.
	if took := time.Since(start); took < 100*time.Millisecond {
		t.Errorf("21 requests at 200 a second took %v", took)
	}
}

func TestUploadWaits(t *testing.T) {
	t.Parallel()
	s := nextcloudtest.New(t, time.Now)
	n := 0
	s.Fail(func(r *http.Request) *nextcloudtest.Fault {
		if n++; r.Method == http.MethodPost && n < 5 {
			return &nextcloudtest.Fault{Status: 429, Header: http.Header{"Retry-After": {"40"}}}
		}
		return nil
	})
	c := config(t, notes(t, s), documents(1))
	c.Retries = 5
	var waits []time.Duration
	c.Sleep = func(_ context.Context, d time.Duration) error {
		waits = append(waits, d)
		return nil
	}
	send(t, c)
	if len(waits) != 3 {
		t.Fatalf("waits %v", waits)
	}
	// What is asked for, and up to a quarter of 1, 2, 4 s more: not all at once.
	if waits[0] == waits[1] && waits[1] == waits[2] {
		t.Errorf("waits %v", waits)
	}
	for i, most := range []time.Duration{250, 500, 1000} {
		if extra := waits[i] - 40*time.Second; extra < 0 || extra > most*time.Millisecond {
			t.Errorf("wait %d is %v", i+1, waits[i])
		}
	}
	n, c.MaxWait, waits = 1, 39*time.Second, nil
	c.Documents = documents(2)
	res, err := upload.Upload(context.Background(), c)
	if err != nil || len(waits) != 0 || len(res.Refused) != 1 || !strings.Contains(res.Refused[0].Reason,
		"asks for a wait of 40s; the maximum is 39s") {
		t.Errorf("%v, %v: %+v", err, waits, res)
	}
}

func TestUploadDocuments(t *testing.T) {
	t.Parallel()
	s := nextcloudtest.New(t, time.Now)
	for want, docs := range map[string][]assay.Document{
		"document 2: no id":         {{ID: "a"}, {Text: "b"}},
		`document "a" occurs twice`: {{ID: "a"}, {ID: "b"}, {ID: "a"}},
		`title of document "a": `:   {{ID: "a"}},
	} {
		c := config(t, notes(t, s), docs)
		if strings.HasPrefix(want, "title") {
			c.Title = "{{nothing}}"
		}
		if _, err := upload.Upload(context.Background(), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v: want %s", err, want)
		}
	}
	if s.Count("GET")+s.Count("POST") != 0 {
		t.Error("the system was asked")
	}
}

// TestSecrets has a server repeat the password wherever it can.
func TestSecrets(t *testing.T) {
	t.Parallel()
	s := nextcloudtest.New(t, time.Now)
	n := 0
	s.Fail(func(r *http.Request) *nextcloudtest.Fault {
		if r.Method != http.MethodPost {
			return nil
		}
		n++
		if n%2 == 0 {
			return &nextcloudtest.Fault{Status: 413, Body: r.Header.Get("Authorization") + " is " + nextcloudtest.Password}
		}
		return &nextcloudtest.Fault{Status: 200, Body: fmt.Sprintf(`{"id": %d, "title": %q}`, n, "t "+nextcloudtest.Password)}
	})
	c := config(t, notes(t, s), documents(10))
	c.Concurrency = 1
	res, err := upload.Upload(context.Background(), c)
	data, readErr := os.ReadFile(c.Journal)
	said := fmt.Sprintf("%+v %v %s", res, err, data)
	if readErr != nil || res.Added != 5 || len(res.Refused) != 5 || !strings.Contains(said, "[secret]") {
		t.Errorf("%v: %s", readErr, said)
	}
	o, err := upload.Preview(context.Background(), c)
	said += fmt.Sprintf("%+v %v %v %#v", o, err, c.Sink, c)
	basic := base64.StdEncoding.EncodeToString([]byte(nextcloudtest.User + ":" + nextcloudtest.Password))
	for _, bad := range []string{nextcloudtest.Password, basic} {
		if strings.Contains(said, bad) {
			t.Errorf("the password is shown: %s", said)
		}
	}
}

func TestPreview(t *testing.T) {
	t.Parallel()
	s := nextcloudtest.New(t, time.Now)
	docs := documents(10)
	s.Add("MED-1 Title of 1", "BEIR/few", "other")
	c := config(t, notes(t, s), docs)
	o, err := upload.Preview(context.Background(), c)
	if err != nil || o.Documents != 10 || o.Listed != 1 || o.New != 9 || s.Count("POST") != 0 {
		t.Errorf("%v: %+v", err, o)
	}
	if _, err := os.Stat(c.Journal); !os.IsNotExist(err) {
		t.Error("a journal was made")
	}
	for _, want := range []string{"POST " + s.URL + nextcloudtest.Path + "/notes\n", "Authorization: [secret]\n",
		`"title": "MED-2 Title of 2"`, `"category": "BEIR/few"`} {
		if !strings.Contains(o.Request, want) {
			t.Errorf("the request has no %q:\n%s", want, o.Request)
		}
	}
	send(t, c)
	c.Documents[5].Text = "newer"
	if o, err = upload.Preview(context.Background(), c); err != nil || o.Known != 8 || o.Changed != 2 || o.New != 0 {
		t.Errorf("%v: %+v", err, o)
	}
}

// TestUploadSciFact uploads a real corpus, all of its 5,183 documents.
func TestUploadSciFact(t *testing.T) {
	t.Parallel()
	d, err := dataset.Load(context.Background(), requiretest.Shared(t, "data/retrieval/scifact"), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	docs, err := d.Documents(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	s := nextcloudtest.New(t, time.Now)
	c := config(t, notes(t, s), docs)
	c.Concurrency = 32
	start := time.Now()
	res := send(t, c)
	if res.Added != 5183 || len(res.Warnings) != 0 {
		t.Errorf("result: %d added, warnings %q", res.Added, res.Warnings[:min(3, len(res.Warnings))])
	}
	t.Logf("%d documents in %v", res.Added, time.Since(start))
	once(t, s, docs)
	gets := s.Count(http.MethodGet)
	if res := send(t, c); res.Known != 5183 || s.Count(http.MethodGet)-gets != 6 {
		// 5183 notes in chunks of 1000.
		t.Errorf("again: %d known, listed with %d requests", res.Known, s.Count(http.MethodGet)-gets)
	}
}
