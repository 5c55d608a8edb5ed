"""Fills the new cloud, as its administrator: objects.py accounts|resources CATALOG FOLDER. May be repeated."""
import json
import os
import sys
import time

import openstack

import settings

ZONES = {"az-a": "fake-a1", "az-b": "fake-b1"}
FLAVORS = [("m1.tiny", 1, 512, 1), ("m1.small", 1, 2048, 20), ("m1.medium", 2, 4096, 40), ("m1.large", 4, 8192, 80),
           ("m1.noroom", 1, 512, 100000000)]


def accounts(catalog, folder):
    identity = openstack.connect(cloud="admin").identity
    roles = {role.name: role for role in identity.roles()}
    for name in ("service", "member", "reader"):
        roles.setdefault(name, None)
        roles[name] = roles[name] or identity.create_role(name=name)
    projects = {project.name: project for project in identity.projects()}
    for user, project, granted in (
            [(name, "service", ("admin", "service")) for name in ("placement", "glance", "nova", "neutron", "cinder")]
            + [(name, name, ("member",)) for name in ("nodepool", "other")]):
        if project not in projects:
            projects[project] = identity.create_project(name=project, domain_id="default")
        made = identity.find_user(user) or identity.create_user(
            name=user, password=settings.PASSWORD, domain_id="default")
        for role in granted:
            identity.assign_project_role_to_user(projects[project], made, roles[role])
    known = {service.type for service in identity.services()}
    for kind, (name, address) in catalog.items():
        if kind not in known:
            service = identity.create_service(type=kind, name=name)
            for side in ("public", "internal", "admin"):
                identity.create_endpoint(
                    service_id=service.id, interface=side, url=address, region_id=settings.REGION)


def network(connection, name, *ranges, **keys):
    made = connection.network.find_network(name) or connection.network.create_network(name=name, **keys)
    subnets = list(connection.network.subnets(network_id=made.id))
    for cidr in ranges[len(subnets):]:
        subnets.append(connection.network.create_subnet(
            network_id=made.id, ip_version=6 if ":" in cidr else 4, cidr=cidr, enable_dhcp=False))
    return made, subnets


def resources(catalog, folder):
    admin, user = openstack.connect(cloud="admin"), openstack.connect(cloud="nodepool")
    end = time.monotonic() + 120
    while len(list(admin.compute.hypervisors())) < len(ZONES):
        if time.monotonic() > end:
            raise SystemExit("the hosts do not appear")
        time.sleep(0.5)
    for zone, host in ZONES.items():
        if zone not in {one.name for one in admin.compute.aggregates()}:
            made = admin.compute.create_aggregate(name=zone, availability_zone=zone)
            admin.compute.add_host_to_aggregate(made, host)
    there = {flavor.name for flavor in admin.compute.flavors()}
    for number, (name, cores, ram, disk) in enumerate(FLAVORS, 1):
        if name not in there:
            admin.compute.create_flavor(name=name, vcpus=cores, ram=ram, disk=disk, id=str(number))
    public, _ = network(admin, "public", "127.65.0.0/16", is_router_external=True, provider_network_type="local")
    network(admin, "shared", "10.64.0.0/16", is_shared=True)
    _, subnets = network(user, "private", "127.64.0.0/16", "fd64::/64")
    if not user.network.find_router("router"):
        router = user.network.create_router(name="router", external_gateway_info={"network_id": public.id})
        for subnet in subnets:
            user.network.add_interface_to_router(router, subnet_id=subnet.id)
    if not user.network.find_security_group("ssh", project_id=user.current_project_id):
        user.network.create_security_group(name="ssh")
    if not user.compute.find_keypair("nodepool"):
        user.compute.create_keypair(name="nodepool")
    if not admin.image.find_image("base"):
        path = os.path.join(folder, "tmp", "base.raw")
        with open(path, "wb") as file:
            file.truncate(1 << 20)
        admin.create_image("base", filename=path, disk_format="raw", container_format="bare", visibility="public",
                           wait=True)
    for name in ("nodepool", "other"):
        admin.set_compute_quotas(name, instances=1000, cores=8000, ram=16384000)


if __name__ == "__main__":
    {"accounts": accounts, "resources": resources}[sys.argv[1]](json.loads(sys.argv[2]), sys.argv[3])
