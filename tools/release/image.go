package main

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// user is who the program runs as in a container: nobody of the host.
const user = 65532

// image writes an image of a container for docker load and podman load: the program and
// the roots of TLS, nothing else. Its user may write to /data, the working directory, and
// to /tmp.
func (r *release) image(b built) error {
	roots, err := rootCertificates()
	if err != nil {
		return err
	}
	content, err := layer([]packed{
		{"etc/group", fmt.Appendf(nil, "root:x:0:\nassay:x:%d:\n", user), 0o644},
		{"etc/passwd", fmt.Appendf(nil, "root:x:0:0:root:/:/sbin/nologin\nassay:x:%d:%d:assay:/data:/sbin/nologin\n", user, user), 0o644},
		{"etc/ssl/certs/ca-certificates.crt", roots, 0o644},
		{"assay", b.file.content, 0o755},
		{"usr/share/doc/assay/LICENSE", r.file("LICENSE"), 0o644},
		{"usr/share/doc/assay/NOTICE", r.file("NOTICE"), 0o644},
	}, r.date)
	if err != nil {
		return err
	}
	one, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil })
	if err != nil {
		return err
	}
	img, err := mutate.Append(empty.Image, mutate.Addendum{Layer: one, History: v1.History{Created: v1.Time{Time: r.date}, CreatedBy: "scripts/release.sh"}})
	if err != nil {
		return err
	}
	img, err = mutate.ConfigFile(img, r.config(img, b))
	if err != nil {
		return err
	}
	tag, err := name.NewTag("ghcr.io/assay-eval/assay:" + r.version)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := tarball.Write(tag, img, &out); err != nil {
		return err
	}
	return r.write(r.name(b)+"_image.tar", out.Bytes())
}

// config is how a container of the image is started: by default the server.
func (r *release) config(img v1.Image, b built) *v1.ConfigFile {
	now, err := img.ConfigFile()
	if err != nil {
		now = &v1.ConfigFile{}
	}
	c := now.DeepCopy()
	c.OS, c.Architecture, c.Created = b.os, b.arch, v1.Time{Time: r.date}
	c.Config = v1.Config{
		User: fmt.Sprintf("%d:%d", user, user), WorkingDir: "/data",
		Entrypoint: []string{"/assay"}, Cmd: []string{"serve", "--addr", "0.0.0.0:8321"},
		Env:          []string{"PATH=/", "HOME=/data", "XDG_CACHE_HOME=/data/.cache"},
		ExposedPorts: map[string]struct{}{"8321/tcp": {}},
		Volumes:      map[string]struct{}{"/data": {}},
		Healthcheck: &v1.HealthConfig{
			Test: []string{"CMD", "/assay", "serve", "health"}, Interval: 10 * time.Second, Timeout: 5 * time.Second, StartPeriod: 30 * time.Second, Retries: 3,
		},
		Labels: map[string]string{
			"org.opencontainers.image.title": program, "org.opencontainers.image.description": description,
			"org.opencontainers.image.version": r.version, "org.opencontainers.image.source": r.url,
			"org.opencontainers.image.licenses": "Apache-2.0", "org.opencontainers.image.created": r.date.Format(time.RFC3339),
		},
	}
	return c
}

func (r *release) file(path string) []byte {
	for _, f := range r.files {
		if f.path == path {
			return f.content
		}
	}
	return nil
}

// rootCertificates returns the certificates that Mozilla trusts, as PEM. Those whose trust
// is limited in a way that a file cannot say are left out.
func rootCertificates() ([]byte, error) {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue
		}
		c, err := x509.ParseCertificate(root.Certificate)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "# %s\n", c.Subject.CommonName)
		if err := pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}
