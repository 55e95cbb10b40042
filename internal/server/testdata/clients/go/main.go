// Command clients uses a server by way of the client that was generated into the folder
// client: it lists, filters, compares, starts, follows and cancels.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"clients/client"
)

func main() {
	if err := use(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func use(ctx context.Context, url string) error {
	c, err := client.NewClientWithResponses(url)
	if err != nil {
		return err
	}
	var ids []string
	for i, k := range []int{3, 1} {
		name := fmt.Sprintf("go %d", i)
		id, err := start(ctx, c, client.RunRequest{Name: &name, Dataset: of("rivers.jsonl"), Config: &map[string]any{"top-k": k}})
		if err != nil {
			return err
		}
		end, cases, err := follow(ctx, c, id, "done")
		if err != nil {
			return err
		}
		if end["state"] != "finished" || cases != 3 {
			return fmt.Errorf("run %s: %v after %d cases", id, end, cases)
		}
		ids = append(ids, id)
	}

	runs, err := c.ListRunsWithResponse(ctx, &client.ListRunsParams{Name: of("go 1")})
	if err != nil {
		return err
	}
	if l := runs.JSON200; l == nil || l.Total != 1 || l.Items[0].RunId != ids[1] {
		return fmt.Errorf("runs: %s", runs.Body)
	}
	cases, err := c.ListCasesWithResponse(ctx, ids[0], &client.ListCasesParams{Q: of("hit@1>0.5 Rome"), Sort: of("-mrr")})
	if err != nil {
		return err
	}
	if l := cases.JSON200; l == nil || l.Total != 1 || l.Items[0].CaseId != "tc_3" {
		return fmt.Errorf("cases: %s", cases.Body)
	}
	wrong, err := c.ListCasesWithResponse(ctx, ids[0], &client.ListCasesParams{Q: of("hit@1>")})
	if err != nil {
		return err
	}
	if p := wrong.ApplicationproblemJSON400; p == nil || p.Errors == nil || *(*p.Errors)[0].Location != "query.q" {
		return fmt.Errorf("a wrong filter: %s", wrong.Body)
	}

	both := strings.Join(ids, ",")
	compared, err := c.CompareRunsWithResponse(ctx, &client.CompareRunsParams{Runs: both, Cases: of(false)})
	if err != nil {
		return err
	}
	var v struct {
		Baseline string
		Summary  map[string]struct{ Differences map[string]struct{ N int } }
	}
	if err := json.Unmarshal(compared.Body, &v); err != nil || v.Baseline != "go 0" || v.Summary["hit@1"].Differences["go 1"].N != 3 {
		return fmt.Errorf("comparison: %s", compared.Body)
	}
	unknown := client.ListComparedCasesParamsClassUnknown
	pairs, err := c.ListComparedCasesWithResponse(ctx, &client.ListComparedCasesParams{Runs: both, Class: &unknown})
	if err != nil {
		return err
	}
	if l := pairs.JSON200; l == nil || l.Total != 3 || len(l.Items[0].Cells) != 2 {
		return fmt.Errorf("compared cases: %s", pairs.Body)
	}

	slow, err := start(ctx, c, client.RunRequest{Dataset: of("slow.jsonl"), Target: of("slow"), Config: &map[string]any{"concurrency": 1}})
	if err != nil {
		return err
	}
	if _, _, err := follow(ctx, c, slow, "case"); err != nil {
		return err
	}
	cancelled, err := c.CancelRunWithResponse(ctx, slow, &client.CancelRunParams{})
	if err != nil {
		return err
	}
	if cancelled.JSON202 == nil {
		return fmt.Errorf("cancel: %s", cancelled.Body)
	}
	end, n, err := follow(ctx, c, slow, "done")
	if err != nil {
		return err
	}
	if end["state"] != "cancelled" || n == 0 || float64(n) >= end["total"].(float64) {
		return fmt.Errorf("a cancelled run: %v after %d cases", end, n)
	}
	return nil
}

func of[T any](v T) *T { return &v }

func start(ctx context.Context, c *client.ClientWithResponses, body client.RunRequest) (id string, err error) {
	r, err := c.StartRunWithResponse(ctx, &client.StartRunParams{}, body)
	if err != nil {
		return "", err
	}
	if r.JSON202 == nil {
		return "", fmt.Errorf("start: %s", r.Body)
	}
	return r.JSON202.RunId, nil
}

// follow reads the events of a run until one with a name, and returns its data and the
// number of cases.
func follow(ctx context.Context, c *client.ClientWithResponses, id, until string) (data map[string]any, cases int, err error) {
	r, err := c.FollowRun(ctx, id, &client.FollowRunParams{})
	if err != nil {
		return nil, 0, err
	}
	defer r.Body.Close()
	name := ""
	for lines := bufio.NewScanner(r.Body); lines.Scan(); {
		if event, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			name = event
			if name == "case" {
				cases++
			}
		}
		if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok && name == until {
			return data, cases, json.Unmarshal([]byte(text), &data)
		}
	}
	return nil, cases, fmt.Errorf("run %s: its events end before %q", id, until)
}
