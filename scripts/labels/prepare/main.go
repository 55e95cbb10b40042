// Command prepare writes labelled data sets in the form that assay judge certify reads:
//
//	go run ./scripts/labels/prepare INTO FOLDER...
package main

import (
	"fmt"
	"os"

	"github.com/assay-eval/assay/scripts/labels"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: prepare INTO FOLDER...")
		os.Exit(2)
	}
	unfit, err := labels.Prepare(os.Args[1], os.Args[2:]...)
	if err != nil {
		fmt.Fprintln(os.Stderr, "prepare:", err)
		os.Exit(1)
	}
	for why, n := range unfit {
		fmt.Fprintf(os.Stderr, "%d: %s\n", n, why)
	}
}
