package accuracy

// Config says which models evaluate, and how. The server's settings apply where it
// says nothing.
type Config struct {
	// KeyQuestionsEvaluators are the two judges of the key questions.
	KeyQuestionsEvaluators []Evaluator `json:"key_questions_evaluators,omitempty" nullable:"false" doc:"the two judges of the key questions"`
	ChunkEvaluator         *Evaluator  `json:"chunk_evaluator,omitempty" doc:"judge of the chunks"`
	ResponseEvaluator      *Evaluator  `json:"response_evaluator,omitempty" doc:"judge of the answer"`
	// Language is that of the prompts, "zh" or "en"; "" means that of the question.
	Language string `json:"language,omitempty" enum:"zh,en" doc:"language of the prompts; default: the server's, or the question's"`
	// Keywords of the question, for the keyword error rate; default: those that the
	// result was made with. One may list alternatives, as in octopus|八達通.
	Keywords []string `json:"keywords,omitempty" maxItems:"1000" nullable:"false" doc:"keywords; default: those of the result" example:"Basel"`
	// MaxDisagreement is the difference of the two totals of the key questions, in points
	// of 100, beyond which it is flagged; nil means 25, a quarter of the scale.
	MaxDisagreement *float64 `json:"max_disagreement,omitempty" minimum:"0" maximum:"100" doc:"most points apart; default 25" example:"25"`
	// Pool selects the part of a large corpus that is judged.
	Pool *Pool `json:"pool,omitempty" doc:"judge only a part of a large corpus; default: all of it"`
}

// An Evaluator names a model. An address or a key variable must be those of a
// configured provider: a request never chooses where keys are sent.
type Evaluator struct {
	ModelName string `json:"model_name" doc:"name of the model" example:"gpt-4.1"`
	// Provider is the name of a configured provider.
	Provider   string `json:"provider,omitempty" doc:"a configured provider; default: one that fits the other fields" example:"openai"`
	BaseURL    string `json:"base_url,omitempty" doc:"address of a configured provider" example:"https://api.openai.com/v1"`
	BaseURLEnv string `json:"base_url_env,omitempty" doc:"variable with the address of a configured provider" example:"OPENAI_BASE_URL"`
	APIKeyEnv  string `json:"api_key_env,omitempty" doc:"variable with the key of a configured provider" example:"OPENAI_API_KEY"`
	// EnableThinking switches the reasoning of the model on or off, by the field that
	// its provider documents; nil asks for none and leaves it to the model.
	EnableThinking *bool `json:"enable_thinking,omitempty" doc:"switch the model's reasoning on or off; absent: leave it to the model"`
}

// A Pool is the part of the corpus that is judged: the chunks that the pipeline
// retrieved or kept, and a random sample of the rest.
type Pool struct {
	// Sample is the number of chunks to draw from the rest.
	Sample int    `json:"sample" minimum:"0" doc:"number of chunks to draw at random from those that were not retrieved" example:"100"`
	Seed   uint64 `json:"seed" doc:"seed of the sample" example:"7"`
}
