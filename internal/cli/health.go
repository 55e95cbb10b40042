package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/text"
)

// healthWait bounds the whole check.
const healthWait = 4 * time.Second

func newServeHealth(env *Env) *cobra.Command {
	var alive bool
	cmd := &cobra.Command{
		Use:  "health [URL]",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			server := "http://" + defaultAddr
			if len(args) == 1 {
				server = args[0]
			}
			path := "/readyz"
			if alive {
				path = "/healthz"
			}
			said, err := askHealth(cmd.Context(), server, path)
			if err != nil {
				return &ExitError{Code: ExitThreshold, Err: err}
			}
			fmt.Fprintln(env.Stdout, said)
			return nil
		},
	}
	cmd.Flags().BoolVar(&alive, "alive", false, "check only that the process answers")
	return cmd
}

// askHealth returns what a server says of itself in one line.
func askHealth(ctx context.Context, server, path string) (string, error) {
	u, err := url.Parse(server)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%q: expected the address of a server, such as http://%s", server, defaultAddr)
	}
	ctx, cancel := context.WithTimeout(ctx, healthWait)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(server, "/")+path, nil)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if err != nil {
		return "", err
	}
	// The field "status" is a word in a reply and a number in a problem.
	var said struct {
		Version, Detail string
		Status          any
	}
	err = json.Unmarshal(body, &said)
	switch {
	case err == nil && resp.StatusCode == http.StatusOK && said.Status == "ok":
		return text.Visible("ok, version " + said.Version), nil
	case err == nil && said.Detail != "":
		return "", errors.New(text.Visible(said.Detail))
	}
	return "", fmt.Errorf("%s answers with status %d, and not as assay serve does", server, resp.StatusCode)
}
