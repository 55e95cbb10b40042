package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// checksums writes the SHA-256 of every artefact in the form of sha256sum.
func (r *release) checksums() error {
	entries, err := os.ReadDir(r.output)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	for _, e := range entries {
		if e.IsDir() || !strings.HasPrefix(e.Name(), program+"_"+r.version+"_") || e.Name() == r.checksumFile() {
			continue
		}
		sum, err := r.checksum(e.Name())
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "%s  %s\n", sum, e.Name())
	}
	return r.write(r.checksumFile(), out.Bytes())
}

func (r *release) checksumFile() string { return program + "_" + r.version + "_checksums.txt" }

func (r *release) checksum(name string) (string, error) {
	content, err := os.ReadFile(filepath.Join(r.output, name))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(content)), nil
}
