package server

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/store"
)

// sparse lets the built-in pipeline need no embedder.
func sparse(c *Config) { must(c.Settings.Set("retriever", "sparse", config.FromFile, "test")) }

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// upload sends files as a form: names and contents in turn.
func (b *bench) upload(files ...string) got {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for i := 0; i+1 < len(files); i += 2 {
		w, err := form.CreateFormFile("files", files[i])
		if err == nil {
			_, err = w.Write([]byte(files[i+1]))
		}
		if err != nil {
			b.t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		b.t.Fatal(err)
	}
	return b.do("POST", "/api/v1/documents", &body, "Content-Type", form.FormDataContentType())
}

type docs struct {
	Items []DocumentView
	Total int
}

// indexed waits until nothing is in work.
func (b *bench) indexed() {
	b.t.Helper()
	b.waits("the end of indexing", func() bool {
		l := read[docs](b.t, b.do("GET", "/api/v1/documents?limit=500", nil).want(b.t, 200))
		return !slices.ContainsFunc(l.Items, func(v DocumentView) bool { return v.State != docReady && v.State != docFailed })
	})
}

type sent struct{ name, data string }

func eventsOf(t *testing.T, g got) (out []sent) {
	t.Helper()
	if ct := g.Header.Get("Content-Type"); ct != "text/event-stream" {
		t.Fatalf("content type %q: %s", ct, g.text)
	}
	for block := range strings.SplitSeq(strings.TrimSpace(g.text), "\n\n") {
		var e sent
		for line := range strings.SplitSeq(block, "\n") {
			if v, ok := strings.CutPrefix(line, "event: "); ok {
				e.name = v
			}
			if v, ok := strings.CutPrefix(line, "data: "); ok {
				e.data = v
			}
		}
		if e.name != "" {
			out = append(out, e)
		}
	}
	return out
}

// ask asks a question and gives the events and the last of them.
func (b *bench) ask(question string) (events []sent, done queryDone) {
	b.t.Helper()
	events = eventsOf(b.t, b.do("POST", "/api/v1/query", map[string]any{"question": question}).want(b.t, 200))
	last := events[len(events)-1]
	if last.name != "done" {
		b.t.Fatalf("the last event is %+v", last)
	}
	if err := json.Unmarshal([]byte(last.data), &done); err != nil {
		b.t.Fatal(err)
	}
	return events, done
}

const (
	lampText   = "# Lamp\n\nThe lamp weighs two kilograms."
	returnText = "# Returns\n\nA lamp may be returned within 30 days."
)

func TestDocuments(t *testing.T) {
	t.Parallel()
	b := start(t, sparse)
	b.do("POST", "/api/v1/query", map[string]any{"question": "What does the lamp weigh?"}).want(t, 409)
	up := read[documentList](t, b.upload("a/b/lamp.md", lampText, `C:\returns.md`, returnText, "again.txt", lampText).want(t, 202))
	if len(up.Items) != 3 || up.Items[0].Filename != "lamp.md" || up.Items[1].Filename != "returns.md" ||
		up.Items[2].ID != up.Items[0].ID || !up.Items[2].Known || up.Items[0].Known || up.Items[0].State != docWaiting {
		t.Fatalf("%+v", up)
	}
	lamp, returns := up.Items[0].ID, up.Items[1].ID
	b.indexed()
	for _, id := range []string{lamp, returns} {
		if v := read[DocumentView](t, b.do("GET", "/api/v1/documents/"+id, nil).want(t, 200)); v.State != docReady {
			t.Errorf("%+v: want it ready", v)
		}
	}
	l := read[docs](t, b.do("GET", "/api/v1/documents?limit=1", nil).want(t, 200))
	if l.Total != 2 || len(l.Items) != 1 || l.Items[0].State != docReady {
		t.Errorf("%+v", l)
	}
	v := read[DocumentView](t, b.do("GET", "/api/v1/documents/"+lamp, nil).want(t, 200))
	if v.Title != "Lamp" || v.Length != len([]rune(lampText)) || v.Size != int64(len(lampText)) || !strings.HasPrefix(v.Hash, "sha256:") {
		t.Errorf("%+v", v)
	}
	chunks := read[struct {
		Items []documentChunk
		Total int
	}](t, b.do("GET", "/api/v1/documents/"+lamp+"/chunks", nil).want(t, 200))
	if chunks.Total != 1 || chunks.Items[0].ID != lamp+"#0" || !strings.Contains(chunks.Items[0].Text, "two kilograms") {
		t.Errorf("%+v", chunks)
	}

	// The same file later is the same document too.
	if again := read[documentList](t, b.upload("lamp.md", lampText).want(t, 202)); again.Items[0].ID != lamp || !again.Items[0].Known {
		t.Errorf("%+v", again)
	}
	b.indexed()
	_, done := b.ask("What does the lamp weigh?")
	first := done.Result.Retrieval.PerSubQuestion[0].Chunks[0].Metadata
	if done.Answer != "The lamp weighs two kilograms [1]." || first.DocumentID != lamp || first.UploadDate == nil {
		t.Errorf("%q, %+v", done.Answer, done.Result.Retrieval)
	}

	// What is deleted is found no more.
	b.do("DELETE", "/api/v1/documents/"+lamp, nil).want(t, 200)
	_, done = b.ask("What does the lamp weigh?")
	if strings.Contains(done.Answer, "kilograms") {
		t.Errorf("answer %q", done.Answer)
	}
	for _, sub := range done.Result.Retrieval.PerSubQuestion {
		for _, c := range sub.Chunks {
			if c.Metadata.DocumentID == lamp {
				t.Errorf("a chunk of a document that was deleted: %+v", c)
			}
		}
	}
	b.do("GET", "/api/v1/documents/"+lamp, nil).want(t, 404)
	b.do("GET", "/api/v1/documents/"+lamp+"/chunks", nil).want(t, 404)
	b.do("DELETE", "/api/v1/documents/"+lamp, nil).want(t, 404)
	if _, err := b.store.Item(t.Context(), kindDocumentText, lamp); err == nil {
		t.Error("the text of a document that was deleted is in the store")
	}
	b.do("DELETE", "/api/v1/documents/"+returns, nil).want(t, 200)
	b.do("POST", "/api/v1/query", map[string]any{"question": "What?"}).want(t, 409)
	// And it may come back.
	if again := read[documentList](t, b.upload("lamp.md", lampText).want(t, 202)); again.Items[0].Known {
		t.Errorf("%+v", again)
	}
	b.indexed()
	if _, done = b.ask("What does the lamp weigh?"); !strings.HasPrefix(done.Answer, "The lamp weighs") {
		t.Errorf("answer %q", done.Answer)
	}
	for _, id := range []string{"x", "..", "%2e%2e%2fa", "0192d1a8-0000-7000-8000-000000000000"} {
		b.do("GET", "/api/v1/documents/"+id+"/chunks", nil).want(t, 404)
	}
}

// Documents of the setting corpus and those that were uploaded are one corpus.
func TestDocumentsBesideCorpus(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"returns.md": returnText})
	b := start(t, sparse, func(c *Config) { must(c.Settings.Set("corpus", dir, config.FromFile, "test")) })
	b.upload("lamp.md", lampText).want(t, 202)
	b.indexed()
	_, done := b.ask("What does the lamp weigh? When may a lamp be returned?")
	if done.Answer != "The lamp weighs two kilograms [1]. A lamp may be returned within 30 days [2]." {
		t.Errorf("answer %q", done.Answer)
	}
}

func TestDocumentsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	b := start(t, sparse)
	for _, files := range [][]string{{"a.exe", "x"}, {"a.md", ""}, {"../../etc/passwd", "x"}, {".md.sh", "x"}} {
		g := b.upload(append([]string{"fine.md", lampText}, files...)...).want(t, 400)
		if !strings.Contains(g.text, "form.files[1]") {
			t.Errorf("%q: %s", files, g.text)
		}
	}
	b.do("POST", "/api/v1/documents", "{}").want(t, 415)
	var many []string
	for i := range maxFiles + 1 {
		many = append(many, fmt.Sprint(i, ".md"), fmt.Sprint("text ", i))
	}
	b.upload(many...).want(t, 400)
	if l := read[docs](t, b.do("GET", "/api/v1/documents", nil).want(t, 200)); l.Total != 0 {
		t.Errorf("%d documents are kept of uploads that were refused", l.Total)
	}

	// A small file that unpacks to a huge one is refused before it fills the
	// memory, and what is no PDF is said to be none.
	bomb := docx(t, strings.Repeat("<w:t> </w:t>", 8<<20))
	if len(bomb) > 1<<20 {
		t.Fatalf("%d bytes are no bomb", len(bomb))
	}
	up := read[documentList](t, b.upload("bomb.docx", bomb, "a.pdf", "no PDF", "blank.txt", " \n", "lamp.md", lampText).want(t, 202))
	b.indexed()
	for i, says := range []string{"more than 64 MB unpacked", "not a PDF file", "no text", ""} {
		v := read[DocumentView](t, b.do("GET", "/api/v1/documents/"+up.Items[i].ID, nil).want(t, 200))
		if want := map[bool]string{true: docReady, false: docFailed}[says == ""]; v.State != want || !strings.Contains(v.Error, says) {
			t.Errorf("%s: %+v, want %q", v.Filename, v, says)
		}
	}
	b.do("GET", "/api/v1/documents/"+up.Items[0].ID+"/chunks", nil).want(t, 409)
	if _, done := b.ask("What does the lamp weigh?"); !strings.HasPrefix(done.Answer, "The lamp weighs") {
		t.Errorf("answer %q", done.Answer)
	}
	// One that failed is tried again when it is uploaded again.
	if again := read[documentList](t, b.upload("b.pdf", "no PDF").want(t, 202)); again.Items[0].Known || again.Items[0].ID != up.Items[1].ID {
		t.Errorf("%+v", again)
	}
	b.indexed()
}

