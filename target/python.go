package target

// NewPython makes a target of any Python object that [NewLangChain] can ask, in a program
// that uses neither that library nor LlamaIndex: a function, or an object with a method
// such as query.
func NewPython(python, path string, c ExecConfig) (*Exec, error) {
	return newPython("python", python, path, false, c)
}
