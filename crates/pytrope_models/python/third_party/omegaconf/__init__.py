"""omegaconf: configurations made in the program are what they are made of; those from files are not known."""

from _pytrope import is_constant, is_unknown, set_attrs, unknown


class DictConfig:
    """A dictionary whose keys are attributes."""

    def __init__(self, content=None, **options):
        set_attrs(self, _content=content if isinstance(content, dict) else unknown("a configuration"))

    def __getattr__(self, name):
        content = self._content
        if is_unknown(content) or name not in content:
            return unknown("a key that is not listed")
        return node(content[name])

    def __setattr__(self, name, value):
        self._content[name] = value

    def __getitem__(self, key):
        return self.__getattr__(key) if is_constant(key) else unknown("an unknown key")

    def __setitem__(self, key, value):
        self._content[key] = value

    def __contains__(self, key):
        return key in self._content

    def __len__(self):
        return len(self._content)

    def __iter__(self):
        return iter(self._content)

    def get(self, key, default_value=None):
        content = self._content
        if is_unknown(content) or not is_constant(key):
            return unknown("an unknown key")
        return node(content[key]) if key in content else default_value

    def keys(self):
        return self._content.keys()

    def values(self):
        return [node(value) for value in self._content.values()]

    def items(self):
        return [(key, node(value)) for key, value in self._content.items()]


def node(value):
    """A value in a configuration; interpolations and missing values are not followed."""
    if isinstance(value, dict):
        return DictConfig(value)
    if isinstance(value, (list, tuple)):
        return unknown("a list of a configuration")
    if isinstance(value, str) and is_constant(value) and ("${" in value or value == "???"):
        return unknown("an interpolation")
    return value


class ListConfig:
    def __getattr__(self, name):
        return unknown("a list of a configuration")


class OmegaConf:
    @staticmethod
    def create(obj=None, parent=None, flags=None):
        return DictConfig(obj) if isinstance(obj, dict) else unknown("a configuration")

    @staticmethod
    def structured(obj, parent=None, flags=None):
        return unknown("a configuration")

    @staticmethod
    def load(file_):
        return unknown("a configuration from a file")

    @staticmethod
    def from_cli(args_list=None):
        return unknown("a configuration from the command line")

    @staticmethod
    def merge(*configs):
        return unknown("a merged configuration")

    @staticmethod
    def to_yaml(cfg, *, resolve=False, sort_keys=False):
        return str(unknown("a configuration as text"))

    @staticmethod
    def to_container(cfg, *, resolve=False, throw_on_missing=False, enum_to_str=False, structured_config_mode=None):
        return unknown("a configuration as containers")

    @staticmethod
    def is_missing(cfg, key):
        return bool(unknown("whether a key is missing"))

    @staticmethod
    def set_struct(conf, value):
        return None

    @staticmethod
    def set_readonly(conf, value):
        return None
