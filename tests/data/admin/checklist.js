// What mountebank's clients and files rely on, asked of a real `mb`. Arguments: the program and the name of one check.
// Works in the current folder, which must be empty. Says "all is well" at the end.
'use strict';

const assert = require('assert');
const fs = require('fs');
const net = require('net');
const { spawn, spawnSync } = require('child_process');
const call = require('./call.js');

const [program, check] = process.argv.slice(2);
const servers = [];

function freePort() {
    return new Promise(resolve => {
        const server = net.createServer().listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });
}

async function until(holds, what) {
    const limit = Date.now() + 30000;
    while (!holds()) {
        assert.ok(Date.now() < limit, `waited in vain for ${what}`);
        await new Promise(resolve => setTimeout(resolve, 10));
    }
}

/// A server that is ready; its `port` is the REST API's.
async function serve(...options) {
    const port = await freePort();
    const child = spawn(program, ['mb', 'restart', '--port', port, '--pidfile', 'test.pid', '--nologfile', ...options],
        { stdio: ['ignore', 'ignore', 'inherit'] });
    const server = { port, child, exited: new Promise(resolve => child.on('exit', resolve)) };
    servers.push(server);
    await until(() => fs.existsSync('test.pid') && fs.readFileSync('test.pid', 'utf8') === String(child.pid), 'the pid');
    return server;
}

/// What a connection gets until it ends.
function raw(port, bytes, host = '127.0.0.1') {
    return new Promise((resolve, reject) => {
        const socket = net.connect(port, host, () => socket.write(bytes));
        let got = '';
        socket.setEncoding('latin1');
        socket.on('data', piece => { got += piece; });
        socket.on('end', () => { socket.destroy(); resolve(got); });
        socket.on('error', reject);
    });
}

async function imposter(server, members) {
    const port = await freePort();
    const made = await call(server.port, 'POST', '/imposters', { protocol: 'http', port, ...members });
    assert.strictEqual(made.status, 201, made.text);
    return port;
}

const answering = response => ({ stubs: [{ responses: [response] }] });

