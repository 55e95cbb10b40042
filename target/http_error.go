package target

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/assay-eval/assay/internal/oserror"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/target/reply"
)

// noReply returns the error for a call without any reply.
func (h *HTTP) noReply(ctx context.Context, err error, to *url.URL, connected bool) *Error {
	if gone := ctx.Err(); gone != nil {
		again := errors.Is(gone, context.DeadlineExceeded)
		if again && !connected {
			return Errorf(Refused, "no connection to %s: %w", to.Host, gone)
		}
		return &Error{Kind: Timeout, Again: again, Err: fmt.Errorf("no reply from %s: %w", to.Host, gone)}
	}
	e := NetworkError(err, to, connected)
	unproven := to.Scheme == "https" && len(h.transport.TLSClientConfig.Certificates) == 0
	if e.Kind == Crash && unproven && (oserror.BrokenPipe(err) || oserror.Reset(err)) {
		// In TLS 1.3 a client's handshake ends before the server has checked its
		// certificate, and the alert may be lost with the connection.
		e.Err = fmt.Errorf("%w; if it asks for a client's certificate, set http.tls.cert and http.tls.key", e.Err)
	}
	return e
}

// NetworkError returns the error for a call that got no reply, although its context has not
// ended. connected is set if there was a connection.
func NetworkError(err error, to *url.URL, connected bool) *Error {
	var (
		outer    *url.Error
		redirect *redirectError
		dns      *net.DNSError
		op       *net.OpError
	)
	if errors.As(err, &outer) {
		err = outer.Err
	}
	said := err.Error()
	if why := tlsReason(err, to); why != "" {
		return &Error{Kind: Refused, Err: errors.New(why)}
	}
	switch {
	case errors.As(err, &redirect):
		return &Error{Kind: Status, Err: redirect}
	case errors.Is(err, http.ErrSchemeMismatch):
		return &Error{Kind: Refused, Err: fmt.Errorf("%s speaks http, not https: expected http:// in the endpoint", to.Host)}
	case strings.Contains(said, "client conn could not be established"):
		// HTTP/2 loses the reason if the server's alert comes between the handshake and
		// the first request.
		return Errorf(Refused, "%s ended the connection right after the TLS handshake; if it asks for a client's certificate, set "+
			"http.tls.cert and http.tls.key", to.Host)
	case strings.Contains(said, "malformed HTTP"):
		return Errorf(Reply, "%s does not speak HTTP, or speaks https: %s", to.Host, said)
	case strings.Contains(said, "server response headers exceeded"):
		return Errorf(Reply, "the headers of the reply are longer than %d MiB", maxHeader>>20)
	case errors.As(err, &dns) && dns.IsNotFound:
		return Errorf(Refused, "unknown host %q", dns.Name)
	case errors.As(err, &dns):
		return Errorf(Refused, "the host name cannot be resolved: %s", said)
	case errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect") || !connected:
		return Errorf(Refused, "%s", dialReason(err, to))
	}
	return broken(err)
}

// brokenOff returns the error for a reply that broke off.
func brokenOff(ctx context.Context, err error) *Error {
	if gone := ctx.Err(); gone != nil {
		return &Error{Kind: Timeout, Again: errors.Is(gone, context.DeadlineExceeded), Err: fmt.Errorf("no whole reply: %w", gone)}
	}
	if errors.Is(err, errUnzip) { // first: it wraps what gzip says, which is also said of connections
		return malformed("%w", err)
	}
	return broken(err)
}

// broken returns the error for a connection that broke while in use. A load balancer or a
// restart may be the cause, not the question: the engine's own limit of attempts applies.
func broken(err error) *Error {
	what := err.Error()
	switch {
	case oserror.Reset(err):
		what = "the target reset it"
	case errors.Is(err, io.EOF):
		what = "the target closed it without a reply"
	case errors.Is(err, io.ErrUnexpectedEOF):
		what = "the target closed it in the middle of the reply"
	}
	return &Error{Kind: Crash, Again: true, Err: fmt.Errorf("the connection broke: %s", what)}
}

// dialReason says why there is no connection.
func dialReason(err error, to *url.URL) string {
	host := to.Host
	who := "nothing listens at "
	var op *net.OpError
	if errors.As(err, &op) {
		if op.Op == "proxyconnect" {
			who = "no proxy listens at "
			var inner *net.OpError
			if errors.As(op.Err, &inner) {
				op = inner
			}
		}
		if op.Addr != nil {
			host = op.Addr.String()
		}
	}
	var slow net.Error
	switch {
	case oserror.Refused(err) || strings.Contains(err.Error(), "refused"):
		return who + host + " (connection refused): is it running, and is this its port?"
	case errors.As(err, &slow) && slow.Timeout():
		return fmt.Sprintf("no connection to %s within %v", host, httpPatience)
	case oserror.TooManyFiles(err):
		return "too many files are open in this process; lower the concurrency or raise the limit (ulimit -n)"
	}
	return fmt.Sprintf("no connection to %s: %s", host, err)
}

