package main

import (
	"bytes"
	"fmt"
	"text/template"
)

// formulaTemplate is a formula of Homebrew, which installs the archive of the system and the completions.
var formulaTemplate = template.Must(template.New("").Parse(`class Assay < Formula
  desc "{{.Description}}"
  homepage "{{.URL}}"
  version "{{.Version}}"
  license "Apache-2.0"
{{range .Systems}}
  on_{{.OS}} do
{{- range .Archives}}
    on_{{.CPU}} do
      url "{{$.URL}}/releases/download/v{{$.Version}}/{{.Name}}"
      sha256 "{{.Sum}}"
    end
{{- end}}
  end
{{end}}
  def install
    bin.install "assay"
    bash_completion.install "completions/assay.bash" => "assay"
    zsh_completion.install "completions/_assay"
    fish_completion.install "completions/assay.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/assay version")
  end
end
`))

// brewed are the words of Homebrew for systems and processors, in its order.
var brewed = []struct{ os, word string }{{"darwin", "macos"}, {"linux", "linux"}}

var cpus = map[string]string{"amd64": "intel", "arm64": "arm"}

// formula writes assay.rb, for a tap.
func (r *release) formula() error {
	type archive struct{ CPU, Name, Sum string }
	type system struct {
		OS       string
		Archives []archive
	}
	var systems []system
	for _, s := range brewed {
		one := system{OS: s.word}
		for _, b := range r.programs {
			if b.os != s.os {
				continue
			}
			cpu, ok := cpus[b.arch]
			if !ok {
				return fmt.Errorf("formula: no word of Homebrew for %s: want one in cpus", b.arch)
			}
			name := r.name(b) + ".tar.gz"
			sum, err := r.checksum(name)
			if err != nil {
				return err
			}
			one.Archives = append(one.Archives, archive{cpu, name, sum})
		}
		if len(one.Archives) > 0 {
			systems = append(systems, one)
		}
	}
	var out bytes.Buffer
	if err := formulaTemplate.Execute(&out, map[string]any{
		"Description": "Evaluate RAG systems end to end, with confidence intervals", "URL": r.url, "Version": r.version, "Systems": systems,
	}); err != nil {
		return err
	}
	return r.write(program+".rb", out.Bytes())
}
