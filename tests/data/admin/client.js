// A client written for mountebank, with nothing but Node's http: creates imposters, uses them, verifies what they
// received, edits, records through a proxy, replays, deletes. Arguments: the REST API's port and two
// free ports. Says "all is well" at the end.
'use strict';

const assert = require('assert');
const call = require('./call.js');

const [api, first, second] = process.argv.slice(2).map(Number);

async function create() {
    const imposter = {
        protocol: 'http', port: first, name: 'orders', recordRequests: true,
        stubs: [
            { predicates: [{ equals: { method: 'POST', path: '/orders' } }],
              responses: [{ is: { statusCode: 201, headers: { Location: '/orders/1' } } }, { is: { statusCode: 409 } }] },
            { predicates: [{ matches: { path: '^/orders/\\d+$' } }],
              responses: [{ is: { headers: { 'Content-Type': 'application/json' }, body: { id: 1 } } }] }
        ],
        defaultResponse: { statusCode: 404, body: 'no such page' }
    };
    const created = await call(api, 'POST', '/imposters', imposter);
    assert.strictEqual(created.status, 201);
    assert.strictEqual(created.headers.location, `http://localhost:${api}/imposters/${first}`);
    const shown = await call(api, 'GET', `/imposters/${first}`);
    assert.deepStrictEqual(shown.json, created.json);
    assert.strictEqual((await call(api, 'POST', '/imposters', imposter)).json.errors[0].code, 'resource conflict');
}

async function use() {
    const statuses = [];
    for (let i = 0; i < 3; i += 1) {
        statuses.push((await call(first, 'POST', '/orders', { item: 'tea' })).status);
    }
    assert.deepStrictEqual(statuses, [201, 409, 201]);
    const order = await call(first, 'GET', '/orders/17?full=yes');
    assert.deepStrictEqual(order.json, { id: 1 });
    assert.strictEqual(order.text, '{\n    "id": 1\n}');
    const missing = await call(first, 'GET', '/nowhere');
    assert.strictEqual(missing.status, 404);
    assert.strictEqual(missing.text, 'no such page');
}

async function verify() {
    const imposter = (await call(api, 'GET', `/imposters/${first}`)).json;
    assert.strictEqual(imposter.numberOfRequests, 5);
    assert.deepStrictEqual(imposter.requests.map(request => `${request.method} ${request.path}`),
        ['POST /orders', 'POST /orders', 'POST /orders', 'GET /orders/17', 'GET /nowhere']);
    assert.deepStrictEqual(JSON.parse(imposter.requests[0].body), { item: 'tea' });
    assert.deepStrictEqual(imposter.requests[3].query, { full: 'yes' });
    const cleared = (await call(api, 'DELETE', `/imposters/${first}/savedRequests`)).json;
    assert.deepStrictEqual([cleared.numberOfRequests, cleared.requests], [0, []]);
}

async function edit() {
    const stub = { predicates: [{ equals: { path: '/nowhere' } }], responses: [{ is: { body: 'here' } }] };
    const added = await call(api, 'POST', `/imposters/${first}/stubs`, { index: 0, stub });
    assert.strictEqual(added.json.stubs.length, 3);
    assert.strictEqual((await call(first, 'GET', '/nowhere')).text, 'here');
    stub.responses[0].is.body = 'there';
    await call(api, 'PUT', `/imposters/${first}/stubs/0`, stub);
    assert.strictEqual((await call(first, 'GET', '/nowhere')).text, 'there');
    assert.strictEqual((await call(api, 'DELETE', `/imposters/${first}/stubs/0`)).json.stubs.length, 2);
    assert.strictEqual((await call(first, 'GET', '/nowhere')).status, 404);
    const refused = await call(api, 'POST', `/imposters/${first}/stubs`, { stub: { responses: [] } });
    assert.strictEqual(refused.status, 400);
    assert.strictEqual(refused.json.errors[0].message, "'responses' must be a non-empty array");
}

async function record() {
    const proxy = { protocol: 'http', port: second, stubs: [{ responses: [{ proxy: {
        to: `http://localhost:${first}`, mode: 'proxyOnce', predicateGenerators: [{ matches: { path: true } }]
    } }] }] };
    const created = await call(api, 'POST', '/imposters', proxy);
    assert.strictEqual(created.status, 201, created.text);
    assert.deepStrictEqual((await call(second, 'GET', '/orders/1')).json, { id: 1 });
    await call(api, 'DELETE', `/imposters/${first}`);
    assert.deepStrictEqual((await call(second, 'GET', '/orders/1')).json, { id: 1 });
    const recorded = (await call(api, 'GET', `/imposters/${second}`)).json;
    assert.strictEqual(recorded.stubs.length, 2);
    assert.deepStrictEqual(recorded.stubs[0].predicates, [{ deepEquals: { path: '/orders/1' } }]);
}

async function replay() {
    const all = (await call(api, 'GET', '/imposters?replayable=true&removeProxies=true')).json;
    const put = await call(api, 'PUT', '/imposters', all);
    assert.strictEqual(put.status, 200);
    assert.strictEqual(put.json.imposters.length, all.imposters.length);
    const again = (await call(api, 'GET', '/imposters?replayable=true&removeProxies=true')).json;
    assert.deepStrictEqual(again, all);
}

async function end() {
    const deleted = await call(api, 'DELETE', '/imposters');
    assert.ok(deleted.json.imposters.length > 0);
    for (const port of [first, second]) {
        await assert.rejects(call(port, 'GET', '/'), { code: 'ECONNREFUSED' });
    }
    assert.deepStrictEqual((await call(api, 'DELETE', `/imposters/${first}`)).json, {});
    assert.deepStrictEqual((await call(api, 'GET', '/imposters')).json, { imposters: [] });
}

(async () => {
    for (const step of [create, use, verify, edit, record, replay, end]) {
        try {
            await step();
        }
        catch (error) {
            console.log(`${step.name}: ${error.stack}`);
            process.exit(1);
        }
    }
    console.log('all is well');
})();
