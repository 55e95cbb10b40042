package upload_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/target/upload"
)

// TestUploadCertificate has a server whose certificate is not trusted: the
// upload ends at the first document, without retries.
func TestUploadCertificate(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(nil)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	sink, err := upload.NewHTTP(upload.HTTPConfig{Endpoint: server.URL, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := sink.Close(); err != nil {
			t.Error(err)
		}
	})
	var waits int
	c := config(t, sink, documents(3))
	c.Retries, c.Concurrency, c.Sleep = 5, 1, func(context.Context, time.Duration) error { waits++; return nil }
	res, err := upload.Upload(t.Context(), c)
	var fatal *upload.FatalError
	if !errors.As(err, &fatal) || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("%v: want the end of the upload, for the certificate", err)
	}
	if res.Done() != 0 || len(res.Refused) != 0 || waits != 0 {
		t.Errorf("%+v after %d waits: want no document, and no further attempt", res, waits)
	}
}
