package adapter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/assay-eval/assay/target"
)

var execAdapter = Adapter{
	Name:    "exec",
	Doc:     "a program that reads and writes lines of JSON",
	Example: `--command "PROGRAM ARGUMENTS"`,
	Object:  "command",
	Settings: []Setting{
		{
			Key: "exec.pipelined", Kind: Switch, Default: "false",
			Doc: "the command accepts further questions before it has answered, and echoes their seq",
		},
		{
			Key: "exec.start", Kind: Duration, Default: "0s",
			Doc: `longest wait for the line {"ready": true} of a command that writes one (0s: it writes none)`,
		},
	},
	Open: openExec,
}

func openExec(_ context.Context, e *Env) (Opened, error) {
	c, o, err := e.execConfig()
	if err != nil {
		return o, err
	}
	if e.Command == "" {
		return o, errors.New(`adapter exec: no command; use --command "PROGRAM ARGUMENTS"`)
	}
	if c.Caller, err = e.caller("command", e.Command); err != nil {
		return o, err
	}
	if c.Caller == nil {
		if c.Command, err = e.command(); err != nil {
			return o, err
		}
	}
	c.Pipelined = e.Own["exec.pipelined"] == "true"
	if c.Start, err = time.ParseDuration(e.Own["exec.start"]); err != nil {
		return o, err
	}
	if c.Processes == 0 && !c.Pipelined {
		c.Processes = e.Concurrency
	}
	o.Target, err = target.NewExec(c)
	o.Info.Endpoint = e.Shown("command", e.Command)
	if c.Caller != nil {
		o.Info.Endpoint = inCaller
	}
	o.Info.Settings = e.described(nil)
	return o, err
}

// ByCaller names the program that started assay, in place of a command or of a Python
// object.
const ByCaller = "-"

// inCaller is the endpoint of such a target in reports.
const inCaller = "in the calling program"

// AsksCaller reports whether the settings ask the program that started assay.
func (a *Adapter) AsksCaller(s *Settings) bool {
	return a.Object == "command" && s.Command == ByCaller || a.Object != "" && s.Own[a.Object] == ByCaller
}

// caller returns the program that started assay if object, the value of the setting key,
// is [ByCaller], and nil if it names another.
func (e *Env) caller(key, object string) (*target.Caller, error) {
	if object == ByCaller && e.Caller == nil {
		return nil, fmt.Errorf("adapter %s: --%s %s asks the program that started assay, over standard output and input; use assay run, "+
			"started by a program that answers", e.Adapter, key, ByCaller)
	}
	if object != ByCaller {
		return nil, nil
	}
	return e.Caller, nil
}

func (e *Env) execConfig() (c target.ExecConfig, o Opened, err error) {
	c = target.ExecConfig{
		Dir: e.Path(cmp.Or(e.Dir, ".")), Values: values(e.Values), TopK: e.TopK, Processes: e.Processes,
		Stderr: e.Stderr, Secrets: e.Secrets, Now: e.Now,
	}
	if c.Send, err = e.send(nil); err != nil {
		return c, o, err
	}
	c.Read, o.Reports, err = e.reads()
	return c, o, err
}
