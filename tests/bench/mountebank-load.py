#!/usr/bin/env python3
"""mountebank-load.py WARDBENCH PEERS [--scale 1] [--transport qt|socket]

The shipped workspace mountebank-load for real: starts `wardbench serve` and a mountebank with the same imposters, runs
the workspace against both, prints its result table and the ratio. PEERS is the folder whose node_modules hold mountebank.
Exit code 1 when a request failed, or Wardbench's mock is less than 10 times as fast.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request


def wait_for(port, process):
    for _ in range(240):
        if process.poll() is not None:
            sys.exit(f"the server for port {port} ended")
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=2)
            return
        except OSError:
            time.sleep(0.25)
    sys.exit(f"nothing answers on port {port}")


def stop(process):
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wardbench")
    parser.add_argument("peers")
    parser.add_argument("--scale", default="1")
    parser.add_argument("--transport")
    options = parser.parse_args()
    program = os.path.abspath(options.wardbench)
    mountebank = os.path.join(options.peers, "node_modules", "mountebank", "bin", "mb")
    if not os.path.exists(mountebank):
        sys.exit(f"there is no {mountebank}; the folder of the peers was expected")
    with tempfile.TemporaryDirectory() as folder:
        workspace = os.path.join(folder, "mountebank-load.wardbench")
        subprocess.run([program, "new", "--from", "mountebank-load", workspace], check=True, stderr=subprocess.DEVNULL)
        made = subprocess.run([program, "convert", workspace, "--to", "mountebank", "-"], check=True, capture_output=True,
                              text=True).stdout
        imposters = json.loads(made)
        imposters["imposters"][0]["port"] = 5545
        with open(os.path.join(folder, "imposters.json"), "w") as out:
            json.dump(imposters, out)
        ours = subprocess.Popen([program, "serve", workspace], stdout=subprocess.DEVNULL)
        theirs = subprocess.Popen(["node", mountebank, "--configfile", os.path.join(folder, "imposters.json"), "--nologfile",
                                   "--loglevel", "error", "--port", "5546", "--localOnly"], stdout=subprocess.DEVNULL,
                                  cwd=folder)
        try:
            wait_for(4545, ours)
            wait_for(5545, theirs)
            more = ["--transport", options.transport] if options.transport else []
            run = subprocess.run([program, "run", workspace, "--scale", options.scale, "--out", folder, "--quiet", *more])
        finally:
            stop(theirs)
            stop(ours)
        with open(os.path.join(folder, "matching-under-load.wbrun")) as file:
            result = json.load(file)
    base, own = result["contestants"]
    ratio = base["duration_ms"] / own["duration_ms"]
    failed = base["errors"] + own["errors"]
    print(f"\n{base['name']} {base['runs'] / base['duration_ms'] * 1000:,.0f}/s, {own['name']} "
          f"{own['runs'] / own['duration_ms'] * 1000:,.0f}/s: {ratio:.1f}x (wanted: at least 10x); {failed} failed")
    sys.exit(0 if run.returncode == 0 and ratio >= 10 and failed == 0 else 1)


main()
