package target

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"time"

	"github.com/assay-eval/assay/internal/secret"
)

const (
	// httpPatience bounds the time to connect: far above what any network needs, and
	// below the usual timeout of a call, so that a host that drops packets is reported
	// as unreachable.
	httpPatience = 10 * time.Second
	// httpIdle is how many idle connections are kept: more than any realistic
	// concurrency.
	httpIdle = 256
	// httpReads is the read buffer of a connection; most replies fit.
	httpReads = 16 << 10
	// maxHeader bounds the headers of a reply.
	maxHeader = 1 << 20
	// maxRedirects is how many redirects are followed.
	maxRedirects = 5
)

// NewTransport returns the HTTP transport for one system, with certificates and proxy
// as [HTTPConfig] describes. A password in the proxy's address is added to the secrets.
// Errors name the wrong part.
func NewTransport(t TLS, proxy string, secrets *secret.Set) (*http.Transport, error) {
	conf, err := newTLS(t)
	if err != nil {
		return nil, err
	}
	via, err := newProxy(proxy, secrets)
	if err != nil {
		return nil, err
	}
	dialer := &net.Dialer{Timeout: httpPatience}
	return &http.Transport{
		Proxy: via, DialContext: dialer.DialContext, TLSClientConfig: conf, TLSHandshakeTimeout: httpPatience,
		ForceAttemptHTTP2: true, MaxIdleConnsPerHost: httpIdle, IdleConnTimeout: time.Minute,
		MaxResponseHeaderBytes: maxHeader, ReadBufferSize: httpReads,
	}, nil
}

func newProxy(proxy string, secrets *secret.Set) (func(*http.Request) (*url.URL, error), error) {
	switch proxy {
	case "":
		return http.ProxyFromEnvironment, nil
	case "none":
		return nil, nil
	}
	u, err := url.Parse(proxy)
	if err != nil || u.Hostname() == "" || !slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme) {
		// Not quoted: it may hold a password.
		return nil, errors.New(`http.proxy: the address cannot be read: expected one such as http://proxy:3128, or "none"`)
	}
	if password, is := u.User.Password(); is {
		*secrets = append(*secrets, secret.New(password))
	}
	return http.ProxyURL(u), nil
}

// newTLS reads the files.
func newTLS(t TLS) (*tls.Config, error) {
	conf := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: t.ServerName, InsecureSkipVerify: t.Insecure}
	if t.CA != "" {
		pem, err := os.ReadFile(t.CA)
		if err != nil {
			return nil, fmt.Errorf("http.tls.ca: %w", err)
		}
		if conf.RootCAs, err = x509.SystemCertPool(); err != nil {
			conf.RootCAs = x509.NewCertPool()
		}
		if !conf.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf(`http.tls.ca: %s holds no certificate in PEM: expected "-----BEGIN CERTIFICATE-----" in it`, t.CA)
		}
	}
	switch {
	case t.Cert == "" && t.Key == "":
		return conf, nil
	case t.Key == "":
		return nil, fmt.Errorf("http.tls.cert: %s is given without http.tls.key: expected both", t.Cert)
	case t.Cert == "":
		return nil, fmt.Errorf("http.tls.key: %s is given without http.tls.cert: expected both", t.Key)
	}
	cert, err := os.ReadFile(t.Cert)
	if err != nil {
		return nil, fmt.Errorf("http.tls.cert: %w", err)
	}
	key, err := os.ReadFile(t.Key)
	if err != nil {
		return nil, fmt.Errorf("http.tls.key: %w", err)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("http.tls.cert %s and http.tls.key %s: %w", t.Cert, t.Key, err)
	}
	conf.Certificates = []tls.Certificate{pair}
	return conf, nil
}

// A redirectError reports a redirect that is not followed.
type redirectError struct{ message string }

func (e *redirectError) Error() string { return e.message }

// checkRedirect follows redirects that stay with the server and keep the question.
func checkRedirect(req *http.Request, via []*http.Request) error {
	from, to, status := via[len(via)-1].URL, req.URL, req.Response.StatusCode
	place := to.Redacted()
	said := fmt.Sprintf("status %d %s: redirects to %s", status, http.StatusText(status), place)
	upgrade := from.Scheme == "http" && to.Scheme == "https" && from.Hostname() == to.Hostname() &&
		(from.Port() == "" || from.Port() == "80") && (to.Port() == "" || to.Port() == "443")
	switch {
	case (from.Scheme != to.Scheme || from.Host != to.Host) && !upgrade:
		return &redirectError{said + ", another server, and is not followed; use that address as the endpoint, if it is the right one"}
	case len(via) > maxRedirects:
		return &redirectError{fmt.Sprintf("%s after %d others; use the address that answers itself", said, maxRedirects)}
	case req.Method != via[0].Method && status != http.StatusSeeOther:
		return &redirectError{said + ", which would drop the question; use that address as the endpoint"}
	}
	return nil
}
