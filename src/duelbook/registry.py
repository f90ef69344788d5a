"""A registry: things of one kind by name, from this package, from other packages, and from an environment variable.

What cannot be used is left out. The registry keeps a sentence about it, and everything else works.
"""

import os
import re
import sys
import threading
import traceback
from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from duelbook.errors import RefusedError
from duelbook.text import sanitize, shorten

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

BUILT_IN = "built in"
THIS_PROCESS = "this process"
LIBRARY = Path(os.__file__).parent  # of Python
TARGET = re.compile(r"[\w.]+:\w+")
NAME = re.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*")
MAX_REGISTERED_NAME_CHARACTERS = 40  # as many as the database of the service keeps of a game's name
WHERE_MODULES_ARE = (
    "Modules are looked for in the current folder and among the installed packages: "
    "change to the folder that has {0} in it, or install its package"
)

T = TypeVar("T")


class Origin(NamedTuple):
    """Where something from outside comes from: its name, `module:Class`, and the package or the variable."""

    name: str
    target: str
    origin: str


class Registry(Mapping[str, T]):
    """Everything of one kind by name: what this package has, then what comes from outside, by name.

    What comes from outside is imported when something that this package does not have, or everything, is asked for.
    """

    kind: ClassVar[str]  # what the things are, as in "The game 'tower' cannot be used."
    entry_points: ClassVar[str]  # the group in which a package declares them
    variable: ClassVar[str]  # module:Class,… for a folder somebody is working in; child processes inherit it
    reserved_names: ClassVar[tuple[str, ...]]

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._outside: dict[str, T] | None = None
        self._origins: dict[str, str] = {}
        self._problems: list[tuple[str, str]] = []  # the name of a thing, if it is known, and the sentence about it

    @abstractmethod
    def built_in_names(self) -> Collection[str]:
        """Return the names of the things that this package has, in their order."""

    @abstractmethod
    def built_in(self, name: str) -> T:
        """Return the thing of this package with this name."""

    @abstractmethod
    def checked(self, found: Any) -> T:
        """Return what a module from outside has as a thing of this kind, or raise RefusedError."""

    def __getitem__(self, name: str) -> T:
        return self.built_in(name) if name in self.built_in_names() else self.outside()[name]

    def __iter__(self) -> Iterator[str]:
        yield from self.built_in_names()
        yield from sorted(self.outside())

    def __len__(self) -> int:
        return len(self.built_in_names()) + len(self.outside())

    def __contains__(self, name: object) -> bool:
        return name in self.built_in_names() or name in self.outside()

    def origin(self, name: str) -> str:
        """Return where the thing comes from: `built in`, a package with its version, or the variable."""
        self.outside()
        return self._origins.get(name, BUILT_IN)

    def problems(self) -> tuple[str, ...]:
        """Return one sentence about each thing from outside that cannot be used."""
        self.outside()
        return tuple(sentence for _, sentence in self._problems)

    def problem(self, name: str) -> str | None:
        """Return why the thing of this name cannot be used, if somebody tried to add one."""
        self.outside()
        return next((sentence for known, sentence in self._problems if known == name), None)

    def unnamed_problems(self) -> tuple[str, ...]:
        """Return what is wrong with the variable itself, so that nothing has a name."""
        self.outside()
        return tuple(sentence for known, sentence in self._problems if not known)

    def add(self, name: str, found: Any) -> None:
        """Add something that no module has, such as a class in a notebook, for this process. It may be added again."""
        outside = self.outside()
        with self._lock:
            if self._origins.get(name) == THIS_PROCESS:
                del outside[name]
            thing = self.checked(found)
            self._check_name(name)
            outside[name], self._origins[name] = thing, THIS_PROCESS

    def check_shared(self, name: str) -> None:
        """Raise RefusedError if only this process knows the thing, since it was added here."""
        if self._origins.get(name) == THIS_PROCESS:
            raise RefusedError(
                f"Only this process knows the {self.kind} '{name}'; other processes do not. Use the back end serial, "
                f"or put its class into a module and set {self.variable}={name}=module:Class."
            )

    def reload(self) -> None:
        """Forget what comes from outside, so that the next use looks for it again."""
        with self._lock:
            self._outside, self._origins, self._problems = None, {}, []

    def outside(self) -> dict[str, T]:
        """Return what comes from outside. A module that asks for it while it is loaded sees what was before it."""
        if self._outside is None:
            with self._lock:
                if self._outside is None:
                    self._outside = {}
                    for source in (*self._named_by_variable(), *self._declared_by_packages()):
                        self._add(source)
        return self._outside

    def _named_by_variable(self) -> Iterator[Origin]:
        """Return what the environment variable names, as `module:Class` or `name=module:Class`."""
        texts = [text.strip() for text in os.environ.get(self.variable, "").split(",")]
        if any(texts):
            _find_current_folder()
        for text in filter(None, texts):
            name, equals, target = text.partition("=")
            target = target if equals else text
            if not TARGET.fullmatch(target.strip()):
                sentence = f"{self.variable} must be module:Class or name=module:Class, not '{shorten(text)}'."
                self._problems.append(("", sentence))
                continue
            name = name.strip() if equals else kebab_case(target.strip().rpartition(":")[2])
            yield Origin(name, target.strip(), self.variable)

    def _declared_by_packages(self) -> Iterator[Origin]:
        from importlib.metadata import entry_points  # slow to load, and what is built in does not need it

        found = [(_package(point), point) for point in entry_points(group=self.entry_points)]
        for package, point in sorted(found, key=lambda one: (one[0], one[1].name)):
            yield Origin(point.name, point.value, package)

    def _add(self, source: Origin) -> None:
        assert self._outside is not None
        try:
            thing = self.checked(_load(source.target))
            if self._outside.get(source.name) == thing:
                return  # a package that is installed, and named by the variable, too
            self._check_name(source.name)
        except (Exception, SystemExit) as error:
            searched = source.target if source.origin == self.variable else ""
            sentence = f"The {self.kind} '{shorten(source.name)}' ({source.origin}) cannot be used. "
            self._problems.append((source.name, f"{sentence}{reason(error, searched)}."))
            return
        self._outside[source.name] = thing
        self._origins[source.name] = source.origin

    def _check_name(self, name: str) -> None:
        check_name(name, self.reserved_names)
        if name in self.built_in_names():
            raise RefusedError(f"A built-in {self.kind} has that name. Choose another one.")
        assert self._outside is not None
        if name in self._outside:
            raise RefusedError(f"The name is taken by {self._origins[name]}. Choose another one.")


