"""Measures the launcher through ZooKeeper, beside the raw speed of the same server. Needs kazoo."""
import json
import statistics
import sys
import threading
import time

from kazoo.client import KazooClient

client = KazooClient(hosts=sys.argv[1])
client.start()
count = int(sys.argv[2])


def document():
    now = time.time()
    return json.dumps({
        "requestor_data": None, "node_types": ["small"], "requestor": "bench", "created_time": now, "provider": None,
        "state": "requested", "state_time": now, "relative_priority": 0, "event_id": None, "tenant_name": None,
    }).encode()


def submit():
    return client.create_async("/nodepool/requests/200-", document(), sequence=True)


def fulfilled(path):
    done = threading.Event()

    @client.DataWatch(path)
    def look(data, stat):
        if data and json.loads(data)["state"] in ("fulfilled", "failed"):
            done.set()
            return False
        return True

    if not done.wait(120):
        raise SystemExit(path + " was not answered")


def give_back(path):
    nodes = json.loads(client.get(path)[0])["nodes"]
    client.delete(path)
    for node_id in nodes:
        path = "/nodepool/nodes/" + node_id
        node = json.loads(client.get(path)[0])
        node["state"] = "used"
        client.set(path, json.dumps(node).encode())


begin = time.time()
raw = [one.get() for one in [client.create_async("/raw-", b"x" * 700, sequence=True) for _ in range(count)]]
print("raw creates:        %.0f a second" % (count / (time.time() - begin)))
for one in [client.delete_async(path) for path in raw]:
    one.get()

latencies = []
for _ in range(20):
    begin = time.time()
    path = submit().get()
    fulfilled(path)
    latencies.append(time.time() - begin)
    give_back(path)
print("one at a time:      p50 %.3f s, max %.3f s" % (statistics.median(latencies), max(latencies)))

begin = time.time()
paths = [one.get() for one in [submit() for _ in range(count)]]
for path in paths:
    fulfilled(path)
took = time.time() - begin
print("burst of %d:      %.1f s, %.0f a second" % (count, took, count / took))
client.stop()
