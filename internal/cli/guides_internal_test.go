package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	shellquote "github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/doctest"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/target/reply"
	"github.com/assay-eval/assay/target/template"
)

var (
	fence  = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```")
	inline = regexp.MustCompile("`([^`\n]+)`")
	flag   = regexp.MustCompile(`^--[a-z][a-z0-9-]*`)
	// key is a setting of a group, as it is named in a text.
	key = regexp.MustCompile(`^(http|openai|mcp|exec)\.[a-z][a-z.-]*$`)
)

func readGuide(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(requiretest.Root(), name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPagesCommands: every command of assay that a page of the documentation names, in its blocks
// and in its sentences, exists, with flags that exist and values that they take. Most are run, too
// ([TestPages]); this holds those that need what no test has.
func TestPagesCommands(t *testing.T) {
	t.Parallel()
	commands, dir := 0, t.TempDir()
	for _, page := range doctest.Pages(t) {
		for _, line := range page.Commands() {
			commands++
			if err := parses(dir, line); err != nil {
				t.Errorf("%s: %s: %v", page.Name, line, err)
			}
		}
	}
	if commands < 500 {
		t.Errorf("%d commands were found", commands)
	}
}

// parses reports what is wrong with a command line.
func parses(dir, line string) error {
	words, err := shellquote.Split(line)
	if err != nil || words[1] == "COMMAND" {
		return err
	}
	env := &Env{Getenv: func(string) string { return "" }, Now: time.Now, Dir: dir}
	root := newRoot(env)
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	cmd, rest, err := root.Find(withThresholds(root, words[1:]))
	if err != nil || cmd == root && !strings.HasPrefix(words[1], "--") {
		return errors.New("no such command")
	}
	// A sentence may name a command without what it takes.
	if err := cmd.ParseFlags(rest); err != nil && !strings.Contains(err.Error(), "help requested") &&
		!strings.Contains(err.Error(), "flag needs an argument") {
		return err
	}
	if given := cmd.Flags().Args(); len(given) > 0 && !strings.Contains(given[0], "|") {
		if err := cmd.ValidateArgs(given); err != nil {
			return err
		}
	}
	r := config.Default()
	for _, s := range config.Settings {
		fl := cmp.Or(cmd.Flags().Lookup(s.Flag()), rareSettings(cmd.Flags()).Lookup(s.Flag()))
		if fl == nil {
			continue
		}
		if f, ok := fl.Value.(*settingFlag); ok {
			if err := f.apply(r, fl.Changed); err != nil && !strings.Contains(err.Error(), "no such variable") {
				return err
			}
		}
	}
	return nil
}

// Every flag and every setting that the guide to targets names in a sentence is one.
func TestTargetsGuideNames(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	var gather func(*cobra.Command)
	gather = func(c *cobra.Command) {
		c.InitDefaultHelpFlag()
		for _, f := range strings.Fields(c.LocalFlags().FlagUsages()) {
			known[strings.TrimRight(f, ",")] = true
		}
		for _, sub := range c.Commands() {
			gather(sub)
		}
	}
	gather(newRoot(&Env{Getenv: func(string) string { return "" }, Now: time.Now}))
	flags, keys := 0, 0
	for _, code := range inline.FindAllStringSubmatch(fence.ReplaceAllString(readGuide(t, "docs/targets.md"), ""), -1) {
		for _, word := range strings.Fields(code[1]) {
			if f := flag.FindString(word); f != "" {
				flags++
				if !known[f] && !strings.HasPrefix(f, failUnder) {
					t.Errorf("no command has %s", f)
				}
			}
			if key.MatchString(word) {
				keys++
				if _, err := config.Find(word); err != nil && word != "http.headers" {
					t.Errorf("%s: %v", word, err)
				}
			}
		}
	}
	if flags < 20 || keys < 8 {
		t.Errorf("%d flags and %d settings were looked at", flags, keys)
	}
}

// The program accepts the configuration shown in the guide to targets.
func TestTargetsGuideBlocks(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for _, block := range fence.FindAllStringSubmatch(readGuide(t, "docs/targets.md"), -1) {
		seen[block[1]]++
		switch block[1] {
		case "json":
			if !json.Valid([]byte(block[2])) {
				t.Errorf("no JSON: %s", block[2])
			}
		case "yaml":
			r := config.Default()
			r.Variables = config.Environ(func(string) string { return "x" })
			if err := r.File("eval-config.yaml", []byte(block[2])); err != nil {
				t.Errorf("%v in:\n%s", err, block[2])
				continue
			}
			if _, err := reply.NewMapping(r.Read); err != nil {
				t.Error(err)
			}
			if r.Send != "" {
				if sent, err := template.Parse(r.Send); err != nil || !slices.Contains(sent.Names(), "question") {
					t.Errorf("send %s: %v", r.Send, err)
				}
			}
		}
	}
	if seen["yaml"] != 4 || seen["json"] != 3 {
		t.Errorf("blocks %v: want four of YAML and three of JSON", seen)
	}
}
