package accuracy

// Config says who evaluates, and how. What is not given is the server's to
// choose.
type Config struct {
	// KeyQuestionsEvaluators are the two judges of the key questions.
	KeyQuestionsEvaluators []Evaluator `json:"key_questions_evaluators,omitempty"`
	ChunkEvaluator         *Evaluator  `json:"chunk_evaluator,omitempty"`
	ResponseEvaluator      *Evaluator  `json:"response_evaluator,omitempty"`
	// Language is that of the prompts, "zh" or "en"; "" is that of the
	// question.
	Language string `json:"language,omitempty" enum:"zh,en"`
	// Pool judges a part of a corpus that is too large to judge whole.
	Pool *Pool `json:"pool,omitempty"`
}

// An Evaluator names a model. The address of its provider and the variable that
// holds the key are accepted when they are those of a configured one: a request
// never chooses where keys are sent.
type Evaluator struct {
	ModelName string `json:"model_name"`
	// Provider is the name of a configured provider.
	Provider       string `json:"provider,omitempty"`
	BaseURL        string `json:"base_url,omitempty"`
	BaseURLEnv     string `json:"base_url_env,omitempty"`
	APIKeyEnv      string `json:"api_key_env,omitempty"`
	EnableThinking bool   `json:"enable_thinking,omitempty"`
}

// A Pool says which part of the corpus is judged: what the pipeline retrieved,
// and a random sample of the rest.
type Pool struct {
	// Sample is the number of chunks to draw from the rest.
	Sample int    `json:"sample" minimum:"0"`
	Seed   uint64 `json:"seed"`
}
