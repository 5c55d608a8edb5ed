"""Asks for what no launcher has, then for a node with a document of nearly 1 MiB. Prints what becomes of each."""
import json
import sys
import threading
import time

from kazoo.client import KazooClient

client = KazooClient(**json.loads(sys.argv[1]))
client.start(timeout=60)


def outcome(label, requestor_data):
    """Makes a request, waits for its end, checks that nothing of it is lost, removes it."""
    now = time.time()
    document = {
        "state": "requested", "state_time": now, "created_time": now, "requestor": "zuul", "node_types": [label],
        "declined_by": [], "nodes": [], "reuse": True, "requestor_data": requestor_data, "relative_priority": 0,
    }
    path = client.create("/nodepool/requests/200-", json.dumps(document).encode(), sequence=True, makepath=True)
    ended = threading.Event()
    found = []

    @client.DataWatch(path)
    def look(data, stat, *event):
        state = json.loads(data)["state"]
        if state in ("fulfilled", "failed"):
            found.append(state)
            ended.set()
            return False
        return True

    if not ended.wait(60):
        raise SystemExit("nothing happened at " + path)
    assert json.loads(client.get(path)[0])["requestor_data"] == requestor_data, "what the requestor wrote is lost"
    client.delete(path)
    return found[0]


print("unknown label:", outcome("no-such-label", None), flush=True)
print("huge:", outcome(sys.argv[2], "x" * 900_000), flush=True)
client.stop()
