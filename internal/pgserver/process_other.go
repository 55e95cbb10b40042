//go:build !linux

package pgserver

import "os/exec"

func confine(*exec.Cmd) {}

func own(string) error { return nil }
