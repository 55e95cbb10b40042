// Package doctest reads the commands that the documentation shows, so that tests run them. It
// is for tests only.
//
// Commands stand in fenced blocks. A block is one of commands if it is marked sh or console, or
// if it has no language, and begins with "$ " or has a line that is a command of assay. In a block
// with "$ " the other lines are what the command prints; a line "…" stands for any lines. A
// comment of HTML before a block, which readers do not see, says how it is run:
//
//	<!-- run: in a new folder -->         from here on, in a new folder with the usual files
//	<!-- run: in an empty folder -->      from here on, in a new folder without files
//	<!-- run: in examples/stages -->      from here on, in a new copy of a folder of the repository
//	<!-- run: file rag.py -->             the block is this file, which the next commands find
//	<!-- run: not, it needs a cluster --> the block is not run; its commands must parse
//
// A page without a mark begins in a new folder with the usual files. Two kinds of commands are not
// run either: those with an address that is an example by RFC 2606, such as https://cloud.example,
// and those that fetch a published dataset.
package doctest

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/requiretest"
)

// A Page is a file of the documentation.
type Page struct {
	// Name is its path in the repository, with slashes.
	Name string
	Text string
	// Blocks are its blocks of commands, in order.
	Blocks []Block
	// Faults are marks that cannot be read, with their lines.
	Faults []string
}

// A Block is a fenced block of commands.
type Block struct {
	// Line is that of the fence, counted from 1.
	Line int
	// Folder is where the block and those after it run, in a new copy: a folder of the repository,
	// Usual, Empty, or "" for where the block before ran.
	Folder string
	// File is the name of the file that the block is, with its text. Such a block has no steps.
	File, Text string
	// Needs says why the block cannot be run by a test.
	Needs string
	Steps []Step
}

// Folders that are not of the repository.
const (
	Usual = "a new folder"
	Empty = "an empty folder"
)

// A Step is a command with what the page says that it prints.
type Step struct {
	Line    int
	Command string
	// Shown tells whether the page shows what is printed, which is Output.
	Shown  bool
	Output string
	// first and last are the lines of Output in the page, the last excluded, counted from 0.
	first, last int
}

var (
	fence   = lazyregexp.New("^```([a-z]*)$")
	mark    = lazyregexp.New(`^<!-- run: (.*) -->$`)
	outside = lazyregexp.New(`://([a-z0-9-]+\.)*example(\.(org|com|net))?\b`)
	heredoc = lazyregexp.New(`<<-?'?([A-Z]+)'?`)
	command = lazyregexp.New(`^([A-Z_]+=\S+ )*(go run \.\.?/cmd/)?assay [a-z]`)
	inline  = lazyregexp.New("`([^`\n]+)`")
)

// Pages reads the README, everything in docs and the README files of the examples.
func Pages(t testing.TB) []Page {
	t.Helper()
	names := []string{"README.md"}
	for _, folder := range []string{"docs", "examples"} {
		err := filepath.WalkDir(filepath.Join(requiretest.Root(), folder), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".md") && (folder == "docs" || d.Name() == "README.md") {
				name, _ := filepath.Rel(requiretest.Root(), path)
				names = append(names, filepath.ToSlash(name))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var pages []Page
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(requiretest.Root(), name))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, Read(name, string(text)))
	}
	return pages
}

// Read finds the commands of a page.
func Read(name, text string) Page {
	p := Page{Name: name, Text: text}
	lines := strings.Split(text, "\n")
	folder, file, needs := Usual, "", ""
	for at := 0; at < len(lines); at++ {
		line := lines[at]
		if m := mark().FindStringSubmatch(line); m != nil {
			where, in := strings.CutPrefix(m[1], "in ")
			why, not := strings.CutPrefix(m[1], "not, ")
			name, is := strings.CutPrefix(m[1], "file ")
			switch {
			case is:
				file = name
			case in:
				folder = where
			case not:
				needs = why
			default:
				p.Faults = append(p.Faults, line)
			}
			continue
		}
		m := fence().FindStringSubmatch(line)
		if m == nil {
			if strings.TrimSpace(line) != "" {
				file, needs = "", "" // a mark is that of the block that follows it
			}
			continue
		}
		end := at + 1
		for end < len(lines) && lines[end] != "```" {
			end++
		}
		if file != "" {
			text := strings.Join(lines[at+1:min(end, len(lines))], "\n") + "\n"
			p.Blocks = append(p.Blocks, Block{Line: at + 1, Folder: folder, File: file, Text: text})
			folder = ""
		} else if ofCommands(m[1], lines[at+1:end]) {
			p.Blocks = append(p.Blocks, Block{Line: at + 1, Folder: folder, Needs: needs, Steps: steps(lines, at+1, end)})
			folder = ""
		}
		at, file, needs = end, "", ""
	}
	return p
}

