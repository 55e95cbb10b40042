package llm

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
	"unicode/utf8"
)

// A FakeFault is a simulated failure of a call.
type FakeFault string

// The faults. Those up to FaultEmpty corrupt a reply; the others replace it.
const (
	// FaultFence wraps the reply in a code fence.
	FaultFence FakeFault = "fence"
	// FaultProse adds words before and after the reply.
	FaultProse FakeFault = "prose"
	// FaultMissingID leaves out an item of the reply, or the id of one where
	// the model itself chooses how many there are.
	FaultMissingID FakeFault = "missing_id"
	// FaultDuplicateID adds an item that has the id of another.
	FaultDuplicateID FakeFault = "duplicate_id"
	// FaultWrongNonce replaces the nonce.
	FaultWrongNonce FakeFault = "wrong_nonce"
	// FaultTruncated ends the reply in the middle.
	FaultTruncated FakeFault = "truncated"
	// FaultEmpty returns a reply without text.
	FaultEmpty FakeFault = "empty"
	// FaultRate is status 429; FaultRateAfter is status 429 with a Retry-After.
	FaultRate      FakeFault = "rate_limit"
	FaultRateAfter FakeFault = "rate_limit_after"
	// FaultServer is status 500.
	FaultServer FakeFault = "server_error"
	// FaultHang never replies.
	FaultHang FakeFault = "hang"
	// FaultClosed closes the connection.
	FaultClosed FakeFault = "closed"
)

// FakeFaultKinds lists the faults.
var FakeFaultKinds = []FakeFault{
	FaultFence, FaultProse, FaultMissingID, FaultDuplicateID, FaultWrongNonce, FaultTruncated, FaultEmpty,
	FaultRate, FaultRateAfter, FaultServer, FaultHang, FaultClosed,
}

// FakeFaults disturb the requests that no rule matches. Which fault a request
// gets depends on the seed, on its content, and on how often it was asked
// before: not on time or concurrency.
type FakeFaults struct {
	// Rate is the share of calls that are disturbed, 0 to 1.
	Rate float64 `yaml:"rate"`
	Seed uint64  `yaml:"seed"`
	// Kinds are the faults to draw from; none means all of them.
	Kinds []FakeFault `yaml:"kinds"`
	// RetryAfter is what rate_limit_after asks to wait; 0 means 10 ms.
	RetryAfter time.Duration `yaml:"retry_after"`
}

// draw returns the fault for an attempt at a content, or "".
func (f FakeFaults) draw(content string, attempt int) FakeFault {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %d", f.Seed, content, attempt))
	// A float64 represents 53 bits exactly.
	if u := float64(binary.BigEndian.Uint64(sum[:])>>11) / (1 << 53); u >= f.Rate {
		return ""
	}
	kinds := f.Kinds
	if len(kinds) == 0 {
		kinds = FakeFaultKinds
	}
	return kinds[binary.BigEndian.Uint64(sum[8:])%uint64(len(kinds))]
}

// ownIDs are the operations where nobody asked for certain ids: a reply that
// lacks an item is another reply, and nothing is wrong with it.
var ownIDs = []string{"claims", "questions", "points", "new_questions"}

// spoil gives the text with the fault, and the fault that it has: none when the
// text offers no place for it, such as a list of items.
func (f FakeFault) spoil(said, operation, nonce, content string) (string, FakeFault) {
	switch f {
	case FaultFence:
		return "```json\n" + said + "\n```", f
	case FaultProse:
		return "Here is what was asked for:\n" + said + "\nI hope that this helps; {ask} if anything is unclear.", f
	case FaultTruncated:
		end := len(said) / 2
		for end > 0 && !utf8.RuneStart(said[end]) {
			end--
		}
		return said[:end], f
	case FaultEmpty:
		return "", f
	case FaultWrongNonce, FaultMissingID, FaultDuplicateID:
		if changed, ok := f.rewrite(said, operation, nonce, content); ok {
			return changed, f
		}
	}
	return said, ""
}

// rewrite changes a reply that is a JSON object.
func (f FakeFault) rewrite(said, operation, nonce, content string) (string, bool) {
	var reply map[string]any
	if json.Unmarshal([]byte(said), &reply) != nil {
		return "", false
	}
	items, _ := reply["items"].([]any)
	sum := sha256.Sum256([]byte(content))
	at := 0
	if len(items) > 0 {
		at = int(sum[0]) % len(items)
	}
	switch {
	case f == FaultWrongNonce:
		if _, ok := reply["nonce"]; !ok || nonce == "" {
			return "", false
		}
		// Drawn from the content, so that a repair turn that names it is the
		// same in every process.
		reply["nonce"] = hex.EncodeToString(sum[16:])
	case len(items) == 0:
		return "", false
	case f == FaultMissingID && slices.Contains(ownIDs, operation):
		item, ok := items[at].(map[string]any)
		if !ok {
			return "", false
		}
		delete(item, "id")
	case f == FaultMissingID:
		reply["items"] = slices.Delete(items, at, at+1)
	default:
		item, ok := items[at].(map[string]any)
		other, ok2 := items[(at+1)%len(items)].(map[string]any)
		if !ok || !ok2 {
			return "", false
		}
		second := maps.Clone(item)
		// A rubric's marks are told apart by the dimension.
		for _, id := range []string{"id", "dimension"} {
			if v, ok := other[id]; ok {
				second[id] = v
			}
		}
		// Before or after the right one: neither the first nor the last is the
		// one to believe.
		reply["items"] = slices.Insert(items, int(sum[1]%2)*len(items), any(second))
	}
	data, err := json.Marshal(reply)
	return string(data), err == nil
}
