//go:build unix

// Command start measures the time that assay --version takes, in turns with that of
// /bin/true: starting must pay neither for the weights inside the binary nor for what a
// command may need later. Goal: less than 15 ms of processor time.
// GODEBUG=inittrace=1 lists what packages do at a start.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/assay-eval/assay/bench/internal/contest"
	"github.com/assay-eval/assay/bench/internal/speed"
)

func main() {
	assay := flag.String("assay", "", "the program to measure")
	rounds := flag.Int("rounds", 200, "how often it starts")
	sheet := speed.Flag()
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bench/start: ")
	ours := &contest.Contender{Name: "assay --version", Args: []string{*assay, "--version"}}
	nothing := &contest.Contender{Name: "true", Args: []string{"/bin/true"}}
	if err := contest.Run(*rounds, ours, nothing); err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.TrimSpace(ours.Output))
	ours.Report(os.Stdout)
	nothing.Report(os.Stdout)
	sheet.Add(speed.Row{Work: "assay --version", Command: "bash bench/start/run.sh", Ours: ours.Cost(), Rounds: *rounds, Goal: speed.Goal{CPU: 0.015}})
	if err := sheet.Write(); err != nil {
		log.Fatal(err)
	}
}
