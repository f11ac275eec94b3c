"""``spanwise assess`` as a process: what it says, what it keeps when it is killed, how it ends."""

from __future__ import annotations

import json
import random
import re
import signal
import socket
import subprocess
import threading
import time
from contextlib import closing
from http.client import HTTPConnection, HTTPException

import pytest

from spanwise.assessing.log import Log
from spanwise.web.serving import own_address

TEXT = "The tide rises twice a day. " * 40
ANNOUNCED = re.compile(r"http://127\.0\.0\.1:(\d+)/(?:\?token=([\w-]+))?")
WORDS = ("assess", "pool.jsonl", "--collection", "docs", "--no-open")


@pytest.fixture
def folder(tmp_path):
    """A pool of three documents for one topic."""
    (tmp_path / "docs").mkdir()
    names = ("sea", "fog", "fish")
    for name in names:
        (tmp_path / "docs" / f"{name}.txt").write_text(f"{name}. {TEXT}")
    rows = [{"spanwise": 1, "kind": "pool"}, *({"topic": "q1", "document": n} for n in names)]
    (tmp_path / "pool.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return tmp_path


@pytest.fixture
def serve(start, folder):
    """Start a server; it is ended when the test is."""
    started = []

    def begin(*words, assessors=("ann",), port=18900):
        names = [word for name in assessors for word in ("--assessor", name)]
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process = start(*WORDS, *names, "--port", port, *words, **options)
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def said(process, lines):
    """What a server says before it serves."""
    return [process.stderr.readline().decode().rstrip("\n") for _ in range(lines)]


def announced(process, lines):
    """The same; another test may have the port that was asked for, which is said first."""
    [first] = said(process, 1)
    in_use = "is in use" in first
    return [first] * (not in_use) + said(process, lines - (not in_use))


def port_of(process):
    """Where it serves; another test may have the port that was asked for."""
    words = ""
    while (line := process.stderr.readline().decode()) and not ANNOUNCED.search(line):
        words += line
    assert line, words
    return int(ANNOUNCED.search(line)[1])


def ask(port, method, path, body=None, **headers):
    """The status of an answer, and its JSON."""
    own = {"origin": f"http://127.0.0.1:{port}", "content-type": "application/json"}
    content = None if body is None else json.dumps(body).encode()
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.request(method, path, content, {**own, **headers})
        answer = connection.getresponse()
        text = answer.read()
    is_json = answer.headers.get_content_type() == "application/json"
    return answer.status, json.loads(text) if is_json else text.decode()


def opened(port, document="sea"):
    """The version of a judgement, after its page was opened."""
    assert ask(port, "GET", f"/assess?topic=q1&document={document}")[0] == 200
    return ask(port, "GET", f"/state?topic=q1&document={document}")[1]["version"]


def send(port, version, name, document="sea", **operation):
    given = {"id": name, **(operation or {"kind": "entry", "at": version % 100})}
    about = {"topic": "q1", "document": document, "version": version}
    return ask(port, "POST", "/operations", {**about, "operations": [given]})


def events(folder):
    with Log.open(folder / "pool.judgements", read_only=True) as log:
        return list(log.events())


# -- killed


def write_until_killed(port, name, acknowledged):
    """Send operations one after the other; note those that the server says are saved."""
    try:
        version = opened(port)
        for number in range(100_000):
            status, told = send(port, version, f"{name}-{number}")
            if status == 200:
                acknowledged.append(f"{name}-{number}")
            version = told["version"]
    except (OSError, HTTPException):  # The server is gone.
        pass


def kill_again_and_again(serve, folder, kills, chance):
    """Two pages send to a server that is killed at some moment, and started again."""
    every = set()
    for number in range(kills):
        process = serve()
        port = port_of(process)
        acknowledged = []
        pages = [
            threading.Thread(target=write_until_killed, args=(port, f"{n}-{number}", acknowledged))
            for n in "ab"
        ]
        for page in pages:
            page.start()
        while not acknowledged:
            time.sleep(0.001)
        time.sleep(0.3 * chance.random())
        process.kill()
        for page in pages:
            page.join(60)
            assert not page.is_alive()
        process.communicate()
        every |= set(acknowledged)
        assert every <= {event.id for event in events(folder)}
    with Log.open(folder / "pool.judgements") as log:
        own = [event.version for event in log.events()]
        assert own == list(range(1, len(own) + 1)), "no operation twice, none between"
        assert log.overview("ann", "q1")["sea"].version == len(own)
    return every


def test_nothing_that_was_acknowledged_is_lost(serve, folder):
    assert len(kill_again_and_again(serve, folder, 3, random.Random(1))) > 3


@pytest.mark.heavy
def test_nothing_that_was_acknowledged_is_lost_in_fifty_kills(serve, folder):
    assert len(kill_again_and_again(serve, folder, 50, random.Random(2))) > 200


# -- one server, and its end


def test_a_second_server_on_the_same_log_is_refused(serve, folder, program):
    process = serve()
    port = port_of(process)
    again = program(*WORDS, "--assessor", "bob", "--port", 18950)
    assert (again.code, again.out) == (2, "")
    words = f"pool.judgements is open in another spanwise assess (process {process.pid}); end that"
    assert words in again.err
    (folder / "old.trec").write_text("q1 0 fish 1\n")
    words = ("--import", "old.trec", "--assessor", "bob")
    assert f"(process {process.pid})" in program(*WORDS, *words).err
    opened(port)
    send(port, 0, "a", kind="highlight", start=0, end=4)
    send(port, 1, "b", kind="done")
    done = program("assess", "pool.jsonl", "--export", "-")
    assert done.code == 0, "reading needs no right"
    assert '"start": 0, "end": 4' in done.out
    other = serve("--read-only", assessors=("bob",))
    assert ask(port_of(other), "GET", "/")[0] == 200


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interruption_ends_it(serve, folder, sent, code):
    process = serve()
    port = port_of(process)
    opened(port)
    assert send(port, 0, "a")[0] == 200
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as open_page:
        open_page.request("GET", "/")
        assert open_page.getresponse().read()
        process.send_signal(sent)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (code, b"", b"")
    assert [event.id for event in events(folder)] == ["a"]
    beside = {path.name for path in folder.iterdir()}
    assert beside == {"docs", "pool.jsonl", "pool.judgements"}, "one complete file"


def test_a_port_in_use(serve):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen(1)
        taken = other.getsockname()[1]
        first, second = said(serve(port=taken), 2)
    port = int(ANNOUNCED.search(second)[1])
    assert port != taken
    assert first == f"Port {taken} is in use; using {port}."
    assert second == f"pool.jsonl: http://127.0.0.1:{port}/ (Ctrl-C ends it)"
    assert ask(port, "GET", "/")[0] == 200


def test_several_assessors_have_an_address_each(serve, folder):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        process = serve(assessors=("ann", "bob"), port=free.getsockname()[1] + 1)
    warning, *addresses = announced(process, 3)
    assert warning == "Anyone with an address below can judge as the assessor it names."
    found = [ANNOUNCED.search(line) for line in addresses]
    assert [line.partition(":")[0] for line in addresses] == [
        *("pool.jsonl for ann", "pool.jsonl for bob")
    ]
    port, tokens = int(found[0][1]), [each[2] for each in found]
    assert len(set(tokens)) == 2
    assert ask(port, "GET", "/")[0] == 403
    cookie = {"cookie": f"spanwise-token-{port}={tokens[1]}"}
    assert ask(port, "GET", "/assess?topic=q1&document=sea", **cookie)[0] == 200
    about = {"topic": "q1", "document": "sea", "version": 0}
    given = [{"id": "x", "kind": "not relevant"}]
    assert ask(port, "POST", "/operations", {**about, "operations": given}, **cookie)[0] == 200
    assert [(event.assessor, event.id) for event in events(folder)] == [("bob", "x")]


def test_others_are_given_an_address_that_they_can_use(serve):
    """127.0.0.1 would be the computer of who opens it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        process = serve("--host", "0.0.0.0", port=free.getsockname()[1] + 1)
    address = re.search("http://(.+):([0-9]+)/", " ".join(announced(process, 2)))
    assert address[1] not in ("127.0.0.1", "0.0.0.0", "localhost")
    assert address[1] == own_address(socket.AF_INET)


def test_a_machine_without_a_network_has_a_name(monkeypatch):
    def refused(*_):
        raise OSError("Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", refused)
    assert own_address(socket.AF_INET6) == socket.gethostname()


def test_read_only(serve, folder):
    process = serve()
    port = port_of(process)
    opened(port)
    send(port, 0, "a", kind="highlight", start=0, end=4)
    process.send_signal(signal.SIGINT)
    process.wait(30)
    before = (folder / "pool.judgements").read_bytes()
    other = serve("--read-only")
    port = port_of(other)
    assert ask(port, "GET", "/assess?topic=q1&document=sea")[0] == 200
    assert ask(port, "GET", "/assess?topic=q1&document=fog")[0] == 200
    assert send(port, 1, "b")[0] == 405
    other.send_signal(signal.SIGINT)
    other.wait(30)
    assert (folder / "pool.judgements").read_bytes() == before


def test_read_only_pages_need_a_log(serve):
    process = serve("--read-only")
    _, err = process.communicate(timeout=30)
    assert process.returncode == 2
    assert b"pool.judgements: log of judgements not found; start one with" in err
