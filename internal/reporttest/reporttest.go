// Package reporttest compares JSON reports of runs.
package reporttest

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// Comparable returns the JSON report at path without what differs between two runs of the
// same cases: times, the id of the run, its settings and its command.
func Comparable(path string) (map[string]any, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var report map[string]any
	if err := json.Unmarshal(data, &report); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	strip(report)
	return report, nil
}

func strip(v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, child := range v {
			switch {
			case strings.Contains(key, "latency"), strings.HasSuffix(key, "_ms"), key == "started", key == "finished", key == "since", key == "took",
				key == "config", key == "command", key == "duration_s", key == "slow":
				delete(v, key)
			default:
				if run, ok := child.(map[string]any); ok && key == "run" {
					delete(run, "id")
				}
				strip(child)
			}
		}
	case []any:
		for _, child := range v {
			strip(child)
		}
	}
}
