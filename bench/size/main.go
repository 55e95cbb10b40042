// Command size says what the bytes of the program are: it reads the symbols of a program
// that was not stripped, and the list of packages that go list gives, and writes a table by
// module. scripts/size.sh builds and calls it.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench/size: ")
	stripped := flag.String("stripped", "", "the program as it is released")
	symbols := flag.String("symbols", "", "the same program with its symbols")
	flag.Parse()
	if err := run(os.Stdout, *stripped, *symbols); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer, stripped, symbols string) error {
	info, err := os.Stat(stripped)
	if err != nil {
		return err
	}
	program, err := elf.Open(stripped)
	if err != nil {
		return fmt.Errorf("%s: %w: want a program for Linux", stripped, err)
	}
	defer program.Close()
	lines := program.Section(".gopclntab")
	if lines == nil {
		return fmt.Errorf("%s: no section .gopclntab: want a program that the go command built", stripped)
	}
	packages, err := listed()
	if err != nil {
		return err
	}
	nm := exec.Command("go", "tool", "nm", "-size", symbols)
	nm.Stderr = os.Stderr
	list, err := nm.Output()
	if err != nil {
		return fmt.Errorf("go tool nm: %w", err)
	}
	parts, tables, err := measure(bytes.NewReader(list), packages, int64(lines.Size))
	if err != nil {
		return err
	}
	return write(w, info.Size(), tables, parts)
}

// A pkg is a package of the program.
type pkg struct {
	module string
	files  int64 // size of its embedded files
}

// listed returns the packages of the program by their paths.
func listed() (map[string]pkg, error) {
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,Module,EmbedFiles", "./cmd/assay")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	all := map[string]pkg{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir string
			Module          *struct{ Path string }
			EmbedFiles      []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		one := pkg{module: standard}
		if p.Module != nil {
			one.module = p.Module.Path
		}
		for _, name := range p.EmbedFiles {
			info, err := os.Stat(p.Dir + "/" + name)
			if err != nil {
				return nil, err
			}
			one.files += info.Size()
		}
		all[p.ImportPath] = one
	}
}

const (
	standard = "Go itself"
	weights  = "github.com/assay-eval/assay/rag/embed"
)

// A part is a row of the table.
type part struct {
	name        string
	code, data  int64
	files       int64
	tableShares int64
}

func (p *part) total() int64 { return p.code + p.data + p.files + p.tableShares }

// measure sums the symbols of an output of go tool nm -size, whose lines are an address, a
// size, a kind and a name, by the modules of their packages. tables is the size of what the
// runtime knows of functions, which is spread over the parts by their code: the section of
// lines, and where pointers are.
func measure(nm io.Reader, packages map[string]pkg, section int64) (parts []*part, tables int64, err error) {
	tables = section
	by := map[string]*part{}
	of := func(name string) *part {
		if by[name] == nil {
			by[name] = &part{name: name}
			parts = append(parts, by[name])
		}
		return by[name]
	}
	for path, p := range packages {
		switch {
		case p.files == 0:
		case path == weights:
			of("weights and words of the built-in embedder").files += p.files
		default:
			of(p.module).files += p.files
		}
	}
	lines := bufio.NewScanner(nm)
	lines.Buffer(nil, 1<<20)
	var code int64
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 4 {
			continue
		}
		size, err := strconv.ParseInt(fields[1], 10, 64)
		if err != nil {
			return nil, 0, fmt.Errorf("go tool nm: %q: want a size in the second column", lines.Text())
		}
		kind, name := strings.ToLower(fields[2]), strings.Join(fields[3:], " ")
		switch {
		case kind == "b" || kind == "u":
			// Takes no room in the file.
		case name == "go:func.*" || name == "runtime.findfunctab":
			tables += size
		case kind == "t":
			code += size
			of(moduleOf(name, packages)).code += size
		case strings.Contains(name, "..gobytes"), strings.HasSuffix(name, ".memory"):
			// Bytes of embedded files, which are counted; and a reserve that is zero.
		default:
			of(moduleOf(name, packages)).data += size
		}
	}
	for _, p := range parts {
		p.tableShares = tables * p.code / max(1, code)
	}
	return parts, tables, lines.Err()
}

// moduleOf returns the module whose package a symbol belongs to; "" if it belongs to none,
// as what packages share does.
func moduleOf(symbol string, packages map[string]pkg) string {
	for _, prefix := range []string{"type:.eq.", "type:.hash.", "type:.", "type:", "go:itab.", "go:interface."} {
		symbol = strings.TrimPrefix(symbol, prefix)
	}
	symbol = strings.TrimLeft(symbol, "*[](")
	if i := strings.IndexAny(symbol, "[("); i >= 0 {
		symbol = symbol[:i]
	}
	after := strings.LastIndexByte(symbol, '/') + 1
	dot := strings.IndexByte(symbol[after:], '.')
	if dot < 0 {
		return ""
	}
	// The linker writes the dots of a path's last element as %2e.
	return packages[strings.ReplaceAll(symbol[:after+dot], "%2e", ".")].module
}

// least is the size of the smallest row, in bytes; smaller parts are summed.
const least = 500_000

func write(w io.Writer, size, tables int64, parts []*part) error {
	slices.SortFunc(parts, func(a, b *part) int {
		return cmp.Or(-cmp.Compare(a.total(), b.total()), strings.Compare(a.name, b.name))
	})
	out := bufio.NewWriter(w)
	mb := func(n int64) string {
		if n < 50_000 {
			return ""
		}
		return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64)
	}
	row := func(p *part) {
		fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %s |\n", p.name, mb(p.total()), mb(p.code), mb(p.tableShares), mb(p.data), mb(p.files))
	}
	fmt.Fprintf(out, "The program for linux/amd64 has %.1f MB.\n\n", float64(size)/1e6)
	fmt.Fprint(out, "| part | MB | code | tables | data | files |\n|---|---|---|---|---|---|\n")
	small := &part{}
	rest, count := size, 0
	for _, p := range parts {
		rest -= p.total()
		switch {
		case p.name == "":
			rest += p.total()
		case p.total() >= least:
			row(p)
		default:
			count++
			small.code, small.data, small.files = small.code+p.code, small.data+p.data, small.files+p.files
			small.tableShares += p.tableShares
		}
	}
	small.name = fmt.Sprintf("%d smaller modules", count)
	row(small)
	row(&part{name: "types, names and texts that modules share", data: rest})
	fmt.Fprintf(out, "\nTables are what the runtime knows of functions: names, lines, and where pointers are, %.1f MB, spread by code.\n",
		float64(tables)/1e6)
	return out.Flush()
}
