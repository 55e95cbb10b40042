package simd_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
)

// A word is a macro of neon_arm64.h with the instruction that the comment above it names.
type word struct {
	name, instruction string
	operands          []string
}

// TestWords compares every macro of neon_arm64.h with the GNU assembler. Go's assembler
// writes the words that the macros make into one object, the other one assembles the
// instructions of the comments, for many choices of registers.
func TestWords(t *testing.T) {
	t.Parallel()
	if runtime.GOARCH != "amd64" {
		return // the words are the same, and an emulated process starts no other one
	}
	assembler, objcopy := requiretest.Command(t, "aarch64-linux-gnu-as"), requiretest.Command(t, "aarch64-linux-gnu-objcopy")
	words := readWords(t)
	if len(words) < 10 {
		t.Fatalf("%d macros: want all of neon_arm64.h", len(words))
	}
	for _, w := range words {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := func(name string) string { return filepath.Join(dir, name) }
			uses, instructions := w.choices()
			write(t, file("go.s"), "#include \"neon_arm64.h\"\nTEXT ·words(SB), 4, $0-0\n"+uses)
			write(t, file("gnu.s"), instructions)
			command := exec.CommandContext(t.Context(), "go", "tool", "asm", "-I", ".", "-p", "words", "-o", file("go.o"), file("go.s"))
			command.Env = append(os.Environ(), "GOARCH=arm64", "GOOS=linux")
			run(t, command)
			run(t, exec.CommandContext(t.Context(), assembler, "-march=armv8-a", "-o", file("gnu.o"), file("gnu.s")))
			run(t, exec.CommandContext(t.Context(), objcopy, "-O", "binary", "-j", ".text", file("gnu.o"), file("gnu.bin")))
			ours, want := read(t, file("go.o")), read(t, file("gnu.bin"))
			if n := strings.Count(instructions, "\n"); len(want) != 4*n {
				t.Fatalf("%d bytes for %d instructions", len(want), n)
			}
			if !bytes.Contains(ours, want) {
				t.Errorf("the words of %s are not those of %q", w.name, w.instruction)
			}
		})
	}
}

// choices uses the macro with every register as each operand, while the others vary, and
// gives the same instructions for the GNU assembler.
func (w word) choices() (uses, instructions string) {
	var a, b strings.Builder
	for at := range w.operands {
		for v := range 32 {
			values := make([]string, len(w.operands))
			instruction := w.instruction
			for i, name := range w.operands {
				n := (v*7 + 5*i + 3) % 32
				if i == at {
					n = v
				}
				if name == "i" { // a lane
					n %= 4
				}
				values[i] = fmt.Sprint(n)
				instruction = strings.ReplaceAll(instruction, "{"+name+"}", values[i])
			}
			// An expression as an argument, since the kernels use some.
			values[at] = "0+" + values[at]
			fmt.Fprintf(&a, "\t%s(%s)\n", w.name, strings.Join(values, ", "))
			fmt.Fprintln(&b, instruction)
		}
	}
	return a.String(), b.String()
}

func readWords(t *testing.T) []word {
	t.Helper()
	header := string(read(t, "neon_arm64.h"))
	var all []word
	for _, m := range regexp.MustCompile(`(?m)^// (.*)\n#define (\w+)\(([^)]*)\) WORD `).FindAllStringSubmatch(header, -1) {
		all = append(all, word{m[2], m[1], strings.Split(m[3], ", ")})
	}
	if n := strings.Count(header, "WORD"); n != len(all) {
		t.Errorf("%d of %d words have an instruction in the line above", len(all), n)
	}
	// A word elsewhere would escape this test.
	kernels, err := filepath.Glob("*_arm64.s")
	if err != nil || len(kernels) == 0 {
		t.Fatal("no kernels", err)
	}
	for _, k := range kernels {
		if bytes.Contains(read(t, k), []byte("WORD")) {
			t.Errorf("%s has a word of its own: want a macro in neon_arm64.h", k)
		}
	}
	return all
}

func run(t *testing.T, c *exec.Cmd) {
	t.Helper()
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", c, err, out)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