// tlsReason describes a certificate problem and what to set; "" if the error is
// something else.
func tlsReason(err error, to *url.URL) string {
	var (
		authority x509.UnknownAuthorityError
		name      x509.HostnameError
		invalid   x509.CertificateInvalidError
		roots     x509.SystemRootsError
		record    tls.RecordHeaderError
		op        *net.OpError
	)
	host := to.Host
	switch {
	case errors.As(err, &authority), errors.As(err, &roots):
		return fmt.Sprintf("the certificate of %s is signed by an authority that is not trusted: expected the certificate of that authority in "+
			"http.tls.ca", host)
	case errors.As(err, &name):
		return fmt.Sprintf("the certificate of %s is for another name: %s; set http.tls.server_name to the name that it is for", host,
			name.Error())
	case errors.As(err, &invalid):
		return fmt.Sprintf("the certificate of %s is not valid: %s", host, strings.TrimPrefix(invalid.Error(), "x509: "))
	case errors.As(err, &record):
		return fmt.Sprintf("%s does not speak https: expected http:// in the endpoint", host)
	case errors.As(err, &op) && op.Op == "remote error":
		why := op.Err.Error()
		if strings.Contains(why, "certificate") || strings.Contains(why, "handshake failure") {
			return fmt.Sprintf("%s refuses this client's certificate or the lack of one (%s); set http.tls.cert and http.tls.key", host, why)
		}
		return fmt.Sprintf("%s ends the TLS handshake: %s", host, why)
	}
	return ""
}

// refusal returns the error for a status other than success.
func (h *HTTP) refusal(resp *http.Response, raw []byte, req *http.Request) *Error {
	e := StatusError(resp.StatusCode, resp.Header, complaint(raw), statusTime(h.now, resp.Header))
	hint := ""
	switch resp.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		if hint = "; the server rejected the credentials"; len(req.Header["Authorization"]) == 0 {
			hint = "; no Authorization header was sent"
		}
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		hint = fmt.Sprintf("; the call was %s %s", req.Method, req.URL.Redacted())
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		hint = h.bodyHint(raw)
	case http.StatusProxyAuthRequired:
		hint = "; put the user and the password of the proxy into its address"
	}
	if hint != "" {
		e.Err = errors.New(e.Err.Error() + hint)
	}
	return e
}

// bodyHint says how to send another body if the server refused the usual one, with the
// name of the field that the server says is missing.
func (h *HTTP) bodyHint(raw []byte) string {
	if !h.usualBody || h.call.body == nil {
		return ""
	}
	field := "FIELD"
	var said struct {
		Detail []struct {
			Loc  []any
			Type string
			Msg  string
		}
	}
	// FastAPI lists what it rejects: https://fastapi.tiangolo.com/tutorial/handling-errors/
	if json.Unmarshal(raw, &said) == nil {
		for _, d := range said.Detail {
			if len(d.Loc) != 2 || d.Loc[0] != "body" || d.Type != "missing" && !strings.Contains(strings.ToLower(d.Msg), "required") {
				continue
			}
			if name, ok := d.Loc[1].(string); ok {
				field = name
				break
			}
		}
	}
	quoted, _ := json.Marshal(map[string]string{field: "{{question}}"}) // texts are always valid
	return "; the body had only \"question\"; choose another with --send " + text.Shell(string(quoted))
}

// complaint extracts the error message from the body of an error.
func complaint(raw []byte) string {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	if page := reply.Page(raw); page != "" {
		return page
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return text.Visible(string(raw))
	}
	if said := complaintIn(v, 0); said != "" {
		return text.Visible(said)
	}
	return text.Visible(string(raw))
}

// complaintIn searches the fields in which servers report errors, such as {"error":
// {"message": …}}, {"detail": [{"loc": […], "msg": …}]} and {"errors": […]}.
func complaintIn(v any, depth int) string {
	if depth > 4 {
		return ""
	}
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var all []string
		for _, one := range v[:min(len(v), 3)] {
			if said := complaintIn(one, depth+1); said != "" {
				all = append(all, said)
			}
		}
		return strings.Join(all, "; ")
	case map[string]any:
		for _, name := range []string{"message", "msg", "error_description", "detail", "details", "reason", "error", "errors", "title", "status",
			"description"} {
			said := complaintIn(v[name], depth+1)
			if said == "" {
				continue
			}
			if at, is := v["loc"].([]any); is && name == "msg" {
				var path []string
				for _, key := range at {
					path = append(path, fmt.Sprint(key))
				}
				said = strings.Join(path, ".") + ": " + said
			}
			return said
		}
	}
	return ""
}

// A cleanError shows a text without secrets. Its cause can be tested with errors.Is but is
// not printed.
type cleanError struct {
	text  string
	cause error
}

func (e *cleanError) Error() string        { return e.text }
func (e *cleanError) Is(target error) bool { return errors.Is(e.cause, target) }

// hide removes secrets from the message of an [Error].
func hide(err error, secrets secret.Set) {
	if e := (*Error)(nil); errors.As(err, &e) {
		if clean := secrets.Scrub(e.Error()); clean != e.Error() {
			e.Err = &cleanError{clean, e.Err}
		}
	}
}

// scrubbed returns an error without secrets, of printable text.
func scrubbed(err error, secrets secret.Set) error {
	return &cleanError{secrets.Scrub(text.Visible(err.Error())), err}
}
