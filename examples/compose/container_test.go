package compose_test

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An image is what docker load reads, unpacked.
type image struct {
	rootfs string
	Config struct {
		User, WorkingDir string
		Entrypoint, Cmd  []string
		Env              []string
		Healthcheck      struct{ Test []string }
		ExposedPorts     map[string]struct{}
	}
}

// unpack reads the archive of an image with one layer.
func unpack(t *testing.T, path string) *image {
	t.Helper()
	content := map[string][]byte{}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if content[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	var manifest []struct {
		Config string
		Layers []string
	}
	if err := json.Unmarshal(content["manifest.json"], &manifest); err != nil || len(manifest) != 1 || len(manifest[0].Layers) != 1 {
		t.Fatalf("manifest.json %s, %v: want one image of one layer", content["manifest.json"], err)
	}
	img := &image{rootfs: filepath.Join(t.TempDir(), "rootfs")}
	if err := json.Unmarshal(content[manifest[0].Config], img); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(img.rootfs, 0o755); err != nil {
		t.Fatal(err)
	}
	untar := exec.Command("tar", "-xzp", "-C", img.rootfs)
	untar.Stdin = bytes.NewReader(content[manifest[0].Layers[0]])
	if said, err := untar.CombinedOutput(); err != nil {
		t.Fatalf("tar: %v: %s", err, said)
	}
	return img
}

// A mount shows a folder of this machine in a container.
type mount struct {
	from, to string
	readOnly bool
}

// A container runs a command of an image, as its user, on a file system that is read-only
// but for its mounts, without capabilities, and with the network of this machine.
type container struct {
	runc, id string
	output   *output
	ended    chan error
}

// start starts a container of the image with the arguments and variables.
func (img *image) start(t *testing.T, runc, id string, args, env []string, mounts []mount) *container {
	t.Helper()
	bundle := t.TempDir()
	var uid, gid int
	if _, err := fmt.Sscanf(img.Config.User, "%d:%d", &uid, &gid); err != nil || uid == 0 || gid == 0 {
		t.Fatalf("the image runs as %q: want another user than root, by number", img.Config.User)
	}
	shown := []map[string]any{
		{"destination": "/proc", "type": "proc", "source": "proc"},
		{"destination": "/tmp", "type": "tmpfs", "source": "tmpfs", "options": []string{"nosuid", "nodev", "mode=1777"}},
	}
	for _, m := range mounts {
		options := []string{"bind", "rw"}
		if m.readOnly {
			options = []string{"bind", "ro"}
		} else if err := os.Chown(m.from, uid, gid); err != nil {
			t.Fatal(err)
		}
		shown = append(shown, map[string]any{"destination": m.to, "type": "bind", "source": m.from, "options": options})
	}
	spec, err := json.Marshal(map[string]any{
		"ociVersion": "1.0.2",
		"process": map[string]any{
			"user": map[string]any{"uid": uid, "gid": gid}, "args": append(append([]string{}, img.Config.Entrypoint...), args...),
			"env": append(append([]string{}, img.Config.Env...), env...), "cwd": img.Config.WorkingDir, "noNewPrivileges": true,
		},
		"root": map[string]any{"path": img.rootfs, "readonly": true}, "mounts": shown,
		"linux": map[string]any{"namespaces": []map[string]any{{"type": "pid"}, {"type": "mount"}, {"type": "ipc"}, {"type": "uts"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bundle, "config.json"), spec, 0o600); err != nil {
		t.Fatal(err)
	}
	c := &container{runc: runc, id: fmt.Sprintf("assay-test-%d-%s", os.Getpid(), id), output: &output{}, ended: make(chan error, 1)}
	run := exec.Command(runc, "run", "-b", bundle, c.id)
	run.Stdout, run.Stderr = c.output, c.output
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { c.ended <- run.Wait() }()
	t.Cleanup(func() {
		_ = exec.Command(runc, "kill", c.id, "KILL").Run() // it may have ended
		_ = exec.Command(runc, "delete", "--force", c.id).Run()
		if t.Failed() {
			t.Logf("%s wrote:\n%s", id, c.output)
		}
	})
	return c
}

// exec runs a program in the container.
func (c *container) exec(args ...string) (string, error) {
	said, err := exec.Command(c.runc, append([]string{"exec", c.id}, args...)...).CombinedOutput()
	return strings.TrimSpace(string(said)), err
}

// stop sends SIGTERM and waits until the container has ended.
func (c *container) stop(t *testing.T) {
	t.Helper()
	if said, err := exec.Command(c.runc, "kill", c.id, "TERM").CombinedOutput(); err != nil {
		t.Fatalf("runc kill: %v: %s", err, said)
	}
	select {
	case err := <-c.ended:
		if err != nil {
			t.Errorf("%s ended with %v after SIGTERM:\n%s", c.id, err, c.output)
		}
	case <-time.After(time.Minute):
		t.Errorf("%s has not ended a minute after SIGTERM", c.id)
	}
}

// until waits for a condition.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within two minutes: %s", what)
		}
	}
}
