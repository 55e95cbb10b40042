package rag_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/chunk"
)

const probe = "word5 again part 3"

// small splits the documents of many in two.
func small(docs []assay.Document, dir string, e assay.Embedder) rag.Config {
	return rag.Config{Documents: docs, Retriever: rag.Hybrid, Embedder: e, CacheDir: dir, Chunk: chunk.Config{Method: chunk.Recursive,
		Size: 5}}
}

func TestCacheIsUsed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := &bag{}
	var stages []string
	c := small(many(700), dir, e)
	c.Progress = func(stage string, done, total int) {
		if done == total {
			stages = append(stages, stage)
		}
	}
	p := open(t, c)
	if want := []string{"chunk", "index", "embed"}; !slices.Equal(stages, want) {
		t.Errorf("stages %q, want %q", stages, want)
	}
	if n := p.Corpus().Passages; n != 1400 || e.texts.Load() != 1400 {
		t.Fatalf("%d passages, %d embedded: want 1400", n, e.texts.Load())
	}
	first := canonical(ask(t, p, probe))
	kept := files(t, dir)
	if len(kept) != 6 {
		t.Errorf("kept %q: want passages, bm25, vectors, each with its key", slices.Sorted(maps.Keys(kept)))
	}
	stages = nil
	other := &bag{}
	c.Embedder = other
	again := open(t, c)
	if len(stages) > 0 || other.texts.Load() != 0 {
		t.Errorf("a second run did %q and embedded %d texts", stages, other.texts.Load())
	}
	if got := canonical(ask(t, again, probe)); got != first {
		t.Errorf("a second run answers\n%s\nthe first\n%s", got, first)
	}
	memory := c
	memory.CacheDir = ""
	if got := canonical(ask(t, open(t, memory), probe)); got != first {
		t.Errorf("without a cache\n%s\nwith\n%s", got, first)
	}
	// Whatever moves a number is in the key.
	for name, change := range map[string]func(*rag.Config){
		"embedder":  func(c *rag.Config) { c.Embedder = &bag{name: "other"} },
		"k1":        func(c *rag.Config) { c.BM25.K1, c.BM25.B = 1.2, 0.75 },
		"chunk":     func(c *rag.Config) { c.Chunk.Size = 6 },
		"documents": func(c *rag.Config) { c.Documents = many(699) },
	} {
		changed := c
		change(&changed)
		stages = nil
		open(t, changed)
		if len(stages) == 0 {
			t.Errorf("another %s used what was kept", name)
		}
	}
}

func TestCacheDamaged(t *testing.T) {
	t.Parallel()
	dir, otherDir := t.TempDir(), t.TempDir()
	c := small(many(60), dir, &bag{})
	first := canonical(ask(t, open(t, c), probe))
	good := files(t, dir)
	// Indexes of another corpus of the same size, under names of this one.
	shifted := many(61)[1:]
	open(t, small(shifted, otherDir, &bag{}))
	foreign := map[string]string{}
	for name, data := range files(t, otherDir) {
		foreign[filepath.Ext(strings.TrimSuffix(name, ".key"))+filepath.Ext(name)] = data
	}
	for name, data := range good {
		for damage, bad := range map[string]string{
			"a changed byte": data[:len(data)/2] + string(data[len(data)/2]^1) + data[len(data)/2+1:],
			"cut short":      data[:len(data)*2/3],
			"empty":          "",
			"noise":          strings.Repeat("noise", 100),
			"foreign":        foreign[filepath.Ext(strings.TrimSuffix(name, ".key"))+filepath.Ext(name)],
		} {
			if bad == data {
				t.Fatalf("%s, %s: is not damaged", name, damage)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(bad), 0o644); err != nil {
				t.Fatal(err)
			}
			if got := canonical(ask(t, open(t, c), probe)); got != first {
				t.Errorf("%s, %s: answers\n%s\nwant\n%s", name, damage, got, first)
			}
			if files(t, dir)[name] != data {
				t.Errorf("%s, %s: was not made again", name, damage)
			}
		}
	}
	// A whole foreign pair, file and stamp, is detected by the key in its stamp.
	for name := range good {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(foreign[filepath.Ext(strings.TrimSuffix(name, ".key"))+filepath.Ext(name)]),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := canonical(ask(t, open(t, c), probe)); got != first {
		t.Errorf("foreign files with their keys: answers\n%s\nwant\n%s", got, first)
	}
}

func TestEmbeddingResumes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	// 3,000 passages are segments of 1,024, 1,024 and 952; the third fails.
	docs := many(1500)
	if _, err := rag.Open(t.Context(), small(docs, dir, &bag{fail: 2048})); err == nil ||
		!strings.Contains(err.Error(), "embedding passages from 2048 on: out of order") {
		t.Fatalf("error %v", err)
	}
	e := &bag{}
	p := open(t, small(docs, dir, e))
	if n := e.texts.Load(); n != 952 {
		t.Errorf("embedded %d texts after the interruption: want the 952 that were missing", n)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.segment*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if got, want := canonical(ask(t, p, probe)), canonical(ask(t, open(t, small(docs, "", &bag{})), probe)); got != want {
		t.Errorf("resumed\n%s\nundisturbed\n%s", got, want)
	}
}

func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	docs := many(800)
	want := canonical(ask(t, open(t, small(docs, "", &bag{})), probe))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			p, err := rag.Open(t.Context(), small(docs, dir, &bag{}))
			if err != nil {
				t.Error(err)
				return
			}
			defer p.Close()
			r, err := p.Ask(t.Context(), &assay.Case{ID: "c", Question: probe})
			if got := canonical(r); err != nil || got != want {
				t.Errorf("error %v, got\n%s\nwant\n%s", err, got, want)
			}
		})
	}
	wg.Wait()
	e := &bag{}
	open(t, small(docs, dir, e))
	if e.texts.Load() != 0 {
		t.Errorf("afterwards %d texts were embedded again", e.texts.Load())
	}
}

func TestCacheDirIsAFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := rag.Open(t.Context(), small(many(10), file, &bag{})); err == nil {
		t.Error("no error")
	}
}
