package target

// NewLangChain makes a target of an object in a Python file. path is
// "path/to/rag.py:chain", python is the interpreter ("" means python3). The object is a
// runnable, a chain, a graph, a retriever, a function (synchronous or not), or any
// object with a method such as invoke, query or run; "rag.py:make_chain()" calls a
// function that returns the object. Its result may be text, messages, documents, or an
// object of these.
//
// The command of c is ignored. Send, if set, is the object's input instead of the
// question; Read, if set, holds paths in its result. All questions are asked
// concurrently.
func NewLangChain(python, path string, c ExecConfig) (*Exec, error) {
	return newPython("langchain", python, path, false, c)
}
