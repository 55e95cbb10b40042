package config

import "testing"

func TestMeanings(t *testing.T) {
	t.Parallel()
	unused := readMeanings()
	for _, s := range Settings {
		if s.Doc == "" {
			t.Errorf("settings.txt: no line for %q", s.Key)
		}
		delete(unused, s.Key)
	}
	for key := range unused {
		t.Errorf("settings.txt: no setting %q", key)
	}
}
