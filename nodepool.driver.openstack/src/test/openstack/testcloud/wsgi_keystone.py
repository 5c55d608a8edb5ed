from testcloud import faults

from keystone.server.wsgi import initialize_public_application as make

application = faults.Filter(make(), "identity")
