#!/usr/bin/env python3
"""distributed.py WARDBENCH JMETER [--engines 2] [--keep FOLDER]

docs/DISTRIBUTED.md for real: a scenario is exported as a JMeter plan, JMeter's remote engines (two processes of this
machine) run it against a `wardbench serve`, and the merged results are charted by `wardbench export`. JMETER is a program
that takes PLAN.jmx and JMeter's options. Checks that client, engines and mock counted the same.
Exit code 77 when JMETER is empty or is not there: nothing was tried.
"""
import argparse
import csv
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

USERS, ITERATIONS = 10, 500
WORKSPACE = {
    "format": "wardbench/1",
    "name": "Distributed",
    "imposters": [{"protocol": "http", "name": "shop", "keepAlive": True, "defaultResponse": {"statusCode": 404}, "stubs": [
        {"predicates": [{"matches": {"path": "^/items/\\d+$"}}],
         "responses": [{"is": {"statusCode": 200, "body": "an item"}, "behaviors": [{"wait": 5}]}]}]}],
    "scenarios": [{
        "name": "Items", "seed": 1, "request": {"target": "shop", "path": "/items/${id}"},
        "variables": {"id": {"type": "zipf", "n": 1000}}, "contestants": [{"name": "Bare client"}],
        "load": {"users": USERS, "iterations": ITERATIONS, "rampUp": "1s"}, "success": {"bodyContains": "an item"},
        "repetitions": 1}]}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, process):
    for _ in range(480):
        if process.poll() is not None:
            sys.exit(f"the process for port {port} ended: {process.args}")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.25)
    sys.exit(f"nothing listens on port {port}")


def stop(process):
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)


def start(command, folder, **more):
    return subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, start_new_session=True, **more)


def engine(jmeter, number, plan, folder):
    """A jmeter-server in a folder of its own, where it finds the values of the variables."""
    own = os.path.join(folder, f"engine{number}")
    os.mkdir(own)
    shutil.copy(plan, own)
    shutil.copy(plan.replace(".jmx", ".csv"), own)
    port = free_port()
    log = open(os.path.join(own, "out.txt"), "w")
    process = start([jmeter, "plan.jmx", "-s", f"-Jserver_port={port}", "-Djava.rmi.server.hostname=127.0.0.1", "-j",
                     os.path.join(own, "engine.log")], own, stdout=log, stderr=subprocess.STDOUT)
    return process, port


def run(options, folder):
    program = os.path.abspath(options.wardbench)
    WORKSPACE["imposters"][0]["port"] = free_port()
    workspace = os.path.join(folder, "items.wardbench")
    with open(workspace, "w") as out:
        json.dump(WORKSPACE, out)
    plan = os.path.join(folder, "plan.jmx")
    subprocess.run([program, "convert", workspace, plan], check=True)
    processes = []
    try:
        log = open(os.path.join(folder, "mock.log"), "w")
        processes.append(start([program, "serve", "--log", "json", workspace], folder, stdout=subprocess.DEVNULL, stderr=log))
        wait_for(WORKSPACE["imposters"][0]["port"], processes[0])
        ports = []
        for number in range(options.engines):
            process, port = engine(options.jmeter, number + 1, plan, folder)
            processes.append(process)
            ports.append(port)
        for process, port in zip(processes[1:], ports):
            wait_for(port, process)
        subprocess.run([options.jmeter, plan, "-R", ",".join(f"127.0.0.1:{port}" for port in ports), "-l",
                        os.path.join(folder, "merged.jtl"), "-Jjmeter.save.saveservice.print_field_names=true",
                        "-Jsummariser.name=summary", "-Djava.rmi.server.hostname=127.0.0.1", "-j",
                        os.path.join(folder, "controller.log")], cwd=folder, check=True, timeout=300)
    finally:
        for process in reversed(processes):
            stop(process)
    return program


def check(options, folder, program):
    merged = os.path.join(folder, "merged.jtl")
    for chart in ("percentiles", "throughput"):
        subprocess.run([program, "export", merged, "--chart", chart, "--to", os.path.join(folder, chart + ".csv")], check=True)
    subprocess.run([program, "convert", merged, os.path.join(folder, "run.wbrun")], check=True)
    subprocess.run([program, "convert", merged, "--to", "aggregate", os.path.join(folder, "table.csv")], check=True)
    with open(os.path.join(folder, "table.csv")) as file:
        total = list(csv.reader(file))[-1]
    with open(os.path.join(folder, "run.wbrun")) as file:
        result = json.load(file)
    with open(merged) as file:
        rows = list(csv.DictReader(file))
    with open(os.path.join(folder, "mock.log")) as file:
        received = sum(1 for line in file if line.startswith("{"))
    wanted = options.engines * ITERATIONS
    charted = sum(contestant["runs"] for contestant in result["contestants"])
    errors = sum(contestant["errors"] for contestant in result["contestants"])
    print(f"\nwanted {wanted}, in the merged file {len(rows)}, charted {charted}, received by the mock {received}, "
          f"errors {errors}")
    if not wanted == len(rows) == charted == received == int(total[1]) or errors:
        sys.exit("the counts differ")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wardbench")
    parser.add_argument("jmeter", nargs="?", default="")
    parser.add_argument("--engines", type=int, default=2)
    parser.add_argument("--keep", help="work in this new folder and leave it")
    options = parser.parse_args()
    if not shutil.which(options.jmeter):
        print("no JMeter was named")
        sys.exit(77)
    options.jmeter = os.path.abspath(shutil.which(options.jmeter))
    if options.keep:
        os.makedirs(options.keep)
        check(options, os.path.abspath(options.keep), run(options, os.path.abspath(options.keep)))
        return
    with tempfile.TemporaryDirectory() as folder:
        check(options, folder, run(options, folder))


main()
