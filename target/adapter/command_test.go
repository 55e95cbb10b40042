package adapter

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCommand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		command string
		want    []string
		says    string
	}{
		{`node "my server/ünï.js" --a 'b c'`, []string{"node", "my server/ünï.js", "--a", "b c"}, ""},
		{`my\ server.sh ""`, []string{"my server.sh", ""}, ""},
		{`'C:\Program Files\srv.exe' --a`, []string{`C:\Program Files\srv.exe`, "--a"}, ""},
		{`C:/srv.exe`, []string{"C:/srv.exe"}, ""},
		{`C:\tools\srv.exe --a`, nil, `leaves "C:toolssrv.exe"; put '…' around`},
		{`node 'unclosed`, nil, "quoted as for a shell"},
		{"  ", nil, "expected a program"},
	} {
		s := Settings{Command: c.command}
		got, err := s.command()
		if c.says == "" {
			if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
				t.Errorf("%s: %v\n%s", c.command, err, diff)
			}
		} else if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %q, %v: want an error that says %q", c.command, got, err, c.says)
		}
	}
}
