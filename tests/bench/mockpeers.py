#!/usr/bin/env python3
"""mockpeers.py WARDBENCH --peers FOLDER [--rounds 7] [--seconds 3] [--only ROW...]

The mock beside nginx, mountebank and WireMock, in one run of some 20 minutes: rates by wrk (one thread, 64 connections),
engines in turn round by round after one that does not count; medians. FOLDER holds `serve NAME STUBS PORT`, which runs a
peer and prints `ready URL` (its standard input's end stops it). mountebank's own program, which the matching row starts on
a file of its own, is in $PEERS (~/.cache/wardbench-peers). Prints a Markdown table: what, figure, bound, reached or not.
What fails to run is a row that is not reached; the others go on.
Rows: stubs mountebank wiremock matching idle memory start tls large journal
"""
import argparse
import json
import os
import re
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.request

import matching

TEXT = {"Content-Type": "text/plain", "Connection": "keep-alive"}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def await_port(port):
    for _ in range(120):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.05)
    raise Failed(f"nothing listens on {port}")


def imposters(stubs, folder, name="imposters.json", **members):
    path = os.path.join(folder, name)
    port = free_port()
    with open(path, "w") as out:
        json.dump({"imposters": [dict({"port": port, "protocol": "http", "stubs": [
            {"predicates": [{"equals": {"method": "GET", "path": f"/item/{i}"}}],
             "responses": [{"is": {"statusCode": 200, "headers": TEXT, "body": f"item {i}"}}]}
            for i in range(stubs)]}, **members)]}, out)
    return path, port


class Failed(Exception):
    pass


