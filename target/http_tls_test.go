package target_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target"
)

// A httpCA is an authority of the test's own.
type httpCA struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  []byte
}

func newHTTPCA(t *testing.T, name string) *httpCA {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour),
		IsCA:     true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &httpCA{cert, key, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})}
}

// issue gives a certificate for a host, or for a client, and its key in PEM.
func (ca *httpCA) issue(t *testing.T, host string, until time.Duration) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: host}, NotBefore: time.Now().Add(-2 * time.Hour),
		NotAfter:    time.Now().Add(until),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{host}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, ca.cert, &private.PublicKey, ca.key)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})
}

// serve starts a server with a certificate for the host.
func (ca *httpCA) serve(t *testing.T, host string, until time.Duration, clients *httpCA) *httptest.Server {
	t.Helper()
	pair, err := tls.X509KeyPair(ca.issue(t, host, until))
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Proto", r.Proto)
		io.WriteString(w, `{"answer": "`+r.Proto+`"}`)
	}))
	s.EnableHTTP2 = true
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	if clients != nil {
		s.TLS.ClientAuth, s.TLS.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
		s.TLS.ClientCAs.AddCert(clients.cert)
	}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func httpFile(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestHTTPTLS(t *testing.T) {
	t.Parallel()
	ca, other := newHTTPCA(t, "assay test"), newHTTPCA(t, "another")
	caFile, otherFile := httpFile(t, "ca.pem", ca.pem), httpFile(t, "other.pem", other.pem)
	cert, key := ca.issue(t, "client", time.Hour)
	certFile, keyFile := httpFile(t, "cert.pem", cert), httpFile(t, "key.pem", key)
	good := ca.serve(t, "127.0.0.1", time.Hour, nil)
	named := ca.serve(t, "rag.test", time.Hour, nil)
	old := ca.serve(t, "127.0.0.1", -time.Hour, nil)
	mutual := ca.serve(t, "127.0.0.1", time.Hour, ca)
	plain := httpServe(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, `{"answer": "plain"}`) })
	for _, test := range []struct {
		name, address string
		tls           target.TLS
		says          string // "" when there is an answer
	}{
		{"its own authority", good.URL, target.TLS{CA: caFile}, ""},
		{"nothing is checked", good.URL, target.TLS{Insecure: true}, ""},
		{"an unknown authority", good.URL, target.TLS{}, "signed by an authority that is not trusted: expected the certificate of that authority " +
			"in http.tls.ca"},
		{"the wrong authority", good.URL, target.TLS{CA: otherFile}, "signed by an authority that is not trusted"},
		{"the wrong name", named.URL, target.TLS{CA: caFile}, "is for another name: x509: "},
		{"the name is given", named.URL, target.TLS{CA: caFile, ServerName: "rag.test"}, ""},
		{"the wrong name is given", good.URL, target.TLS{CA: caFile, ServerName: "rag.test"},
			"set http.tls.server_name to the name that it is for"},
		{"a certificate that has expired", old.URL, target.TLS{CA: caFile}, "is not valid: certificate has expired"},
		{"a client's certificate", mutual.URL, target.TLS{CA: caFile, Cert: certFile, Key: keyFile}, ""},
		{"no client's certificate", mutual.URL, target.TLS{CA: caFile}, "set http.tls.cert and http.tls.key"},
		{"https to a plain server", strings.Replace(plain.URL, "http:", "https:", 1), target.TLS{},
			"speaks http, not https: expected http:// in the endpoint"},
	} {
		resp, err := httpTarget(t, target.HTTPConfig{Endpoint: test.address, TLS: test.tls}).Ask(t.Context(), &assay.Case{ID: "1", Question: "?"})
		if test.says == "" {
			if err != nil || resp.Answer != "HTTP/2.0" {
				t.Errorf("%s: %q, %v: want an answer over HTTP/2", test.name, resp.Answer, err)
			}
			continue
		}
		kind, again := httpKind(err)
		// The server's alert may be lost with the connection that it ends.
		broke := test.address == mutual.URL && kind == target.Crash
		if kind != target.Refused && !broke || again && test.address != mutual.URL || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, kind %q, again %v\nwant %s", test.name, err, kind, again, test.says)
		}
	}
	// The other way round it is a status.
	_, err := httpTarget(t, target.HTTPConfig{Endpoint: strings.Replace(good.URL, "https:", "http:", 1)}).Ask(t.Context(),
		&assay.Case{ID: "1", Question: "?"})
	if kind, again := httpKind(err); kind != target.Status || again || !strings.Contains(err.Error(), "HTTPS server") {
		t.Errorf("%v, kind %q, again %v", err, kind, again)
	}

	for _, test := range []struct {
		tls  target.TLS
		want string
	}{
		{target.TLS{CA: "no/such.pem"}, "http.tls.ca: open no/such.pem: "},
		{target.TLS{CA: keyFile}, "http.tls.ca: " + keyFile + " holds no certificate in PEM"},
		{target.TLS{Cert: certFile}, "http.tls.cert: " + certFile + " is given without http.tls.key: expected both"},
		{target.TLS{Key: keyFile}, "http.tls.key: " + keyFile + " is given without http.tls.cert: expected both"},
		{target.TLS{Cert: "no/such.pem", Key: keyFile}, "http.tls.cert: open no/such.pem"},
		{target.TLS{Cert: certFile, Key: "no/such.pem"}, "http.tls.key: open no/such.pem"},
		{target.TLS{Cert: certFile, Key: certFile}, "http.tls.cert " + certFile + " and http.tls.key " + certFile + ": "},
		{target.TLS{Cert: otherFile, Key: keyFile}, "private key does not match"},
	} {
		if _, err := target.NewHTTP(target.HTTPConfig{Endpoint: good.URL, TLS: test.tls}); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v\nwant %s", test.tls, err, test.want)
		}
	}
}
