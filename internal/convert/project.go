package convert

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// configurations are the names under which promptfoo looks for its configuration.
var configurations = []string{"promptfooconfig.yaml", "promptfooconfig.yml", "promptfooconfig.json"}

// Project converts the project at a path: a configuration of promptfoo, a file with tests
// of DeepEval, or a folder with one of these. The name is that of the path in messages.
func Project(ctx context.Context, path, name string, o Options) (*Converted, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s: no such file or folder: want promptfooconfig.yaml, a file with tests of DeepEval, or a folder with these",
			name)
	}
	if !st.IsDir() {
		if strings.EqualFold(filepath.Ext(path), ".py") {
			return DeepEval(ctx, filepath.Dir(path), filepath.Dir(name), []string{filepath.Base(path)}, o)
		}
		return Promptfoo(ctx, path, name, o)
	}
	config := ""
	for _, file := range configurations {
		if _, err := os.Stat(filepath.Join(path, file)); err == nil && config == "" {
			config = file
		}
	}
	tests, err := deepevalTests(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	switch {
	case config != "" && tests != nil:
		return nil, fmt.Errorf("%s has %s and tests of DeepEval (%s): want one of these files", name, config, strings.Join(tests, ", "))
	case config != "":
		return Promptfoo(ctx, filepath.Join(path, config), filepath.Join(name, config), o)
	case tests != nil:
		return DeepEval(ctx, path, name, tests, o)
	}
	return nil, fmt.Errorf("%s: neither promptfooconfig.yaml nor test_*.py with an import of deepeval: want the folder of such a project",
		name)
}

// skipped are folders that hold no tests of the project.
var skipped = []string{"node_modules", "venv", "site-packages", "__pycache__"}

// maxTests bounds the number of files with tests.
const maxTests = 1000

// deepevalTests finds the files with tests that import deepeval, as paths below the folder.
func deepevalTests(folder string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || len(out) > maxTests {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			if path != folder && (strings.HasPrefix(base, ".") || slices.Contains(skipped, base)) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".py") || !strings.HasPrefix(base, "test_") && !strings.HasSuffix(base, "_test.py") {
			return nil
		}
		source, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(source), "deepeval") {
			rel, err := filepath.Rel(folder, path)
			if err != nil {
				return err
			}
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	return out, err
}
