"""Customers of a fleet of launchers, as Zuul is one, each in a thread: they ask for nodes, use them, give some back and
cancel some requests, until the znode /closing-time is there. Prints one line per fact: TIME WORD REQUEST NODE...
Arguments: the connection, a seed, a tenant, and for each customer its labels with commas between them."""
import json
import random
import sys
import threading
import time

from kazoo.client import KazooClient

PATIENCE = 100
client = KazooClient(**json.loads(sys.argv[1]))
client.start(timeout=60)
seed, tenant = sys.argv[2:4]
closing = threading.Event()
client.exists("/closing-time", watch=lambda event: closing.set())
printing = threading.Lock()


def tell(what, request, *rest):
    with printing:
        print(int(time.time() * 1000), what, request, *rest, flush=True)


def ask(labels):
    now = time.time()
    document = {
        "requestor_data": None, "node_types": labels, "requestor": "zuul", "created_time": now, "provider": None,
        "state": "requested", "state_time": now, "relative_priority": 0, "event_id": "e1", "tenant_name": tenant,
    }
    return client.create("/nodepool/requests/200-", json.dumps(document).encode(), sequence=True, makepath=True)


def answer(path, patience):
    """The request once it is in a final state; None if that takes longer."""
    done = threading.Event()
    found = []

    @client.DataWatch(path)
    def look(data, stat, *event):
        document = json.loads(data) if data else None
        if document is None or document["state"] in ("fulfilled", "failed"):
            found.append(document)
            done.set()
            return False
        return not done.is_set()

    done.wait(patience)
    done.set()
    return found[0] if found else None


def write(path, state):
    document = json.loads(client.get(path)[0])
    document["state"] = state
    document["state_time"] = time.time()
    client.set(path, json.dumps(document).encode())


def use(request, path, nodes, chance):
    locks = []
    for node in nodes:
        lock = client.Lock("/nodepool/nodes/" + node + "/lock", "zuul")
        if not lock.acquire(timeout=20):
            tell("fault", request, "node", node, "was locked by somebody else")
            return
        locks.append(lock)
        document = json.loads(client.get("/nodepool/nodes/" + node)[0])
        if document["state"] != "ready" or document["allocated_to"] != request:
            tell("fault", request, "node", node, document["state"], "of", document["allocated_to"])
    tell("took", request, *nodes)
    client.delete(path)
    for node in nodes:
        write("/nodepool/nodes/" + node, "in-use")
    closing.wait(chance.uniform(0.1, 1.5))
    for node, lock in zip(nodes, locks):
        write("/nodepool/nodes/" + node, "used")
        lock.release()
    tell("used", request, *nodes)


def deal(labels, chance):
    path = ask(labels)
    request = path.rsplit("/", 1)[1]
    tell("asked", request)
    mood = chance.random()
    if mood < 0.1:
        answer(path, chance.uniform(0, 2))
        client.delete(path)
        tell("cancelled", request)
        return
    document = answer(path, PATIENCE)
    if document is None or document["state"] != "fulfilled":
        tell("fault", request, "is", document["state"] if document else "not fulfilled in %d s" % PATIENCE)
        client.delete(path)
        return
    tell("fulfilled", request, *document["nodes"])
    if mood < 0.25:
        client.delete(path)
        tell("returned", request, *document["nodes"])
    else:
        use(request, path, document["nodes"], chance)


def customer(number, labels):
    chance = random.Random("%s %s %d" % (seed, tenant, number))
    while not closing.is_set():
        try:
            deal(labels, chance)
        except Exception as broken:
            tell("fault", "-", "customer", number, repr(broken).replace("\n", " "))
        closing.wait(chance.uniform(0, 0.5))


threads = [threading.Thread(target=customer, args=(n, spec.split(","))) for n, spec in enumerate(sys.argv[4:])]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
client.stop()
