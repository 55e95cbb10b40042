package target_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target"
)

func TestStatusError(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		status int
		retry  string
		again  bool
		after  time.Duration
	}{
		{400, "", false, 0},
		{401, "", false, 0},
		{404, "7", false, 0}, // not tried again, so there is no wait
		{408, "", true, 0},
		{422, "", false, 0},
		{425, "", true, 0},
		{429, "7", true, 7 * time.Second},
		{429, " 0 ", true, 0},
		{429, "-3", true, 0},
		{429, "1.5", true, 0},
		{429, "soon", true, 0},
		{429, "99999999999999999999999", true, 10 * 365 * 24 * time.Hour},
		{500, "", true, 0},
		{501, "", false, 0},
		{503, "Sat, 21 Nov 2026 13:01:30 GMT", true, 90 * time.Second},
		{503, "Sat, 21 Nov 2026 12:59:00 GMT", true, 0},
		{503, "Saturday, 21-Nov-26 13:00:01 GMT", true, time.Second}, // RFC 850
		{505, "", false, 0},
	} {
		e := target.StatusError(test.status, http.Header{"Retry-After": {test.retry}}, "", now)
		if after, again := e.Retry(); e.Kind != target.Status || again != test.again || after != test.after {
			t.Errorf("%d with %q: again %v after %v, want %v after %v", test.status, test.retry, again, after, test.again, test.after)
		}
	}
	e := target.StatusError(503, http.Header{}, " over\n\tload \xff "+strings.Repeat("é", 400), now)
	if want := "status 503 Service Unavailable: over load \uFFFD " + strings.Repeat("é", 300-len("over load ? ")) + "…"; e.Error() != want {
		t.Errorf("message %q\nwant %q", e.Error(), want)
	}
	if got := target.StatusError(599, nil, "", now).Error(); got != "status 599" {
		t.Errorf("message %q", got)
	}
}

func TestError(t *testing.T) {
	t.Parallel()
	again := map[target.Kind]bool{target.Timeout: true, target.Refused: true, target.Crash: true, target.Failed: true}
	for _, k := range []target.Kind{
		target.Timeout, target.Refused, target.Status, target.Crash, target.Missing, target.Reply, target.Failed,
	} {
		e := target.Errorf(k, "reading: %w", io.ErrUnexpectedEOF)
		if _, ok := e.Retry(); ok != again[k] {
			t.Errorf("%s: again %v, want %v", k, ok, again[k])
		}
		if !errors.Is(e, io.ErrUnexpectedEOF) || e.Failure() != (assay.Failure{Kind: string(k), Message: "reading: unexpected EOF"}) {
			t.Errorf("%s: %v, %+v", k, e, e.Failure())
		}
	}
	if got := (&target.Error{Kind: target.Crash}).Error(); got != "crash" {
		t.Errorf("an error without a cause says %q", got)
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"", "7", "-1", "99999999999999999999", "Sat, 21 Nov 2026 13:01:30 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"} {
		f.Add(s, int64(1_795_266_000))
	}
	f.Fuzz(func(t *testing.T, header string, now int64) {
		e := target.StatusError(429, http.Header{"Retry-After": {header}}, header, time.Unix(now, 0))
		if after, _ := e.Retry(); after < 0 || after > 10*365*24*time.Hour {
			t.Fatalf("%q: wait %v", header, after)
		}
	})
}
