package convert

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/process"
)

// A variant is what one prompt with one provider asks.
type variant struct {
	name     string
	settings []setting
}

// providers make the settings of a variant. The first that takes a provider converts it;
// the error says why it cannot be converted, and what to do.
var providers = []struct {
	takes func(id string) bool
	make  func(p *promptfoo, of dataset.PromptfooProvider, prompt int) ([]setting, error)
}{
	{func(id string) bool { return id == "echo" }, (*promptfoo).echo},
	{func(id string) bool { return strings.HasPrefix(id, "exec:") }, (*promptfoo).exec},
	{isPython, (*promptfoo).python},
	{isHTTP, (*promptfoo).http},
	{func(id string) bool { _, _, ok := chatModel(id); return ok }, (*promptfoo).chat},
}

func isPython(id string) bool {
	file, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(id, "python:"), "file://"), ":")
	return strings.HasPrefix(id, "python:") || strings.HasPrefix(id, "file://") && strings.HasSuffix(file, ".py")
}

func isHTTP(id string) bool {
	return id == "http" || id == "https" || strings.HasPrefix(id, "http://") || strings.HasPrefix(id, "https://")
}

// convert returns the settings of a provider with a prompt.
func (p *promptfoo) provider(of dataset.PromptfooProvider, prompt int) ([]setting, error) {
	for _, one := range providers {
		if one.takes(of.ID) {
			return one.make(p, of, prompt)
		}
	}
	return nil, fmt.Errorf("no adapter of assay asks it: set adapter and endpoint to your system, or write a program for the adapter exec")
}

// echo answers with the prompt, so its answers are known.
func (p *promptfoo) echo(_ dataset.PromptfooProvider, prompt int) ([]setting, error) {
	name := "answers.jsonl"
	if prompt > 0 {
		name = fmt.Sprintf("answers-%d.jsonl", prompt+1)
	}
	if !slices.ContainsFunc(p.out.Files, func(f File) bool { return f.Name == name }) {
		var b strings.Builder
		for _, c := range p.project.Dataset.Cases.All() {
			prompts, _ := c.Metadata["prompts"].([]any)
			answer, ok := prompts[prompt].(string)
			if !ok {
				answer = inline(prompts[prompt])
			}
			b.WriteString(inline(map[string]any{"id": c.ID, "answer": answer}) + "\n")
		}
		p.out.Files = append(p.out.Files, File{name, []byte(b.String())})
	}
	return []setting{{key: "adapter", value: "recorded"}, {key: "responses", value: name}}, nil
}

// script adds the program that speaks the protocol of adapter exec for a provider.
func (p *promptfoo) script() {
	if !slices.ContainsFunc(p.out.Files, func(f File) bool { return f.Name == targetScript }) {
		p.out.Files = append(p.out.Files, File{targetScript, targetPython})
	}
}

// program returns the settings of a target that the script asks.
func (p *promptfoo) program(of dataset.PromptfooProvider, prompt int, words ...string) ([]setting, error) {
	p.script()
	config := map[string]any{}
	for key, v := range of.Config {
		s, ok := v.(string)
		if ok && isSecret(key) && !envName().MatchString(s) {
			name := strings.Trim(notName().ReplaceAllString(strings.ToUpper(key), "_"), "_")
			p.out.leave(p.where(of.Line), "config."+key, "the secret is not copied: set the environment variable "+name+" to it")
			config[key] = "{{env." + name + "}}"
			p.vault.variable(name)
			continue
		}
		config[key] = v
	}
	raw, err := json.Marshal(config)
	if err != nil {
		return nil, err
	}
	command := append([]string{p.interpreter(of), targetScript, p.o.relative(p.folder), fmt.Sprint(prompt), string(raw)}, words...)
	out := []setting{{key: "adapter", value: "exec"}, {key: "command", value: literal(shellquote.Join(command...))}}
	return out, nil
}

// interpreter returns the Python of a provider.
func (p *promptfoo) interpreter(of dataset.PromptfooProvider) string {
	if path, ok := of.Config["pythonExecutable"].(string); ok && path != "" {
		return path
	}
	return p.o.python()
}

