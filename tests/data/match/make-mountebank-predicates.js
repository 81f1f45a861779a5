// Asks a real mountebank what its predicates say and writes the answers as JSON.
//     npm install mountebank@2.9.1
//     node make-mountebank-predicates.js node_modules/mountebank > mountebank-predicates.json 2>/dev/null
// Every predicate of a theme meets every request of it, through HTTP. Answers, one letter for a request: 1 holds,
// 0 does not, E the imposter answered 500; or one R: mountebank refused the predicate.
'use strict';

const net = require('net'), zlib = require('zlib'), path = require('path'), os = require('os');

const mountebank = require(path.resolve(process.argv[2]));
const adminPort = 25250, imposterPort = 25251;

function request (method, target, headers = [], body = '') {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
    const all = [['Host', 'mock'], ...headers, ['Content-Length', String(bytes.length)], ['Connection', 'close']];
    return { method, target, headers: all, body: bytes };
}
const get = (target, headers) => request('GET', target, headers);
const post = (body, headers = []) => request('POST', '/', headers, body);
const json = value => post(typeof value === 'string' ? value : JSON.stringify(value));
const xml = value => post(value, [['Content-Type', 'application/xml']]);

const operators = ['equals', 'deepEquals', 'contains', 'startsWith', 'endsWith', 'matches', 'exists'];
const cases = [{}, { caseSensitive: true }, { caseSensitive: true, keyCaseSensitive: false }, { keyCaseSensitive: true }];

/// Every operator, in every case mode, on every operand.
function each (operands, ops = operators, modes = cases) {
    const result = [];
    ops.forEach(op => operands.forEach(operand => modes.forEach(mode => result.push({ [op]: operand, ...mode }))));
    return result;
}
const plain = [{}], twoModes = cases.slice(0, 2);