// docx makes a Word file with a body.
func docx(t *testing.T, body string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("word/document.xml")
	if err == nil {
		_, err = fmt.Fprintf(w, `<w:document xmlns:w="w"><w:body><w:p>%s</w:p></w:body></w:document>`, body)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What a server had not read when it stopped, the next one reads.
func TestDocumentsOfAnEarlierServer(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	b := startOn(t, s, sparse)
	b.server.Stop()
	b.server.Wait()
	v := DocumentView{ID: "0192d1a8-0000-7000-8000-000000000001", Filename: "lamp.md", Hash: "sha256:x", Uploaded: epoch, State: docReading}
	must(b.server.documents.putText(t.Context(), v.ID, documentText{Upload: []byte(lampText)}))
	must(b.server.documents.put(t.Context(), v))
	b.upload("returns.md", returnText).want(t, 503)

	b = startOn(t, s, sparse)
	b.indexed()
	if _, done := b.ask("What does the lamp weigh?"); !strings.HasPrefix(done.Answer, "The lamp weighs") {
		t.Errorf("answer %q", done.Answer)
	}
}

// Questions, uploads and deletions at once: every question has an answer, from
// the documents of before or of after.
func TestDocumentsWhileQuestionsAreAsked(t *testing.T) {
	t.Parallel()
	b := start(t, sparse)
	b.upload("lamp.md", lampText).want(t, 202)
	b.indexed()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 6 {
				g := b.do("POST", "/api/v1/query", map[string]any{"question": "What does the lamp weigh?"})
				if g.StatusCode != 200 || !strings.Contains(g.text, "The lamp weighs two kilograms") {
					t.Errorf("%d %s", g.StatusCode, g.text)
				}
			}
		})
	}
	for i := range 4 {
		up := read[documentList](t, b.upload(fmt.Sprint(i, ".md"), fmt.Sprint("The moon is far away. ", i)).want(t, 202))
		b.indexed()
		b.do("DELETE", "/api/v1/documents/"+up.Items[0].ID, nil).want(t, 200)
	}
	wg.Wait()
}

