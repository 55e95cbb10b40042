package config

// implied lists the settings that belong to one adapter, from the most telling:
// who sets one and names no adapter means that one.
var implied = []struct{ key, adapter string }{
	{"mcp.tool", "mcp"}, {"openai.model", "openai"}, {"chain-path", "langchain"}, {"index-path", "llamaindex"},
	{"preset", "http"}, {"endpoint", "http"}, {"command", "exec"}, {"responses", "recorded"},
}

// Imply chooses the adapter that the other settings speak of, when nobody names
// one.
func (r *Resolved) Imply() error {
	if r.strong["adapter"] != FromDefault {
		return nil
	}
	for _, i := range implied {
		if r.Get(i.key) != "" {
			return r.Set("adapter", i.adapter, r.strong[i.key], "implied by "+r.Origins[i.key])
		}
	}
	return nil
}
