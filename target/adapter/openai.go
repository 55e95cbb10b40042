package adapter

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/target"
)

var openai = Adapter{
	Name:    "openai",
	Doc:     "a server of the chat-completions protocol",
	Example: "--endpoint URL --openai-model NAME",
	Settings: []Setting{
		{Key: "openai.model", Implies: true, Doc: "model that an openai target is asked for"},
		{Key: "openai.system", Doc: "system message to an openai target"},
		{
			Key: "openai.key-env", Kind: Variable,
			Doc: "name of the environment variable that holds the API key of an openai target (never the key itself)",
		},
	},
	Open: openOpenAI,
}

func openOpenAI(_ context.Context, e *Env) (Opened, error) {
	c, o, err := e.httpConfig()
	if err != nil {
		return Opened{}, err
	}
	if name := e.Own["openai.key-env"]; name != "" && c.Header.Get("Authorization") == "" {
		key := e.Getenv(name)
		if key == "" {
			return Opened{}, fmt.Errorf("openai.key-env: the environment variable %s is not set", name)
		}
		c.Header.Set("Authorization", "Bearer "+key)
		c.Secrets = append(c.Secrets, secret.New(key))
	}
	o.Target, err = target.NewOpenAI(target.OpenAIConfig{HTTP: c, Model: e.Own["openai.model"], System: e.Own["openai.system"]})
	o.Info.Settings = With(With(o.Info.Settings, "model", e.Own["openai.model"]), "system", e.Own["openai.system"])
	return o, err
}