const themes = {
    'text fields': {
        requests: [get('/Items/42'), request('POST', '/items/42'), get('/items/42/'), request('PUT', '/ITEMS/4'), get('/'),
            get('/a%20b/%C3%89'), get('/x/../items/42'), get('/items/./42?x=1'), get('/%2e%2e/items/%2E/42'),
            get('/.well-known/a'), get('/a{b}"<>`^|\\c'), get('/items/42/..'), get('http://other/items/42?a=b'),
            request('OPTIONS', '*')],
        predicates: [
            ...each([{ path: '/items/42' }, { path: '/Items/42' }, { path: 'items' }, { path: '' }, { path: '/' },
                { method: 'GET' }, { method: 'get' }, { method: 'GET', path: '/items/42' }, { METHOD: 'GET' }, { Path: '/ITEMS/42' },
                { nothing: '' }, { nothing: 'x' }, { path: null }, { path: true }, { path: false }, { path: 0 }, {},
                { path: '42' }, { requestFrom: '127.0.0.1' }, { ip: '127.0.0.1' }, { requestfrom: '127.0.0.1' }]),
            ...each([{ path: '/a%20b/%C3%89' }, { path: '/.well-known/a' }, { path: '/a%7Bb%7D%22%3C%3E%60^|/c' }, { path: '/*' },
                { path: ['/items/42'] }, { path: { a: 1 } }, { path: {} }], ['equals', 'deepEquals', 'contains', 'exists'], plain),
            ...each([{ path: '^/items/\\d+$' }, { path: '^/ITEMS/\\D' }, { path: '^$' }, { path: '.*' }, { method: '^(GET|PUT)$' },
                { path: '4{1}2?$' }, { nothing: '^$' }, { nothing: '.' }, { path: 42 }, { path: '\\/\\S+\\/' }], ['matches'])
        ]
    },
    'query': {
        requests: [get('/'), get('/?a=1'), get('/?a=1&a=2'), get('/?A=X&a=y'), get('/?a=y&A=X'), get('/?a=&b'), get('/?a=x+y%26z'),
            get('/?a=%zz%41'), get('/?a=1&b=2&c=3'), get('/?a[]=1&a[b]=2'), get('/?a=%7B%22k%22:1%7D'), get('/?a=[1,2]'),
            get('/?a=TRUE&b=null'), get('/?a=2&a=1&a=2'), get('/?=x'), get('/?&&a=1&'), get('/?a=%C3%89'), get('/?a=%E9'),
            get('/?a=1&A=2&a=3'), get('/?%61=1'), get('/?a=&a=1')],
        predicates: [
            ...each([{ query: { a: '1' } }, { query: { A: 'x' } }, { query: { a: 1 } }, { query: { a: '' } }, { query: { a: ['1', '2'] } },
                { query: { a: ['2'] } }, { query: { b: '' } }, { query: {} }, { query: { a: true } }, { query: { b: null } },
                { query: { a: '1', b: '2' } }, { query: { a: { k: 1 } } }]),
            ...each([{ query: { a: ['2', '1', '2'] } }, { query: { a: ['1', '1', '2'] } }, { query: { a: [1, 2] } }, { query: { a: [] } },
                { query: { 'a[]': '1' } }, { query: { '': 'x' } }, { query: { a: 'x y&z' } }, { query: { a: '%zzA' } },
                { query: { a: 'é' } }, { query: { a: 'É' } }, { query: { a: '\ufffd' } }, { query: 'a' }, { query: '[object Object]' },
                { query: { a: { k: '1' } } }, { query: { a: { K: 1 } } }, { query: { a: ['2', '3'] } }, { Query: { a: '1' } },
                { query: { a: ['1'], b: '2' } }, { query: { a: '1', b: '2', c: '3' } }, { query: null }, { query: true }, { query: [] }],
            ['equals', 'deepEquals', 'exists', 'contains'], twoModes),
            ...each([{ query: { a: false } }, { query: { a: false, b: true } }, { query: { a: { k: true } } }, { query: { a: [true] } },
                { query: false }, { query: { A: true } }], ['exists']),
            ...each([{ query: { a: '^[12]$' } }, { query: { a: '^$' } }, { query: { A: '^x' } }, { query: { a: ['1', '2'] } },
                { query: { b: null } }, { query: { a: '\\s' } }], ['matches'])
        ]
    },
    'headers': {
        requests: [get('/'), get('/', [['X-Kind', 'Json']]), get('/', [['x-kind', 'json']]), get('/', [['X-Kind', 'a'], ['X-Kind', 'B']]),
            get('/', [['X-Kind', 'a'], ['x-kind', 'b']]), get('/', [['x-kind', 'b'], ['X-Kind', 'a'], ['x-kind', 'c']]),
            get('/', [['X-Kind', '']]), get('/', [['X-Kind', ''], ['X-Kind', 'a']]), get('/', [['X-Kind', 'a'], ['X-Kind', '']]),
            get('/', [['X-Kind', '{"a": 1}']]), get('/', [['Accept', 'text/html, application/json;q=0.9']]),
            get('/', [['X-Kind', '12'], ['Authorization', 'Bearer x.y']]), get('/', [['X-Kind', '["a", "b"]']])],
        predicates: [
            ...each([{ headers: { 'X-Kind': 'json' } }, { headers: { 'x-kind': 'Json' } }, { headers: { 'X-Kind': 'a' } },
                { headers: { 'X-Kind': ['a', 'B'] } }, { headers: { 'X-Kind': '' } }, { headers: { 'X-KIND': 'b' } },
                { headers: { 'X-Kind': 12 } }, { headers: { 'X-Kind': { a: 1 } } }, { Headers: { 'x-kind': 'a' } }, { headers: {} },
                { headers: { Host: 'mock' } }, { headers: { Accept: 'json' } }, { headers: { 'X-Kind': ['a'] } }]),
            ...each([{ headers: { Host: 'mock', Connection: 'close', 'Content-Length': 0 } },
                { headers: { host: 'MOCK', connection: 'close', 'content-length': '0' } },
                { headers: { Host: 'mock', Connection: 'close', 'Content-Length': '0', 'X-Kind': ['B', 'a'] } }], ['deepEquals']),
            ...each([{ headers: { 'X-Kind': true } }, { headers: { 'X-Kind': false } }, { headers: { authorization: true, 'X-Kind': true } },
                { headers: { 'X-Kind': { a: true } } }], ['exists']),
            ...each([{ headers: { 'X-Kind': '^j' } }, { headers: { 'x-kind': '^[ab]$' } }, { headers: { Authorization: '^Bearer \\S+$' } },
                { headers: { 'X-Kind': '^$' } }, { headers: { 'X-Kind': { a: '1' } } }], ['matches'])
        ]
    },
    'JSON bodies': {
        requests: [post(''), post('text'), json({ a: 1 }), json({ a: '1' }), json({ A: 'X' }), json({ a: 'x', b: 2 }), json({ a: null }),
            json({ a: true }), json({ a: 0 }), json({ a: '' }), json({ a: { b: 'x', c: [1, 2] } }), json({ a: '{"b":"x"}' }),
            json({ a: [1, 2, 3] }), json({ a: ['x', 'Y'] }), json({ a: [] }), json({ a: [{ b: 'x' }, { b: 'y', c: 1 }] }),
            json([{ a: 'x' }, { a: 'y', b: 2 }]), json([]), json('[1, 2]'), json('"x"'), json('1'), json('0'), json('null'), json('true'),
            json('{"a": 1.0}'), json('{"a": 1e2}'), json('{"a":1,"a":2}'), json('{"a":1,"A":2}'), json('{"A":1,"a":2}'),
            json('{"a":"\\u00C9"}'), json('{"a":TRUE}'), json('{"a":1,}'), json(' {"a" : 1} '), post('\ufeff{"a":1}'),
            json({ a: [[1, 2], [3]] }), json({ a: { b: { c: 'deep' } } }), json({ a: {} }), json('{"a":12345678901234567890}'),
            json({ a: 'É' }), json({ a: 'ΟΔΟΣ' }), json({ a: 'x\ny' }), json({ a: [null, false] }), json(['x', 'y']), json([[1]])],
        predicates: [
            ...each([{ body: { a: 1 } }, { body: { a: '1' } }, { body: { a: 'x' } }, { body: { A: 'x' } }, { body: { a: null } },
                { body: { a: true } }, { body: { a: '' } }, { body: { a: ['x'] } }, { body: { a: [1, 3] } }, { body: { a: { b: 'x' } } },
                { body: { a: 'x', b: 2 } }, { body: {} }, { body: { a: {} } }, { body: { a: { b: 'x', c: [1] } } }, { body: 'text' },
                { body: { a: [{ b: 'y', c: 1 }] } }, { body: [{ a: 'x' }] }, { body: [] }, { body: ['x', 'y'] }],
            operators, cases),
            ...each([{ body: { a: { b: { c: 'deep' } } } }, { body: { a: [3, 2, 1] } }, { body: { a: 'é' } }, { body: { a: 'É' } },
                { body: { a: 'οδος' } }, { body: { a: 'οδοσ' } }, { body: { a: 100 } }, { body: { a: '12345678901234567000' } },
                { body: { a: 0 } }, { body: { a: false } }, { body: [{ a: 'x' }, { b: 2, a: 'y' }] }, { body: [2, 1] }, { body: [1, 2] },
                { body: { a: [] } }, { body: { a: [{ b: 'x' }, { c: 1, b: 'y' }] } }, { body: { b: 2, a: 'x' } }, { body: { a: [[1]] } },
                { body: { a: [[2, 1], [3]] } }, { body: { a: { b: 'x', c: [2, 1] } } }, { body: { 0: { a: 'x' } } }, { body: null },
                { body: 1 }, { body: true }, { body: { a: '[object Object]' } }, { body: { a: ['x', 'y'], b: 2 } }],
            ['equals', 'deepEquals'], twoModes),
            ...each([{ body: true }, { body: false }, { body: { a: false } }, { body: { a: { b: true } } }, { body: { a: { b: false } } },
                { body: { b: false } }, { body: { a: [true] } }, { body: { a: [] } }, { body: { a: true, b: true } }], ['exists'], twoModes),
            ...each([{ body: '^\\{' }, { body: { a: '^x$' } }, { body: { a: '^\\d+$' } }, { body: { a: '^$' } }, { body: { a: { b: 'X' } } },
                { body: { a: ['x', 'y'] } }, { body: { a: 'x$' } }, { body: { a: null } }, { body: { b: '.' } }, { body: { a: 'object' } }],
            ['matches'], twoModes)
        ]
    },
    'forms and codings': {
        requests: [
            post('a=1&b=x+y', [['Content-Type', 'application/x-www-form-urlencoded']]),
            post('a=1&a=2', [['content-type', 'application/x-www-form-urlencoded; charset=utf-8']]),
            post('a=1', [['Content-Type', 'APPLICATION/x-www-form-urlencoded']]), post('a=1', [['Content-Type', 'text/plain']]), post('a=1'),
            post('', [['Content-Type', 'application/x-www-form-urlencoded']]),
            post('A=X', [['Content-Type', ' application/x-www-form-urlencoded ;x']]),
            post(zlib.gzipSync('{"a": "zipped"}'), [['Content-Encoding', 'gzip']]),
            post(zlib.gzipSync('a=1'), [['Content-Encoding', 'gzip'], ['Content-Type', 'application/x-www-form-urlencoded']]),
            post('not zipped', [['Content-Encoding', 'gzip']]), post('{"a": "zipped"}', [['Content-Encoding', 'identity']]),
            post(zlib.gzipSync('{"a": "zipped"}'), [['Content-Encoding', 'GZIP']]), post(Buffer.from([0x61, 0xff, 0xe2, 0x82, 0x62]))],
        predicates: [
            ...each([{ form: { a: '1' } }, { form: { b: 'x y' } }, { form: { a: ['1', '2'] } }, { form: {} }, { Form: { A: 'x' } },
                { form: { c: '' } }, { body: 'a=1' }, { body: { a: 'zipped' } }, { body: '' }, { body: 'a\ufffd\ufffdb' },
                { body: 'zipped' }]),
            ...each([{ form: true }, { form: false }, { form: { a: true } }, { form: { a: false } }, { body: true }, { body: false },
                { form: { c: false } }], ['exists'], plain),
            ...each([{ form: null }, { form: '' }, { form: 'undefined' }], ['equals', 'deepEquals'], plain)
        ]
    },
    'groups': {
        requests: [get('/a?x=1'), get('/A?x=2'), request('POST', '/b', [['X-Kind', 'json']], '{"k": "v"}'), get('/c')],
        predicates: [
            { not: { equals: { path: '/a' } } }, { not: { not: { equals: { path: '/a' } } } },
            { not: { equals: { path: '/a' }, caseSensitive: true } }, { not: { equals: { path: '/a' } }, caseSensitive: true },
            { or: [{ equals: { path: '/a' } }, { equals: { method: 'POST' } }] }, { or: [] }, { and: [] }, { not: { or: [] } },
            { and: [{ equals: { path: '/a' } }, { equals: { query: { x: '2' } } }] },
            { and: [{ or: [{ equals: { path: '/A' }, caseSensitive: true }, { contains: { body: 'K' } }] }, { not: { exists: { query: { x: true } } } }] },
            { or: [{ and: [{ startsWith: { path: '/' } }, { endsWith: { path: 'C' } }] }, { deepEquals: { query: { x: '1' } } }] },
            { comment: 'ignored', equals: { path: '/c' } }, { equals: { path: '/c' }, contains: { path: 'a' } },
            { matches: { path: '(' } }, { matches: { path: '[b-a]' } }, { not: { matches: { path: '\\d' } } }, {}, { unknown: 1 }]
    },
    'except': {
        requests: [get('/'), get('/Item/42'), get('/item/42/7'), get('/?a=x1&b=2'), get('/?a=1x&a=y2'), get('/', [['X-Kind', 'Json7']]),
            post('Text 12 and 34'), post('12'), post(''), json({ a: 'x1', n: 12, l: ['a1', 'B2'] }), json({ a: '1', b: { c: '9Z' } }),
            post('a\nb12'), post('É1é2')],
        predicates: [
            ...[{ except: '\\d+' }, { except: '\\d+', caseSensitive: true }, { except: '[A-Z]' }, { except: '[A-Z]', caseSensitive: true },
                { except: '^.' }, { except: '\\d$' }, { except: 'É' }].map(mode => each([{ path: '/item/' }, { path: '/Item/99' }, { path: '/' },
                { query: { a: 'x' } }, { query: { a: ['x', 'y'] } }, { query: { a: '1x' } }, { headers: { 'X-Kind': 'json' } },
                { body: 'text  and ' }, { body: 'Text 12 and 34' }, { body: '' }, { body: 'x' }, { body: { a: 'x' } }, { body: { a: 'x1', n: 12 } },
                { body: { l: ['a', 'b'] } }, { body: { b: { c: 'z' } } }, { body: 'a' }, { body: 'é' }],
            ['equals', 'deepEquals', 'contains', 'startsWith', 'endsWith'], [mode])).flat(),
            ...each([{ path: '^/item/$' }, { body: '^text\\s+and $' }, { body: { a: '^x$' } }, { body: '^.$' }, { path: '\\d' }], ['matches'],
                [{ except: '\\d+' }, { except: '\\d+', caseSensitive: true }, { except: 'T', caseSensitive: true }]),
            ...each([{ body: true }, { body: false }, { path: true }, { query: { a: true } }, { query: { b: false } }, { body: { a: false } },
                { body: { a: true } }], ['exists'], [{ except: '\\d+' }, { except: '.' }]),
            ...each([{ body: 'x' }], ['equals'], [{ except: '' }, { except: null }, { except: '(' }])
        ]
    },
    'jsonpath': {
        requests: [get('/'), post(''), post('text'), json({ a: 'x' }), json({ A: 'X' }), json({ a: 1, b: [1, 2, 3] }),
            json({ a: { b: { c: 'deep', C: 'Deep' } } }), json({ a: null }), json({ a: true }), json({ a: '' }), json({ a: 0 }), json({ a: {} }),
            json({ a: [] }), json({ a: { k: 'V', n: 2 } }), json({ books: [{ title: 'B', price: 5 }, { title: 'a', price: 15 }] }),
            json({ books: [{ title: 'One', price: 5 }] }), json([{ a: 'x' }, { a: 'Y' }]), json('5'), json('"x"'), json('null'),
            json({ a: '{"b":"x"}' }), json({ 'a.b': 'dot', 'a b': 'blank' }), json({ store: { book: [{ t: 1 }, { t: 2 }], t: 3 } }),
            get('/?q=%7B%22a%22:%22x%22%7D', [['X-Json', '{"a":"X"}']]), json({ a: ['x1', 'y2'], except: 'z3' }),
            json({ l: [[1, 2], [3]] }), json({ a: 'ΟΔΟΣ' })],
        predicates: [
            ...['$.a', '$..a', '$.A', '$.a.b.c', '$..c', '$.b[0]', '$.b[1:]', '$.b[*]', '$.b[-1:]', '$.b[0,2]', '$[0].a', '$[*].a', '$.*',
                '$.books[?(@.price<10)].title', '$.books[(@.length-1)].title', "$['a']", "$['a.b']", '$.books.length', '$..t', '$.a~', '$.a.b^',
                '$', '$.l', '$.l[*]', '$.l[0]', 'a', '$.missing'].map(selector => each([{ body: 'x' }, { body: '1' }, { body: '' }, { body: 'deep' },
                { body: 'a' }, { body: 2 }, { body: { k: 'v' } }, { body: { b: 'x' } }, { body: ['1', '2', '3'] }, { body: [1, 2] }, { body: 'One' },
                { body: null }, { body: ['x', 'y'] }], ['equals', 'deepEquals'], [{ jsonpath: { selector } }, { jsonpath: { selector }, caseSensitive: true }])).flat(),
            ...['$.a', '$..a', '$.b[1]', '$..title', '$.a.b', '$[1].a', '$.A', '$.missing', '$.books[0]'].map(selector => [
                ...each([{ body: true }, { body: false }, { body: { k: true } }, { body: { c: false } }], ['exists'], [{ jsonpath: { selector } }]),
                ...each([{ body: '^[xb]$' }, { body: '^\\d$' }, { body: 'EE' }, { body: '^$' }, { body: { c: 'P$' } }], ['matches'],
                    [{ jsonpath: { selector } }, { jsonpath: { selector }, caseSensitive: true }]),
                ...each([{ body: 'x' }, { body: 'e' }, { body: 'B' }], ['contains', 'startsWith', 'endsWith'], [{ jsonpath: { selector } }])]).flat(),
            ...each([{ query: { q: 'x' } }, { headers: { 'X-Json': 'x' } }, { headers: { 'x-json': 'X' }, query: { q: 'x' } }, { method: '' },
                { method: 'POST', body: 'x' }, { body: 'x', path: '' }], ['equals', 'deepEquals'], [{ jsonpath: { selector: '$.a' } },
                { jsonpath: { selector: '$.a' }, caseSensitive: true }]),
            ...each([{ body: 'x' }, { body: ['x', 'y'] }, { body: 'z' }, { body: 'x1' }], ['equals', 'deepEquals', 'contains'],
                [{ jsonpath: { selector: '$.a' }, except: '\\d' }, { jsonpath: { selector: '$.a[*]' }, except: '\\d$' },
                    { jsonpath: { selector: '$.except' }, except: '[0-9]' }]),
            ...each([{ body: 'x' }], ['equals'], [{ jsonpath: { selector: '$.a' }, caseSensitive: true, keyCaseSensitive: false },
                { jsonpath: { selector: '$.a' }, keyCaseSensitive: true }, { jsonpath: { selector: '$.A' }, caseSensitive: true, keyCaseSensitive: false }])
        ]
    },
    'xpath': {
        requests: [get('/'), post(''), post('text'), xml('<a>x</a>'), xml('<A>X</A>'), xml('<a><b>1</b><b>2</b></a>'), xml('<a k="V"><b k="w"/></a>'),
            xml('<a/>'), xml('<a><b/></a>'), xml('<a>one<b>two</b>three</a>'), xml('<a><!-- note -->x</a>'), xml('<a>x &amp; y</a>'),
            xml('<a xmlns="http://e.com/N"><b>ns</b></a>'), xml('<p:a xmlns:p="http://e.com/n"><p:b>ns</p:b></p:a>'),
            xml('<books><book><title>B</title></book><book><title>a</title></book></books>'), xml('<books><book><title>One</title></book></books>'),
            xml('<?xml version="1.0"?>\n<a>x</a>'), xml('<a> x </a>'), json({ a: 'x' }), get('/?q=%3Ca%3Ex%3C/a%3E', [['X-Xml', '<a>X</a>']]),
            xml('<a>12</a>'), xml('<a>É</a>')],
        predicates: [
            ...['//a', '/a', '//A', '/a/b', '//b', '//a/text()', '//@k', '/a/@k', '//book[2]/title', '//title', 'count(//b)', 'count(//title)',
                'boolean(//b)', '//missing', '//a[b=2]', '//b[last()]', '//*'].map(selector => each([{ body: 'x' }, { body: 'X' }, { body: '1' }, { body: '' },
                { body: 'true' }, { body: 2 }, { body: ['1', '2'] }, { body: ['a', 'b'] }, { body: 'v' }, { body: 'One' }, { body: 'one' }, { body: 'B' },
                { body: 'a' }, { body: 'x & y' }, { body: ' x ' }, { body: 'é' }], ['equals', 'deepEquals'],
            [{ xpath: { selector } }, { xpath: { selector }, caseSensitive: true }])).flat(),
            ...['//a', '//b', '//@k', '//title', '//A', '//missing', 'count(//b)'].map(selector => [
                ...each([{ body: true }, { body: false }], ['exists'], [{ xpath: { selector } }]),
                ...each([{ body: '^[xb]$' }, { body: '^\\d$' }, { body: 'O' }, { body: '^$' }], ['matches'],
                    [{ xpath: { selector } }, { xpath: { selector }, caseSensitive: true }]),
                ...each([{ body: 'x' }, { body: 'e' }, { body: 'B' }], ['contains', 'startsWith', 'endsWith'], [{ xpath: { selector } }])]).flat(),
            ...each([{ body: 'ns' }], ['equals', 'deepEquals', 'contains'], [{ xpath: { selector: '//n:b', ns: { n: 'http://e.com/n' } } },
                { xpath: { selector: '//n:b', ns: { n: 'http://e.com/N' } } }, { xpath: { selector: '//b' } },
                { xpath: { selector: '//n:b', ns: { n: 'http://e.com/N' } }, caseSensitive: true },
                { xpath: { selector: '//N:b', ns: { N: 'http://e.com/n' } } }]),
            ...each([{ query: { q: 'x' } }, { headers: { 'X-Xml': 'x' } }, { method: 'POST', body: 'x' }], ['equals', 'deepEquals'],
                [{ xpath: { selector: '//a' } }, { xpath: { selector: '//a' }, caseSensitive: true }]),
            ...each([{ body: 'x' }, { body: '' }], ['equals', 'exists'], [{ xpath: { selector: '//a' }, except: '\\d' },
                { xpath: { selector: '//a' }, except: '<b>.*</b>' }, { xpath: { selector: '//a' }, except: 'a' }]),
            ...each([{ body: 'x' }], ['equals'], [{ xpath: { selector: '//a[' } }, { xpath: { selector: '=*-' } }, { xpath: { selector: '' } },
                { xpath: { selector: '//p:a' } }, { xpath: { selector: 'nothing(//a)' } }, { jsonpath: { selector: '$.a' }, xpath: { selector: '//a' } }])
        ]
    },
    'unusual': {
        requests: [get('/12'), get('/a?n=12&n=x'), json({ n: 12, t: true, z: null, o: {}, l: [1, [2]] }), json({ n: '12' }), get('//host/p')],
        predicates: [
            ...each([{ body: { n: 1 } }, { body: { n: '1' } }, { body: { t: 'ru' } }, { body: { z: 'ul' } }, { body: { o: 'object' } },
                { body: { l: 1 } }, { path: 2 }, { path: 12 }, { query: { n: 2 } }, { query: { n: 12 } }, { body: { n: { length: 2 } } },
                { path: { length: 3 } }, { body: { l: { 0: 1 } } }, { body: { l: 2 } }, { body: { l: [[2]] } }, { path: '/p' }, { path: '//host/p' }],
            operators, plain)
        ]
    }
};

