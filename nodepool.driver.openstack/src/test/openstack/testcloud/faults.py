"""Follows the rules of faults.json: a filter in front of every API, and hooks in Nova's fake hypervisor."""
import json
import os
import re
import threading
import time

FILE = os.environ.get("TESTCLOUD_FAULTS", "")
WORDS = {400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 409: "Conflict",
         429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
         504: "Gateway Timeout"}


class Rules:
    """The rules as they are now, and how often each was matched. Every service counts for itself."""

    def __init__(self):
        self.lock = threading.Lock()
        self.read = None
        self.rules = []
        self.matches = {}

    def refresh(self):
        try:
            stat = os.stat(FILE)
            stamp = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
            if stamp != self.read:
                with open(FILE) as file:
                    self.rules = json.load(file)
                self.read = stamp
        except (OSError, ValueError):
            pass        # away or half written: the old ones hold

    def find(self, applies):
        with self.lock:
            self.refresh()
            for rule in self.rules:
                if not applies(rule):
                    continue
                number = self.matches.get(rule["id"], 0)
                first = rule.get("skip", 0)
                if number < first + rule.get("count", 1 << 40):
                    self.matches[rule["id"]] = number + 1
                    if number >= first:
                        return rule
        return None


RULES = Rules()


class Filter:
    def __init__(self, application, service):
        self.application = application
        self.service = service

    def applies(self, rule, environ):
        if rule.get("service") not in (self.service, "*"):
            return False
        if "method" in rule and environ["REQUEST_METHOD"] not in rule["method"].split(","):
            return False
        asked = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
        if environ.get("QUERY_STRING"):
            asked += "?" + environ["QUERY_STRING"]
        return re.search(rule.get("path", ""), asked) is not None

    def __call__(self, environ, start_response):
        rule = RULES.find(lambda one: self.applies(one, environ))
        if rule is None:
            return self.application(environ, start_response)
        if rule.get("when") == "after":
            self.swallow(environ)
        elif rule.get("status"):
            length = int(environ.get("CONTENT_LENGTH") or 0)
            environ["wsgi.input"].read(length)      # an unread body upsets the next request
        time.sleep(rule.get("delay", 0))
        if not rule.get("status"):
            return self.application(environ, start_response)
        return self.answer(rule, start_response)

    def swallow(self, environ):
        body = self.application(environ, lambda status, headers, error=None: lambda data: None)
        for _ in body:
            pass
        getattr(body, "close", lambda: None)()

    def answer(self, rule, start_response):
        status = rule["status"]
        text = rule.get("body", json.dumps({"error": {"code": status, "message": "fault on demand"}})).encode()
        headers = {"Content-Type": "application/json", "Content-Length": str(len(text)), **rule.get("headers", {})}
        start_response("%d %s" % (status, WORDS.get(status, "Fault")), list(headers.items()))
        return [text]


def filter_factory(global_conf, service):
    return lambda application: Filter(application, service)


def hook_hypervisor():
    from nova import exception
    from nova.virt import fake

    def hooked(name, op, failure):
        real = getattr(fake.FakeDriver, name)

        def method(self, context, instance, *rest, **keys):
            rule = RULES.find(lambda one: one.get("service") == "hypervisor" and one.get("op") == op and re.search(
                one.get("name", ""), instance.display_name or ""))
            if rule:
                time.sleep(rule.get("delay", 0))
                if rule.get("error"):
                    raise failure(instance, rule.get("message", "fault on demand"))
                if "text" in rule:
                    return rule["text"]
            return real(self, context, instance, *rest, **keys)

        setattr(fake.FakeDriver, name, method)

    hooked("spawn", "spawn", lambda instance, text: exception.BuildAbortException(
        instance_uuid=instance.uuid, reason=text))
    hooked("destroy", "destroy", lambda instance, text: exception.InstancePowerOffFailure(reason=text))
    hooked("get_console_output", "console", lambda instance, text: exception.ConsoleNotAvailable())
