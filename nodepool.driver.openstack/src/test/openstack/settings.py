"""The services' configuration files, as functions of a folder and of ports."""

PASSWORD = "nodepool"
REGION = "RegionOne"
HOSTS = "fake-a1,fake-b1"


def identity(ports):
    return "http://127.0.0.1:%d/v3" % ports["keystone"]


def database(folder, name):
    return "mysql+pymysql://root@localhost/%s?unix_socket=%s/run/mysql.sock&charset=utf8" % (name, folder)


def catalog(ports):
    """Service type -> name, address."""
    at = "http://127.0.0.1:%d"
    volumes = at % ports["cinder"] + "/v3/%(project_id)s"
    return {"placement": ("placement", at % ports["placement"]), "image": ("glance", at % ports["glance"]),
            "compute": ("nova", at % ports["nova"] + "/v2.1"), "network": ("neutron", at % ports["neutron"]),
            "volumev3": ("cinder", volumes), "block-storage": ("cinder", volumes)}


def ini(sections):
    lines = []
    for name, keys in sections.items():
        lines.append("[%s]" % name)
        lines += ["%s = %s" % pair for pair in keys.items()]
    return "\n".join(lines) + "\n"


def paste(pipelines, filters, service):
    """The filters in front of an API: pipelines name them, filters say where they come from."""
    sections = dict(pipelines)
    sections["filter:faults"] = {"paste.filter_factory": "testcloud.faults:filter_factory", "service": service}
    common = {"authtoken": "keystonemiddleware.auth_token:filter_factory",
              "http_proxy_to_wsgi": "oslo_middleware.http_proxy_to_wsgi:HTTPProxyToWSGI.factory"}
    for name, factory in {**common, **filters}.items():
        sections["filter:" + name] = {"paste.filter_factory": factory}
    return sections