func (p *promptfoo) exec(of dataset.PromptfooProvider, prompt int) ([]setting, error) {
	words, err := process.Words(strings.TrimPrefix(of.ID, "exec:"))
	if err != nil {
		return nil, fmt.Errorf("exec: %w", err)
	}
	return p.program(of, prompt, append([]string{"exec"}, words...)...)
}

func (p *promptfoo) python(of dataset.PromptfooProvider, prompt int) ([]setting, error) {
	file, function, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(of.ID, "python:"), "file://"), ":")
	if function == "" {
		function = "call_api"
	}
	return p.program(of, prompt, "python", file, function)
}

// jsonPath is a path from the reply, as code that promptfoo runs: json.data[0].text.
var jsonPath = lazyregexp.New(`^(?:\(?\s*json\s*(?:,\s*\w+\s*)*\)?\s*=>\s*)?json((?:\??\.[A-Za-z_$][\w$]*|\[\d+\]|\[["'][^"'\]]+["']\])+)$`)

// readPath returns the path of an answer; "" if the code is more than a path.
func readPath(code string) string {
	m := jsonPath().FindStringSubmatch(strings.TrimSuffix(strings.TrimSpace(code), ";"))
	if m == nil {
		return ""
	}
	path := strings.NewReplacer("?.", ".", `["`, ".", `"]`, "", "['", ".", "']", "").Replace(m[1])
	return strings.TrimPrefix(path, ".")
}

func (p *promptfoo) http(of dataset.PromptfooProvider, prompt int) ([]setting, error) {
	at := p.where(of.Line)
	config := of.Config
	endpoint, _ := config["url"].(string)
	if endpoint == "" && strings.Contains(of.ID, "://") {
		endpoint = of.ID
	}
	if config["request"] != nil || endpoint == "" {
		return nil, fmt.Errorf("its request is not an address with a body: want config.url, config.headers and config.body")
	}
	if query, ok := config["queryParams"].(map[string]any); ok {
		sign := "?"
		if strings.Contains(endpoint, "?") {
			sign = "&"
		}
		for _, name := range sortedKeys(query) {
			endpoint += sign + name + "=" + fmt.Sprint(query[name])
			sign = "&"
		}
	}
	t := &template{prompt: prompt, vault: &p.vault}
	address, hid := p.vault.address(endpoint)
	if len(hid) == 0 {
		address = t.text(endpoint)
	}
	out := []setting{{key: "adapter", value: "http"}, {key: "endpoint", value: address}}
	if method, ok := config["method"].(string); ok {
		out = append(out, setting{key: "http.method", value: strings.ToUpper(method)})
	}
	if headers, ok := config["headers"].(map[string]any); ok {
		values := map[string]any{}
		for _, name := range sortedKeys(headers) {
			if strings.EqualFold(name, "Content-Type") {
				continue
			}
			values[name] = t.value(name, fmt.Sprint(headers[name]), &hid)
		}
		if len(values) > 0 {
			out = append(out, setting{key: "http.headers", value: values})
		}
	}
	switch body := config["body"].(type) {
	case nil:
	case string:
		var v any
		if json.Unmarshal([]byte(body), &v) != nil {
			p.out.leave(at, "config.body", "it is not JSON: set send to the body")
			break
		}
		out = append(out, setting{key: "send", value: t.value("", v, &hid)})
	default:
		out = append(out, setting{key: "send", value: t.value("", body, &hid)})
	}
	out = append(out, p.readSettings(of)...)
	for _, name := range hid {
		p.out.leave(at, "secret", "it is not copied: set the environment variable "+name+" to it")
	}
	for _, problem := range t.problems {
		p.out.leave(at, problem, "the placeholder is more than a variable: write what it stands for into send")
	}
	p.leaveConfig(of, "url", "method", "headers", "body", "queryParams", "transformResponse", "responseParser")
	return out, nil
}

// readSettings returns where the answer is in a reply.
func (p *promptfoo) readSettings(of dataset.PromptfooProvider) []setting {
	code, ok := of.Config["transformResponse"].(string)
	if !ok {
		code, ok = of.Config["responseParser"].(string)
	}
	if !ok {
		return nil
	}
	if path := readPath(code); path != "" {
		return []setting{{key: "read", value: map[string]any{"answer": path}}}
	}
	p.out.leave(p.where(of.Line), "transformResponse", "it is code: if assay does not find the answer itself, set read.answer to its path")
	return nil
}

