package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/store"
)

// openStore opens the database that ref names, a path or a URL, and makes a
// file when there is none.
func openStore(ctx context.Context, env *Env, ref string) (*store.Store, error) {
	if !store.IsURL(ref) {
		ref = env.Path(ref)
	}
	return store.Open(ctx, ref)
}

// openKept opens a database that is there: looking for something must not make
// one.
func openKept(ctx context.Context, env *Env, ref string, hints ...string) (*store.Store, error) {
	if !store.IsURL(ref) {
		if _, err := os.Stat(env.Path(ref)); err != nil {
			return nil, hinted(fmt.Errorf("store %s: %w", ref, err), hints...)
		}
	}
	return openStore(ctx, env, ref)
}

// openRunStore opens the database of a run, which --offline keeps on this
// machine.
func openRunStore(ctx context.Context, env *Env, r *config.Resolved) (*store.Store, error) {
	if r.Offline && store.IsRemote(r.Store) {
		return nil, fmt.Errorf("store: the database is on another machine, and --offline forbids the network: want a file or a local server")
	}
	return openStore(ctx, env, r.Store)
}
