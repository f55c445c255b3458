"""The examples for containers: they are well formed, name each other rightly, and run commands that exist."""

import re
from pathlib import Path

import pytest
import yaml

from siteseer.campaigns.relevance.parse_definition import read_definition
from siteseer.cli.main import understand
from siteseer.schedule.schedule_table import load_table

ROOT = Path(__file__).parents[2]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
FILES = sorted((ROOT / "deploy" / "kubernetes").glob("*.yaml"))
OBJECTS = [(file.name, one) for file in FILES for one in yaml.safe_load_all(file.read_text())]
WORKLOADS = [(name, one) for name, one in OBJECTS if one["kind"] in ("Deployment", "StatefulSet", "Job")]
VERSIONS = {
    "ConfigMap": "v1", "Service": "v1", "PersistentVolumeClaim": "v1", "Deployment": "apps/v1",
    "StatefulSet": "apps/v1", "Job": "batch/v1",
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name, one in COMPOSE["services"].items() if one["image"] == "siteseer"])
def test_every_command_of_compose_can_be_typed(name):
    understand(COMPOSE["services"][name]["command"])


def test_compose_names_what_is_there():
    services, volumes = COMPOSE["services"], COMPOSE["volumes"]
    for name, one in services.items():
        assert "image" in one, name
        assert set(one.get("depends_on", {})) <= set(services), name
        for volume in one.get("volumes", ()):
            source = volume.partition(":")[0]
            assert source.startswith("./") or source in volumes, f"{name} uses the volume {source}"
    for waited in (way for one in services.values() for way in one.get("depends_on", {}).items()):
        if waited[1]["condition"] == "service_healthy":
            assert "healthcheck" in services[waited[0]]
    environment = services["worker"]["environment"]
    hosts = re.findall(r"//(\w+):\d+", environment["SITESEER_BROKER"] + environment["AWS_ENDPOINT_URL"])
    assert set(hosts) <= set(services) and len(hosts) == 2


def test_no_secret_is_written_down():
    for file in (ROOT / "compose.yaml", *FILES):
        for line in file.read_text().splitlines():
            key, _, value = line.partition(":")
            if re.search(r"PASSWORD|SECRET", key) and "#" not in key:
                assert value.strip().startswith("${STORAGE_PASSWORD:?"), line


@pytest.mark.parametrize(("file", "one"), OBJECTS, ids=[f"{name}-{one['kind']}" for name, one in OBJECTS])
def test_kubernetes_knows_the_kinds(file, one):
    assert one["apiVersion"] == VERSIONS[one["kind"]]
    assert re.fullmatch(r"[a-z][a-z0-9-]{0,62}", one["metadata"]["name"])
    assert one["metadata"]["labels"]["app.kubernetes.io/part-of"] == "siteseer"


@pytest.mark.parametrize(("file", "one"), WORKLOADS, ids=[f"{name}-{one['kind']}" for name, one in WORKLOADS])
def test_pods_are_whole(file, one):
    template = one["spec"]["template"]
    pod = template["spec"]
    if "selector" in one["spec"]:
        assert one["spec"]["selector"]["matchLabels"].items() <= template["metadata"]["labels"].items()
    else:
        assert pod["restartPolicy"] == "OnFailure"
    claims = [claim["metadata"]["name"] for claim in one["spec"].get("volumeClaimTemplates", ())]
    volumes = {volume["name"] for volume in pod.get("volumes", ())} | set(claims)
    for container in pod["containers"]:
        assert {mount["name"] for mount in container.get("volumeMounts", ())} <= volumes
        assert container["resources"]["limits"]["memory"]
        if container["image"].startswith("siteseer"):
            understand(container["args"])
            assert pod["securityContext"]["runAsNonRoot"] and pod["terminationGracePeriodSeconds"] >= 60


def test_what_pods_refer_to_is_there():
    made = {(one["kind"], one["metadata"]["name"]) for _, one in OBJECTS}
    text = "\n".join(file.read_text() for file in FILES)
    for name in re.findall(r"(?:configMapRef|configMap): \{name: ([\w-]+)\}", text):
        assert ("ConfigMap", name) in made
    for name in re.findall(r"claimName: ([\w-]+)", text):
        assert ("PersistentVolumeClaim", name) in made
    for name in re.findall(r"redis://([\w-]+):|http://(sparql):", text):
        assert ("Service", "".join(name)) in made


def test_the_files_inside_can_be_read(tmp_path):
    inside = {name: text for _, one in OBJECTS for name, text in one.get("data", {}).items() if name.endswith(".toml")}
    assert read_definition(inside["campaign.toml"]).stores.archive == "s3://siteseer/archive"
    (tmp_path / "schedules.toml").write_text(inside["schedules.toml"])
    for entry in load_table(tmp_path / "schedules.toml").entries:
        understand(entry.run)


def test_kubernetes_own_schemas_accept_them():
    validator = pytest.importorskip("kubernetes_validate", reason="kubernetes-validate brings the schemas")
    for _, one in OBJECTS:
        validator.validate(one, "1.30", strict=True)


def test_the_table_of_the_manual_can_be_run(tmp_path):
    text = (ROOT / "docs" / "schedules.md").read_text()
    (tmp_path / "schedules.toml").write_text(re.search(r"```toml\n(.*?)```", text, re.DOTALL)[1])
    for entry in load_table(tmp_path / "schedules.toml").entries:
        understand(entry.run)
