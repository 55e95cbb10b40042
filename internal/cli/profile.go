package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/rag/profile"
	"github.com/assay-eval/assay/store"
)

// withProfiles opens the profiles in the store of the settings. Unless write is set, it
// does not create a database.
func withProfiles(ctx context.Context, env *Env, cmd *cobra.Command, file string, write bool, do func(wire.Profiles) error) error {
	r, err := resolve(env, cmd.Flags(), file)
	if err != nil {
		return err
	}
	if write {
		s, err := openRunStore(ctx, env, r)
		if err != nil {
			return err
		}
		defer s.Close()
		return do(wire.Profiles{Store: s, Now: env.Now})
	}
	return readProfiles(ctx, env, r, do)
}

// readProfiles opens the profiles for reading only. It does not create a database.
func readProfiles(ctx context.Context, env *Env, r *config.Resolved, do func(wire.Profiles) error) error {
	if missingStore(env, r.Store) != nil {
		return do(wire.Profiles{Now: env.Now})
	}
	s, err := openRunStore(ctx, env, r)
	if err != nil {
		return err
	}
	defer s.Close()
	return do(wire.Profiles{Store: s, Now: env.Now})
}

// keptProfile returns the function that finds the profile of a run by name.
func keptProfile(env *Env, r *config.Resolved) func(context.Context, string) (profile.Profile, error) {
	return func(ctx context.Context, name string) (p profile.Profile, err error) {
		err = readProfiles(ctx, env, r, func(all wire.Profiles) error {
			p, err = all.Profile(ctx, name)
			return err
		})
		return p, err
	}
}

// profileCommand makes a command for the profiles of a store, which it does not create.
func profileCommand(
	env *Env, use string, args cobra.PositionalArgs, read func(ctx context.Context, all wire.Profiles, args []string) error,
) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:  use,
		Args: args,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withProfiles(cmd.Context(), env, cmd, file, false, func(all wire.Profiles) error { return read(cmd.Context(), all, args) })
		},
	}
	addConfigFlags(cmd, &file, "store")
	return cmd
}

func newProfileList(env *Env) *cobra.Command {
	return profileCommand(env, "list", cobra.NoArgs, func(ctx context.Context, all wire.Profiles, _ []string) error {
		list, err := all.List(ctx)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "profile\thash\ttemplates")
		for _, p := range list {
			fmt.Fprintf(w, "%s\t%s\t%s\n", p.Name, text.ShortHash(p.Hash()), standing(p))
		}
		return w.Flush()
	})
}

// standing describes how a profile differs from the built-in one.
func standing(p profile.Profile) string {
	d, ok := profile.Default(p.Name)
	if !ok {
		return "your own"
	}
	var changed []string
	for _, s := range profile.Steps() {
		if d.Templates[s.Name] != p.Templates[s.Name] {
			changed = append(changed, s.Name)
		}
	}
	if changed == nil {
		return "as it comes"
	}
	return "changed: " + strings.Join(changed, ", ")
}

func newProfileShow(env *Env) *cobra.Command {
	return profileCommand(env, "show NAME [STEP]", cobra.RangeArgs(1, 2), func(ctx context.Context, all wire.Profiles, args []string) error {
		p, err := all.Profile(ctx, args[0])
		if err != nil {
			return err
		}
		if len(args) == 1 {
			_, err = env.Stdout.Write(p.YAML())
			return err
		}
		if _, err := profile.Find(args[1]); err != nil {
			return err
		}
		_, err = fmt.Fprintln(env.Stdout, p.Templates[args[1]])
		return err
	})
}

func newProfileSet(env *Env) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:  "set NAME [STEP] FILE",
		Args: cobra.RangeArgs(2, 3),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := profile.CheckName(args[0]); err != nil {
				return err
			}
			name := args[len(args)-1]
			data, err := readInput(env, name)
			if err != nil {
				return err
			}
			var p profile.Profile
			if len(args) == 2 {
				p, err = profile.Parse(name, data)
				p.Name = args[0]
			} else {
				p, err = withTemplate(cmd, env, file, args[0], args[1], oneText(data))
			}
			if err == nil {
				err = p.Validate()
			}
			if err != nil {
				return err
			}
			return withProfiles(cmd.Context(), env, cmd, file, true, func(all wire.Profiles) error {
				if err := all.Save(cmd.Context(), p); err != nil {
					return err
				}
				env.Warn("profile %s saved, %s", p.Name, text.ShortHash(p.Hash()))
				return nil
			})
		},
	}
	addConfigFlags(cmd, &file, "store")
	return cmd
}

// withTemplate returns a profile with another template of a step.
func withTemplate(cmd *cobra.Command, env *Env, file, name, step, template string) (p profile.Profile, err error) {
	if _, err := profile.Find(step); err != nil {
		return p, err
	}
	err = withProfiles(cmd.Context(), env, cmd, file, false, func(all wire.Profiles) error {
		p, err = all.Profile(cmd.Context(), name)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		err = hinted(err, "assay store profile show A > FILE and assay store profile set NAME FILE make a new one")
	}
	return p.With(step, template), err
}

// oneText returns the content of a file as a template: without a byte order mark, with
// Unix line endings, and without the final newline.
func oneText(data []byte) string {
	return strings.TrimSuffix(strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n"), "\n")
}

// readInput reads a file, or standard input if the name is "-", of at most 4 MiB.
func readInput(env *Env, name string) ([]byte, error) {
	const most = 4 << 20
	in, err := env.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && len(data) > most {
		err = fmt.Errorf("%s: larger than %d MiB", name, most>>20)
	}
	return data, err
}

func newProfileReset(env *Env) *cobra.Command {
	return profileCommand(env, "reset NAME", cobra.ExactArgs(1), func(ctx context.Context, all wire.Profiles, args []string) error {
		if all.Store != nil {
			if err := all.Reset(ctx, args[0]); err != nil {
				return err
			}
		} else if _, err := all.Profile(ctx, args[0]); err != nil {
			return err
		}
		if d, ok := profile.Default(args[0]); ok {
			env.Warn("profile %s reset to the built-in version, %s", args[0], text.ShortHash(d.Hash()))
		} else {
			env.Warn("profile %s deleted", args[0])
		}
		return nil
	})
}
