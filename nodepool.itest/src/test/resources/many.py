"""Asks for the same labels many times at once, uses what it gets and gives it back. COUNT LABEL…

Prints a line for each node, one for each request, and at the end how many were fulfilled.
"""
import json
import queue
import sys
import time

from kazoo.client import KazooClient

client = KazooClient(**json.loads(sys.argv[1]))
client.start(timeout=60)
count, labels = int(sys.argv[2]), sys.argv[3:]
ended = queue.Queue()


def ask():
    now = time.time()
    document = {
        "requestor_data": None, "node_types": labels, "requestor": "zuul", "created_time": now, "provider": None,
        "state": "requested", "state_time": now, "relative_priority": 0, "event_id": "e1", "tenant_name": "acme",
    }
    return client.create("/nodepool/requests/200-", json.dumps(document).encode(), sequence=True, makepath=True)


def watch(path):
    @client.DataWatch(path)
    def look(data, stat, *event):
        request = json.loads(data)
        if request["state"] in ("fulfilled", "failed"):
            ended.put((path, request))
            return False
        return True


def give_back(path, request):
    for node_id in request["nodes"]:
        node_path = "/nodepool/nodes/" + node_id
        lock = client.Lock(node_path + "/lock")
        assert lock.acquire(timeout=30), "the node's lock was not free"
        node = json.loads(client.get(node_path)[0])
        print("node", node["type"][0], node["az"], node["public_ipv4"], node["private_ipv4"], node["public_ipv6"],
              flush=True)
        node["state"] = "used"
        client.set(node_path, json.dumps(node).encode())
        lock.release()
    client.delete(path)


fulfilled = 0
paths = [ask() for _ in range(count)]
print("asked", flush=True)
for path in paths:
    watch(path)
for _ in paths:
    path, request = ended.get(timeout=240)
    print(request["state"], flush=True)
    fulfilled += request["state"] == "fulfilled"
    give_back(path, request)
print("%d of %d fulfilled" % (fulfilled, count), flush=True)
end = time.monotonic() + 120
while client.get_children("/nodepool/nodes"):
    if time.monotonic() > end:
        raise SystemExit("nodes are left")
    time.sleep(0.2)
print("gone", flush=True)
client.stop()
