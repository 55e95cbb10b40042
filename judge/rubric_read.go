package judge

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/yaml"
)

// ReadRubric reads a rubric from YAML. Unknown keys are errors, and all other problems are
// listed; name is that of the file, for messages. A missing weight is 1.
func ReadRubric(name string, data []byte) (Rubric, error) {
	var r Rubric
	file, err := yaml.Read(name, data, &r)
	if err != nil {
		return Rubric{}, fmt.Errorf("rubric %w", err)
	}
	var problems []error
	wrong := func(field, format string, args ...any) {
		problems = append(problems, fmt.Errorf("rubric %s: %s", file.At(field), fmt.Sprintf(format, args...)))
	}
	if len(r.Dimensions) == 0 {
		wrong("dimensions", "no dimensions: expected a list, each with a name and anchors")
	}
	var names []string
	for i := range r.Dimensions {
		d, at := &r.Dimensions[i], fmt.Sprintf("dimensions[%d]", i)
		d.Name = strings.TrimSpace(d.Name)
		switch {
		case d.Name == "":
			wrong(at, "dimensions[%d]: no name", i)
		case slices.Contains(names, d.Name):
			wrong(at+".name", "dimensions[%d]: %q is there twice", i, d.Name)
		}
		names = append(names, d.Name)
		if d.Weight == 0 {
			d.Weight = 1
		}
		if d.Weight < 0 || math.IsNaN(d.Weight) || math.IsInf(d.Weight, 0) {
			wrong(at+".weight", "dimension %q: weight %v: expected a number above 0", d.Name, d.Weight)
		}
		if len(d.Anchors) < 2 {
			wrong(at+".anchors", "dimension %q: %d anchors: expected one for each level from 0, at least two", d.Name, len(d.Anchors))
		}
		for level, a := range d.Anchors {
			if strings.TrimSpace(a) == "" {
				wrong(fmt.Sprintf("%s.anchors[%d]", at, level), "dimension %q: the anchor of level %d is empty", d.Name, level)
			}
		}
	}
	return r, errors.Join(problems...)
}
