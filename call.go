package assay

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"
)

// A Call is one question to a model and its reply: an entry of the ledger. It
// is made once, kept before its reply is used, and never changed.
type Call struct {
	// Key is the SHA-256 of everything that the reply depends on: provider,
	// model, parameters, messages, schema and draw. Hexadecimal.
	Key string `json:"key"`
	// Run is the id of the run that paid for the call.
	Run string `json:"run,omitempty"`
	// Operation says what was asked, such as "support".
	Operation string `json:"operation"`
	Provider  string `json:"provider"`
	Model     string `json:"model"`
	// Request is what the key was made from, Reply what came back; both
	// without secrets.
	Request json.RawMessage `json:"request"`
	Reply   json.RawMessage `json:"reply"`
	// Usage is what the call consumed, its cost by the prices of that day.
	Usage   Usage         `json:"usage"`
	Latency time.Duration `json:"latency_ns,omitempty"`
	Made    time.Time     `json:"made"`
}

// Spending is what calls to models consumed.
type Spending struct {
	// Calls counts the replies, Cached those of them that an earlier run had
	// paid for.
	Calls  int `json:"calls"`
	Cached int `json:"cached,omitempty"`
	// Failed counts the questions that were left without a reply that could
	// be read.
	Failed int `json:"failed,omitempty"`
	// Usage is that of all calls, the cached ones at what they once cost.
	Usage Usage `json:"usage,omitzero"`
}

// Add adds what o counts.
func (s *Spending) Add(o Spending) {
	s.Calls += o.Calls
	s.Cached += o.Cached
	s.Failed += o.Failed
	s.Usage.InputTokens += o.Usage.InputTokens
	s.Usage.OutputTokens += o.Usage.OutputTokens
	s.Usage.Cost += o.Usage.Cost
}

// An Ideal is a frozen ideal answer: what a complete and accurate answer says,
// written once from the ground truth of a case, so that answers of different
// systems are held against the same points.
type Ideal struct {
	Answer string  `json:"answer"`
	Points []Point `json:"points"`
	// Passages are the ground-truth texts that it was written from. Claims of
	// an answer are checked against them as well: an ideal answer leaves out.
	Passages []Passage `json:"passages,omitempty"`
	// Model and PromptHash tell what wrote it, Made when; empty when a person
	// did.
	Model      string    `json:"model,omitempty"`
	PromptHash string    `json:"prompt_hash,omitempty"`
	Made       time.Time `json:"made,omitzero"`
	// Hash is "sha256:" and hexadecimal digits over answer, points and
	// passages: when it differs, scores against the ideal answer are not
	// comparable. Empty when nobody made one.
	Hash string `json:"hash,omitempty"`
}

// Digest is "sha256:" and hexadecimal digits over the answer, the points and the
// passages, not over who made them and when. An ideal answer that was changed
// since it was frozen has another digest than its Hash.
func (i Ideal) Digest() string {
	raw, err := json.Marshal(struct {
		Answer   string
		Points   []Point
		Passages []Passage
	}{i.Answer, i.Points, i.Passages})
	if err != nil { // a score that is no number; JSON data holds none
		raw = []byte(err.Error())
	}
	sum := sha256.Sum256(raw)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// A Point is one thing that an ideal answer says.
type Point struct {
	Text string `json:"text"`
	// Vital points weigh 1, the others 0.5.
	Vital bool `json:"vital,omitempty"`
	// Passage is the id of the ground-truth passage that entails the point.
	Passage string `json:"passage,omitempty"`
}

// Weight is 1 for a vital point and 0.5 for another.
func (p Point) Weight() float64 {
	if p.Vital {
		return 1
	}
	return 0.5
}
