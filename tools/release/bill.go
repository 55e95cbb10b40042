package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// bill writes what a program is made of, as CycloneDX: the modules that are linked into it,
// as the program itself lists them, and the weights of the embedding model.
func (r *release) bill(ctx context.Context, b built) error {
	var out, problems bytes.Buffer
	c := exec.CommandContext(ctx, "go", "tool", "cyclonedx-gomod", "bin", "-json", "-std", "-noserial", "-notimestamp", "-output-version", "1.6",
		"-version", "v"+r.version, b.path)
	c.Stdout, c.Stderr, c.Dir = &out, &problems, filepath.Join(r.source, "tools", "release")
	path, err := filepath.Abs(b.path)
	if err != nil {
		return err
	}
	c.Args[len(c.Args)-1] = path
	if err := c.Run(); err != nil {
		return fmt.Errorf("cyclonedx-gomod: %w: %s", err, problems.Bytes())
	}
	bom := cdx.NewBOM()
	if err := cdx.NewBOMDecoder(&out, cdx.BOMFileFormatJSON).Decode(bom); err != nil {
		return err
	}
	if bom.Components == nil || bom.Metadata == nil {
		return fmt.Errorf("cyclonedx-gomod listed no modules of %s", b.path)
	}
	weights, err := r.weights()
	if err != nil {
		return err
	}
	all := append(slices.Clone(*bom.Components), weights)
	bom.Components = &all
	bom.Metadata.Timestamp = r.date.Format(time.RFC3339)
	var packed bytes.Buffer
	if err := cdx.NewBOMEncoder(&packed, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bom); err != nil {
		return err
	}
	return r.write(r.name(b)+".sbom.json", packed.Bytes())
}

// weights describes the embedding model, which no module holds. Its notice says where it
// comes from and what was changed.
func (r *release) weights() (cdx.Component, error) {
	dir := filepath.Join(r.source, "rag", "embed", "minilm")
	notice, err := os.ReadFile(filepath.Join(dir, "NOTICE"))
	if err != nil {
		return cdx.Component{}, err
	}
	sums, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		return cdx.Component{}, err
	}
	var hashes []cdx.Hash
	for line := range bytes.Lines(sums) {
		if f := bytes.Fields(line); len(f) == 2 && string(f[1]) == "minilm.bin" {
			hashes = append(hashes, cdx.Hash{Algorithm: cdx.HashAlgoSHA256, Value: string(f[0])})
		}
	}
	if len(hashes) != 1 {
		return cdx.Component{}, fmt.Errorf("%s/SHA256SUMS: no sum of minilm.bin", dir)
	}
	return cdx.Component{
		BOMRef: "minilm.bin", Type: cdx.ComponentTypeMachineLearningModel, Name: "all-MiniLM-L6-v2", Description: string(notice), Hashes: &hashes,
		Licenses: &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}},
		ExternalReferences: &[]cdx.ExternalReference{{
			Type: cdx.ERTypeWebsite, URL: "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
		}},
	}, nil
}