def files(folder, ports):
    """Path below the folder -> content."""
    auth = identity(ports)

    def account(user):
        return {"auth_url": auth, "auth_type": "password", "username": user, "password": PASSWORD,
                "project_name": "service", "user_domain_name": "Default", "project_domain_name": "Default",
                "region_name": REGION}

    def token(user):
        return {**account(user), "www_authenticate_uri": auth, "token_cache_time": 5,
                "service_token_roles": "service", "service_token_roles_required": "true"}

    def log(name):
        return {"log_dir": folder + "/log", "log_file": name + ".log", "use_stderr": "false"}

    def tables(name):
        return {"connection": database(folder, name), "max_pool_size": 20, "max_overflow": 40}

    def lock(name):
        return {"lock_path": "%s/%s/lock" % (folder, name)}

    made = {}
    made["etc/keystone/keystone.conf"] = ini({
        "DEFAULT": {**log("keystone"), "public_endpoint": auth.rsplit("/", 1)[0]},
        "database": tables("keystone"),
        "token": {"provider": "fernet", "expiration": 3600},
        "fernet_tokens": {"key_repository": folder + "/keystone/fernet-keys"},
        "credential": {"key_repository": folder + "/keystone/credential-keys"},
        "cache": {"enabled": "true", "backend": "dogpile.cache.memory"},
        "identity": {"password_hash_rounds": 4}})
    made["etc/placement/placement.conf"] = ini({
        "DEFAULT": log("placement"), "api": {"auth_strategy": "keystone"},
        "keystone_authtoken": token("placement"), "placement_database": tables("placement")})
    made["etc/glance/glance-api.conf"] = ini({
        "DEFAULT": {**log("glance"), "bind_host": "127.0.0.1", "bind_port": ports["glance"], "workers": 0,
                    "enabled_backends": "local:file", "node_staging_uri": "file://%s/glance/staging" % folder,
                    "image_cache_dir": folder + "/glance/cache"},
        "database": tables("glance"), "glance_store": {"default_backend": "local"},
        "local": {"filesystem_store_datadir": folder + "/glance/images"},
        "os_glance_staging_store": {"filesystem_store_datadir": folder + "/glance/staging"},
        "os_glance_tasks_store": {"filesystem_store_datadir": folder + "/glance/tasks"},
        "paste_deploy": {"flavor": "keystone", "config_file": folder + "/etc/glance/glance-api-paste.ini"},
        "oslo_concurrency": lock("glance"), "keystone_authtoken": token("glance")})
    made["etc/glance/glance-api-paste.ini"] = ini({**paste({
        "pipeline:glance-api-keystone": {
            "pipeline": "faults http_proxy_to_wsgi versionnegotiation authtoken context rootapp"},
        "composite:rootapp": {"paste.composite_factory": "glance.api:root_app_factory", "/": "apiversions",
                              "/v2": "apiv2app"},
        "app:apiversions": {"paste.app_factory": "glance.api.versions:create_resource"},
        "app:apiv2app": {"paste.app_factory": "glance.api.v2.router:API.factory"}}, {
        "versionnegotiation": "glance.api.middleware.version_negotiation:VersionNegotiationFilter.factory",
        "context": "glance.api.middleware.context:ContextMiddleware.factory"}, "image")})
    with_delay = made["etc/glance/glance-api-paste.ini"]
    made["etc/glance/glance-api-paste.ini"] = with_delay.replace(
        "[filter:authtoken]", "[filter:authtoken]\ndelay_auth_decision = true")
    nova = {
        "DEFAULT": {**log("nova"), "host": "controller", "my_ip": "127.0.0.1", "transport_url": "fake://",
                    "state_path": folder + "/nova", "instances_path": folder + "/nova/instances",
                    "compute_driver": "fake.FakeDriver", "osapi_compute_listen": "127.0.0.1",
                    "osapi_compute_listen_port": ports["nova"], "osapi_compute_workers": 1,
                    "cpu_allocation_ratio": "16.0", "ram_allocation_ratio": "16.0", "disk_allocation_ratio": "16.0",
                    "max_concurrent_builds": 3, "sync_power_state_interval": -1,
                    "heal_instance_info_cache_interval": -1, "shelved_poll_interval": -1,
                    "volume_usage_poll_interval": 0, "service_down_time": 180, "rpc_response_timeout": 120},
        "api": {"auth_strategy": "keystone"},
        "wsgi": {"api_paste_config": folder + "/etc/nova/api-paste.ini"},
        "api_database": tables("nova_api"), "database": tables("nova_cell1"),
        "conductor": {"workers": 1}, "scheduler": {"workers": 1},
        "quota": {"instances": 1000, "cores": 8000, "ram": 16384000, "key_pairs": 1000},
        "compute": {"consecutive_build_service_disable_threshold": 0}, "vnc": {"enabled": "false"},
        "glance": {"region_name": REGION, "valid_interfaces": "public"}, "oslo_concurrency": lock("nova"),
        "keystone_authtoken": token("nova"),
        "service_user": {**account("nova"), "send_service_user_token": "true"},
        "cinder": {**account("nova"), "catalog_info": "volumev3::publicURL", "os_region_name": REGION}}
    for other in ("placement", "neutron"):
        nova[other] = {**account("nova"), "valid_interfaces": "public"}
    made["etc/nova/nova.conf"] = ini(nova)
    made["etc/nova/cell0.conf"] = ini({"database": {"connection": database(folder, "nova_cell0")}})
    made["etc/nova/api-paste.ini"] = ini(paste({
        "composite:osapi_compute": {"use": "call:nova.api.openstack.urlmap:urlmap_factory", "/": "oscomputeversions",
                                    "/v2.1": "oscomputeversion_v2", "/v2.1/+": "openstack_compute_api_v21"},
        "composite:openstack_compute_api_v21": {
            "use": "call:nova.api.auth:pipeline_factory_v21",
            "keystone": "faults http_proxy_to_wsgi compute_req_id faultwrap request_log sizelimit authtoken"
                        " keystonecontext osapi_compute_app_v21"},
        "app:osapi_compute_app_v21": {"paste.app_factory": "nova.api.openstack.compute:APIRouterV21.factory"},
        "pipeline:oscomputeversions": {
            "pipeline": "faults faultwrap request_log http_proxy_to_wsgi oscomputeversionapp"},
        "pipeline:oscomputeversion_v2": {
            "pipeline": "faults compute_req_id faultwrap request_log http_proxy_to_wsgi"
                        " oscomputeversionapp_v2"},
        "app:oscomputeversionapp": {"paste.app_factory": "nova.api.openstack.compute.versions:Versions.factory"},
        "app:oscomputeversionapp_v2": {
            "paste.app_factory": "nova.api.openstack.compute.versions:VersionsV2.factory"}}, {
        "request_log": "nova.api.openstack.requestlog:RequestLog.factory",
        "compute_req_id": "nova.api.compute_req_id:ComputeReqIdMiddleware.factory",
        "faultwrap": "nova.api.openstack:FaultWrapper.factory",
        "sizelimit": "oslo_middleware:RequestBodySizeLimiter.factory",
        "keystonecontext": "nova.api.auth:NovaKeystoneContext.factory"}, "compute"))
    made["etc/neutron/neutron.conf"] = ini({
        "DEFAULT": {**log("neutron"), "host": "controller", "bind_host": "127.0.0.1", "bind_port": ports["neutron"],
                    "api_workers": 0, "rpc_workers": 0, "rpc_state_report_workers": 0, "transport_url": "fake://",
                    "state_path": folder + "/neutron", "api_paste_config": folder + "/etc/neutron/api-paste.ini",
                    "auth_strategy": "keystone", "core_plugin": "ml2",
                    "service_plugins": "testcloud.neutron_plugins.Routers", "allow_overlapping_ips": "true",
                    "dhcp_agent_notification": "false", "notify_nova_on_port_status_changes": "false",
                    "notify_nova_on_port_data_changes": "true", "enable_dvr": "false",
                    "router_scheduler_driver": "neutron.scheduler.l3_agent_scheduler.LeastRoutersScheduler"},
        "database": tables("neutron"),
        "quotas": {"quota_network": 1000, "quota_subnet": 1000, "quota_port": 10000, "quota_router": 100,
                   "quota_floatingip": 500, "quota_security_group": 1000, "quota_security_group_rule": 10000},
        "ml2": {"type_drivers": "local,flat", "tenant_network_types": "local", "mechanism_drivers": "testcloud",
                "extension_drivers": "port_security"},
        "ml2_type_flat": {"flat_networks": "*"},
        "securitygroup": {"enable_security_group": "true", "firewall_driver": "noop"},
        "oslo_concurrency": lock("neutron"), "keystone_authtoken": token("neutron"),
        "nova": {**account("neutron"), "endpoint_type": "public"}})
    made["etc/neutron/api-paste.ini"] = ini(paste({
        "composite:neutron": {"use": "egg:Paste#urlmap", "/": "versions", "/v2.0": "v2"},
        "composite:v2": {"use": "call:neutron.auth:pipeline_factory",
                         "keystone": "faults http_proxy_to_wsgi request_id catch_errors authtoken"
                                     " keystonecontext extensions v2app"},
        "composite:versions": {"use": "call:neutron.auth:pipeline_factory",
                               "keystone": "faults http_proxy_to_wsgi versionsapp"},
        "app:versionsapp": {"paste.app_factory": "neutron.pecan_wsgi.app:versions_factory"},
        "app:v2app": {"paste.app_factory": "neutron.api.v2.router:APIRouter.factory"}}, {
        "request_id": "oslo_middleware:RequestId.factory",
        "catch_errors": "oslo_middleware:CatchErrors.factory",
        "keystonecontext": "neutron.auth:NeutronKeystoneContext.factory",
        "extensions": "neutron.api.extensions:plugin_aware_extension_middleware_factory"}, "network"))
    made["etc/cinder/cinder.conf"] = ini({
        "DEFAULT": {**log("cinder"), "host": "controller", "my_ip": "127.0.0.1", "transport_url": "fake://",
                    "state_path": folder + "/cinder", "auth_strategy": "keystone",
                    "api_paste_config": folder + "/etc/cinder/api-paste.ini", "osapi_volume_listen": "127.0.0.1",
                    "osapi_volume_listen_port": ports["cinder"], "osapi_volume_workers": 1,
                    "enabled_backends": "nothing", "default_volume_type": "__DEFAULT__",
                    "glance_api_servers": "http://127.0.0.1:%d" % ports["glance"], "quota_volumes": 1000,
                    "quota_gigabytes": 100000, "service_down_time": 180},
        "coordination": {"backend_url": "file://%s/cinder/coordination" % folder},
        "database": tables("cinder"),
        "nothing": {"volume_driver": "testcloud.cinder_volumes.Driver", "volume_backend_name": "nothing"},
        "oslo_concurrency": lock("cinder"), "keystone_authtoken": token("cinder"),
        "service_user": {**account("cinder"), "send_service_user_token": "true"},
        "nova": {**account("cinder"), "interface": "public"}})
    made["etc/cinder/api-paste.ini"] = ini(paste({
        "composite:osapi_volume": {"use": "call:cinder.api:root_app_factory", "/": "apiversions", "/v3": "v3"},
        "composite:v3": {"use": "call:cinder.api.middleware.auth:pipeline_factory",
                         "keystone": "faults request_id http_proxy_to_wsgi faultwrap sizelimit authtoken"
                                     " keystonecontext apiv3"},
        "app:apiv3": {"paste.app_factory": "cinder.api.v3.router:APIRouter.factory"},
        "pipeline:apiversions": {"pipeline": "faults request_id http_proxy_to_wsgi faultwrap versionsapp"},
        "app:versionsapp": {"paste.app_factory": "cinder.api.versions:Versions.factory"}}, {
        "faultwrap": "cinder.api.middleware.fault:FaultWrapper.factory",
        "sizelimit": "oslo_middleware.sizelimit:RequestBodySizeLimiter.factory",
        "keystonecontext": "cinder.api.middleware.auth:CinderKeystoneContext.factory",
        "request_id": "cinder.api.middleware.request_id:RequestId.factory"}, "volume"))
    made["lib/testcloud-1.dist-info/METADATA"] = "Metadata-Version: 2.1\nName: testcloud\nVersion: 1\n"
    made["lib/testcloud-1.dist-info/entry_points.txt"] = ini({
        "neutron.ml2.mechanism_drivers": {"testcloud": "testcloud.neutron_plugins:BindsEverything"}})
    made["clouds.yaml"] = "clouds:\n" + "".join(
        "  %s:\n    region_name: %s\n    auth: {auth_url: '%s', username: %s, password: %s, project_name: %s,"
        " user_domain_name: Default, project_domain_name: Default}\n" % (name, REGION, auth, name, PASSWORD, name)
        for name in ("admin", "nodepool", "other"))
    for name in ("keystone", "glance", "nova", "neutron", "cinder"):
        made[name + "/.keep"] = ""
    return made
