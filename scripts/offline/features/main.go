//go:build results

// Command features computes what the weights of the offline judge are fitted
// to: the features of every row of the datasets that people labelled.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/atomic"
	"github.com/assay-eval/assay/judge/offline"
	"github.com/assay-eval/assay/rag/embed"
)

func main() {
	data := flag.String("data", "../shared/data/answers", "the folder of the datasets")
	output := flag.String("output", "", "the file to write, which train.py reads")
	flag.Parse()
	log.SetFlags(0)
	sets := flag.Args()
	if len(sets) == 0 {
		sets = []string{"mtrag", "begin", "nomiracl", "clapnq_dev", "nq301"}
	}
	if err := write(context.Background(), *data, *output, sets); err != nil {
		log.Fatal("features: ", err)
	}
}

func write(ctx context.Context, data, output string, sets []string) error {
	if output == "" {
		return errors.New("want --output FILE")
	}
	m, err := embed.New("minilm")
	if err != nil {
		return err
	}
	e := embed.Memo(m)
	return atomic.WriteFile(output, func(out io.Writer) error {
		w := bufio.NewWriter(out)
		for _, set := range sets {
			if err := one(ctx, w, e, set, filepath.Join(data, set+".jsonl")); err != nil {
				return err
			}
		}
		return w.Flush()
	})
}

func one(ctx context.Context, out io.Writer, e assay.Embedder, set, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return offline.WriteFeatures(ctx, out, e, set, f)
}