// leaveConfig lists the parts of a provider's configuration that have no setting.
func (p *promptfoo) leaveConfig(of dataset.PromptfooProvider, known ...string) {
	for _, key := range sortedKeys(of.Config) {
		if !slices.Contains(known, key) {
			p.out.leave(p.where(of.Line), "config."+key, notCarried)
		}
	}
}

// A chatServer is a server of the chat-completions protocol that promptfoo has a name for.
type chatServer struct{ endpoint, key string }

// Addresses and variables are those that each service documents.
var chatServers = map[string]chatServer{
	"openai":     {"https://api.openai.com/v1", "OPENAI_API_KEY"},
	"openrouter": {"https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"},
	"groq":       {"https://api.groq.com/openai/v1", "GROQ_API_KEY"},
	"deepseek":   {"https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"},
	"mistral":    {"https://api.mistral.ai/v1", "MISTRAL_API_KEY"},
	"localai":    {"http://localhost:8080/v1", ""},
	"ollama":     {"http://localhost:11434/v1", ""},
}

// chatModel returns the server and the model of a provider such as openai:chat:gpt-4.1.
func chatModel(id string) (chatServer, string, bool) {
	name, model, _ := strings.Cut(id, ":")
	server, ok := chatServers[name]
	if kind, rest, more := strings.Cut(model, ":"); more && slices.Contains([]string{"chat", "completion", "responses"}, kind) {
		model = rest
	}
	kind, _, _ := strings.Cut(model, ":")
	if slices.Contains([]string{"embedding", "embeddings", "image", "realtime", "assistant", "moderation", "transcription"}, kind) {
		return server, "", false
	}
	return server, model, ok && model != ""
}

// chatFields are parts of the configuration that are fields of the request.
var chatFields = []string{
	"temperature", "max_tokens", "max_completion_tokens", "top_p", "seed", "stop", "presence_penalty", "frequency_penalty", "response_format",
	"reasoning_effort",
}

func (p *promptfoo) chat(of dataset.PromptfooProvider, prompt int) ([]setting, error) {
	server, model, _ := chatModel(of.ID)
	at := p.where(of.Line)
	for _, key := range []string{"apiBaseUrl", "apiHost"} {
		if s, ok := of.Config[key].(string); ok && s != "" {
			if key == "apiHost" && !strings.Contains(s, "://") {
				s = "https://" + s + "/v1"
			}
			server.endpoint = s
		}
	}
	if s, ok := of.Config["apiKeyEnvar"].(string); ok && s != "" {
		server.key = s
	}
	if of.Config["apiKey"] != nil && server.key != "" {
		p.out.leave(at, "config.apiKey", "the key is not copied: set the environment variable "+server.key+" to it")
	}
	if strings.Contains(of.ID, ":responses:") {
		p.out.leave(at, of.ID, "assay asks the model by the chat-completions protocol")
	}
	address, _ := p.vault.address(server.endpoint)
	out := []setting{{key: "adapter", value: "openai"}, {key: "endpoint", value: address}, {key: "openai.model", value: literal(model)}}
	if server.key != "" {
		out = append(out, setting{key: "openai.key-env", value: server.key})
		p.vault.variable(server.key)
	}
	content := fmt.Sprintf("{{metadata.prompts.%d}}", prompt)
	send := map[string]any{"messages": []any{map[string]any{"role": "user", "content": content}}}
	if p.project.Prompts[prompt].Chat {
		send["messages"] = content
	}
	for _, name := range chatFields {
		if v := of.Config[name]; v != nil {
			send[name] = literals(v)
		}
	}
	out = append(out, setting{key: "send", value: send})
	p.leaveConfig(of, append([]string{"apiBaseUrl", "apiHost", "apiKeyEnvar", "apiKey"}, chatFields...)...)
	return out, nil
}

// where returns a place in the configuration.
func (p *promptfoo) where(line int) string { return fmt.Sprintf("%s:%d", filepath.Base(p.path), line) }
