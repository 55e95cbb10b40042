package wire

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/rag/extract"
)

// Folder reads the documents of a folder, whose name resolve turns into a path.
// Their sources begin with the name. Documents that cannot be read are an error
// that lists them; if skip is set, they are left out, each with a warning.
func Folder(
	ctx context.Context, name string, resolve func(string) string, skip bool,
) (docs []assay.Document, warnings []string, err error) {
	docs, problems, err := extract.Folder(ctx, resolve(name))
	if err != nil {
		return nil, nil, fmt.Errorf("corpus %s: %w", name, err)
	}
	var fatal []error
	for _, p := range problems {
		if p.Note || skip {
			warnings = append(warnings, "corpus: "+p.String())
		} else {
			fatal = append(fatal, fmt.Errorf("corpus %s: %s", name, p))
		}
	}
	if fatal != nil {
		return nil, nil, fmt.Errorf("%w\n%d of %d documents cannot be read: repair or remove them, or skip them with --unreadable skip",
			errors.Join(fatal...), len(fatal), len(fatal)+len(docs))
	}
	for i := range docs {
		// The name as the user wrote it, because reports are read on other
		// machines.
		docs[i].Source = path.Join(filepath.ToSlash(name), docs[i].ID)
	}
	return docs, warnings, nil
}

func extensions() string {
	var out []string
	for _, f := range extract.Formats() {
		out = append(out, f.Extensions...)
	}
	return strings.Join(out, ", ")
}
