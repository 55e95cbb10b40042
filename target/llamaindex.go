package target

// NewLlamaIndex makes a target of a LlamaIndex index that was kept in a folder,
// or of an object in a Python file ("path.py:query_engine"). The command of c is
// not used.
func NewLlamaIndex(python, path string, c ExecConfig) (*Exec, error) { panic("not written yet") }
