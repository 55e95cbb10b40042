

def load(path):
    """Loads the object named by "file.py:name", "module:name" or "file.py:make()"."""
    where, _, name = path.rpartition(":")
    make = name.endswith("()")
    name = name[:-2] if make else name
    if where.endswith(".py") or os.sep in where or "/" in where:
        file = os.path.abspath(where)
        if not os.path.isfile(file):
            raise Refusal("there is no file %s" % where)
        sys.path.insert(0, os.path.dirname(file))
        module = run_file(file)
    else:
        sys.path.insert(0, os.getcwd())
        module = importlib.import_module(where)
    found = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise Refusal("%s has no %r%s" % (where, name, nearest(part, found)))
        found = getattr(found, part)
    if make:
        if not callable(found):
            raise Refusal("%s: %r is %s and cannot be called: leave the () out" % (where, name, kind_of(found)))
        found = found()
        if inspect.isawaitable(found):
            found = loop.run(found)
    if inspect.isclass(found):
        raise Refusal("%s: %r is a class: expected an object, such as %s:%s() when it can be made without arguments" % (where, name, where, name))
    if found is None:
        raise Refusal("%s: %r is None: expected a chain, a retriever or a function" % (where, name))
    return found


def run_file(file):
    stem = os.path.splitext(os.path.basename(file))[0]
    spec = importlib.util.spec_from_file_location(stem, file)
    module = importlib.util.module_from_spec(spec)
    # Register it first: pickles and annotations look up the module by name.
    sys.modules[stem] = module
    spec.loader.exec_module(module)
    return module


def nearest(name, module):
    """Suggests the most similar name, or else lists all names defined in the file."""
    own = [n for n, v in getattr(module, "__dict__", {}).items() if not n.startswith("_") and not inspect.ismodule(v) and not imported(v, module)]
    near = difflib.get_close_matches(name, own, 3)
    if near:
        return ": did you mean %s?" % " or ".join(map(repr, near))
    named = [n for n in own if not inspect.isclass(getattr(module, n))]
    return ": it has %s" % ", ".join(named[:12]) if named else ""


def imported(value, module):
    return (inspect.isroutine(value) or inspect.isclass(value)) and getattr(value, "__module__", None) != getattr(module, "__name__", None)


def kind_of(value):
    return "%s.%s" % (type(value).__module__, type(value).__qualname__)
