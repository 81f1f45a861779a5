#!/usr/bin/env python3
"""What deciding between stubs costs the mock, by what tells the stubs apart.

    matching.py [--stubs N] [--rounds N] [--seconds S] [--only NAME,...] WARDBENCH

Sixteen workloads, one imposter each; the last stub is always the one asked for. All are served by one `wardbench serve`
with one connection thread, every answer is checked, then wrk (one thread, 64 connections) drives each in turn with
`simple`, an imposter of one stub. Printed are medians: the rate, the server's CPU time per request (/proc), and both as
a share of simple's in the same round. CPU time hardly depends on what else the machine does; compare that.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import urllib.request

KINDS, ITEMS, VERBS = 10, 10, ("GET", "PUT", "DELETE")


class Workload:
    """Stubs by predicates, the request that the last of them answers, and the smallest share of simple's speed."""

    def __init__(self, stubs, path, method="GET", headers=None, body="", chosen=-1, least=0.8):
        self.stubs, self.path, self.method, self.body = stubs, path, method, body
        self.headers, self.chosen, self.least = headers or {}, chosen, least

    def answer(self):
        return "" if self.chosen is None else f"stub {self.chosen % len(self.stubs)}"


def resources():
    """A plain REST interface: for each kind a list, and three verbs on each of its items."""
    for kind in range(KINDS):
        yield [{"equals": {"method": "GET", "path": f"/api/kind-{kind}"}}]
        for item in range(ITEMS):
            for verb in VERBS:
                yield [{"equals": {"method": verb, "path": f"/api/kind-{kind}/{item}"}}]


def workloads(count):
    last = count - 1
    rest = list(resources())
    is_json, is_xml = {"Content-Type": "application/json"}, {"Content-Type": "application/xml"}

    def each(predicates):
        return [predicates(i) for i in range(count)]

    def order(i):
        return {"order": {"number": i, "lines": [{"article": f"a-{i}", "pieces": 2}]}, "channel": "shop"}

    def nested(i):
        typed = [{"contains": {"headers": {"X-Format": "json"}}}, {"contains": {"headers": {"Content-Type": "json"}}}]
        return [{"and": [{"equals": {"method": "POST"}}, {"startsWith": {"path": f"/rule-{i}/"}}, {"or": typed}]}]

    return {
        "simple": Workload([[{"equals": {"path": "/only"}}]], "/only"),
        "rest-first": Workload(rest, "/api/kind-0", chosen=0),
        "rest-last": Workload(rest, f"/api/kind-{KINDS - 1}/{ITEMS - 1}", "DELETE"),
        "no-match": Workload(rest, "/nothing/here", chosen=None),
        "regex": Workload(each(lambda i: [{"matches": {"path": f"^/re/{i}-[a-z0-9]+$"}}]), f"/re/{last}-x7y"),
        "and-or": Workload(each(nested), f"/rule-{last}/go", "POST", is_json, '{"k":1}'),
        "json-body": Workload(each(lambda i: [{"equals": {"method": "POST", "path": f"/in/{i}", "body": {"no": i, "t": "a"}}}]),
                              f"/in/{last}", "POST", is_json, json.dumps({"no": last, "t": "a"})),
        "body-field": Workload(each(lambda i: [{"equals": {"method": "POST", "path": "/in", "body": {"ref": f"r-{i}", "by": "web"}}}]),
                               "/in", "POST", is_json, json.dumps({"ref": f"r-{last}", "by": "web"})),
        "deep-equals": Workload(each(lambda i: [{"deepEquals": {"body": order(i)}}]), "/", "POST", is_json, json.dumps(order(last))),
        "jsonpath": Workload(each(lambda i: [{"equals": {"method": "POST", "path": "/who"}},
                                             {"equals": {"body": str(i)}, "jsonpath": {"selector": "$.person.no"}}]),
                             "/who", "POST", is_json, json.dumps({"person": {"no": last, "name": "p"}}), least=0.5),
        "xpath": Workload(each(lambda i: [{"equals": {"method": "POST", "path": "/feed"}},
                                          {"equals": {"body": f"n{i}"}, "xpath": {"selector": "//entry/name"}}]),
                          "/feed", "POST", is_xml, f"<feed><entry><name>n{last}</name></entry></feed>", least=0.5),
        "header": Workload(each(lambda i: [{"equals": {"path": "/hd", "headers": {"X-Tenant": f"t{i}"}}}]), "/hd",
                           headers={"X-Tenant": f"t{last}"}),
        "query": Workload(each(lambda i: [{"equals": {"path": "/find", "query": {"from": str(i), "max": "20"}}}]),
                          f"/find?from={last}&max=20"),
        "prefix": Workload(each(lambda i: [{"startsWith": {"path": f"/tree/{i}/"}}]), f"/tree/{last}/leaf/1"),
        "contains": Workload(each(lambda i: [{"contains": {"path": f"/mark{i}/"}}]), f"/a/mark{last}/b"),
        "body-regex": Workload(each(lambda i: [{"matches": {"body": f"case-{i}\\b"}}]), "/", "POST",
                               {"Content-Type": "text/plain"}, f"about case-{last}, again"),
    }


