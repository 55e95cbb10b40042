package cli_test

import (
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/assay-eval/assay/store/postgrestest"
)

// TestStoreScripts runs the sessions in testdata/store on databases of each
// kind: $A, $B and $C are empty ones.
func TestStoreScripts(t *testing.T) {
	run := func(t *testing.T, place func(*testscript.Env, string) string) {
		testscript.Run(t, testscript.Params{
			Dir:             "testdata/store",
			UpdateScripts:   os.Getenv("ASSAY_UPDATE") != "",
			Cmds:            scripted,
			ContinueOnError: true,
			Setup: func(e *testscript.Env) error {
				e.Setenv("HOME", e.WorkDir)
				for _, name := range []string{"A", "B", "C"} {
					e.Setenv(name, place(e, name))
				}
				return nil
			},
		})
	}
	t.Run("sqlite", func(t *testing.T) {
		run(t, func(_ *testscript.Env, name string) string { return name + ".db" })
	})
	t.Run("postgres", func(t *testing.T) {
		server := postgrestest.Start(t)
		var made atomic.Int64 // The scripts of one kind run at once.
		run(t, func(e *testscript.Env, _ string) string {
			name := fmt.Sprintf("script_%d", made.Add(1))
			server.Exec(t, "postgres", `CREATE DATABASE `+name+` TEMPLATE template0`)
			return server.URL(name)
		})
	})
}
