package upload

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// A Call is independent of documents, such as one that starts indexing: a tool of an
// MCP server, or an address.
type Call struct {
	Tool string
	// Address may be relative to the system's address. With a tool it is that of an MCP server
	// other than the system; "" is the system.
	Method, Address string
}

func (c Call) String() string {
	if c.Tool != "" {
		return strings.TrimSpace(c.Address + " " + toolPrefix + c.Tool)
	}
	return c.Method + " " + c.Address
}

const toolPrefix = "tool:"

// methods are the allowed methods of a call.
var methods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// ParseTrigger parses a call that starts something: "POST URL", an address alone
// (POST), or for an MCP server the name of a tool, with or without the prefix "tool:".
// An address that begins with "/" is on the system's host.
func ParseTrigger(s, kind string) (Call, error) {
	words := strings.Fields(s)
	switch {
	case len(words) == 2 && slices.Contains(methods, words[0]) && isAddress(words[1]):
		return Call{Method: words[0], Address: words[1]}, nil
	case len(words) != 1:
	case isAddress(words[0]):
		return Call{Method: http.MethodPost, Address: words[0]}, nil
	case kind == KindMCP && strings.TrimPrefix(words[0], toolPrefix) != "":
		return Call{Tool: strings.TrimPrefix(words[0], toolPrefix)}, nil
	}
	if kind == KindMCP {
		return Call{}, fmt.Errorf("%q: expected the name of a tool, or POST and an address", s)
	}
	return Call{}, fmt.Errorf("%q: expected POST and an address", s)
}

func isAddress(s string) bool {
	return strings.HasPrefix(s, "/") || strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

// parseProbed parses the call of a probe: an address (GET), or "tool:NAME".
func parseProbed(s, kind string) (Call, error) {
	tool, isTool := strings.CutPrefix(s, toolPrefix)
	switch {
	case isTool && kind != KindMCP:
		return Call{}, fmt.Errorf("%q: %s has no tools: write the URL of the MCP server before it, or an address alone", s, kind)
	case isTool && tool != "":
		return Call{Tool: tool}, nil
	case isAddress(s):
		return Call{Method: http.MethodGet, Address: s}, nil
	}
	return Call{}, errors.New("expected an address, or tool:NAME for an MCP server, first")
}
