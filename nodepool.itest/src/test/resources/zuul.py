"""What a CI system does with a request, written with kazoo. Prints one word per stage; exits non-zero when one fails."""
import json
import sys
import threading
import time

from kazoo.client import KazooClient

client = KazooClient(**json.loads(sys.argv[1]))
client.start(timeout=60)
labels = sys.argv[2:]
document = {
    "requestor_data": {"trace_id": 314159265358979323846264338327950288419},
    "node_types": labels, "requestor": "zuul", "created_time": time.time(), "provider": None,
    "state": "requested", "state_time": time.time(), "relative_priority": 0, "event_id": "e1", "tenant_name": "acme",
}
path = client.create("/nodepool/requests/200-", json.dumps(document).encode(), sequence=True, makepath=True)
request_id = path.rsplit("/", 1)[1]


def until(path, wanted):
    """Waits for the document at a path, None when it is gone, to be as wanted."""
    done = threading.Event()
    found = []

    @client.DataWatch(path)
    def look(data, stat, *event):
        value = json.loads(data) if data else None
        if wanted(value):
            found.append(value)
            done.set()
            return False
        return True

    if not done.wait(60):
        raise SystemExit("nothing happened at " + path)
    return found[0]


request = until(path, lambda doc: doc and doc["state"] in ("fulfilled", "failed"))
assert request["state"] == "fulfilled", request
assert request["requestor_data"]["trace_id"] == 314159265358979323846264338327950288419, request
print("fulfilled", *request["nodes"], flush=True)

locks = []
for node_id in request["nodes"]:
    node_path = "/nodepool/nodes/" + node_id
    node = json.loads(client.get(node_path)[0])
    assert node["state"] == "ready" and node["allocated_to"] == request_id, node
    lock = client.Lock(node_path + "/lock")
    assert lock.acquire(timeout=30), "the node's lock was not free"
    locks.append(lock)
client.delete(path)
for node_id in request["nodes"]:
    node_path = "/nodepool/nodes/" + node_id
    for state in ("in-use", "used"):
        node = json.loads(client.get(node_path)[0])
        assert node["state"] in ("ready", "in-use"), node
        node["state"] = state
        client.set(node_path, json.dumps(node).encode())
print("used", flush=True)
for lock in locks:
    lock.release()
for node_id in request["nodes"]:
    until("/nodepool/nodes/" + node_id, lambda doc: doc is None)
print("gone", flush=True)
client.stop()
