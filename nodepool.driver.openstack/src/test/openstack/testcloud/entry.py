"""python3 -m testcloud.entry MODULE:FUNCTION ARGUMENTS: runs what a console script would run."""
import importlib
import sys

if __name__ == "__main__":
    module, function = sys.argv.pop(1).split(":")
    sys.argv[0] = module
    sys.exit(getattr(importlib.import_module(module), function)())
