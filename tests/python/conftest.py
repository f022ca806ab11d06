"""Servers for the tests: one a session on each engine, and more where a test asks for them."""

import os
import pathlib
import shutil
import tempfile

import pytest

pytest_plugins = ()
ENGINES = [name for name in os.environ.get("DOSSIER_ENGINES", "local,s3").split(",") if name]


def pytest_configure(config):
    config.addinivalue_line("markers", "kill: kills servers at random moments")


@pytest.fixture(scope="session")
def scratch():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="dossier-tests-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def s3_engine(scratch):
    import harness

    return harness.start_s3(scratch)


@pytest.fixture(scope="session")
def servers(scratch, request):
    """Makes servers, each on a store of its own, and ends them all."""
    import harness

    made, count = [], [0]

    def make(engine, flags=(), environment=None, store=None, start=True):
        count[0] += 1
        name = f"server-{count[0]}"
        if store is None and engine == "local":
            store = harness.LocalStore(scratch / name / "data")
        elif store is None:
            store = harness.S3Store(request.getfixturevalue("s3_engine"), f"{name}/store")
        server = harness.Server(store, scratch / name, flags, environment)
        made.append(server)
        return server.start() if start else server

    yield make
    for server in made:
        if server.process and server.process.poll() is None:
            server.stop()


@pytest.fixture(scope="session", params=ENGINES)
def engine(request):
    return request.param


@pytest.fixture(scope="session")
def server(servers, engine):
    return servers(engine)


@pytest.fixture(scope="session")
def local(servers):
    """A server where the engine does not matter."""
    return servers("local")


@pytest.fixture(scope="session")
def api(server):
    made = server.api()
    yield made
    made.close()


@pytest.fixture(scope="session")
def lapi(local):
    made = local.api()
    yield made
    made.close()
