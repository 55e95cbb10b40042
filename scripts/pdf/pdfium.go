//go:build ignore

// Writes the text of PDF files by pdfium, for measure.sh. usage: pdfium FOLDER FILE...
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
)

func main() {
	out := os.Args[1]
	t0 := time.Now()
	pool, err := webassembly.Init(webassembly.Config{MinIdle: 1, MaxIdle: 1, MaxTotal: 1})
	if err != nil {
		panic(err)
	}
	inst, err := pool.GetInstance(30 * time.Second)
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(os.Stderr, "init\t%.3f s\n", time.Since(t0).Seconds())
	for _, f := range os.Args[2:] {
		t := time.Now()
		data, _ := os.ReadFile(f)
		doc, err := inst.OpenDocument(&requests.OpenDocument{File: &data})
		if err != nil {
			fmt.Fprintln(os.Stderr, f, err)
			continue
		}
		n, err := inst.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: doc.Document})
		if err != nil {
			panic(err)
		}
		var pages []string
		for i := range n.PageCount {
			p, err := inst.GetPageText(&requests.GetPageText{Page: requests.Page{ByIndex: &requests.PageByIndex{Document: doc.Document, Index: i}}})
			if err != nil {
				fmt.Fprintln(os.Stderr, f, i, err)
				continue
			}
			pages = append(pages, p.Text)
		}
		inst.FPDF_CloseDocument(&requests.FPDF_CloseDocument{Document: doc.Document})
		fmt.Fprintf(os.Stderr, "%s\t%.2f s\n", filepath.Base(f), time.Since(t).Seconds())
		os.WriteFile(filepath.Join(out, filepath.Base(f)+".txt"), []byte(strings.Join(pages, "\f")), 0o644)
	}
}
