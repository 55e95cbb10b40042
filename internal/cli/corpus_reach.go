package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/spf13/pflag"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/process"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/adapter"
	"github.com/assay-eval/assay/target/upload"
)

// reach returns the settings used to connect to the system. They come from flags alone,
// except for the header in RAG_AUTH_HEADER, which is not used for Nextcloud.
func (f *uploadFlags) reach(env *Env, flags *pflag.FlagSet, r *config.Resolved) (*config.Resolved, error) {
	own := config.Default()
	own.Variables = r.Variables
	if line := r.Variables.Get("RAG_AUTH_HEADER"); line != "" && f.to != upload.KindNextcloud {
		if err := own.Environment(); err != nil {
			return nil, err
		}
		own.Endpoint, own.Command, own.Send = "", "", ""
	}
	var problems []error
	for _, s := range config.Settings {
		if !slices.Contains(uploadReach, s.Key) {
			continue
		}
		fl := flags.Lookup(s.Flag())
		if typed, ok := fl.Value.(*settingFlag); ok {
			problems = append(problems, typed.apply(own, fl.Changed))
		}
	}
	if u, err := url.Parse(own.Endpoint); r.Offline && own.Endpoint != "" && (err != nil || !adapter.IsLoopback(u)) {
		problems = append(problems, errors.New("the endpoint is on another machine, and --offline forbids the network"))
	}
	return own, errors.Join(problems...)
}

// open returns the sink for the documents, and the secrets to keep out of messages. It
// makes no request.
func (f *uploadFlags) open(env *Env, own, r *config.Resolved) (upload.Sink, secret.Set, error) {
	secrets := own.Secrets()
	header := own.Header()
	var send any
	if own.Send != "" {
		if err := json.Unmarshal([]byte(own.Send), &send); err != nil {
			return nil, nil, fmt.Errorf("--send: expected JSON with placeholders, such as {\"text\": \"{{text}}\"}: %w", err)
		}
	}
	client, err := f.client(env, own, &secrets)
	if err != nil {
		return nil, nil, err
	}
	switch f.to {
	case upload.KindNextcloud:
		password := secret.New(r.Variables.Get(f.passwordEnv))
		if password.Empty() {
			return nil, nil, hinted(fmt.Errorf("%s is not set; set it to an app password of the user %q", f.passwordEnv, f.user),
				"create one in Nextcloud: Settings, Security, Devices & sessions")
		}
		secrets = append(secrets, password)
		if u, err := url.Parse(own.Endpoint); err == nil && u.Scheme == "http" && !adapter.IsLoopback(u) && !f.quiet {
			env.Warn("warning: http://%s sends the password unencrypted; use https", u.Host)
		}
		s, err := upload.NewNextcloud(upload.NextcloudConfig{
			Endpoint: own.Endpoint, User: f.user, Password: password, Category: f.category, Header: header, Secrets: secrets,
			Client: client, Now: env.Now,
		})
		return s, secrets, err
	case upload.KindHTTP:
		s, err := upload.NewHTTP(upload.HTTPConfig{
			Endpoint: own.Endpoint, Method: f.method, Header: header, Send: send, ReadID: f.readID, Secrets: secrets, Client: client, Now: env.Now,
		})
		return s, secrets, err
	}
	s, err := f.openMCP(env, own, header, send, client, secrets)
	return s, secrets, err
}

func (f *uploadFlags) openMCP(env *Env, own *config.Resolved, header http.Header, send any, client *http.Client,
	secrets secret.Set) (upload.Sink, error) {
	var command []string
	if own.Command != "" {
		words, err := process.Words(own.Command)
		if err != nil {
			return nil, fmt.Errorf("--command: %w", err)
		}
		command = words
	}
	server, err := target.NewMCP(target.MCPConfig{
		Endpoint: own.Endpoint, Header: header, TLS: own.TLSConfig(env.Path), Proxy: own.HTTP.Proxy, Command: command, Dir: env.Path(own.Dir),
		Tool: f.tool, Sessions: f.concurrency, Secrets: secrets, Version: env.Version, Now: env.Now,
	})
	if err != nil {
		return nil, err
	}
	where := own.Endpoint
	if where == "" {
		where = own.Command
	}
	return upload.NewMCP(upload.MCPConfig{
		Server: server, Where: where, Tool: f.tool, Category: f.category, Send: send, ReadID: f.readID, Secrets: secrets,
		Client: client, Now: env.Now,
	})
}

// client returns an HTTP client with the configured certificates and proxy.
func (f *uploadFlags) client(env *Env, own *config.Resolved, secrets *secret.Set) (*http.Client, error) {
	if own.HTTP.TLS.Insecure && !f.quiet {
		env.Warn("warning: certificates are not verified (--set http.tls.insecure)")
	}
	transport, err := target.NewTransport(own.TLSConfig(env.Path), own.HTTP.Proxy, secrets)
	if err != nil {
		return nil, err
	}
	return &http.Client{Transport: transport}, nil
}
