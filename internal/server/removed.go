package server

import (
	"path"
	"sync"

	"github.com/assay-eval/assay/internal/yaml"
)

// removed are addresses of earlier versions, with what replaces them.
var removed = sync.OnceValue(func() (all map[string]string) {
	readAsset("removed.yaml", &all)
	return all
})

// readAsset reads a file that is inside the program.
func readAsset(name string, into any) {
	text, err := assets.ReadFile("assets/" + name)
	if err == nil {
		_, err = yaml.Read(path.Base(name), text, into)
	}
	if err != nil {
		panic(err)
	}
}

// insteadOf says what replaces an address that an earlier version had; "" if none had it.
func insteadOf(method, address string) string {
	for pattern, instead := range removed() {
		for _, asked := range []string{address, method + " " + address} {
			if is, _ := path.Match(pattern, asked); is {
				return "this address was removed: " + instead
			}
		}
	}
	return ""
}
