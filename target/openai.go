package target

// OpenAIConfig says how a server of the chat-completions protocol is asked.
type OpenAIConfig struct {
	// HTTP holds the rest: Endpoint is the base address, such as
	// "http://127.0.0.1:8000/v1", or that of chat/completions itself. The fields of
	// Send, when it is set, are added to the body.
	HTTP HTTPConfig
	// Model is required; System is the system prompt, "" for none.
	Model, System string
}

// NewOpenAI makes a target of a chat-completions server.
func NewOpenAI(c OpenAIConfig) (*HTTP, error) { panic("not written yet") }
