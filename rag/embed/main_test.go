package embed_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if mode := os.Getenv("ASSAY_EMBED"); mode != "" {
		os.Exit(asCommand(mode))
	}
	goleak.VerifyTestMain(m)
}
