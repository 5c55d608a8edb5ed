"""A customer who asks for many nodes at once, keeps all of them until the znode /closing-time is there, and then gives them
back. Prints what customers.py prints. Arguments: the connection, a label, how many requests, how many nodes in each."""
import json
import sys
import threading
import time

from kazoo.client import KazooClient

PATIENCE = 240
client = KazooClient(**json.loads(sys.argv[1]))
client.start(timeout=60)
label, requests, size = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
closing = threading.Event()
client.exists("/closing-time", watch=lambda event: closing.set())


def tell(what, request, *rest):
    print(int(time.time() * 1000), what, request, *rest, flush=True)


def ask():
    now = time.time()
    document = {
        "requestor_data": None, "node_types": [label] * size, "requestor": "zuul", "created_time": now, "provider": None,
        "state": "requested", "state_time": now, "relative_priority": 0, "event_id": "e1", "tenant_name": "wholesale",
    }
    path = client.create("/nodepool/requests/100-", json.dumps(document).encode(), sequence=True, makepath=True)
    tell("asked", path.rsplit("/", 1)[1])
    return path


def answer(path):
    done = threading.Event()
    found = []

    @client.DataWatch(path)
    def look(data, stat, *event):
        document = json.loads(data) if data else {"state": "gone"}
        if document["state"] in ("fulfilled", "failed", "gone"):
            found.append(document)
            done.set()
            return False
        return True

    done.wait(PATIENCE)
    return found[0] if found else {"state": "not fulfilled in %d s" % PATIENCE}


def take(request, path, nodes):
    locks = []
    for node in nodes:
        lock = client.Lock("/nodepool/nodes/" + node + "/lock", "zuul")
        if not lock.acquire(timeout=20):
            tell("fault", request, "node", node, "was locked by somebody else")
        locks.append(lock)
    tell("took", request, *nodes)
    client.delete(path)
    return locks


def give_back(request, nodes, locks):
    for node, lock in zip(nodes, locks):
        path = "/nodepool/nodes/" + node
        document = json.loads(client.get(path)[0])
        document["state"] = "used"
        client.set(path, json.dumps(document).encode())
        lock.release()
    tell("used", request, *nodes)


held = []
for path in [ask() for _ in range(requests)]:
    request = path.rsplit("/", 1)[1]
    document = answer(path)
    if document["state"] != "fulfilled":
        tell("fault", request, "is", document["state"])
        continue
    tell("fulfilled", request, *document["nodes"])
    held.append((request, document["nodes"], take(request, path, document["nodes"])))
closing.wait()
for request, nodes, locks in held:
    give_back(request, nodes, locks)
client.stop()
