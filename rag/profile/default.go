package profile

import (
	"embed"
	"fmt"
	"maps"
	"sync"
)

//go:embed default/*.yaml
var defaultFiles embed.FS

// defaultNames are the profiles that come with the program: A is general and in
// English, B is for records of meetings, formal and in Traditional Chinese, C is
// terse and says only what passages say.
var defaultNames = []string{"A", "B", "C"}

// Defaults lists the names of the profiles that come with the program.
func Defaults() []string { return append([]string(nil), defaultNames...) }

// Default gives a profile that comes with the program.
func Default(name string) (_ Profile, ok bool) {
	p, ok := loadDefaults()[name]
	p.Templates = maps.Clone(p.Templates)
	return p, ok
}

var loadDefaults = sync.OnceValue(func() map[string]Profile {
	out := map[string]Profile{}
	for _, name := range defaultNames {
		file := fmt.Sprintf("default/%s.yaml", name)
		data, err := defaultFiles.ReadFile(file)
		if err == nil {
			var p Profile
			if p, err = Parse(file, data); err == nil {
				out[name] = p
			}
		}
		if err != nil {
			// The files are part of the program and a test reads them.
			panic(err)
		}
	}
	return out
})
