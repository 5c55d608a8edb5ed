"""Scheduler, volume service and API of Cinder in one process; messages stay in memory."""
from testcloud import threads  # noqa: F401  (comes first)

import sys

from cinder import i18n
i18n.enable_lazy()
from oslo_config import cfg  # noqa: E402
from oslo_log import log  # noqa: E402
from oslo_service import service as processes  # noqa: E402

from cinder import objects, rpc, service, version  # noqa: E402
from cinder.common import config  # noqa: E402

CONF = cfg.CONF


def main():
    objects.register_all()
    CONF(sys.argv[1:], project="cinder", version=version.version_string())
    config.set_middleware_defaults()
    log.setup(CONF, "cinder")
    rpc.init(CONF)
    launcher = processes.ServiceLauncher(CONF, restart_method="mutate")
    launcher.launch_service(service.Service.create(binary="cinder-scheduler", coordination=False))
    for backend in CONF.enabled_backends:
        CONF.register_opt(cfg.StrOpt("backend_host"), group=backend)
        launcher.launch_service(service.Service.create(
            host="%s@%s" % (CONF.host, backend), service_name=backend, binary="cinder-volume", coordination=True))
    launcher.launch_service(service.WSGIService("osapi_volume"))
    launcher.wait()


if __name__ == "__main__":
    main()
