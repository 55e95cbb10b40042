package target

// NewLangChain makes a target of an object in a Python file: path is
// "path/to/rag.py:chain", python the interpreter ("" is python3). The command of
// c is not used.
func NewLangChain(python, path string, c ExecConfig) (*Exec, error) { panic("not written yet") }
