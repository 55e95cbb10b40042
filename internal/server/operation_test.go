package server

import (
	"strings"
	"testing"
)

// TestEveryOperationIsRegistered: what assets/operations describes, the API has.
func TestEveryOperationIsRegistered(t *testing.T) {
	contract := start(t).do("GET", "/openapi.json", nil).text
	for id := range apiOperations().byID {
		if id != "report" && !strings.Contains(contract, `"operationId":"`+id+`"`) {
			t.Errorf("operation %s is described and not registered", id)
		}
	}
}