const checks = {
    async json() {
        const { port } = await serve();
        const mock = await freePort();
        const made = await call(port, 'POST', '/imposters', { stubs: [{ responses: [{ is: { body: 'x' } }] }],
            name: 'first', port: mock, recordRequests: true, protocol: 'http', defaultResponse: { body: 'no' } });
        assert.strictEqual(made.status, 201);
        const self = `http://localhost:${port}/imposters/${mock}`;
        assert.strictEqual(made.headers.location, self);
        assert.strictEqual(made.headers['content-type'], 'application/json; charset=utf-8');
        assert.deepStrictEqual(Object.keys(made.json), ['protocol', 'port', 'name', 'defaultResponse',
            'numberOfRequests', 'recordRequests', 'requests', 'stubs', '_links']);
        assert.strictEqual(made.text, JSON.stringify(made.json, null, 2));
        assert.deepStrictEqual(made.json._links, { self: { href: self }, stubs: { href: `${self}/stubs` } });
        assert.deepStrictEqual(made.json.stubs[0]._links, { self: { href: `${self}/stubs/0` } });
        const gone = await call(port, 'DELETE', `/imposters/${mock + 1}`);
        assert.deepStrictEqual([gone.status, gone.text], [200, '{}']);
    },

    async replies() {
        const server = await serve();
        const mock = await imposter(server, { stubs: [
            { predicates: [{ equals: { path: '/length' } }],
              responses: [{ is: { headers: { 'content-LENGTH': 3, 'X-Two': ['a', 'b'] }, body: 'föur' } }] },
            { responses: [{ is: { headers: { 'x-OWN': 'v' }, body: { a: [1, null], b: {} } } }] }] });
        const date = /^Date: [A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
        let [head, body] = (await raw(mock, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')).split(/\r\n\r\n(.*)/s);
        let lines = head.split('\r\n');
        assert.match(lines.splice(3, 1)[0], date);
        assert.deepStrictEqual(lines, ['HTTP/1.1 200 OK', 'x-OWN: v', 'Connection: close', 'Transfer-Encoding: chunked']);
        const text = JSON.stringify({ a: [1, null], b: {} }, null, 4);
        assert.strictEqual(body, `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`);
        [head, body] = (await raw(mock, 'GET /length HTTP/1.1\r\nHost: a\r\n\r\n')).split(/\r\n\r\n(.*)/s);
        lines = head.split('\r\n');
        assert.match(lines.pop(), date);
        assert.deepStrictEqual(lines,
            ['HTTP/1.1 200 OK', 'content-LENGTH: 5', 'X-Two: a', 'X-Two: b', 'Connection: close']);
        assert.strictEqual(Buffer.from(body, 'latin1').toString(), 'föur');
    },

    async listening() {
        const server = await serve();
        const mock = await imposter(server, { recordRequests: true,
            ...answering({ is: { headers: { Connection: 'Keep-Alive', 'Content-Length': 0 }, statusCode: 204 } }) });
        const hosts = fs.existsSync('/proc/net/if_inet6') ? ['127.0.0.1', '::1'] : ['127.0.0.1'];
        for (const host of hosts) {
            await raw(mock, 'GET / HTTP/1.0\r\n\r\n', host).catch(() => {});
        }
        const open = net.connect(mock, '127.0.0.1');
        const cut = new Promise(resolve => { open.on('close', resolve); open.on('error', () => {}); });
        open.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
        await new Promise(resolve => open.once('data', resolve));
        const deleted = await call(server.port, 'DELETE', `/imposters/${mock}`);
        assert.ok(deleted.json.requests.some(request => request.ip === '::ffff:127.0.0.1'));
        assert.strictEqual(deleted.json.requests.some(request => request.ip === '::1'), hosts.length === 2);
        await new Promise((resolve, reject) => { // the port is free
            const other = net.createServer().on('error', reject).listen(mock, () => other.close(resolve));
        });
        await cut;
    },

    async predicates() {
        const server = await serve();
        const holds = async (predicate, path, body = '', headers = {}) => {
            const mock = await imposter(server, { stubs: [{ predicates: [predicate],
                responses: [{ is: { body: 'yes' } }] }], defaultResponse: { body: 'no' } });
            const answer = await call(mock, 'POST', path, body, headers);
            await call(server.port, 'DELETE', `/imposters/${mock}`);
            return answer.text === 'yes';
        };
        const json = '{"N": 1, "T": true, "list": ["b", "a"]}';
        for (const [predicate, wanted, path = '/', body = json, headers = {}] of [
            [{ equals: { METHOD: 'post', headers: { 'X-KEY': 'VaLue' } } }, true, '/', json, { 'x-key': 'vAlue' }],
            [{ equals: { headers: { 'X-KEY': 'v' } }, caseSensitive: true }, false, '/', json, { 'x-key': 'v' }],
            [{ equals: { headers: { 'X-KEY': 'v' } }, caseSensitive: true, keyCaseSensitive: false }, true, '/', json,
                { 'x-key': 'v' }],
            [{ equals: { body: { n: '1', t: 'true' } } }, true],
            [{ equals: { query: { q: 'two' } } }, true, '/?q=one&q=two'],
            [{ equals: { query: { q: ['two', 'one'] } } }, true, '/?q=one&q=two&q=three'],
            [{ deepEquals: { query: { q: ['two', 'one'] } } }, true, '/?q=one&q=two'],
            [{ deepEquals: { query: { q: ['two', 'one'] } } }, false, '/?q=one&q=two&q=three'],
            [{ equals: { body: { list: ['a', 'b'] } } }, true],
            [{ contains: { body: { list: 'A' } } }, true],
            [{ exists: { body: { none: false, list: true } } }, true],
            [{ exists: { body: { none: false } } }, false, '/', ''],
            [{ equals: { headers: { 'x-json': { a: 1 } } } }, true, '/', json, { 'X-Json': '{"a": "1"}' }],
            [{ equals: { form: { name: 'j k' } } }, true, '/', 'name=j+k',
                { 'Content-Type': 'application/x-www-form-urlencoded' }],
            [{ equals: { body: 'abc' }, except: '\\d+' }, true, '/', 'a1b22c333'],
            [{ equals: { body: 'b' }, jsonpath: { selector: '$.LIST[0]' } }, true],
            [{ equals: { body: 'x' }, xpath: { selector: '//n:a', ns: { n: 'urn:n' } } }, true, '/',
                '<r xmlns:p="urn:n"><p:a>x</p:a></r>'],
            [{ not: { or: [{ startsWith: { path: '/a' } }, { endsWith: { path: 'z' } }] } }, true, '/b'],
            [{ matches: { path: '^/[a-c]+$' } }, false, '/abcd']
        ]) {
            assert.strictEqual(await holds(predicate, path, body, headers), wanted, JSON.stringify(predicate));
        }
    },

    async recording() {
        const server = await serve();
        const ring = await imposter(server, { stubs: [{ responses: [{ is: { body: 'a' }, repeat: 2 },
            { is: { body: 'b' } }] }] });
        let seen = '';
        for (let i = 0; i < 7; i += 1) {
            seen += (await call(ring, 'GET', '/')).text;
        }
        assert.strictEqual(seen, 'aabaaba');
        const recorded = async (mode, more) => {
            const mock = await imposter(server, { stubs: [{ responses: [{ proxy: { to: `http://localhost:${ring}`, mode,
                predicateGenerators: [{ matches: { path: true, query: { q: true } }, caseSensitive: true }], ...more } }] },
            { responses: [{ is: { body: 'last' } }] }] });
            const bodies = [];
            for (const path of ['/x?q=1', '/x?q=1', '/y?q=1']) {
                bodies.push((await call(mock, 'GET', path)).text);
            }
            const { stubs } = (await call(server.port, 'GET', `/imposters/${mock}`)).json;
            return { mock, bodies, stubs };
        };
        const once = await recorded('proxyOnce', { addWaitBehavior: true });
        assert.deepStrictEqual(once.bodies, ['a', 'a', 'b']); // the second one came from the recording
        assert.strictEqual(once.stubs.length, 4);
        assert.deepStrictEqual(once.stubs[0].predicates, [{ caseSensitive: true, deepEquals: { path: '/x' } },
            { caseSensitive: true, equals: { query: { q: '1' } } }]);
        const response = once.stubs[0].responses[0];
        assert.deepStrictEqual(response.behaviors, [{ wait: response.is._proxyResponseTime }]);
        assert.ok(once.stubs[2].responses[0].proxy);
        const always = await recorded('proxyAlways');
        assert.strictEqual(always.bodies.join(''), 'aab');
        assert.deepStrictEqual(always.stubs.map(stub => stub.responses.length), [1, 1, 2, 1]); // behind, and grouped
        const cleared = await call(server.port, 'DELETE', `/imposters/${always.mock}/savedProxyResponses`);
        assert.strictEqual(cleared.json.stubs.length, 2);
        const transparent = await recorded('proxyTransparent');
        assert.strictEqual(transparent.stubs.length, 2);
        const replayable = (await call(server.port, 'GET', `/imposters/${once.mock}?replayable=true&removeProxies=true`))
            .json;
        assert.deepStrictEqual(replayable.stubs.map(stub => Object.keys(stub.responses[0].is).includes(
            '_proxyResponseTime')), [false, false, false]);
    },

    async behaviors() {
        const server = await serve('--allowInjection');
        const made = await imposter(server, answering({ is: { body: '${code} ${who}' }, behaviors: [
            { copy: { from: 'path', into: '${code}', using: { method: 'regex', selector: '\\d+' } } },
            { decorate: '(config) => { config.response.body += "!"; }' },
            { copy: { from: { query: 'WHO' }, into: '${who}', using: { method: 'regex', selector: '.+' } } },
            { decorate: '(request, response) => { response.body += "?"; }' }] }));
        assert.strictEqual((await call(made, 'GET', '/a/400?who=mary')).text, '400 mary!?');
        const old = await imposter(server, answering({ is: { body: 'x' }, _behaviors: { decorate:
            'config => { config.response.body = "old"; }', repeat: 2, wait: 30, unknown: 1,
        shellTransform: 'printf \'{"body":"shell"}\'; true' } }));
        const begin = Date.now();
        assert.strictEqual((await call(old, 'GET', '/')).text, 'old');
        assert.ok(Date.now() - begin >= 30);
        const shown = (await call(server.port, 'GET', `/imposters/${old}`)).json.stubs[0].responses[0];
        assert.deepStrictEqual(shown.behaviors.map(behavior => Object.keys(behavior)[0]),
            ['wait', 'shellTransform', 'decorate']);
        assert.deepStrictEqual([shown.repeat, shown._behaviors], [2, undefined]);
    },

    async errors() {
        const { port } = await serve();
        const refused = async (status, code, message, method, path, body) => {
            const answer = await call(port, method, path, body);
            assert.deepStrictEqual([answer.status, answer.json.errors[0].code, answer.json.errors[0].message],
                [status, code, message], `${method} ${path} ${JSON.stringify(body)}`);
        };
        const mock = await imposter({ port }, answering({ is: {} }));
        const post = (message, body, code = 'bad data') => refused(400, code, message, 'POST', '/imposters', body);
        const noInjection = 'JavaScript injection is not allowed unless mb is run with the --allowInjection flag';
        await post('Unable to parse body as JSON', '{', 'invalid JSON');
        await post("invalid value for 'port'", { protocol: 'http', port: -1 });
        await post("'protocol' is a required field", { port: 3000 });
        await post('the udp protocol is not yet supported', { protocol: 'udp' });
        await post("'responses' must be a non-empty array", { protocol: 'http', stubs: [{ responses: [] }] });
        await post(`Port ${mock} is already in use`, { protocol: 'http', port: mock }, 'resource conflict');
        await post(noInjection, { protocol: 'http', ...answering({ inject: '() => ({})' }) }, 'invalid injection');
        await post(noInjection, { protocol: 'http', stubs: [{ predicates: [{ not: { inject: '() => true' } }],
            responses: [{ is: {} }] }] }, 'invalid injection');
        await post('Shell execution is not allowed unless mb is run with the --allowInjection flag',
            { protocol: 'http', ...answering({ is: {}, behaviors: [{ shellTransform: 'cat' }] }) }, 'invalid injection');
        await post("'mode' must be one of ['text', 'binary']", { protocol: 'tcp', mode: 'none' });
        await post('the matches predicate is not allowed in binary mode', { protocol: 'tcp', mode: 'binary',
            stubs: [{ predicates: [{ matches: { data: 'a' } }], responses: [{ is: {} }] }] });
        await post('each response object must have only one response type',
            { protocol: 'http', ...answering({ is: {}, proxy: { to: 'http://localhost' } }) });
        await post('unrecognized response type', { protocol: 'http', ...answering({ be: {} }) });
        await post('missing predicate', { protocol: 'http', stubs: [{ predicates: [{}], responses: [{ is: {} }] }] });
        await post('"repeat" field must be an integer greater than 0', { protocol: 'http',
            ...answering({ is: {}, repeat: 0 }) });
        await refused(400, 'bad data', "'imposters' is a required field", 'PUT', '/imposters', {});
        await refused(400, 'bad data', "'stubs' is a required field", 'PUT', `/imposters/${mock}/stubs`, {});
        await refused(400, 'bad data', "must contain 'stub' field", 'POST', `/imposters/${mock}/stubs`, {});
        await refused(400, 'bad data', "'index' must be between 0 and the length of the stubs array", 'POST',
            `/imposters/${mock}/stubs`, { index: 9, stub: { responses: [{ is: {} }] } });
        await refused(404, 'bad data', "'stubIndex' must be a valid integer, representing the array index position of "
            + 'the stub to replace', 'DELETE', `/imposters/${mock}/stubs/7`);
        await refused(404, 'no such resource', 'Try POSTing to /imposters first?', 'GET', '/imposters/1');
        for (const text of ['null', '[]', '3', '""', '{"protocol":null}', '{"protocol":"http","port":null}',
            '{"protocol":"http","stubs":{}}', '{"protocol":"http","stubs":[null]}',
            '{"protocol":"http","stubs":[{"responses":[{"is":{},"behaviors":3}]}]}']) {
            for (const [method, path] of [['POST', '/imposters'], ['PUT', '/imposters'],
                ['PUT', `/imposters/${mock}/stubs`], ['POST', `/imposters/${mock}/stubs`]]) {
                const { status, json } = await call(port, method, path, text);
                assert.ok((status === 400 && json.errors[0].code) || status === 201, `${method} ${path} ${text}: ${status}`);
            }
        }
        assert.strictEqual((await call(mock, 'GET', '/')).status, 200); // and nothing of it did harm
    },

    async processes() {
        const mock = await freePort();
        fs.writeFileSync('imposters.json', JSON.stringify({ protocol: 'http', port: mock, ...answering(
            { is: { body: 'from the file' } }) }));
        fs.writeFileSync('rc.json', JSON.stringify({ configfile: 'imposters.json', allowInjection: true, mock: true,
            debug: true }));
        const first = await serve('--rcfile', 'rc.json', '--no-debug');
        assert.strictEqual((await call(mock, 'GET', '/')).text, 'from the file'); // ready before the pid file
        const { options } = (await call(first.port, 'GET', '/config')).json;
        assert.deepStrictEqual([options.mock, options.allowInjection, options.configfile], [true, true, 'imposters.json']);
        assert.strictEqual((await call(first.port, 'GET', `/imposters/${mock}`)).json.requests.length, 1);
        const run = (...words) => spawnSync(program, ['mb', ...words], { encoding: 'utf8' });
        assert.strictEqual(run('save', '--port', first.port, '--savefile', 'saved.json').status, 0);
        const saved = fs.readFileSync('saved.json', 'utf8');
        assert.deepStrictEqual(JSON.parse(saved), { imposters: [{ protocol: 'http', port: mock, recordRequests: false,
            stubs: [{ responses: [{ is: { body: 'from the file' } }] }] }] });
        assert.strictEqual(saved, JSON.stringify(JSON.parse(saved), null, 2));
        await call(first.port, 'POST', `/imposters/${mock}/stubs`, { index: 0, stub: { responses: [
            { proxy: { to: `http://localhost:${mock}` } }] } });
        assert.strictEqual(run('replay', '--port', first.port).status, 0);
        assert.strictEqual((await call(first.port, 'GET', `/imposters/${mock}`)).json.stubs.length, 1);
        const second = await serve(); // `restart` ends the one whose pid file this is
        await first.exited;
        await assert.rejects(call(mock, 'GET', '/'), { code: 'ECONNREFUSED' });
        assert.strictEqual(run('stop', '--pidfile', 'test.pid').status, 0);
        assert.strictEqual(await second.exited, 0);
        assert.ok(!fs.existsSync('test.pid'));
        assert.strictEqual(run('stop', '--pidfile', 'test.pid').status, 0);
        assert.strictEqual(run('save', '--port', second.port).status, 1);
    },

    async templates() {
        const [one, two] = [await freePort(), await freePort()];
        fs.mkdirSync('parts');
        fs.writeFileSync('main.ejs', `{ "imposters": [ <% include parts/one.ejs %>, <%- include('parts/two') %> ] }`);
        fs.writeFileSync('parts/one.ejs', `{ "protocol": "http", "port": ${one}, "stubs": [{ "responses": [
            { "is": { "body": "<%- stringify(filename, 'parts/text.txt') %>" } }] }] }`);
        fs.writeFileSync('parts/two.ejs', `{ "protocol": "http", "port": <%= ${two} %>, "stubs": [{ "responses": [
            { "inject": "<%- inject(filename, 'parts/answer.js') %>" },
            { "is": { "body": "<%- process.env.SHOP %>" } }] }] }`);
        fs.writeFileSync('parts/text.txt', '"quoted"\nand <%= 1 + 1 %>\n');
        fs.writeFileSync('parts/answer.js', '(config) => {\n  return { body: "in " + "script" };\n}');
        process.env.SHOP = 'books';
        await serve('--configfile', 'main.ejs', '--allowInjection');
        assert.strictEqual((await call(one, 'GET', '/')).text, '"quoted"\nand 2');
        assert.strictEqual((await call(two, 'GET', '/')).text, 'in script');
        assert.strictEqual((await call(two, 'GET', '/')).text, 'books');
    },

    async outside() {
        const server = await serve('--allowInjection');
        const table = `${process.cwd()}/people.csv`;
        const looking = await imposter(server, answering({ is: { body: "${row}['job'] ${row}[city]" }, behaviors: [
            { lookup: { key: { from: 'path', using: { method: 'regex', selector: '/(.*)$' }, index: 1 },
                fromDataSource: { csv: { path: table, keyColumn: 'name' } }, into: '${row}' } }] }));
        assert.strictEqual((await call(looking, 'GET', '/liz')).text, "${row}['job'] ${row}[city]"); // no file yet
        fs.writeFileSync(table, 'name,job,city\nliz,"baker, chief",Leeds\n');
        assert.strictEqual((await call(looking, 'GET', '/liz')).text, 'baker, chief Leeds');
        fs.writeFileSync(table, 'city,name,job\nBath,liz,smith\n');
        assert.strictEqual((await call(looking, 'GET', '/liz')).text, 'smith Bath');
        fs.writeFileSync('shell.js', `
            const [request, response] = process.argv.slice(2, 4).map(JSON.parse);
            const fromEnvironment = ['MB_REQUEST', 'MB_RESPONSE'].map(name => JSON.parse(process.env[name]));
            response.body += ' ' + request.path + ' ' + fromEnvironment[0].path + ' ' + fromEnvironment[1].body;
            console.log(JSON.stringify(response));`);
        const shell = await imposter(server, answering({ is: { body: "it's" }, behaviors: [
            { shellTransform: `"${process.execPath}" "${process.cwd()}/shell.js"` }] }));
        assert.strictEqual((await call(shell, 'GET', "/o'path")).text, "it's /o'path /o'path it's");
        const failing = await imposter(server, answering({ is: {}, behaviors: [{ shellTransform: 'exit 3;' }] }));
        const failed = await call(failing, 'GET', '/');
        assert.strictEqual(failed.status, 500);
        assert.match(failed.json.errors[0], /^Command failed: /);
    }
};

(async () => {
    let problem;
    try {
        await checks[check]();
    }
    catch (error) {
        problem = error;
    }
    for (const { child, exited } of servers) {
        child.kill();
        await exited;
    }
    console.log(problem ? problem.stack : 'all is well');
    process.exit(problem ? 1 : 0);
})();
