package target

// NewLlamaIndex makes a target of a LlamaIndex index that was kept in a folder,
// or of an object in a Python file ("path.py:query_engine"): an index, a query
// engine, a chat engine, a retriever, a workflow or a function. An index from a
// folder gives passages only when no model is configured that could answer.
// Everything else is as with [NewLangChain].
func NewLlamaIndex(python, path string, c ExecConfig) (*Exec, error) {
	return newPython("llamaindex", python, path, true, c)
}