class UnknownNameError(RefusedError):
    """A registry has nothing with this name."""

    def __init__(self, registry: Registry[Any], name: str, message: str) -> None:
        super().__init__(message)
        self.name, self.entry_points, self.variable = name, registry.entry_points, registry.variable


def kebab_case(class_name: str) -> str:
    """Return the name of a class as the name of a thing: `TallTower` becomes `tall-tower`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", class_name).replace("_", "-").lower()


def check_name(name: str, reserved: tuple[str, ...]) -> None:
    """Raise RefusedError unless a thing can have this name."""
    if not NAME.fullmatch(name) or len(name) > MAX_REGISTERED_NAME_CHARACTERS or name in reserved:
        raise RefusedError(
            "Its name must begin with a small letter and have only small letters, digits and single hyphens, such as "
            f"tall-tower, and at most {MAX_REGISTERED_NAME_CHARACTERS} characters. "
            f"It cannot be {' or '.join(map(repr, reserved))}."
        )


def load_object(target: str) -> Any:
    """Return what `module:name` names, or raise RefusedError. Modules in the current folder are found, too."""
    if not TARGET.fullmatch(target):
        raise RefusedError(f"'{shorten(target)}' must be module:name, such as tower_oracle:verdict.")
    _find_current_folder()
    try:
        return _load(target)
    except (Exception, SystemExit) as error:
        raise RefusedError(f"Cannot load {shorten(target)}: {reason(error, target)}.") from error


def reason(error: BaseException, searched: str = "") -> str:
    """Return what went wrong in code from outside, in one line without a full stop, with the place that raised it.

    If the module `searched` was looked for in the current folder, too, and is not there, say what to do.
    """
    return sanitize(" ".join(_why(error, searched).split())).removesuffix(".")


def _why(error: BaseException, searched: str) -> str:
    if isinstance(error, RefusedError):
        return str(error)
    if isinstance(error, SyntaxError) and error.filename:
        return f"{type(error).__name__}: {error.msg} ({error.filename}:{error.lineno})"
    place = traceback.extract_tb(error.__traceback__)[-1]
    library = place.filename.startswith("<frozen") or Path(place.filename).is_relative_to(LIBRARY)
    where = "" if library else f" ({place.filename}:{place.lineno})"
    folder = searched.partition(":")[0].partition(".")[0]
    absent = isinstance(error, ModuleNotFoundError) and error.name == folder
    return f"{type(error).__name__}: {error}{where}{f'. {WHERE_MODULES_ARE.format(shorten(folder))}' if absent else ''}"


def _find_current_folder() -> None:
    """Let modules in the current folder be found, where the program `duelbook` does not look."""
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())


def _load(target: str) -> Any:
    module, _, name = target.partition(":")
    found: Any = import_module(module.strip())
    for part in name.strip().split("."):
        found = getattr(found, part)
    return found


def _package(point: "EntryPoint") -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else "a package without a name"
