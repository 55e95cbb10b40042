package adapter

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/target"
)

var mcp = Adapter{
	Name:    "mcp",
	Doc:     "a tool of an MCP server, over HTTP or started as a command",
	Example: `--endpoint URL, or --command "PROGRAM ARGUMENTS"`,
	Settings: []Setting{
		{Key: "mcp.tool", Implies: true, Doc: "tool of the MCP server (default: the only one)"},
		{Key: "mcp.protocol", Default: "2025-11-25", Doc: "version of the MCP protocol that is asked for"},
	},
	Open: openMCP,
}

func openMCP(_ context.Context, e *Env) (o Opened, err error) {
	c := target.MCPConfig{
		Endpoint: e.Endpoint, TLS: e.TLSConfig(e.Path), Proxy: e.HTTP.Proxy, Dir: e.Path(cmp.Or(e.Dir, ".")), Stderr: e.Stderr,
		Tool: e.Own["mcp.tool"], Protocol: e.Own["mcp.protocol"],
		Values: values(e.Values), TopK: e.TopK, Sessions: e.Concurrency, Secrets: e.Secrets,
		Version: e.Version, Now: e.Now, Header: e.Header(),
	}
	if (e.Endpoint == "") == (e.Command == "") {
		return o, errors.New(`adapter mcp: give either --endpoint URL, or --command "PROGRAM ARGUMENTS"`)
	}
	if e.Endpoint != "" {
		if err := e.reachable(e.Endpoint); err != nil {
			return o, err
		}
		o.Info.Endpoint = e.Shown("endpoint", e.Endpoint)
		o.Warnings = append(o.Warnings, e.unchecked()...)
	} else {
		if c.Command, err = e.command(); err != nil {
			return o, err
		}
		o.Info.Endpoint = e.Shown("command", e.Command)
	}
	if c.Send, err = e.send(nil); err != nil {
		return o, err
	}
	if c.Read, o.Reports, err = e.reads(); err != nil {
		return o, err
	}
	if spec := e.Sampler; spec != "" {
		provider, base, err := e.Model(spec)
		if err != nil {
			return o, fmt.Errorf("sampler %q: %w", spec, err)
		}
		c.Sampler, c.Base = provider, base
		// A trace comes with every answer that was sampled.
		o.Reports |= metric.ReadTrace
		o.Info.Settings = With(o.Info.Settings, "sampler", spec)
	}
	o.Info.Settings = e.described(With(With(o.Info.Settings, "tool", c.Tool), "protocol", c.Protocol))
	o.Target, err = target.NewMCP(c)
	return o, err
}