class Process:
    """A server: `ready` line read, resident memory and CPU time by /proc, stopped at the end."""

    def __init__(self, command):
        begin = time.monotonic()
        with tempfile.TemporaryFile("w+") as messages:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=messages, text=True)
            self.line = self.process.stdout.readline()
            self.ready = time.monotonic() - begin
            if not self.line.startswith("ready"):
                self.process.kill()
                self.process.wait()
                messages.seek(0)
                raise Failed(f"{command[0]} did not start: {self.line}{messages.read()[-500:]}")
        self.pid = self.process.pid

    def memory_kib(self):
        with open(f"/proc/{self.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1))

    def cpu_seconds(self):
        with open(f"/proc/{self.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Bench:
    def __init__(self, options):
        self.options = options
        self.rows = []
        self.folder = tempfile.TemporaryDirectory()

    def wardbench(self, path, *more, threads=1):
        return Process([self.options.wardbench, "serve", "--io-threads", str(threads), *more, path])

    def peer(self, name, stubs, port=None):
        return Process([os.path.join(self.options.peers, "serve"), name, str(stubs), str(port or free_port())])

    def wrk(self, url, connections=64):
        out = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{self.options.seconds}s", url], capture_output=True,
                             text=True).stdout
        rate = re.search(r"Requests/sec:\s+([\d.]+)", out)
        if "Non-2xx" in out or not rate:
            raise Failed(f"{url} did not answer 2xx: {out}")
        return float(rate.group(1)), int(re.search(r"(\d+) requests in", out).group(1))

    def alternate(self, urls):
        """Median rates of several URLs, in turn."""
        rates = {label: [] for label in urls}
        for number in range(self.options.rounds + 1):
            for label, url in urls.items():
                rate, count = self.wrk(url)
                if count == 0:
                    raise Failed(f"{url} answered nothing in {self.options.seconds} s")
                if number:
                    rates[label].append(rate)
        return {label: statistics.median(list_) for label, list_ in rates.items()}

    def row(self, what, figure, bound, good):
        self.rows.append((what, figure, bound, good))
        print(f"| {what} | {figure} | {bound} | {'yes' if good else 'NO'} |", flush=True)

    # The rows of the table.

    def stubs(self):
        one, one_port = imposters(1, self.folder.name, "one.json")
        many, many_port = imposters(10000, self.folder.name, "many.json")
        with self.peer("nginx", 1) as nginx, self.wardbench(one) as first, self.wardbench(many) as last:
            urls = {"nginx": nginx.line.split()[1], "1 stub": f"http://127.0.0.1:{one_port}/item/0",
                    "last of 10,000": f"http://127.0.0.1:{many_port}/item/9999"}
            servers = {"1 stub": first, "last of 10,000": last}
            rates = {label: [] for label in urls}
            costs = {label: [] for label in servers}
            for number in range(self.options.rounds + 1):
                for label, url in urls.items():
                    before = servers[label].cpu_seconds() if label in servers else 0
                    rate, count = self.wrk(url)
                    if number:
                        rates[label].append(rate)
                        if label in servers:
                            costs[label].append((servers[label].cpu_seconds() - before) / count * 1e6)
            medians = {label: statistics.median(list_) for label, list_ in rates.items()}
            for label in servers:
                ratio = medians[label] / medians["nginx"]
                self.row(f"{label}, one I/O thread", f"{medians[label]:,.0f}/s, {ratio:.2f}x nginx", ">= 0.9x", ratio >= 0.9)
            ratio = statistics.median(costs["last of 10,000"]) / statistics.median(costs["1 stub"])
            self.row("CPU per request, 10,000 stubs by 1", f"{statistics.median(costs['last of 10,000']):.2f} us, {ratio:.3f}x",
                     "<= 1.05x", ratio <= 1.05)

    def mountebank(self):
        for count, bound in ((1, 5), (1000, 300), (10000, 3000)):
            path, port = imposters(count, self.folder.name)
            with self.peer("mountebank", count) as peer, self.wardbench(path) as _:
                rates = self.alternate({"mountebank": peer.line.split()[1],
                                        "wardbench": f"http://127.0.0.1:{port}/item/{count - 1}"})
            ratio = rates["wardbench"] / rates["mountebank"]
            self.row(f"mountebank, last of {count:,}", f"{rates['mountebank']:,.0f}/s; {ratio:,.0f}x", f">= {bound}x",
                     ratio >= bound)

    def wiremock(self):
        path, port = imposters(10000, self.folder.name)
        with self.peer("wiremock", 10000) as peer, self.wardbench(path) as _:
            base = peer.line.split()[1].rsplit("/", 1)[0]
            rates = self.alternate({"wiremock": base + "/0", "wardbench": f"http://127.0.0.1:{port}/item/0"})
        ratio = rates["wardbench"] / rates["wiremock"]
        self.row("WireMock, oldest of 10,000", f"{rates['wiremock']:,.0f}/s; {ratio:,.0f}x", ">= 300x", ratio >= 300)

    def matching(self):
        """The sixteen workloads of matching.py, and mountebank on those whose stubs it tells apart slowest."""
        for stubs, least_rounds in ((100, 3), (1000, 1)):
            args = argparse.Namespace(stubs=stubs, rounds=max(least_rounds, self.options.rounds // 2), seconds=1)
            every = matching.workloads(stubs)
            file = os.path.join(self.folder.name, "matching.json")
            matching.write(file, every)
            server = matching.Server(self.options.wardbench, file, len(every))
            try:
                for name, workload in every.items():
                    fault = matching.check(server.urls[name] + workload.path, workload)
                    if fault:
                        raise Failed(f"{name}: {fault}")
                    if name == "simple":
                        continue
                    rate, cost, _, share = matching.measure(server, name, workload, every["simple"], args, self.folder.name)
                    bound = matching.least(workload, stubs)
                    self.row(f"{name}, last of {len(workload.stubs)}, beside simple by CPU", f"{cost:.2f} us, {share:.2f}x",
                             f">= {bound}x", share >= bound)
                if stubs == 100:
                    for name in ("regex", "jsonpath", "xpath", "body-regex"):
                        self.slow_workload(name, every[name], server)
            finally:
                server.end()

    def slow_workload(self, name, workload, server):
        port = free_port()
        file = os.path.join(self.folder.name, "slow.json")
        with open(file, "w") as out:
            json.dump({"imposters": [dict(matching.imposter(name, workload), port=port)]}, out)
        peers = os.environ.get("PEERS", os.path.expanduser("~/.cache/wardbench-peers"))
        command = ["node", f"{peers}/node_modules/mountebank/bin/mb", "--configfile", file, "--nologfile", "--loglevel",
                   "error", "--port", str(free_port()), "--localOnly", "--pidfile", os.path.join(self.folder.name, "mb.pid")]
        peer = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder.name)
        theirs = f"http://127.0.0.1:{port}"
        try:
            self.await_answer(theirs + workload.path, workload)
            mine, others = [], []
            for number in range(max(3, self.options.rounds // 2) + 1):
                for rates, base in ((others, theirs), (mine, server.urls[name])):
                    rate, _ = matching.drive(server, base + workload.path, workload, self.options.seconds, self.folder.name,
                                             patient=True)
                    if number:
                        rates.append(rate)
        finally:
            peer.terminate()
            peer.wait()
        ratio = statistics.median(mine) / statistics.median(others)
        self.row(f"{name} beside mountebank", f"{statistics.median(others):,.0f}/s; {ratio:,.0f}x", ">= 500x", ratio >= 500)

    @staticmethod
    def await_answer(url, workload):
        for _ in range(120):
            try:
                fault = matching.check(url, workload)
                if fault:
                    raise Failed(f"{url}: {fault}")
                return
            except OSError:
                time.sleep(0.25)
        raise Failed(f"{url} did not answer")

    def idle(self):
        path, port = imposters(1, self.folder.name)
        with self.wardbench(path) as server:
            url = f"http://127.0.0.1:{port}/item/0"
            alone = statistics.median(self.wrk(url)[0] for _ in range(self.options.rounds))
            before = server.memory_kib()
            sockets = [socket.create_connection(("127.0.0.1", port)) for _ in range(10000)]
            for one in sockets:
                one.sendall(b"GET /item/0 HTTP/1.1\r\nHost: a\r\n\r\n")
            answered = sum(1 for one in sockets if one.recv(4096).startswith(b"HTTP/1.1 200"))
            growth = (server.memory_kib() - before) / 1024
            beside = statistics.median(self.wrk(url)[0] for _ in range(self.options.rounds))
            for one in sockets:
                one.close()
        self.row("10,000 idle connections accepted", f"{answered:,}", "all", answered == 10000)
        self.row("throughput beside them", f"{beside / alone:.2f}x", ">= 0.85x", beside / alone >= 0.85)
        self.row("memory of them", f"{growth:.0f} MiB", "<= 120 MiB", growth <= 120)

    def memory(self):
        path, _ = imposters(10000, self.folder.name)
        with self.wardbench(path) as ours, self.peer("mountebank", 10000) as peer:
            theirs = int(re.search(r"rss_kib=(\d+)", peer.line).group(1))
            mine = ours.memory_kib()
        self.row("memory with 10,000 stubs", f"{mine / 1024:.0f} MiB by {theirs / 1024:.0f}, {mine / theirs:.2f}x", "<= 0.25x",
                 mine / theirs <= 0.25)

    def start(self):
        path, _ = imposters(10000, self.folder.name)
        mine, theirs = [], []
        for _ in range(self.options.rounds):
            with self.wardbench(path) as ours:
                mine.append(ours.ready)
            with self.peer("mountebank", 10000) as peer:
                theirs.append(peer.ready)
        ratio = statistics.median(mine) / statistics.median(theirs)
        self.row("start to ready, 10,000 stubs", f"{statistics.median(mine):.2f} s by {statistics.median(theirs):.2f} s, {ratio:.2f}x",
                 "<= 0.25x", ratio <= 0.25)

    def tls(self):
        folder = self.folder.name
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                        "-subj", "/CN=localhost", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"], check=True,
                       capture_output=True)
        key, cert = open(f"{folder}/key.pem").read(), open(f"{folder}/cert.pem").read()
        ciphers = "ECDHE-ECDSA-AES128-GCM-SHA256"
        path, port = imposters(1, folder, protocol="https", key=key, cert=cert, ciphers=ciphers)
        nginx_port = free_port()
        with open(f"{folder}/nginx.conf", "w") as out:
            out.write(f"""worker_processes 1; daemon off; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{ access_log off; keepalive_requests 100000000; ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;
  ssl_ciphers {ciphers}; ssl_protocols TLSv1.2 TLSv1.3;
  server {{ listen 127.0.0.1:{nginx_port} ssl; location / {{ default_type text/plain; return 200 "item 0"; }} }} }}""")
        nginx = subprocess.Popen(["nginx", "-c", f"{folder}/nginx.conf"], stderr=subprocess.DEVNULL)
        try:
            await_port(nginx_port)
            with self.wardbench(path) as _:
                rates = self.alternate({"nginx": f"https://127.0.0.1:{nginx_port}/item/0",
                                        "wardbench": f"https://127.0.0.1:{port}/item/0"})
        finally:
            nginx.terminate()
            nginx.wait()
        ratio = rates["wardbench"] / rates["nginx"]
        self.row("TLS, keep-alive", f"{rates['wardbench']:,.0f}/s, {ratio:.2f}x nginx", ">= 0.8x", ratio >= 0.8)

    def large(self):
        size = 1 << 30
        folder = self.folder.name
        with open(f"{folder}/large.bin", "wb") as out:
            out.truncate(size)
        port, upload_port = free_port(), free_port()
        path = f"{folder}/large.json"
        with open(path, "w") as out:
            json.dump({"imposters": [
                {"port": port, "protocol": "http", "stubs": [{"responses": [{"is": {"bodyFile": "large.bin"}}]}]},
                {"port": upload_port, "protocol": "http", "stubs": [{"responses": [{"is": {"body": "got it"}}]}]}]}, out)
        with self.wardbench(path) as server:
            peak = {"kib": 0}
            watching = threading.Event()

            def watch():
                while not watching.wait(0.02):
                    peak["kib"] = max(peak["kib"], server.memory_kib())

            urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{upload_port}/", data=b"x")).read()
            before = server.memory_kib()
            watcher = threading.Thread(target=watch)
            watcher.start()
            begin = time.monotonic()
            got = subprocess.run(["sh", "-c", f"curl -s http://127.0.0.1:{port}/ | wc -c"], capture_output=True, text=True).stdout
            seconds = time.monotonic() - begin
            served = max(peak["kib"], before) - before
            answer = subprocess.run(["curl", "-s", "-H", "Expect:", "-T", f"{folder}/large.bin", f"http://127.0.0.1:{upload_port}/"],
                                    capture_output=True, text=True).stdout
            watching.set()
            watcher.join()
        growth = (max(peak["kib"], before) - before) / 1024
        whole = int(got) == size and answer == "got it"
        self.row("1 GiB served from a file, then uploaded", f"+{growth:.1f} MiB, {size / seconds / 1e6:,.0f} MB/s",
                 "<= 16 MiB", whole and growth <= 16)

    def journal(self):
        off, off_port = imposters(1, self.folder.name, "off.json")
        on, on_port = imposters(1, self.folder.name, "on.json", recordRequests=True)
        with self.wardbench(off) as _, self.wardbench(on) as _:
            rates = self.alternate({"off": f"http://127.0.0.1:{off_port}/item/0", "on": f"http://127.0.0.1:{on_port}/item/0"})
        ratio = rates["on"] / rates["off"]
        self.row("journal on", f"{ratio:.2f}x of off", ">= 0.9x", ratio >= 0.9)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wardbench")
    parser.add_argument("--peers", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--only", nargs="+", default=[])
    options = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    bench = Bench(options)
    print("| What | Figure | Must reach | Reached |\n|---|---|---|---|", flush=True)
    names = options.only or ["stubs", "mountebank", "wiremock", "matching", "idle", "memory", "start", "tls", "large", "journal"]
    for name in names:
        try:
            getattr(bench, name)()
        except (Exception, SystemExit) as problem:  # the other rows are worth having
            traceback.print_exc()
            bench.row(name, f"failed: {' '.join(str(problem).split())[:200]}", "", False)
    sys.exit(0 if all(good for *_, good in bench.rows) else 1)


main()
