package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"

	shellquote "github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/process"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/rag/profile"
)

func newProfileEdit(env *Env) *cobra.Command {
	var file, from string
	cmd := &cobra.Command{
		Use:   "edit NAME [STEP]",
		Short: "Edit a profile, or one of its templates, in an editor",
		Long: `Edit a profile, or one of its templates, with the editor in VISUAL or EDITOR (else
vi). The saved text is checked and stored; when it is invalid nothing changes, and
the text stays in a file that the message names. A new profile starts as a copy of
the one given by --from.`,
		Example: `  assay profile edit A
  assay profile edit --from B minutes generate`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := profile.CheckName(args[0]); err != nil {
				return err
			}
			var p profile.Profile
			err := withProfiles(cmd.Context(), env, cmd, file, false, func(all wire.Profiles) (err error) {
				p, err = begun(cmd.Context(), all, args[0], from)
				return err
			})
			if err != nil {
				return err
			}
			step := ""
			if len(args) == 2 {
				step = args[1]
				if _, err := profile.Find(step); err != nil {
					return err
				}
			}
			return editProfile(cmd.Context(), env, p, step, from != "", func(q profile.Profile) error { return saveProfile(env, cmd, file, q) })
		},
	}
	profileFlags(cmd, &file)
	cmd.Flags().StringVar(&from, "from", "", "profile that a new one begins as")
	return cmd
}

// editProfile opens a profile, or the template of one step, in an editor and saves the
// result. It removes the file when the result is saved or unchanged; after an error in
// the text the file stays.
func editProfile(ctx context.Context, env *Env, p profile.Profile, step string, fresh bool, save func(profile.Profile) error) error {
	before, pattern := p.YAML(), "assay-profile-*.yaml"
	if step != "" {
		before, pattern = []byte(p.Templates[step]+"\n"), "assay-"+step+"-*.txt"
	}
	f, err := os.CreateTemp("", pattern)
	if err != nil {
		return err
	}
	name := f.Name()
	_, err = f.Write(before)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	if err := openEditor(ctx, env, name); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	after, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if bytes.Equal(before, after) && !fresh {
		env.Warn("profile %s unchanged", p.Name)
		return os.Remove(name)
	}
	q := p.With(step, oneText(after))
	if step == "" {
		if q, err = profile.Parse(name, after); err == nil && q.Name != p.Name {
			err = fmt.Errorf("%s: name %q: want %q; use --from for a new name", name, q.Name, p.Name)
		}
	}
	if err == nil {
		err = save(q)
	}
	if err != nil {
		again := "assay profile set " + p.Name + " "
		if step != "" {
			again += step + " "
		}
		return hinted(err, fmt.Sprintf("your text is in %s; after correcting it, %s%s saves it", name, again, shellquote.Join(name)))
	}
	return os.Remove(name)
}

// openEditor runs the user's editor and waits for it to exit.
func openEditor(ctx context.Context, env *Env, file string) error {
	editor := "vi"
	for _, name := range []string{"EDITOR", "VISUAL"} {
		if v := env.Getenv(name); v != "" {
			editor = v
		}
	}
	words, err := process.Words(editor)
	if err != nil {
		return fmt.Errorf("editor: %w", err)
	}
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], file)...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = env.Dir, env.Stdin, env.Stdout, env.Stderr
	if err := cmd.Run(); err != nil {
		return hinted(fmt.Errorf("editor %q: %w", editor, err), "set EDITOR to another one")
	}
	return nil
}
