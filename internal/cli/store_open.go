package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/store"
)

// storeFlag adds the flag that names the database. Without it, the database is that of the
// configuration file and of the environment, as in every command with settings.
func storeFlag(cmd *cobra.Command, env *Env, ref *string) {
	cmd.Flags().StringVar(ref, "store", settingOf("store").Default, docOf("store"))
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if cmd.Flags().Changed("store") {
			return nil
		}
		r, err := gather(env, cmd.Flags(), "", storedSettings)
		if err == nil {
			*ref = r.Store
		}
		return err
	}
}

// storeCommand makes a command that works on a database. It must exist; the hints say what to
// do if it does not.
func storeCommand(
	env *Env, use string, args cobra.PositionalArgs, work func(ctx context.Context, s *store.Store, args []string) error, hints ...string,
) *cobra.Command {
	var ref string
	cmd := &cobra.Command{
		Use:  use,
		Args: args,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := openKept(cmd.Context(), env, ref, hints...)
			if err != nil {
				return err
			}
			defer s.Close()
			return work(cmd.Context(), s, args)
		},
	}
	storeFlag(cmd, env, &ref)
	return cmd
}

// storePath resolves a reference to a database: the path of a file against the folder of
// the command.
func storePath(env *Env, ref string) string {
	if store.IsFile(ref) {
		return env.Path(ref)
	}
	return ref
}

// openStore opens a database and creates the file when there is none.
func openStore(ctx context.Context, env *Env, ref string) (*store.Store, error) {
	return store.Open(ctx, storePath(env, ref))
}

// missingStore returns an error if a database is a file that does not exist.
func missingStore(env *Env, ref string) error {
	if !store.IsFile(ref) {
		return nil
	}
	info, err := os.Stat(env.Path(ref))
	if err == nil && info.Size() == 0 {
		err = errors.New("the file is empty: expected the database that an earlier command wrote")
	}
	return err
}

// openKept opens a database that exists. Commands that only read must not create one.
func openKept(ctx context.Context, env *Env, ref string, hints ...string) (*store.Store, error) {
	if err := missingStore(env, ref); err != nil {
		return nil, hinted(fmt.Errorf("store %s: %w", ref, err), hints...)
	}
	return openStore(ctx, env, ref)
}

// openRunStore opens the database of a run. With --offline it must be on this machine.
func openRunStore(ctx context.Context, env *Env, r *config.Resolved) (*store.Store, error) {
	if r.Offline && store.IsRemote(r.Store) {
		return nil, errors.New("store: the database is on another machine, and --offline forbids the network: expected a file or a local server")
	}
	return openStore(ctx, env, r.Store)
}
