#!/usr/bin/env python3
"""agreement.py WARDBENCH PEERS JMETER [--rounds 3] [--seconds 5] [--connections 10] [--wait MS] [--transports qt]

One mock (`wardbench serve`, one stub that answers at once, or after MS milliseconds) measured by wrk, autocannon, JMeter
and Wardbench in one session, in turn, round by round after one that does not count. Prints a Markdown table: requests per
second, p50 and p99 in ms as each tool reports them, and what the mock counted beside what the tool counted. PEERS is the
folder whose node_modules hold autocannon, JMETER a program that takes PLAN.jmx and JMeter's options; a tool that is not
there is left out, and said so. docs/AGREEMENT.md explains the differences.
"""
import argparse
import json
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Mock:
    def __init__(self, program, folder, wait):
        self.port, self.admin = free_port(), free_port()
        behaviors = [{"wait": wait}] if wait else []
        self.imposter = {"protocol": "http", "port": self.port, "name": "one", "keepAlive": True, "stubs": [
            {"predicates": [{"equals": {"path": "/item"}}],
             "responses": [{"is": {"statusCode": 200, "headers": {"Content-Type": "text/plain"}, "body": "item 0"},
                            "behaviors": behaviors}]}]}
        path = os.path.join(folder, "mock.json")
        with open(path, "w") as out:
            json.dump({"imposters": [self.imposter]}, out)
        self.process = subprocess.Popen([program, "serve", "--admin-port", str(self.admin), path], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, text=True)
        if not self.process.stdout.readline().startswith("ready"):
            sys.exit("the mock did not start")
        self.url = f"http://127.0.0.1:{self.port}/item"

    def received(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.admin}/imposters/{self.port}") as answer:
            return json.load(answer)["numberOfRequests"]


class Tools:
    """Each returns requests, seconds, p50 and p99 in ms, as the tool says them."""

    def __init__(self, options, mock, folder):
        self.options, self.mock, self.folder = options, mock, folder
        self.program = os.path.abspath(options.wardbench)

    def available(self):
        found = {}
        for transport in self.options.transports.split(","):
            found[f"Wardbench, {transport}"] = lambda transport=transport: self.wardbench(transport)
        if shutil.which("wrk"):
            found["wrk -t1"] = self.wrk
        autocannon = os.path.join(self.options.peers, "node_modules", "autocannon", "autocannon.js")
        if os.path.exists(autocannon):
            found["autocannon"] = lambda: self.autocannon(autocannon)
        if self.options.jmeter and shutil.which(self.options.jmeter):
            self.options.jmeter = os.path.abspath(shutil.which(self.options.jmeter))
            found["JMeter"] = self.jmeter
        for name in ("wrk -t1", "autocannon", "JMeter"):
            if name not in found:
                print(f"{name} is not there: left out", file=sys.stderr)
        return found

    def workspace(self):
        path = os.path.join(self.folder, "load.wardbench")
        with open(path, "w") as out:
            json.dump({"format": "wardbench/1", "name": "Agreement", "scenarios": [{
                "name": "Agreement", "seed": 1, "request": {"target": f"http://127.0.0.1:{self.mock.port}", "path": "/item"},
                "contestants": [{"name": "Bare client"}], "repetitions": 1,
                "load": {"users": self.options.connections, "duration": f"{self.options.seconds}s"}}]}, out)
        return path

    def wardbench(self, transport):
        subprocess.run([self.program, "run", self.workspace(), "--transport", transport, "--out", self.folder, "--quiet",
                        "--format", "json"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(os.path.join(self.folder, "results.json")) as file:
            total = json.load(file)[0]["contestants"][0]
        latency = total["latency_us"]
        return total["runs"], total["duration_ms"] / 1000, latency["p50"] / 1000, latency["p99"] / 1000

    def wrk(self):
        out = subprocess.run(["wrk", "-t1", f"-c{self.options.connections}", f"-d{self.options.seconds}s", "--latency",
                              self.mock.url], check=True, capture_output=True, text=True).stdout
        count, taken = re.search(r"(\d+) requests in ([\d.]+)s", out).groups()

        def percentile(name):
            value, unit = re.search(rf"{name}%\s+([\d.]+)(us|ms|s)", out).groups()
            return float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit]
        return int(count), float(taken), percentile("50"), percentile("99")

    def autocannon(self, program):
        out = subprocess.run(["node", program, "-j", "-c", str(self.options.connections), "-d", str(self.options.seconds),
                              self.mock.url], check=True, capture_output=True, text=True).stdout
        result = json.loads(out)
        return result["requests"]["total"], result["duration"], result["latency"]["p50"], result["latency"]["p99"]

    def jmeter(self):
        plan, results = os.path.join(self.folder, "plan.jmx"), os.path.join(self.folder, "out.jtl")
        subprocess.run([self.program, "convert", self.workspace(), plan, "--force"], check=True, stderr=subprocess.DEVNULL)
        if os.path.exists(results):
            os.remove(results)
        subprocess.run([self.options.jmeter, plan, "-l", results, "-j", os.path.join(self.folder, "jmeter.log"),
                        "-Jjmeter.save.saveservice.print_field_names=true"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, cwd=self.folder)
        with open(results) as file:
            rows = [line.split(",", 2) for line in file.readlines()[1:]]
        elapsed = sorted(int(row[1]) for row in rows)
        first = min(int(row[0]) for row in rows)
        last = max(int(row[0]) + int(row[1]) for row in rows)

        def percentile(part):
            return elapsed[max(0, -(-len(elapsed) * part // 100) - 1)]
        return len(rows), (last - first) / 1000, percentile(50), percentile(99)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wardbench")
    parser.add_argument("peers")
    parser.add_argument("jmeter")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=10)
    parser.add_argument("--wait", type=int, default=0)
    parser.add_argument("--transports", default="qt")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        mock = Mock(os.path.abspath(options.wardbench), folder, options.wait)
        try:
            tools = Tools(options, mock, folder).available()
            figures = {name: [] for name in tools}
            for number in range(options.rounds + 1):
                for name, tool in tools.items():
                    before = mock.received()
                    count, seconds, p50, p99 = tool()
                    time.sleep(0.2)  # what was in flight when the tool ended
                    if number:
                        figures[name].append((count / seconds, p50, p99, count, mock.received() - before))
        finally:
            mock.process.terminate()
            mock.process.wait()
    print(f"{options.connections} connections, {options.seconds} s, {options.rounds} rounds, the mock waits {options.wait} ms; "
          f"medians\n")
    print("| Tool | requests/s | p50 ms | p99 ms | counted by the tool | by the mock |\n|---|---|---|---|---|---|")
    for name, list_ in figures.items():
        rate, p50, p99 = (statistics.median(column) for column in list(zip(*list_))[:3])
        counted, received = (sum(column) for column in list(zip(*list_))[3:])
        print(f"| {name} | {rate:,.0f} | {p50:.3g} | {p99:.3g} | {counted:,} | {received:,} |")


main()