func TestQuery(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"returns.md": returnText, "lamp.md": lampText})
	b := start(t, sparse, func(c *Config) {
		for key, v := range map[string]string{
			"corpus": dir, "filter": "fake:", "filter-threshold": "5", "generator": "fake:", "decomposer": "rule",
		} {
			must(c.Settings.Set(key, v, config.FromFile, "test"))
		}
	})
	const asked = "What does the lamp weigh? When may a lamp be returned?"
	events, done := b.ask(asked)
	var names []string
	said := ""
	for _, e := range events {
		names = append(names, e.name)
		if e.name == "answer" {
			var piece answerEvent
			must(json.Unmarshal([]byte(e.data), &piece))
			said += piece.Text
		}
	}
	if got := strings.Join(slices.Compact(slices.Clone(names)), " "); got != "decomposed retrieved filtered answer done" {
		t.Errorf("events %q", names)
	}
	if n := strings.Count(strings.Join(names, " "), "retrieved"); n != 2 {
		t.Errorf("%d events of retrieval, want one for each sub-question", n)
	}
	if said != done.Answer || said == "" {
		t.Errorf("the pieces are %q, the answer is %q", said, done.Answer)
	}
	// Evaluated is what is served: the same question through accuracy testing has
	// the same stages.
	r := read[accuracy.Result](t, b.do("POST", "/api/v1/test/generate/text", map[string]any{"question": asked, "profile": "A"}).want(t, 200))
	served := done.Result.ModelReplies
	if served.Total == 0 || r.ModelReplies.Total != served.Total || r.ModelReplies.Cached != served.Total {
		t.Errorf("%+v, then %+v: want the same replies, kept", served, r.ModelReplies)
	}
	same := func(r accuracy.Result) string {
		r.ModelReplies = accuracy.ModelReplies{}
		r.ResultID, r.CreatedAt, r.Timing = "", epoch, accuracy.Timing{}
		r.Retrieval.RetrieverTimeMS, r.Filtered.FilterTimeMS, r.Response.GenerateTimeMS = 0, 0, 0
		text, err := json.Marshal(r)
		must(err)
		return string(text)
	}
	if same(r) != same(done.Result) {
		t.Errorf("evaluated\n%s\nserved\n%s", same(r), same(done.Result))
	}
	var trace assay.Trace
	if err := json.Unmarshal(done.Trace.RawMessage, &trace); err != nil || len(trace.Stages) < 6 || done.Result.Prompts.GeneratePrompt == "" {
		t.Errorf("trace %+v", done.Trace)
	}
	h := read[struct {
		Items []queryView
		Total int
	}](t, b.do("GET", "/api/v1/query/history", nil).want(t, 200))
	if h.Total != 1 || h.Items[0].QueryID != done.QueryID || h.Items[0].Question != asked || h.Items[0].Answer != done.Answer ||
		len(h.Items[0].Sources) == 0 || h.Items[0].Prompts.FilterPrompt == "" {
		t.Errorf("%+v", h)
	}
	for _, body := range []map[string]any{
		{}, {"question": " "}, {"question": "q", "profile": "nobody"}, {"question": "q", "target": "nowhere"},
		{"question": "q", "audio": map[string]any{"filename": "a.wav", "content": ""}}, {"quesion": "q"},
	} {
		b.do("POST", "/api/v1/query", body).want(t, http.StatusBadRequest)
	}
	b.do("POST", "/api/v1/query", map[string]any{"audio": map[string]any{"filename": "a.wav", "content": "AAAA"}}).want(t, 503)
}

// A stage that fails is the last event, and nothing stands for an answer.
func TestQueryFails(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"lamp.md": lampText, "bad.yaml": "rules:\n  - when: {operation: filter}\n    reply: {scores: []}\n"})
	b := start(t, sparse, func(c *Config) {
		for key, v := range map[string]string{"corpus": dir, "filter": "fake:" + filepath.Join(dir, "bad.yaml")} {
			must(c.Settings.Set(key, v, config.FromFile, "test"))
		}
	})
	events := eventsOf(t, b.do("POST", "/api/v1/query", map[string]any{"question": "What does the lamp weigh?"}).want(t, 200))
	last := events[len(events)-1]
	if last.name != "error" || !strings.Contains(last.data, "no score for chunk 1") || !strings.Contains(last.data, `"status":502`) {
		t.Errorf("%+v", events)
	}
	for _, e := range events {
		if e.name == "answer" {
			t.Errorf("%+v", e)
		}
	}
	if h := read[docs](t, b.do("GET", "/api/v1/query/history", nil).want(t, 200)); h.Total != 0 {
		t.Errorf("%d questions are kept", h.Total)
	}
}

func TestPieces(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "one", "One [1]. Two! 三。四？\n\n## Five\nsix ", "  lead"} {
		if got := strings.Join(pieces(s), ""); got != s {
			t.Errorf("%q: %q", s, got)
		}
	}
}

// lockedRandom is a random source for many at once.
type lockedRandom struct {
	mu   sync.Mutex
	from io.Reader
}

func (r *lockedRandom) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.from.Read(p)
}
