package target

// NewLlamaIndex makes a target of a persisted LlamaIndex folder, or of an object in a
// Python file ("path.py:query_engine"): an index, a query engine, a chat engine, a
// retriever, a workflow or a function. An index from a folder returns only passages
// unless a model is configured that can answer. Everything else is as in
// [NewLangChain].
func NewLlamaIndex(python, path string, c ExecConfig) (*Exec, error) {
	return newPython("llamaindex", python, path, true, c)
}
