package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/assay-eval/assay/target/preset"
)

// presetsPage writes the page about presets: a table of all, then each with its values and its
// default endpoint.
func presetsPage(w io.Writer) {
	var all []preset.Preset
	for _, name := range preset.Names() {
		p, err := preset.Load(name)
		if err != nil {
			panic(err)
		}
		all = append(all, p)
	}
	fmt.Fprint(w, "# Presets\n\nHow common servers are asked, for `assay run --adapter http --preset NAME` ([targets](targets.md)). This page is "+
		"generated (`make docs`).\n\n")
	fmt.Fprint(w, "| preset | server | needs | gives |\n|---|---|---|---|\n")
	for _, p := range all {
		var needs []string
		for _, v := range p.Values {
			if v.Required {
				needs = append(needs, "`"+v.Name+"`")
			}
		}
		if p.Endpoint == "" {
			needs = append(needs, "`--endpoint`")
		}
		if p.Embeds() {
			needs = append(needs, "the embedder of its vectors")
		}
		gives := "passages"
		if p.Answers {
			gives = "answers and passages"
		}
		fmt.Fprintf(w, "| [`%s`](#%s) | %s | %s | %s |\n", p.Name, p.Name, p.Title, strings.Join(needs, ", "), gives)
	}
	for _, p := range all {
		fmt.Fprintf(w, "\n## %s\n\n%s\n\n", p.Name, p.Doc)
		usual := "none, it must be given"
		if p.Endpoint != "" {
			usual = "`" + p.Endpoint + "`"
		}
		fmt.Fprintf(w, "Request: `%s %s`. Default endpoint: %s. API: <%s>.\n", p.Method, p.Path, usual, p.Source)
		if len(p.Values) == 0 {
			continue
		}
		fmt.Fprint(w, "\n| value | means | default |\n|---|---|---|\n")
		for _, v := range p.Values {
			standard := "none"
			switch {
			case v.Required:
				standard = "required"
			case v.Default != "":
				standard = "`" + v.Default + "`"
			}
			doc := v.Doc
			if v.Secret {
				doc += " (secret)"
			}
			fmt.Fprintf(w, "| `%s` | %s | %s |\n", v.Name, strings.ReplaceAll(doc, "|", `\|`), standard)
		}
	}
}
