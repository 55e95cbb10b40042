package cli

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/atomic"
	"github.com/assay-eval/assay/internal/config"
)

func newInit(env *Env) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:  "init [DIR]",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			return writeStart(env, dir, force)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "overwrite what is there")
	return cmd
}

// sampleFiles are what init writes. In the configuration {{settings}} stands for all
// settings.
//
//go:embed sample
var sampleFiles embed.FS

// samples are the files in the order in which they are written.
var samples = []string{defaultConfig, "gold.json", "docs/hours.md", "docs/lending.md", "docs/online.md"}

// sample returns the text of one of them.
func sample(name string) (string, error) {
	text, err := sampleFiles.ReadFile("sample/" + name)
	if name == defaultConfig {
		text = bytes.Replace(text, []byte("{{settings}}"), settingLines(), 1)
	}
	return string(text), err
}

// settingLines writes every setting with its description as lines of a configuration.
func settingLines() []byte {
	set := map[string]string{"dataset": "gold.json", "corpus": "docs", "adapter": "builtin", "retriever": "hybrid"}
	var b bytes.Buffer
	section := ""
	var above []string
	for _, s := range config.Settings {
		if s.Section != section {
			section = s.Section
			fmt.Fprintf(&b, "\n# --- %s\n", section)
		}
		path := strings.Split(s.Key, ".")
		parents, leaf := path[:len(path)-1], path[len(path)-1]
		same := 0
		for same < len(parents) && same < len(above) && parents[same] == above[same] {
			same++
		}
		if same == 0 {
			b.WriteString("\n")
		}
		for i := same; i < len(parents); i++ {
			fmt.Fprintf(&b, "#%s%s:\n", strings.Repeat("  ", i), parents[i])
		}
		above = parents
		indent, doc := strings.Repeat("  ", len(parents)), s.Doc
		if words := s.Words(); words != nil {
			doc += ": " + strings.Join(words, ", ")
		}
		fmt.Fprintf(&b, "%s# %s\n", indent, doc)
		switch v, ok := set[s.Key]; {
		case ok:
			fmt.Fprintf(&b, "%s%s: %s\n", indent, leaf, v)
		case s.Example != "":
			fmt.Fprintf(&b, "#%s%s:\n", indent, leaf)
			for line := range strings.Lines(s.Example) {
				fmt.Fprintf(&b, "#%s  %s", indent, line)
			}
		default:
			fmt.Fprintln(&b, strings.TrimRight(fmt.Sprintf("#%s%s: %s", indent, leaf, s.Default), " "))
		}
	}
	return b.Bytes()
}

func writeStart(env *Env, dir string, force bool) error {
	for _, name := range samples {
		name = filepath.Join(dir, name)
		if _, err := os.Stat(env.Path(name)); err == nil && !force {
			return hinted(fmt.Errorf("%s already exists: expected an empty folder", name), "--force overwrites it")
		}
	}
	for _, name := range samples {
		text, err := sample(name)
		if err != nil {
			return err
		}
		name = filepath.Join(dir, filepath.FromSlash(name))
		err = atomic.WriteFile(env.Path(name), func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
		if err != nil {
			return err
		}
		fmt.Fprintln(env.Stdout, name)
	}
	env.Hint("assay run evaluates the sample; replace gold.json and docs with your own questions and documents")
	return nil
}
