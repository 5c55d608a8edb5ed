"""To be imported before anything else by services on eventlet."""
import eventlet

eventlet.monkey_patch()
import __original_module_threading as original  # noqa: E402
import threading  # noqa: E402

# Python's own look at running threads must see eventlet's.
original.current_thread.__globals__["_active"] = threading._active