function exchange (port, text) {
    return new Promise((resolve, reject) => {
        const socket = net.connect(port, '127.0.0.1', () => socket.write(text));
        const parts = [];
        socket.on('data', part => parts.push(part));
        socket.on('error', reject);
        socket.on('close', () => {
            const all = Buffer.concat(parts).toString();
            resolve({ status: Number(all.slice(9, 12)), body: all.slice(all.indexOf('\r\n\r\n') + 4) });
        });
    });
}

const wire = r => Buffer.concat([Buffer.from(`${r.method} ${r.target} HTTP/1.1\r\n${
    r.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`), r.body]);

async function answers (predicate, requests) {
    const imposter = { protocol: 'http', port: imposterPort, host: '127.0.0.1', defaultResponse: { body: 'no' },
        stubs: [{ predicates: [predicate], responses: [{ is: { body: 'yes' } }] }] };
    const created = await exchange(adminPort, wire(request('POST', '/imposters', [['Content-Type', 'application/json']],
        JSON.stringify(imposter))));
    if (created.status !== 201) {
        return 'R';
    }
    let result = '';
    for (const each of requests) {
        const { status, body } = await exchange(imposterPort, wire(each));
        result += status === 500 ? 'E' : body.includes('yes') ? '1' : body.includes('no') ? '0' : '?';
    }
    await exchange(adminPort, wire(request('DELETE', `/imposters/${imposterPort}`)));
    return result;
}

async function main () {
    const log = { level: 'error', transports: {} };
    const server = await mountebank.create({ port: adminPort, host: '127.0.0.1', ipWhitelist: ['*'], log,
        nologfile: true, pidfile: path.join(os.tmpdir(), `mb-${process.pid}.pid`) });
    const lines = [];
    for (const [theme, { requests, predicates }] of Object.entries(themes)) {
        const shown = requests.map(r => JSON.stringify({ method: r.method, target: r.target, headers: r.headers,
            body: r.body.toString('base64') }));
        const rows = [];
        for (const predicate of predicates) {
            rows.push(JSON.stringify({ predicate, answers: await answers(predicate, requests) }));
        }
        lines.push(`  {"theme": ${JSON.stringify(theme)},\n   "requests": [\n    ${shown.join(',\n    ')}],\n   "rows": [\n    ${
            rows.join(',\n    ')}]}`);
    }
    process.stdout.write(`[\n${lines.join(',\n')}\n]\n`, () => process.exit(0));
    server.close(() => {});
}

main().catch(error => { console.error(error); process.exit(1); });
