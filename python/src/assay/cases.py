"""The decorator of tests that are evaluations."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ._dataset import Dataset
from ._evaluation import Evaluation

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .settings import Settings

# The parameter of a test that is the system itself, and the ones that pytest gives instead.
_QUESTION, _CASE, _REQUEST = "question", "assay_case", "request"


def case(
    dataset: Dataset,
    *,
    metrics: Sequence[str] | str | None = None,
    config: str | os.PathLike[str] | None = None,
    **settings: Unpack[Settings],
) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Make a test of pytest an evaluation: one test for each case of the dataset, and one for the rules.

    A test with a parameter question is the system: it returns the answer, as a function for assay.evaluate does. Any other
    test returns the system, such as a chain. Further parameters are fixtures.

    The dataset is looked for beside the file of the test, then in the working directory.
    """
    evaluation = Evaluation(dataset, metrics, config, dict(settings))

    def decorate(test: Callable[..., Any]) -> Callable[..., None]:
        import pytest

        from .pytest_plugin import outcome

        @functools.wraps(test)
        def performed(*args: Any, **given: Any) -> None:
            case, request = given.pop(_CASE), given.pop(_REQUEST)
            if _REQUEST in parameters:
                given[_REQUEST] = request
            outcome(request, case, lambda: _system(test, asks, args, given))

        parameters = inspect.signature(test).parameters
        asks = _QUESTION in parameters
        kept = [p for name, p in parameters.items() if name not in (_QUESTION, _REQUEST)]
        more = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in (_CASE, _REQUEST)]
        performed.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [p.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD, default=inspect.Parameter.empty) for p in kept] + more
        )
        marked: Callable[..., None] = pytest.mark.assay(evaluation)(performed)
        return marked

    return decorate


def _system(test: Callable[..., Any], asks: bool, args: tuple[Any, ...], fixtures: dict[str, Any]) -> Any:
    """Return what is asked: the test itself, with its fixtures, or what it returns."""
    if not asks:
        return test(*args, **fixtures)

    def ask(question: str) -> Any:
        return test(*args, **fixtures, question=question)

    # Errors are located in the file of the test.
    ask.__wrapped__ = test  # type: ignore[attr-defined]
    ask.__signature__ = inspect.Signature([inspect.Parameter(_QUESTION, inspect.Parameter.POSITIONAL_OR_KEYWORD)])  # type: ignore[attr-defined]
    ask.__qualname__ = test.__qualname__
    return ask
