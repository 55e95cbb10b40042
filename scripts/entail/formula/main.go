// Command formula reads items of a document and a claim as JSON lines and writes the
// degree of support that the offline judge estimates for each, a line each.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/offline"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/rag/embed"
)

func main() {
	if err := degrees(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func degrees(r io.Reader, w io.Writer) error {
	model, err := embed.New("minilm")
	if err != nil {
		return err
	}
	j := offline.New(embed.Memo(model))
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24)
	for n := 1; lines.Scan(); n++ {
		var item struct{ Document, Claim string }
		if err := json.Unmarshal(lines.Bytes(), &item); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		findings, err := question.Support.Ask(context.Background(), j, judge.Subject{}, question.SupportInput{
			Claims: []judge.Claim{{Text: item.Claim}}, Sources: []judge.Source{{Text: item.Document}},
		})
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if _, err := fmt.Fprintln(w, findings[0].Degree); err != nil {
			return err
		}
	}
	return lines.Err()
}