func ofCommands(language string, lines []string) bool {
	if language == "sh" || language == "console" {
		return true
	}
	return language == "" && len(lines) > 0 && (strings.HasPrefix(lines[0], "$ ") || slices.ContainsFunc(lines, command().MatchString))
}

// steps reads the lines of a block.
func steps(lines []string, at, end int) []Step {
	session := at < end && strings.HasPrefix(lines[at], "$ ")
	var out []Step
	for at < end {
		line := lines[at]
		text, typed := strings.CutPrefix(line, "$ ")
		if !session {
			typed = strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#")
		}
		if !typed {
			at++
			if len(out) > 0 && session { // without a session it is a comment or empty
				out[len(out)-1].Output += line + "\n"
				out[len(out)-1].last = at
			}
			continue
		}
		s := Step{Line: at + 1, Command: text, Shown: session}
		at++
		for strings.HasSuffix(s.Command, "\\") && at < end {
			s.Command += "\n" + lines[at]
			at++
		}
		if m := heredoc().FindStringSubmatch(s.Command); m != nil {
			for at < end {
				s.Command += "\n" + lines[at]
				at++
				if lines[at-1] == m[1] {
					break
				}
			}
		}
		s.first, s.last = at, at
		out = append(out, s)
	}
	return out
}

// Commands lists the commands of assay that the page names, in its blocks of commands, its other
// blocks without a language, and its sentences; each on one line, without what follows it.
func (p Page) Commands() []string {
	var all []string
	rest := strings.Builder{}
	lines := strings.Split(p.Text, "\n")
	for at := 0; at < len(lines); at++ {
		m := fence().FindStringSubmatch(lines[at])
		if m == nil {
			rest.WriteString(lines[at] + "\n")
			continue
		}
		from := at + 1
		for at++; at < len(lines) && lines[at] != "```"; at++ {
		}
		if m[1] == "" || m[1] == "sh" || m[1] == "console" {
			block := strings.ReplaceAll(strings.Join(lines[from:min(at, len(lines))], "\n"), "\\\n", " ")
			all = append(all, strings.Split(block, "\n")...)
		}
	}
	for _, code := range inline().FindAllStringSubmatch(rest.String(), -1) {
		all = append(all, code[1])
	}
	var commands []string
	for _, line := range all {
		line = strings.NewReplacer("$ ", "", "go run ./cmd/", "", "go run ../cmd/", "").Replace(line)
		for _, end := range []string{" # ", "   ", " | ", " > ", " >> ", " && ", " &"} {
			line, _, _ = strings.Cut(line, end)
		}
		if strings.HasPrefix(line, "assay ") {
			commands = append(commands, line)
		}
	}
	return commands
}

// Runs reports whether a test can run a command: it asks nothing outside.
func (s Step) Runs() bool { return !outside().MatchString(s.Command) }

// Matches reports whether a command printed what the page shows: the same lines, where a line
// "…" stands for any lines, and the end of lines does not count.
func Matches(shown, printed string) bool {
	return matches(trimmed(shown), trimmed(printed))
}

func trimmed(text string) []string {
	lines := strings.Split(strings.TrimRight(text, " \n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return lines
}

func matches(shown, printed []string) bool {
	for len(shown) > 0 {
		if shown[0] == "…" {
			for skip := 0; skip <= len(printed); skip++ {
				if matches(shown[1:], printed[skip:]) {
					return true
				}
			}
			return false
		}
		if len(printed) == 0 || shown[0] != printed[0] {
			return false
		}
		shown, printed = shown[1:], printed[1:]
	}
	return len(printed) == 0
}

// Rewrite returns the page with what its commands printed, by the lines of their steps.
func (p Page) Rewrite(printed map[int]string) string {
	lines := strings.Split(p.Text, "\n")
	for b := len(p.Blocks) - 1; b >= 0; b-- {
		for i := len(p.Blocks[b].Steps) - 1; i >= 0; i-- {
			s := p.Blocks[b].Steps[i]
			text, ok := printed[s.Line]
			if !ok {
				continue
			}
			var fresh []string
			if text = strings.TrimRight(text, " \n"); text != "" {
				fresh = trimmed(text)
			}
			lines = append(lines[:s.first:s.first], append(fresh, lines[s.last:]...)...)
		}
	}
	return strings.Join(lines, "\n")
}
