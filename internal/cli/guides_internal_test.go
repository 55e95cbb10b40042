package cli

import (
	"encoding/json"
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
	"github.com/assay-eval/assay/internal/require"
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
	text, err := os.ReadFile(filepath.Join(require.Root(), name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// typed lists the commands of a guide, in its blocks and in its sentences.
func typed(guide string) []string {
	var all []string
	for _, block := range fence.FindAllStringSubmatch(guide, -1) {
		if block[1] == "" {
			all = append(all, strings.Split(strings.ReplaceAll(block[2], "\\\n", " "), "\n")...)
		}
	}
	for _, code := range inline.FindAllStringSubmatch(fence.ReplaceAllString(guide, ""), -1) {
		all = append(all, code[1])
	}
	var commands []string
	for _, line := range all {
		line = strings.NewReplacer("$ ", "", "go run ./cmd/", "", "go run ../cmd/", "").Replace(line)
		// A comment, and the file that the output goes to.
		for _, end := range []string{" # ", " > ", " >> "} {
			line, _, _ = strings.Cut(line, end)
		}
		if strings.HasPrefix(line, "assay ") {
			commands = append(commands, line)
		}
	}
	return commands
}

// Every command in the guides uses existing flags with valid values.
func TestGuidesCommands(t *testing.T) {
	t.Parallel()
	for name, least := range map[string]int{"README.md": 25, "docs/targets.md": 14, "docs/judging.md": 8, "docs/noise.md": 4,
		"docs/presets.md": 0, "examples/README.md": 3, "docs/gating.md": 16, "examples/harness/README.md": 10, "docs/ci.md": 8,
		"docs/datasets.md": 3, "docs/comparing.md": 9, "docs/transcription.md": 8,
		"docs/stages.md": 7, "docs/recordings.md": 7, "docs/server.md": 6, "docs/store.md": 8} {
		commands := typed(readGuide(t, name))
		if len(commands) < least {
			t.Errorf("%s: %d commands, want at least %d", name, len(commands), least)
		}
		for _, line := range commands {
			words, err := shellquote.Split(line)
			if err != nil {
				t.Errorf("%s: %s: %v", name, line, err)
				continue
			}
			env := &Env{Getenv: func(string) string { return "" }, Now: time.Now, Dir: t.TempDir()}
			root := newRoot(env)
			args := withThresholds(root, words[1:])
			cmd, rest, err := root.Find(args)
			if words[1] == "COMMAND" {
				continue
			}
			if err != nil || cmd == root && !strings.HasPrefix(words[1], "--") {
				t.Errorf("%s: %s: no such command", name, line)
				continue
			}
			if err := cmd.ParseFlags(rest); err != nil && !strings.Contains(err.Error(), "help requested") {
				t.Errorf("%s: %s: %v", name, line, err)
				continue
			}
			// A sentence may name a command without what it takes.
			if given := cmd.Flags().Args(); len(given) > 0 && !strings.Contains(given[0], "|") && cmd.ValidateArgs(given) != nil {
				t.Errorf("%s: %s: %v", name, line, cmd.ValidateArgs(given))
			}
			r := config.Default()
			for _, s := range config.Settings {
				fl := cmd.Flags().Lookup(s.Flag())
				if fl == nil {
					continue
				}
				if f, ok := fl.Value.(*settingFlag); ok {
					if err := f.apply(r, fl.Changed); err != nil && !strings.Contains(err.Error(), "no such variable") {
						t.Errorf("%s: %s: %v", name, line, err)
					}
				}
			}
		}
	}
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
