#!/usr/bin/env python3
"""Share of a pipeline without modules in a request's instructions, from one callgrind profile.

    valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file=OUT bench_pipeline off N PORT
    pipelinecost.py OUT N

The pipeline's cost is what its frames cost inclusively, entered from anywhere else, without the calls it makes to the
transport and to the caller's callback; its scheduler counts as part of it. It is set against all instructions of the
process, the threads of Qt's network included.
"""
import collections
import re
import sys

PIPELINE = re.compile(r"wardbench::(warden::|Pipeline::|QtScheduler::)")
OUTSIDE = re.compile(r"wardbench::QtTransport::|BenchLoad")


def is_pipeline(name):
    """Functions by what they are, lambdas and std::function glue by the pipeline function that made them."""
    if OUTSIDE.search(name):
        return False
    return bool(PIPELINE.search(name))


def read(path):
    names, total, arcs = {}, 0, collections.Counter()
    function = callee = None
    calls_next = False

    def name_of(text):
        match = re.match(r"\((\d+)\)(?: (.*))?$", text)
        if match.group(2):
            names[match.group(1)] = match.group(2)
        return names[match.group(1)]

    for line in open(path):
        line = line.rstrip("\n")
        if line.startswith("fn="):
            function = name_of(line[3:])
        elif line.startswith("cfn="):
            callee = name_of(line[4:])
        elif line.startswith("calls="):
            calls_next = True
        elif re.match(r"[+\-*\d]", line):
            cost = int(line.split()[-1]) if len(line.split()) > 1 else 0
            if calls_next:
                arcs[function, callee] += cost
                calls_next = False
            else:
                total += cost
    return total, arcs


def main():
    path, requests = sys.argv[1], int(sys.argv[2])
    total, arcs = read(path)
    entered = left = 0
    for (caller, callee), cost in sorted(arcs.items(), key=lambda item: -item[1]):
        if is_pipeline(callee) and not is_pipeline(caller):
            entered += cost
            print(f"  + {cost / requests:12.1f}  {caller[:60]} -> {callee[:90]}")
        elif is_pipeline(caller) and OUTSIDE.search(callee):
            left += cost
            print(f"  - {cost / requests:12.1f}  {caller[:60]} -> {callee[:90]}")
    share = (entered - left) / total * 100
    print(f"request:  {total / requests:12.1f} instructions")
    print(f"pipeline: {(entered - left) / requests:12.1f} instructions, {share:.3f} %")


main()
