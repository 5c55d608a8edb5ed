"""What Neutron's agents would do: ports are bound, and a floating IP that leads somewhere is active."""
from neutron.services.l3_router.l3_router_plugin import L3RouterPlugin
from neutron_lib import constants
from neutron_lib.api.definitions import portbindings
from neutron_lib.plugins.ml2 import api


class BindsEverything(api.MechanismDriver):
    connectivity = portbindings.CONNECTIVITY_L2

    def initialize(self):
        pass

    def bind_port(self, context):
        details = {portbindings.CAP_PORT_FILTER: True, portbindings.OVS_HYBRID_PLUG: False}
        for segment in context.segments_to_bind[:1]:
            context.set_binding(segment[api.ID], portbindings.VIF_TYPE_OVS, details,
                                status=constants.PORT_STATUS_ACTIVE)


class Routers(L3RouterPlugin):
    def create_floatingip(self, context, floatingip):
        return self.settled(context, super().create_floatingip(context, floatingip))

    def update_floatingip(self, context, id, floatingip):
        return self.settled(context, super().update_floatingip(context, id, floatingip))

    def disassociate_floatingips(self, context, port_id, do_notify=True):
        every = context.elevated()
        leading_there = self.get_floatingips(every, filters={"port_id": [port_id]})
        result = super().disassociate_floatingips(context, port_id, do_notify)
        for one in leading_there:
            self.update_floatingip_status(every, one["id"], constants.FLOATINGIP_STATUS_DOWN)
        return result

    def settled(self, context, one):
        leads = one.get("port_id")
        status = constants.FLOATINGIP_STATUS_ACTIVE if leads else constants.FLOATINGIP_STATUS_DOWN
        if one["status"] != status:
            self.update_floatingip_status(context.elevated(), one["id"], status)
        return {**one, "status": status}
