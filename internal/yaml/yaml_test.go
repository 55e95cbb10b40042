package yaml_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/yaml"
)

type sample struct {
	Name  string `yaml:"name"`
	Items []struct {
		Weight float64 `yaml:"weight"`
	} `yaml:"items"`
}

func TestRead(t *testing.T) {
	t.Parallel()
	var s sample
	f, err := yaml.Read("s.yaml", []byte("\ufeffname: a\nitems:\n- weight: 1\n- {}\n"), &s)
	if err != nil || s.Name != "a" || len(s.Items) != 2 || f.Empty() {
		t.Fatalf("%+v, %v", s, err)
	}
	for field, want := range map[string]string{
		"items[0].weight": "s.yaml:3", "items[1].weight": "s.yaml:4", "name": "s.yaml:1", "none": "s.yaml",
	} {
		if got := f.At(field); got != want {
			t.Errorf("%s stands at %s: want %s", field, got, want)
		}
	}
	for text, want := range map[string]string{
		"nam: a":                             `s.yaml:1: unknown field "nam"`,
		"name: [a":                           "s.yaml:1: ",
		"items:\n- weight: x":                "s.yaml:2: ",
		"name: &a x\nitems: *a":              `s.yaml:1: "&": expected the value itself`,
		"items: *a":                          `s.yaml:1: "*": expected the value itself`,
		"name: !!str a":                      "s.yaml:1: ",
		"name: " + strings.Repeat("[", 1000): "s.yaml:1: values are nested more than 100 deep",
		"name: a\n---\nname: b":              "s.yaml:3: a second document",
		"name: \xff":                         "s.yaml: expected UTF-8",
		"items: ! ":                          "s.yaml",
		strings.Repeat("#", 1<<21):           "at most",
	} {
		if _, err := yaml.Read("s.yaml", []byte(text), &sample{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v: want %q", text, err, want)
		}
	}
	for _, text := range []string{"", "# only a remark\n", "\ufeff"} {
		if f, err := yaml.Read("s.yaml", []byte(text), &sample{}); err != nil || !f.Empty() || f.At("name") != "s.yaml" {
			t.Errorf("%q: %v: want no error, and nothing in it", text, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("name: a\nitems:\n- weight: 1\n", "items[0].weight")
	f.Add("name: ! ", "name")
	f.Fuzz(func(t *testing.T, text, field string) {
		var s sample
		if file, err := yaml.Read("s", []byte(text), &s); err == nil && !strings.HasPrefix(file.At(field), "s") {
			t.Errorf("%q stands at %q", field, file.At(field))
		}
	})
}
