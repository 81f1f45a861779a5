// run.mjs SCRIPT: runs a script written for k6 with a small stand-in of k6's API, enough for what Wardbench exports:
// k6/http (request), k6/execution, k6 (check, sleep), k6/data (SharedArray), open(); the executors shared-iterations and
// per-vu-iterations. Calls block as k6's do, so users come one after another; start times are kept in order and not waited
// for. Needs curl. Prints one JSON object: iterations, answers by status, checks by name.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const script = resolve(process.argv[2]);
const totals = { iterations: 0, statuses: {}, checks: {} };

// gjson's plain form: names and indexes with dots between.
function select(value, selector) {
  return selector.split('.').reduce((at, key) => (at === null || at === undefined ? undefined : at[key]), value);
}

function parseReply(bytes) {
  const text = bytes.toString();
  const end = text.indexOf('\r\n\r\n');
  const [first, ...lines] = text.slice(0, end).split('\r\n');
  const headers = {};
  for (const line of lines) headers[line.slice(0, line.indexOf(':'))] = line.slice(line.indexOf(':') + 1).trim();
  const body = text.slice(end + 4);
  return { status: Number(first.split(' ')[1]), headers, body, json: (path) => select(JSON.parse(body), path) };
}

globalThis.standIn = {
  exec: { scenario: { iterationInTest: 0, name: '' } },
  request(method, url, body, params) {
    if (typeof method !== 'string' || typeof url !== 'string') throw new TypeError('request(method, url, body, params)');
    if (body !== null && typeof body !== 'string') throw new TypeError('the body is text or null');
    const headers = Object.entries(params.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const data = body === null ? [] : ['--data-binary', '@-'];
    const begin = performance.now();
    const curl = spawnSync('curl', ['-s', '-S', '-i', '-g', '-X', method, ...headers, ...data, url], { input: body ?? '' });
    if (curl.status !== 0) throw new Error(curl.stderr.toString());
    const reply = { ...parseReply(curl.stdout), timings: { duration: performance.now() - begin } };
    totals.statuses[reply.status] = (totals.statuses[reply.status] || 0) + 1;
    return reply;
  },
  check(reply, conditions) {
    for (const [name, holds] of Object.entries(conditions)) {
      const count = totals.checks[name] ||= { passes: 0, fails: 0 };
      holds(reply) ? count.passes += 1 : count.fails += 1;
    }
    return true;
  },
  sleep(seconds) {
    if (!(seconds >= 0)) throw new RangeError(`sleep(${seconds})`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, seconds * 1000);
  },
};
globalThis.open = (name) => readFileSync(resolve(dirname(script), name), 'utf8');
globalThis.__ENV = process.env;

const modules = {
  'k6/http': 'export default { request: (...a) => standIn.request(...a) };',
  'k6/execution': 'export default standIn.exec;',
  k6: 'export const check = standIn.check; export const sleep = standIn.sleep;',
  'k6/data': 'export const SharedArray = function (name, make) {' +
    ' if (typeof name !== "string" || !name) throw new TypeError("a SharedArray has a name");' +
    ' const rows = make(); if (!Array.isArray(rows)) throw new TypeError("a SharedArray is an array");' +
    ' return Object.freeze(rows); };',
};
const hooks = `
  const modules = ${JSON.stringify(modules)};
  export async function resolve(name, context, next) {
    return modules[name] === undefined ? next(name, context) : { url: 'k6:' + name, shortCircuit: true };
  }
  export async function load(url, context, next) {
    if (url.startsWith('k6:')) return { format: 'module', source: modules[url.slice(3)], shortCircuit: true };
    return next(url, { ...context, format: url.endsWith('.js') ? 'module' : context.format });
  }`;
register('data:text/javascript,' + encodeURIComponent(hooks));

const milliseconds = (text) => {
  const match = /^(\d+)ms$/.exec(text);
  if (!match) throw new SyntaxError(`not a duration: ${text}`);
  return Number(match[1]);
};

const loaded = await import(pathToFileURL(script));
const inOrder = Object.entries(loaded.options.scenarios)
  .sort((a, b) => milliseconds(a[1].startTime) - milliseconds(b[1].startTime));
for (const [name, options] of inOrder) {
  if (!['shared-iterations', 'per-vu-iterations'].includes(options.executor))
    throw new RangeError(`unknown executor ${options.executor}`);
  milliseconds(options.maxDuration);
  const count = options.iterations * (options.executor === 'per-vu-iterations' ? options.vus : 1);
  for (let i = 0; i < count; i += 1) {
    standIn.exec.scenario = { iterationInTest: i, name };
    totals.iterations += 1;
    loaded[options.exec]();
  }
}
console.log(JSON.stringify(totals));
