package main

import (
	"strings"
	"testing"
)

func TestMeasure(t *testing.T) {
	packages := map[string]pkg{
		"runtime":            {module: standard},
		"example.com/a/b":    {module: "example.com/a", files: 7},
		"gopkg.in/yaml.v3":   {module: "gopkg.in/yaml.v3"},
		weights:              {module: "github.com/assay-eval/assay", files: 40},
		"example.com/a/none": {module: "example.com/a"},
	}
	nm := ` 401000  100 T runtime.main
 402000  200 T example.com/a/b.(*T).Do[go.shape.struct { X int }]
 403000   50 t gopkg.in/yaml%2ev3.parse
 404000   30 R type:.eq.example.com/a/b.T
 405000  999 B runtime.heap
 406000   70 r go:func.*
 407000    7 d example.com/a/b..gobytes.1
 408000  888 D crypto/internal/fips140/drbg.memory
 409000    5 R type:int
`
	parts, tables, err := measure(strings.NewReader(nm), packages, 280)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]part{
		standard:           {code: 100, tableShares: 100}, // 350 of tables, of which 100 of 350 of code
		"example.com/a":    {code: 200, tableShares: 200, data: 30, files: 7},
		"gopkg.in/yaml.v3": {code: 50, tableShares: 50},
		"weights and words of the built-in embedder": {files: 40},
		"": {data: 5},
	}
	for _, p := range parts {
		w := want[p.name]
		w.name = p.name
		if *p != w {
			t.Errorf("%q: %+v, want %+v", p.name, *p, w)
		}
		delete(want, p.name)
	}
	if tables != 350 || len(want) > 0 {
		t.Errorf("tables of %d, want 350; %d parts are missing", tables, len(want))
	}
	if _, _, err := measure(strings.NewReader("1 x T y\n"), nil, 0); err == nil || !strings.Contains(err.Error(), "want a size") {
		t.Errorf("a line that is none: %v", err)
	}
}
