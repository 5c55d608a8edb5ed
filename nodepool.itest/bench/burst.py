"""Measures the launcher through ZooKeeper, beside the raw speed of the same server. Needs kazoo.

burst.py ZOOKEEPER REQUESTS PID
"""
import json
import os
import queue
import statistics
import sys
import threading
import time

from kazoo.client import KazooClient

client = KazooClient(hosts=sys.argv[1])
client.start()
count = int(sys.argv[2])
pid = sys.argv[3]
TICK = os.sysconf("SC_CLK_TCK")


def cpu():
    """Seconds of processor time the launcher's process has used, the server in it included."""
    with open("/proc/%s/stat" % pid) as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def document(label):
    now = time.time()
    return json.dumps({
        "requestor_data": None, "node_types": [label], "requestor": "bench", "created_time": now, "provider": None,
        "state": "requested", "state_time": now, "relative_priority": 0, "event_id": None, "tenant_name": None,
    }).encode()


def submit(label="small"):
    return client.create_async("/nodepool/requests/200-", document(label), sequence=True)


class Requestor:
    """Answers as Zuul does: as soon as a request is fulfilled, its nodes are used and given back."""

    def __init__(self, give_back):
        self.answered = queue.Queue()
        self.give_back = give_back

    def watch(self, path):
        @client.DataWatch(path)
        def look(data, stat):
            if data is None:
                return False
            request = json.loads(data)
            if request["state"] not in ("fulfilled", "failed"):
                return True
            self.answered.put((path, request))
            return False

    def wait(self, wanted):
        for _ in range(wanted):
            path, request = self.answered.get(timeout=300)
            if request["state"] == "failed":
                raise SystemExit(path + " failed")
            if self.give_back:
                give_back(path, request)


def give_back(path, request):
    """First the nodes, then the request: a ready node whose request is gone is served again, not deleted."""
    for node_id in request["nodes"]:
        node = json.loads(client.get("/nodepool/nodes/" + node_id)[0])
        node["state"] = "used"
        client.set_async("/nodepool/nodes/" + node_id, json.dumps(node).encode())
    client.delete_async(path)


def burst(label, size, give_back=False):
    requestor = Requestor(give_back)
    begin, used = time.time(), cpu()
    for path in [one.get() for one in [submit(label) for _ in range(size)]]:
        requestor.watch(path)
    requestor.wait(size)
    return time.time() - begin, cpu() - used


def raw():
    begin = time.time()
    paths = [one.get() for one in [client.create_async("/raw-", b"x" * 700, sequence=True) for _ in range(count)]]
    print("raw creates of the same ZooKeeper: %.0f a second" % (count / (time.time() - begin)))
    for one in [client.delete_async(path) for path in paths]:
        one.get()


def one_at_a_time():
    latencies = []
    for _ in range(20):
        requestor = Requestor(True)
        begin = time.time()
        requestor.watch(submit().get())
        requestor.wait(1)
        latencies.append(time.time() - begin)
    print("one at a time: p50 %.3f s, max %.3f s" % (statistics.median(latencies), max(latencies)))


def at_capacity():
    took, used = burst("scarce", 300, give_back=True)
    print("300 requests, pool of 50: %.0f a second, %.1f ms of processor each" % (300 / took, 1000 * used / 300))


def freed_to_next(waiting):
    """From a node given back to the next one being made, with many waiting."""
    held = Requestor(False)
    for path in [one.get() for one in [submit("scarce") for _ in range(50)]]:
        held.watch(path)
    ready = [held.answered.get(timeout=300) for _ in range(50)]
    for one in [submit("scarce") for _ in range(waiting)]:
        one.get()
    time.sleep(5)  # Until the launcher has looked at all of them.
    times = []
    for path, request in ready[:20]:
        known = set(client.get_children("/nodepool/nodes"))
        made = threading.Event()

        @client.ChildrenWatch("/nodepool/nodes")
        def look(children):
            if set(children) - known:
                made.set()
                return False
            return True

        begin = time.time()
        give_back(path, request)
        if not made.wait(60):
            raise SystemExit("no node was made")
        times.append(time.time() - begin)
    print("from a freed node to the next, %d waiting: p50 %.3f s, max %.3f s"
          % (waiting, statistics.median(times), max(times)))
    for name in client.get_children("/nodepool/requests"):
        client.delete_async("/nodepool/requests/" + name)


def beside(existing):
    before = [burst("small", 100) for _ in range(7)]
    node = {"state": "hold", "type": ["other"], "provider": "elsewhere", "pool": "main", "state_time": time.time(),
            "created_time": time.time(), "allocated_to": None}
    half = dict(node, provider="fake-cloud")
    made = [client.create_async("/nodepool/nodes/", json.dumps(half if i % 2 else node).encode(), sequence=True)
            for i in range(existing)]
    for one in made:
        one.get()
    time.sleep(3)  # Until the launcher has read them.
    after = [burst("small", 100) for _ in range(7)]
    wall = statistics.median(t for t, _ in after) / statistics.median(t for t, _ in before)
    work = statistics.median(c for _, c in after) / statistics.median(c for _, c in before)
    print("burst of 100 beside %d nodes: %.2f times as long, %.2f times the processor" % (existing, wall, work))


raw()
one_at_a_time()
took, used = burst("small", count)
print("burst of %d: %.1f s, %.0f a second, %.1f ms of processor each" % (count, took, count / took, 1000 * used / count))
at_capacity()
freed_to_next(2000)
beside(5000)
client.stop()
