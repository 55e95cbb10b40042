package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/server"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/store"
)

func newTokenCreate(env *Env) *cobra.Command {
	var path, name, expires string
	var scope server.Scope
	cmd := &cobra.Command{
		Use:  "create",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t := server.Token{Name: name, Scope: scope}
			if expires != "" {
				after, err := lifetime(expires)
				if err != nil {
					return fmt.Errorf("--expires %q: %w", expires, err)
				}
				t.Expires = env.Now().UTC().Add(after)
			}
			s, err := openStore(cmd.Context(), env, path)
			if err != nil {
				return err
			}
			defer s.Close()
			return createToken(cmd.Context(), env, s, t, func(token string) { fmt.Fprintln(env.Stdout, token) })
		},
	}
	choiceFlag(cmd, &scope, "scope", "what the token allows", server.Scopes)
	cmd.Flags().StringVar(&name, "name", "", "name of the token, for assay serve token list")
	cmd.Flags().StringVar(&expires, "expires", "", "lifetime, such as 12h or 90d (default: until it is revoked)")
	storeFlag(cmd, env, &path)
	_ = cmd.MarkFlagRequired("scope")
	return cmd
}

// createToken stores a new token as t describes it, and calls show with what is sent as the
// token. Then it says on standard error which token this is.
func createToken(ctx context.Context, env *Env, s *store.Store, t server.Token, show func(token string)) error {
	t.Created = env.Now().UTC()
	var err error
	if t.ID, err = server.NewID(t.Created, rand.Reader); err != nil {
		return err
	}
	token, err := server.NewToken(ctx, s, t, rand.Reader)
	if err != nil {
		return err
	}
	show(token)
	env.Warn("token %s created with scope %s; it is not shown again", t.ID, t.Scope)
	env.Hint("send it as \"Authorization: Bearer TOKEN\"; assay serve token revoke %s revokes it", t.ID)
	return nil
}

// lifetime parses a duration. Unlike time.ParseDuration it accepts days.
func lifetime(typed string) (time.Duration, error) {
	want := errors.New("expected a duration from one minute to ten years, such as 12h or 90d")
	d, err := time.ParseDuration(typed)
	if days, ok := strings.CutSuffix(typed, "d"); ok {
		n, wrong := strconv.Atoi(days)
		if wrong != nil || n > 3653 {
			return 0, want
		}
		d, err = time.Duration(n)*24*time.Hour, nil
	}
	if err != nil || d < time.Minute || d > 3653*24*time.Hour {
		return 0, want
	}
	return d, nil
}

func newTokenList(env *Env) *cobra.Command {
	return storeCommand(env, "list", cobra.NoArgs, func(ctx context.Context, s *store.Store, _ []string) error {
		tokens, err := server.Tokens(ctx, s)
		if err != nil {
			return err
		}
		if len(tokens) == 0 {
			env.Hint("no token yet: assay serve token create creates one")
			return nil
		}
		w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "TOKEN\tSCOPE\tCREATED\tEXPIRES\tNAME")
		for _, t := range tokens {
			expires := "never"
			if !t.Expires.IsZero() {
				expires = t.Expires.Format(time.DateOnly)
				if env.Now().After(t.Expires) {
					expires += " (expired)"
				}
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", t.ID, t.Scope, t.Created.Format(time.DateOnly), expires, text.Visible(t.Name))
		}
		return w.Flush()
	}, "assay serve token create makes it", "--store names another")
}

func newTokenRevoke(env *Env) *cobra.Command {
	return storeCommand(env, "revoke ID...", cobra.MinimumNArgs(1), func(ctx context.Context, s *store.Store, args []string) error {
		var problems []error
		for _, id := range args {
			err := s.DeleteItem(ctx, store.KindToken, id)
			if errors.Is(err, store.ErrNotFound) {
				err = fmt.Errorf("token %q: no such token  (all: assay serve token list)", id)
			}
			if err == nil {
				env.Warn("token %s is revoked", id)
			}
			problems = append(problems, err)
		}
		return errors.Join(problems...)
	}, "assay serve token create makes it", "--store names another")
}
