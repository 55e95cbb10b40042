package upload_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/target/upload"
	"github.com/assay-eval/assay/target/upload/nextcloudtest"
)

// The server was emptied and counts from the beginning again: the ids of the journal are
// those of other notes now.
func TestUploadAfterAReset(t *testing.T) {
	t.Parallel()
	docs := documents(50)
	old := nextcloudtest.New(t, time.Now)
	c := config(t, notes(t, old), docs)
	c.Concurrency = 1
	send(t, c)
	journal, err := os.ReadFile(c.Journal)
	if err != nil {
		t.Fatal(err)
	}
	for name, prepare := range map[string]func(*nextcloudtest.Server){
		"empty": func(*nextcloudtest.Server) {},
		"another order": func(s *nextcloudtest.Server) {
			for i := range docs {
				d := docs[len(docs)-1-i]
				s.Add(d.ID+" "+d.Title, "BEIR/few", d.Text)
			}
		},
		"a part": func(s *nextcloudtest.Server) {
			for _, d := range docs[20:30] {
				s.Add(d.ID+" "+d.Title, "BEIR/few", d.Text)
			}
		},
		"notes of others": func(s *nextcloudtest.Server) {
			for i := range 5 {
				s.Add(fmt.Sprintf("Recipe %d", i), "BEIR/few", fmt.Sprintf("Cook for %d minutes.", i))
			}
		},
	} {
		for _, force := range []bool{false, true} {
			t.Run(fmt.Sprint(name, force), func(t *testing.T) {
				s := nextcloudtest.New(t, time.Now)
				prepare(s)
				again := config(t, notes(t, s), docs)
				again.Force = force
				moved := bytes.ReplaceAll(journal, []byte(old.URL), []byte(s.URL))
				if err := os.WriteFile(again.Journal, moved, 0o600); err != nil {
					t.Fatal(err)
				}
				res := send(t, again)
				if res.Done() != 50 || res.Known != 0 || res.Replaced != 0 {
					t.Errorf("%+v", res)
				}
				if told := strings.Contains(strings.Join(res.Warnings, " "), "belong to other documents"); told != (name == "notes of others") {
					t.Errorf("warnings %q", res.Warnings)
				}
				for _, n := range s.Notes() {
					if strings.HasPrefix(n.Title, "Recipe") {
						if !strings.HasPrefix(n.Content, "Cook") {
							t.Errorf("somebody's note has %q", n.Content)
						}
						s.Delete(n.ID)
					}
				}
				once(t, s, docs)
				gets := s.Count(http.MethodGet)
				if res := send(t, again); res.Known != 50 || s.Count(http.MethodGet) != gets+1 {
					t.Errorf("once more: %+v, %d requests", res, s.Count(http.MethodGet)-gets)
				}
			})
		}
	}
}

// A document that was edited or renamed in the system is told, with a journal of an
// earlier version too, which has no tags.
func TestUploadTellsEdits(t *testing.T) {
	t.Parallel()
	for _, tags := range []bool{true, false} {
		s := nextcloudtest.New(t, time.Now)
		docs := documents(6)
		c := config(t, notes(t, s), docs)
		send(t, c)
		if !tags {
			text, err := os.ReadFile(c.Journal)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(c.Journal, regexp.MustCompile(`,"tag":"[^"]*"`).ReplaceAll(text, nil), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		all := s.Notes()
		s.Change(all[1].ID, func(n *nextcloudtest.Note) { n.Content = "edited" })
		s.Change(all[2].ID, func(n *nextcloudtest.Note) { n.Title = "MED-3 renamed" })
		s.Change(all[3].ID, func(n *nextcloudtest.Note) { n.Favorite = true })
		if o, err := upload.Preview(t.Context(), c); err != nil || tags && (o.Known != 3 || o.Edited != 3) || o.New != 0 {
			t.Errorf("tags %v: %v %+v", tags, err, o)
		}
		posts := s.Count(http.MethodPost)
		res := send(t, c)
		if len(res.Different) != 1 || res.Different[0].Document != "MED-2" || res.Done() != 6 || s.Count(http.MethodPost) != posts {
			t.Errorf("tags %v: %+v", tags, res)
		}
		if !strings.Contains(strings.Join(res.Warnings, " "), `"MED-3" is listed as "MED-3 renamed"`) {
			t.Errorf("tags %v: warnings %q", tags, res.Warnings)
		}
		// It stays reported until it is replaced; what is right is not read again.
		gets := s.Count(http.MethodGet)
		if res := send(t, c); len(res.Different) != 1 || res.Known != 5 || s.Count(http.MethodGet) != gets+2 {
			t.Errorf("tags %v, again: %+v, %d requests", tags, res, s.Count(http.MethodGet)-gets)
		}
		c.Force = true
		if res := send(t, c); res.Replaced != 1 {
			t.Errorf("tags %v, by force: %+v", tags, res)
		}
		if res := send(t, c); res.Known != 6 {
			t.Errorf("tags %v, after it: %+v", tags, res)
		}
	}
}
