package target

// NewLangChain makes a target of an object in a Python file: path is
// "path/to/rag.py:chain", python the interpreter ("" is python3). The object is
// a runnable, a chain, a graph, a retriever, a function, synchronous or not, or
// any object with invoke, query, run or the like; "rag.py:make_chain()" calls a
// function that makes it. What it returns is read as text, messages, documents
// or an object of these.
//
// The command of c is not used. Send, when it is set, is what the object gets
// instead of the question; Read, when it is set, holds paths in what it returns.
// Questions are asked at once, as many as there are.
func NewLangChain(python, path string, c ExecConfig) (*Exec, error) {
	return newPython("langchain", python, path, false, c)
}
