"""Conductor, scheduler, a compute per host and the API of Nova in one process; messages stay in memory."""
import nova.cmd  # noqa: F401  (patches the standard library, so it comes first)

import sys

import eventlet
import os_vif
from oslo_log import log
from oslo_service import service as processes

import nova.conf
from nova import config, context, exception, objects, service
from nova.compute.rpcapi import RPC_TOPIC as COMPUTE
from nova.conductor.rpcapi import RPC_TOPIC as CONDUCTOR
from nova.objects import host_mapping
from nova.scheduler.rpcapi import RPC_TOPIC as SCHEDULER

from testcloud import faults

HOSTS = ("fake-a1", "fake-b1")
CONF = nova.conf.CONF


def await_node(host):
    for _ in range(600):
        try:
            return objects.ComputeNodeList.get_all_by_host(context.get_admin_context(), host)
        except exception.ComputeHostNotFound:
            eventlet.sleep(0.1)
    raise SystemExit("no node of " + host)


def main():
    config.parse_args(sys.argv)
    log.setup(CONF, "nova")
    objects.register_all()
    os_vif.initialize()
    objects.Service.enable_min_version_cache()
    faults.hook_hypervisor()
    launcher = processes.ServiceLauncher(CONF, restart_method="mutate")
    launcher.launch_service(service.Service.create(binary="nova-conductor", topic=CONDUCTOR))
    launcher.launch_service(service.Service.create(binary="nova-scheduler", topic=SCHEDULER))
    for host in HOSTS:
        CONF.set_override("host", host)     # the fake driver names its node so
        launcher.launch_service(service.Service.create(host=host, binary="nova-compute", topic=COMPUTE))
        await_node(host)
    CONF.clear_override("host")
    host_mapping.discover_hosts(context.get_admin_context())
    launcher.launch_service(service.WSGIService("osapi_compute"))
    launcher.wait()


if __name__ == "__main__":
    main()
