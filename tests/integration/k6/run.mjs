// run.mjs SCRIPT: runs a script written for k6 with a small stand-in of k6's API, enough for what Wardbench exports:
// k6/http (request), k6/execution, k6 (check, sleep), k6/data (SharedArray), open(); the executors shared-iterations,
// constant-vus and ramping-vus. Start times are kept in order but not waited for. Prints one JSON object: iterations,
// checks by name, and for each scenario how many requests it made.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { register } from 'node:module';
import http from 'node:http';

const script = resolve(process.argv[2]);
const agent = new http.Agent({ keepAlive: true });
const totals = { requests: 0, iterations: 0, checks: {}, statuses: {}, scenarios: {} };
const pending = [];

// k6's calls block; here they only note what is to be done, and the stand-in awaits it before the next iteration.
globalThis.standIn = {
  exec: { scenario: { iterationInTest: 0, name: '' } },
  request(method, url, body, params) {
    if (typeof method !== 'string' || typeof url !== 'string') throw new TypeError('request(method, url, body, params)');
    if (body !== null && typeof body !== 'string') throw new TypeError('the body is text or null');
    const answer = { status: 0, body: null, then: [] };
    totals.requests += 1;
    pending.push(new Promise((done) => {
      const finish = () => { answer.then.forEach((run) => run(answer)); done(); };
      const call = http.request(url, { method, agent, headers: params.headers }, (reply) => {
        const parts = [];
        reply.on('data', (part) => parts.push(part));
        reply.on('end', () => {
          answer.status = reply.statusCode;
          answer.body = Buffer.concat(parts).toString();
          totals.statuses[answer.status] = (totals.statuses[answer.status] || 0) + 1;
          finish();
        });
      });
      call.on('error', finish);
      call.end(body === null ? undefined : body);
    }));
    return answer;
  },
  check(answer, conditions) {
    answer.then.push((reply) => {
      for (const [name, holds] of Object.entries(conditions)) {
        const count = totals.checks[name] ||= { passes: 0, fails: 0 };
        holds(reply) ? count.passes += 1 : count.fails += 1;
      }
    });
    return true;
  },
  sleep(seconds) {
    if (!(seconds >= 0)) throw new RangeError(`sleep(${seconds})`);
    pending.push(new Promise((done) => setTimeout(done, seconds * 1000)));
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

async function runScenario(name, options, run) {
  const started = Date.now();
  const seen = totals.requests;
  let next = 0;
  const shared = options.executor === 'shared-iterations';
  const end = started + (shared ? milliseconds(options.maxDuration)
    : options.executor === 'constant-vus' ? milliseconds(options.duration)
      : options.stages.reduce((sum, stage) => sum + milliseconds(stage.duration), 0));
  const users = shared || options.executor === 'constant-vus' ? options.vus : options.stages[0].target;
  await Promise.all(Array.from({ length: users }, async () => {
    while (Date.now() < end && (!shared || next < options.iterations)) {
      standIn.exec.scenario.iterationInTest = next;
      standIn.exec.scenario.name = name;
      next += 1;
      totals.iterations += 1;
      pending.length = 0;
      run();
      await Promise.all([...pending]);
    }
  }));
  totals.scenarios[name] = { iterations: next, requests: totals.requests - seen };
}

const loaded = await import(pathToFileURL(script));
const inOrder = Object.entries(loaded.options.scenarios)
  .sort((a, b) => milliseconds(a[1].startTime) - milliseconds(b[1].startTime));
for (const [name, options] of inOrder) {
  if (!['shared-iterations', 'constant-vus', 'ramping-vus'].includes(options.executor))
    throw new RangeError(`unknown executor ${options.executor}`);
  await runScenario(name, options, loaded[options.exec]);
}
agent.destroy();
console.log(JSON.stringify(totals));
