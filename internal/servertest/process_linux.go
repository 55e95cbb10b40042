package servertest

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// confine ties a program's life to this process, and runs it as an unprivileged user, since
// PostgreSQL refuses to run as root.
func confine(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if uid, gid, ok := other(); ok {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
}

// own changes the owner of a file to that user.
func own(path string) error {
	if uid, gid, ok := other(); ok {
		return os.Chown(path, uid, gid)
	}
	return nil
}

func other() (uid, gid int, ok bool) {
	if os.Geteuid() != 0 {
		return 0, 0, false
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errU := strconv.Atoi(u.Uid)
		gid, errG := strconv.Atoi(u.Gid)
		if errU == nil && errG == nil {
			return uid, gid, true
		}
	}
	return 0, 0, false
}
