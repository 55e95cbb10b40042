package assay

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"
)

// A Call is one request to a model and its reply: an entry of the ledger. It is
// stored before its reply is used, and is never changed.
type Call struct {
	// Key is the hexadecimal SHA-256 of everything that the reply depends on:
	// provider, model, parameters, messages, schema and draw.
	Key string `json:"key"`
	// Run is the id of the run that paid for the call.
	Run string `json:"run,omitempty"`
	// Operation names the operation, such as "support".
	Operation string `json:"operation"`
	Provider  string `json:"provider"`
	Model     string `json:"model"`
	// Request is the data that Key was computed from. Reply is the response.
	// Neither contains secrets.
	Request json.RawMessage `json:"request"`
	Reply   json.RawMessage `json:"reply"`
	// Usage is what the call consumed. Its cost uses the prices of that day.
	Usage   Usage         `json:"usage"`
	Latency time.Duration `json:"latency_ns,omitempty"`
	Made    time.Time     `json:"made"`
}

// Spending is what calls to models consumed.
type Spending struct {
	// Calls counts the replies. Cached counts the replies that an earlier run
	// had paid for.
	Calls  int `json:"calls"`
	Cached int `json:"cached,omitempty"`
	// Failed counts the requests without a readable reply.
	Failed int `json:"failed,omitempty"`
	// Rechecked counts the rulings that the judge was sure of and that were put to a
	// vote nevertheless; Overturned counts those that the vote did not confirm.
	Rechecked  int `json:"rechecked,omitempty"`
	Overturned int `json:"overturned,omitempty"`
	// Usage is the total over all calls. Cached calls count at their original
	// cost.
	Usage Usage `json:"usage,omitzero"`
}

// Add adds the counts of o to s.
func (s *Spending) Add(o Spending) {
	s.Calls += o.Calls
	s.Cached += o.Cached
	s.Failed += o.Failed
	s.Rechecked += o.Rechecked
	s.Overturned += o.Overturned
	s.Usage = s.Usage.Plus(o.Usage)
}

// An Ideal is a frozen ideal answer: what a complete and accurate answer says. It
// is written once from the ground truth of a case, so that answers of different
// systems are compared with the same points.
type Ideal struct {
	Answer string  `json:"answer"`
	Points []Point `json:"points"`
	// Passages are the ground-truth texts that it was written from. Claims of an
	// answer are also checked against them, because an ideal answer is not
	// exhaustive.
	Passages []Passage `json:"passages,omitempty"`
	// Model and PromptHash identify what wrote the ideal answer; Made is when.
	// They are empty when a person wrote it.
	Model      string    `json:"model,omitempty"`
	PromptHash string    `json:"prompt_hash,omitempty"`
	Made       time.Time `json:"made,omitzero"`
	// Hash is "sha256:" and hexadecimal digits over answer, points and passages.
	// Scores against ideal answers with different hashes are not comparable.
	// Hash is empty when it was not computed.
	Hash string `json:"hash,omitempty"`
}

// Digest is "sha256:" and hexadecimal digits over the answer, the points and the
// passages. It does not cover who wrote them and when. An ideal answer that was
// changed after it was frozen has a digest that differs from its Hash.
func (i Ideal) Digest() string {
	points := slices.Clone(i.Points)
	for k := range points {
		points[k].By = ""
	}
	raw, err := json.Marshal(struct {
		Answer   string
		Points   []Point
		Passages []Passage
	}{i.Answer, points, i.Passages})
	if err != nil { // a score that is not a number cannot be encoded
		raw = []byte(err.Error())
	}
	sum := sha256.Sum256(raw)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// A Point is one statement of an ideal answer.
type Point struct {
	Text string `json:"text"`
	// Vital points have weight 1, others 0.5.
	Vital bool `json:"vital,omitempty"`
	// Passage is the id of the ground-truth passage that entails the point.
	Passage string `json:"passage,omitempty"`
	// By names the person who wrote the point or changed it last. It is empty for a point that is
	// as the model of the ideal answer, or the author of the file, wrote it.
	By string `json:"by,omitempty"`
}

// Weight is 1 for a vital point and 0.5 for another.
func (p Point) Weight() float64 {
	if p.Vital {
		return 1
	}
	return 0.5
}
