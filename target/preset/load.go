package preset

import (
	"embed"
	"fmt"
	"path"
	"strings"

	"github.com/assay-eval/assay/internal/text"

	"github.com/assay-eval/assay/internal/yaml"
)

//go:embed *.yaml
var files embed.FS

const extension = ".yaml"

// Names lists the presets, sorted.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil { // the folder is embedded
		return nil
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(path.Base(e.Name()), extension)
	}
	return names
}

// Load returns a preset. An unknown name is an error that lists the known names.
func Load(name string) (Preset, error) {
	data, err := files.ReadFile(name + extension)
	if err != nil {
		return Preset{}, fmt.Errorf("unknown preset %q: %sexpected one of %s", name, guess(name, Names()), strings.Join(Names(), ", "))
	}
	p := Preset{Name: name}
	if _, err := yaml.Read("preset "+name+extension, data, &p); err != nil {
		return Preset{}, err
	}
	return p, nil
}

// guess returns a hint at a similar name, or "".
func guess(name string, names []string) string {
	if near := text.Nearest(name, names); near != "" {
		return fmt.Sprintf("did you mean %q? ", near)
	}
	return ""
}
