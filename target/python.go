package target

// scorerKind is the kind of objects that score texts, and answer no questions.
const scorerKind = "scorer"

// NewPythonScorer starts an object that scores pairs of texts, in the same program around it
// as NewPython. [Exec.Call] sends it {"pairs": [[document, claim]…]}, and the field "result"
// of the reply is what the object returned: see target/shim/score.py.
func NewPythonScorer(python, path string, c ExecConfig) (*Exec, error) {
	return newPython(scorerKind, python, path, false, c)
}

// NewPython makes a target of any Python object that [NewLangChain] can ask, in a program
// that uses neither that library nor LlamaIndex: a function, or an object with a method
// such as query.
func NewPython(python, path string, c ExecConfig) (*Exec, error) {
	return newPython("python", python, path, false, c)
}