def imposter(name, workload):
    kept = {"Content-Type": "text/plain", "Connection": "keep-alive"}
    stubs = [{"predicates": predicates, "responses": [{"is": {"headers": kept, "body": f"stub {i}"}}]}
             for i, predicates in enumerate(workload.stubs)]
    return {"protocol": "http", "name": name, "stubs": stubs, "defaultResponse": {"headers": kept, "body": ""}}


class Server:
    """One `wardbench serve`; knows the address of each imposter by its name."""

    def __init__(self, program, file, count):
        self.process = subprocess.Popen([program, "serve", "--io-threads", "1", file], stdout=subprocess.PIPE, text=True)
        self.urls = {}
        while len(self.urls) < count:
            line = self.process.stdout.readline()
            if not line:
                sys.exit(f"{program} ended before all imposters were up")
            found = re.match(r"ready (\S+) (\S+)", line)
            if found:
                self.urls[found.group(2)] = found.group(1).rstrip("/")

    def cpu(self):
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.process.terminate()
        self.process.wait()


def check(url, workload):
    """Why the answer is wrong, or nothing."""
    request = urllib.request.Request(url, data=workload.body.encode() or None, headers=workload.headers, method=workload.method)
    with urllib.request.urlopen(request, timeout=10) as reply:
        got = reply.read().decode()
    return None if got == workload.answer() else f"answered {got[:60]!r}, expected {workload.answer()!r}"


def drive(server, url, workload, seconds, folder, patient=False):
    """Requests per second, and microseconds of the server's CPU per request. `patient`: answers may take longer than wrk waits."""
    script = os.path.join(folder, "wrk.lua")
    with open(script, "w") as out:
        print(f"wrk.method = {json.dumps(workload.method)}\nwrk.body = {json.dumps(workload.body)}", file=out)
        for name, value in workload.headers.items():
            print(f"wrk.headers[{json.dumps(name)}] = {json.dumps(value)}", file=out)
    before = server.cpu()
    said = subprocess.run(["wrk", "-t1", "-c64", f"-d{seconds}s", "-s", script, url], capture_output=True, text=True).stdout
    spent = server.cpu() - before
    requests = re.search(r"(\d+) requests in", said)
    rate = re.search(r"Requests/sec:\s+([\d.]+)", said)
    if not requests or not rate or "Non-2xx" in said or ("Socket errors" in said and not patient):
        sys.exit(f"wrk on {url}:\n{said}")
    return float(rate.group(1)), spent / int(requests.group(1)) * 1e6


def measure(server, name, workload, simple, args, folder):
    """Medians: rate and CPU time of a request, and both beside simple's."""
    rates, costs, rate_shares, cost_shares = [], [], [], []
    for turn in range(args.rounds + 1):  # the first only warms up
        own_rate, own_cost = drive(server, server.urls["simple"] + simple.path, simple, args.seconds, folder)
        rate, cost = drive(server, server.urls[name] + workload.path, workload, args.seconds, folder)
        if turn:
            rates.append(rate)
            costs.append(cost)
            rate_shares.append(rate / own_rate)
            cost_shares.append(own_cost / cost)
    return tuple(map(statistics.median, (rates, costs, rate_shares, cost_shares)))


def least(workload, stubs):
    return workload.least if stubs <= 100 else min(workload.least, 0.7)


def report(server, name, workload, simple, args, folder):
    rate, cost, rate_share, share = measure(server, name, workload, simple, args, folder)
    bound = least(workload, args.stubs)
    print(f"{name:12} {rate:9.0f} req/s  x{rate_share:.2f}   {cost:6.2f} us CPU  x{share:.2f}"
          f"{'' if share >= bound else f'  BELOW x{bound}'}", flush=True)
    return share >= bound


def write(file, every):
    with open(file, "w") as out:
        json.dump({"imposters": [imposter(name, workload) for name, workload in every.items()]}, out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--stubs", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    every = workloads(args.stubs)
    wanted = args.only.split(",") if args.only else list(every)
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "imposters.json")
        write(file, every)
        server = Server(args.program, file, len(every))
        try:
            faults = {name: check(server.urls[name] + every[name].path, every[name]) for name in every}
            for name, fault in faults.items():
                if fault:
                    print(f"{name}: {fault}", file=sys.stderr)
            good = [report(server, name, every[name], every["simple"], args, folder) for name in wanted]
        finally:
            server.end()
    sys.exit(0 if all(good) and not any(faults.values()) else 1)


if __name__ == "__main__":
    main()
