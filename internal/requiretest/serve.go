package requiretest

import (
	"bufio"
	"bytes"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// Serve starts a program that prints its address on a line and ends when its standard
// input does, and returns the address. The program ends with the test, also if that is
// killed. what names it in messages.
func Serve(t testing.TB, what string, c *exec.Cmd) string {
	t.Helper()
	var log bytes.Buffer
	c.Stderr = &log
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	alive, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = alive.Close()
		_, _ = io.Copy(io.Discard, out)
		if err := c.Wait(); err != nil {
			t.Errorf("%s: %v\n%s", what, err, log.String())
		}
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%s does not start: %v\n%s", what, err, log.String())
	}
	return strings.TrimSpace(address)
}
