// Package chromatest runs a real Chroma server for tests.
package chromatest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/servertest"
)

// Start starts a Chroma server in an empty folder and ends it with the test. It returns
// the address once the server answers.
func Start(t testing.TB, program string) string {
	t.Helper()
	port, err := servertest.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var log bytes.Buffer
	c := exec.Command(program, "run", "--path", dir, "--host", "127.0.0.1", "--port", port)
	c.Env = append(os.Environ(), "ANONYMIZED_TELEMETRY=False", "HOME="+dir)
	c.Dir, c.Stdout, c.Stderr = dir, &log, &log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	t.Cleanup(func() {
		_ = c.Process.Kill()
		<-ended //nolint:errcheck // killed
	})

	address := "http://127.0.0.1:" + port
	limit, tick := time.After(60*time.Second), time.NewTicker(50*time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("Chroma ended: %v\n%s", err, log.String())
		case <-limit:
			t.Fatal("Chroma does not answer after a minute")
		case <-tick.C:
			if resp, err := http.Get(address + "/api/v2/heartbeat"); err == nil {
				_ = resp.Body.Close()
				return address
			}
		}
	}
}

// post sends JSON to Chroma and decodes the reply.
func post(t testing.TB, url string, body any) map[string]any {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Post(url, "application/json", bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err = io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode >= 300 {
		t.Fatalf("%s: status %d, %v: %s", url, resp.StatusCode, err, raw)
	}
	var reply map[string]any
	if err := json.Unmarshal(raw, &reply); err != nil {
		t.Fatal(err)
	}
	return reply
}

// Fill makes a collection of documents and their vectors. Documents at even positions
// have a source and a title in their metadata, the others have no metadata.
func Fill(t testing.TB, address, name string, documents []assay.Document, vectors [][]float32) {
	t.Helper()
	collections := address + "/api/v2/tenants/default_tenant/databases/default_database/collections"
	// The search covers the whole collection, so the approximate index is exact.
	made := post(t, collections, map[string]any{"name": name, "configuration": map[string]any{
		"hnsw": map[string]any{"space": "cosine", "ef_construction": len(documents), "ef_search": len(documents)},
	}})
	ids, texts, metadata := make([]string, len(documents)), make([]string, len(documents)), make([]any, len(documents))
	for i, d := range documents {
		ids[i], texts[i] = d.ID, d.Text
		if i%2 == 0 {
			metadata[i] = map[string]any{"source": d.ID + ".txt", "title": d.Title}
		}
	}
	post(t, fmt.Sprintf("%s/%s/add", collections, made["id"]), map[string]any{
		"ids": ids, "documents": texts, "embeddings": vectors, "metadatas": metadata,
	})
}
