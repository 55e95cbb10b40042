package upload_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/target/upload"
	"github.com/assay-eval/assay/target/upload/nextcloudtest"
)

// TestUploadFailures has a server fail at random, before, in the middle of and
// after what it is asked for: every document is there exactly once.
func TestUploadFailures(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		s := nextcloudtest.New(t, time.Now)
		rng := rand.New(rand.NewPCG(seed, 4))
		faults := map[string]int{}
		s.Fail(func(r *http.Request) *nextcloudtest.Fault {
			all := []struct {
				name string
				f    nextcloudtest.Fault
			}{
				{"throttled", nextcloudtest.Fault{Status: 429, Header: http.Header{"Retry-After": {"7"}}}},
				{"locked", nextcloudtest.Fault{Status: 423}},
				{"maintenance", nextcloudtest.Fault{Status: 503, Body: "<html>maintenance</html>"}},
				{"closed", nextcloudtest.Fault{}},
				{"reply lost", nextcloudtest.Fault{Done: true}},
				{"gateway timeout", nextcloudtest.Fault{Status: 504, Done: true}},
				{"dead in the middle", nextcloudtest.Fault{Half: true}},
				{"no JSON", nextcloudtest.Fault{Status: 200, Body: "<html>", Done: true}},
			}
			if rng.Float64() > 0.3 {
				return nil
			}
			one := all[rng.IntN(len(all))]
			faults[r.Method+" "+one.name]++
			return &one.f
		})
		docs := documents(120)
		c := config(t, notes(t, s), docs)
		// An attempt after a lost reply makes up to three requests (find, read, replace), so
		// that two of three attempts fail: with 60 retries a document is refused once in
		// 10 billion.
		c.Retries, c.Seed = 60, seed
		res := send(t, c)
		if res.Done() != 120 || len(res.Different) != 0 {
			t.Errorf("seed %d: %+v", seed, res)
		}
		once(t, s, docs)
		if len(faults) < 12 {
			t.Errorf("seed %d: only these faults happened: %v", seed, faults)
		}
		if len(res.Warnings) != 0 {
			t.Errorf("seed %d: warnings %q", seed, res.Warnings)
		}
		if got := len(readJournal(t, c.Journal).DocumentMap()); got != 240 {
			t.Errorf("seed %d: the map has %d entries", seed, got)
		}
	}
}

// TestUploadLateDouble has a server carry out a request after its repetition:
// what came twice is told.
func TestUploadLateDouble(t *testing.T) {
	t.Parallel()
	s := nextcloudtest.New(t, time.Now)
	docs := documents(3)
	var first bool
	s.Fail(func(r *http.Request) *nextcloudtest.Fault {
		if r.Method == http.MethodPost && !first {
			first = true
			return &nextcloudtest.Fault{Status: 504}
		}
		return nil
	})
	c := config(t, notes(t, s), docs)
	c.Concurrency = 1
	done := 0
	c.Progress = func(what string, n, total int) {
		if what == "uploading" && n == 3 && done == 0 {
			done = n
			s.Add("MED-1 Title of 1", "BEIR/few", docs[0].Text)
			s.Add("none of ours", "BEIR/few", "")
		}
	}
	res := send(t, c)
	if len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], `document "MED-1" exists twice: "MED-1 Title of 1 (2)"`) {
		t.Errorf("warnings %q", res.Warnings)
	}
}

func TestUploadEnds(t *testing.T) {
	t.Parallel()
	status := func(method string, f nextcloudtest.Fault) func(*http.Request) *nextcloudtest.Fault {
		return func(r *http.Request) *nextcloudtest.Fault {
			if r.Method != method {
				return nil
			}
			return &f
		}
	}
	for _, test := range []struct {
		name   string
		fail   func(*http.Request) *nextcloudtest.Fault
		status int
		want   string
		posts  int
	}{
		{"forbidden", status("POST", nextcloudtest.Fault{Status: 403}), 403, "status 403 Forbidden", 1},
		{"full", status("POST", nextcloudtest.Fault{Status: 507}), 507, `no space is left for the notes of "alice"`, 1},
		{"redirect", status("POST", nextcloudtest.Fault{Status: 301, Header: http.Header{"Location": {"https://elsewhere/"}}}), 301,
			`redirects to "https://elsewhere/"`, 1},
		{"no such app", status("GET", nextcloudtest.Fault{Status: 404, Body: "<html>"}), 404, "no Notes app at ", 0},
		{"a page", status("GET", nextcloudtest.Fault{Status: 200, Body: "<html>log in</html>"}), 0,
			`listing the existing documents: reply is not JSON: "<html>log in</html>"`, 0},
		{"down", status("POST", nextcloudtest.Fault{Status: 502}), 502, "5 documents failed in a row, the last with: status 502", 20},
		{"refuses all", status("POST", nextcloudtest.Fault{Status: 422, Body: "no " + nextcloudtest.Password}), 422,
			"5 documents failed in a row, the last with: status 422 Unprocessable Entity: no [secret]", 5},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := nextcloudtest.New(t, time.Now)
			s.Fail(test.fail)
			c := config(t, notes(t, s), documents(40))
			c.Concurrency = 1
			res, err := upload.Upload(context.Background(), c)
			var fatal *upload.FatalError
			if errors.As(err, &fatal) && fatal.Status() != test.status || test.status != 0 && fatal == nil {
				t.Errorf("error %#v", err)
			}
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), nextcloudtest.Password) {
				t.Errorf("error %v: want %s", err, test.want)
			}
			if got := s.Count(http.MethodPost); got != test.posts || res.Done() != 0 {
				t.Errorf("%d posts, want %d: %+v", got, test.posts, res)
			}
		})
	}
	t.Run("wrong password", func(t *testing.T) {
		t.Parallel()
		s := nextcloudtest.New(t, time.Now)
		n, err := upload.NewNextcloud(upload.NextcloudConfig{Endpoint: s.URL + "/", User: nextcloudtest.User, Password: secret.New("wrong-one"),
			Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		_, err = upload.Upload(context.Background(), config(t, n, documents(9)))
		var fatal *upload.FatalError
		if !errors.As(err, &fatal) || fatal.Status() != 401 || s.Count("401") != 1 {
			t.Errorf("error %v after %d logins", err, s.Count("401"))
		}
	})
}
