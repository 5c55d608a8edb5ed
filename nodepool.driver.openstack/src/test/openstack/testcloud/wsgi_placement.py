from testcloud import faults

from placement.wsgi import init_application as make

application = faults.Filter(make(), "placement")
