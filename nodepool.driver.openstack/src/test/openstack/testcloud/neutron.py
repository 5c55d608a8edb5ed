"""The Neutron server as one process, without agents and workers."""
from testcloud import threads  # noqa: F401  (comes first)

from neutron import server, service
from neutron.server import wsgi_eventlet
from sqlalchemy import orm

serve = service.run_wsgi_app


def with_mappers(app):
    orm.configure_mappers()     # left to the first requests, several of them at once break it
    return serve(app)


if __name__ == "__main__":
    service._get_rpc_workers = lambda plugin=None: []
    service.run_wsgi_app = with_mappers
    server.boot_server(wsgi_eventlet.eventlet_wsgi_server)
