package accuracy

// Config says which models evaluate, and how. The server's settings apply where it
// says nothing.
type Config struct {
	// KeyQuestionsEvaluators are the two judges of the key questions.
	KeyQuestionsEvaluators []Evaluator `json:"key_questions_evaluators,omitempty"`
	ChunkEvaluator         *Evaluator  `json:"chunk_evaluator,omitempty"`
	ResponseEvaluator      *Evaluator  `json:"response_evaluator,omitempty"`
	// Language is that of the prompts, "zh" or "en"; "" means that of the question.
	Language string `json:"language,omitempty" enum:"zh,en"`
	// Keywords of the question, for the keyword error rate; default: those that the
	// result was made with. One may list alternatives, as in octopus|八達通.
	Keywords []string `json:"keywords,omitempty" maxItems:"1000"`
	// MaxDisagreement is the difference of the two totals of the key questions, in points
	// of 100, beyond which it is flagged; nil means 25, a quarter of the scale.
	MaxDisagreement *float64 `json:"max_disagreement,omitempty" minimum:"0" maximum:"100"`
	// Pool selects the part of a large corpus that is judged.
	Pool *Pool `json:"pool,omitempty"`
}

// An Evaluator names a model. An address or a key variable must be those of a
// configured provider: a request never chooses where keys are sent.
type Evaluator struct {
	ModelName string `json:"model_name"`
	// Provider is the name of a configured provider.
	Provider   string `json:"provider,omitempty"`
	BaseURL    string `json:"base_url,omitempty"`
	BaseURLEnv string `json:"base_url_env,omitempty"`
	APIKeyEnv  string `json:"api_key_env,omitempty"`
	// EnableThinking switches the reasoning of the model on or off, by the field that
	// its provider documents; nil asks for none and leaves it to the model.
	EnableThinking *bool `json:"enable_thinking,omitempty"`
}

// A Pool is the part of the corpus that is judged: the chunks that the pipeline
// retrieved or kept, and a random sample of the rest.
type Pool struct {
	// Sample is the number of chunks to draw from the rest.
	Sample int    `json:"sample" minimum:"0"`
	Seed   uint64 `json:"seed"`
}
