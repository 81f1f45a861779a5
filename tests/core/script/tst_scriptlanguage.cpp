#include "script/scriptengine.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QProcess>
#include <QtTest>

#include <thread>

using namespace wardbench;

// What scripts find around them behaves as in Node: every expression is asked of both. The engine's own faults that are
// put right, what newer JavaScript adds, Buffer, promises.
class TestScriptLanguage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void likeNode_data() { rows(); }
    void likeNode();

private:
    void rows();
    QHash<QString, QByteArray> m_node;
};

namespace {

struct Expression
{
    const char *name;
    const char *code;
};

const Expression expressions[] = {
    // missing in the engine
    {"fromEntries", "Object.fromEntries([['a', 1], ['b', 2]])"},
    {"fromEntries of a map", "Object.fromEntries(new Map([['a', 1]]))"},
    {"hasOwn", "[Object.hasOwn({ a: 1 }, 'a'), Object.hasOwn({}, 'toString')]"},
    {"array at", "[[1, 2, 3].at(-1), [1].at(0), [1].at(5) === undefined]"},
    {"flat", "[[1, [2, [3]]].flat(), [1, [2, [3]]].flat(2), [[[1]]].flat(Infinity)]"},
    {"flatMap", "[1, 2].flatMap(x => [x, [x * 2]])"},
    {"findLast", "[[1, 2, 3].findLast(x => x < 3), [1, 2].findLastIndex(x => x > 5)]"},
    {"string at", "['abc'.at(-1), 'abc'.at(0)]"},
    {"trimStart", "[' \\t a '.trimStart(), ' a \\n '.trimEnd(), '   '.trimStart(), '  '.trimEnd(), ''.trimEnd()]"},
    {"replaceAll",
     "['a.b.c'.replaceAll('.', '-'), 'a1b2'.replaceAll(/\\d/g, x => x * 2), 'aa'.replaceAll('a', '$&$&')]"},
    {"replaceAll needs g", "(() => { try { 'a'.replaceAll(/a/, ''); } catch (e) { return e.name; } })()"},
    {"matchAll", "[...'a1b22'.matchAll(/([a-z])(\\d+)/g)].map(m => [m[0], m[1], m[2], m.index])"},
    {"matchAll of nothing", "[...'ab'.matchAll(/x*/g)].length"},
    {"globalThis", "[typeof globalThis, globalThis.JSON === JSON]"},
    {"symbol description", "[Symbol('x').description, Symbol.iterator.description]"},
    {"base64 of text", "[btoa('hello'), atob('aGVsbG8=')]"},
    // wrong in the engine
    {"sort is stable",
     "(() => { const a = []; for (let i = 0; i < 600; ++i) a.push({ k: i % 3, i: i }); a.sort((x, y) => "
     "x.k - y.k); return a.every((x, j) => j === 0 || a[j - 1].k < x.k || a[j - 1].i < x.i); })()"},
    {"sort by default", "[[10, 9, 1].sort(), ['b', undefined, 'a'].sort(), [3, 1, 2].sort((a, b) => b - a)]"},
    {"sort with booleans", "[3, 1, 2].sort((a, b) => a > b ? 1 : -1)"},
    {"sort holes", "(() => { const a = [3, , 1]; a.sort(); return [a, a.length, 2 in a]; })()"},
    {"sort refuses", "(() => { try { [].sort(5); } catch (e) { return e.name; } })()"},
    {"join", "[[1, [2, [3, null]], undefined].join('-'), String([1, [2, 3]]), [].join(), [[]].toString()]"},
    {"join of a cycle", "(() => { const a = [1]; a.push(a); return String(a); })()"},
    {"join too deep",
     "(() => { let a = []; for (let i = 0; i < 100000; ++i) a = [a]; try { return String(a); } catch (e) { "
     "return e.name; } })()"},
    {"regex source", "[/a\\/b/.source, new RegExp('/').source, String(/a\\/b/g), new RegExp('\\n').source]"},
    {"RegExp", "[RegExp('a').test('a'), new RegExp(/a/g).flags, new RegExp(/a/g, 'i').flags, /a/ instanceof RegExp, "
               "/a/.constructor === RegExp, new RegExp() + '', RegExp.name]"},
    {"RegExp refuses", "(() => { try { new RegExp('('); } catch (e) { return e.name; } })()"},
    {"empty matches",
     "['1234567'.replace(/\\B(?=(\\d{3})+$)/g, ','), 'abab'.replace(/(?=b)/g, '-'), 'a\\nb'.replace(/^/gm, '> '), "
     "'abc'.replace(/\\b/g, '|'), 'ab'.replace(/x*/g, '-'), '😀a'.replace(/(?:)/gu, '-')]"},
    {"replacements",
     "['abc'.replace(/(b)(x)?/g, '[$1$2$3$&$`$\\'$$]'), 'ab'.replace(/(a)/g, '$01$10$0$00'), 'aXa'.replace(/a/g, (m, "
     "i, s) "
     "=> m + i + s), 'aaa'.replace('a', 'b'), 'abc'.replace(/b/, x => x + x), 'a.b'.replace(/\\./g, () => '$1')]"},
    {"split", "['abab'.split(/(?=b)/), 'a1b2'.split(/(\\d)/), 'abc'.split(/(?:)/), ''.split(/x/), ''.split(/(?:)/), "
              "'a,b;c'.split(/[,;]/, "
              "2), 'ab'.split(/b/), 'AxB'.split(/X/i), '😀a'.split(/(?:)/u), ',a,'.split(/,/), 'ab'.split(''), 'a "
              "b'.split(' ', 1)]"},
    {"lastIndex after replace",
     "(() => { const r = /a/g; r.lastIndex = 2; return ['aaa'.replace(r, 'b'), r.lastIndex]; })()"},
    {"JSON reviver", "JSON.parse('{\"a\":1,\"b\":[2,{\"c\":3}]}', (k, v) => typeof v === 'number' ? v * 2 : v)"},
    {"JSON reviver deletes", "JSON.parse('{\"a\":1,\"b\":2}', (k, v) => k === 'a' ? undefined : v)"},
    {"JSON list of names", "JSON.stringify({ a: 1, b: 2, c: { a: 3, d: 4 } }, ['c', 'a'])"},
    {"JSON replacer",
     "JSON.stringify({ a: 1, b: { c: 'x' } }, function (k, v) { return k === 'c' ? Object.keys(this) : v; })"},
    {"JSON replacer and toJSON", "JSON.stringify({ a: new Date(0), b: undefined, c: [undefined] }, (k, v) => v, 2)"},
    {"date texts",
     "[new Date(0).toUTCString(), new Date(0).toGMTString(), String(new Date(0)), new Date(0).toDateString(), "
     "new Date(0).toTimeString(), String(new Date(NaN))]"},
    {"local dates", "[new Date(0).toLocaleDateString(), new Date(46800000).toLocaleTimeString(), new "
                    "Date(0).toLocaleString()]"},
    {"local numbers",
     "[(1234567.891).toLocaleString(), (0).toLocaleString(), (-1234).toLocaleString(), (999).toLocaleString()]"},
    // Buffer
    {"Buffer from text",
     "[Buffer.from('héllo😀').toString('hex'), Buffer.from('héllo').length, Buffer.from('').length]"},
    {"Buffer encodings", "['utf8', 'hex', 'base64', 'base64url', 'latin1', 'binary', 'ascii', 'utf16le'].map(e => "
                         "Buffer.from([104, 195, 169, 255, 0, 65]).toString(e))"},
    {"Buffer from encodings",
     "[['00ff1', 'hex'], ['zz', 'hex'], ['aGk=', 'base64'], ['aG k', 'base64'], ['_-8', 'base64'], "
     "['é', 'latin1'], ['ab', 'utf16le'], ['€', 'ascii']].map(a => Buffer.from(a[0], a[1]).toString('hex'))"},
    {"Buffer of lone surrogates", "Buffer.from('a\\ud800b').toString('hex')"},
    {"Buffer of broken UTF-8", "Buffer.from([97, 226, 130, 98, 240, 159, 255]).toString()"},
    {"Buffer JSON", "[Buffer.from('ab'), JSON.stringify({ b: Buffer.from([1]) }), "
                    "Buffer.from(JSON.parse(JSON.stringify(Buffer.from('x'))))]"},
    {"Buffer alloc", "[Buffer.alloc(3), Buffer.alloc(3, 1), Buffer.alloc(5, 'ab'), Buffer.alloc(2).length]"},
    {"Buffer concat",
     "[Buffer.concat([Buffer.from('a'), Buffer.from('bc')]).toString(), Buffer.concat([Buffer.from('abc')], "
     "2).toString(), Buffer.concat([], 2)]"},
    {"Buffer index",
     "(() => { const b = Buffer.from('abc'); b[1] = 300; return [b[0], b[1], b[9] === undefined, b.length]; })()"},
    {"Buffer slice shares",
     "(() => { const b = Buffer.from('abcd'); const s = b.slice(1, 3); s[0] = 88; return [b.toString(), "
     "s.toString(), b.slice(-2).toString(), b.subarray(3, 1).length, Buffer.isBuffer(s)]; })()"},
    {"Buffer toString range", "[Buffer.from('abcdef').toString('utf8', 1, 3), Buffer.from('abc').toString('utf8', 2)]"},
    {"Buffer equals", "[Buffer.from('a').equals(Buffer.from('a')), Buffer.from('a').equals(Buffer.from('b')), "
                      "Buffer.compare(Buffer.from('a'), Buffer.from('b'))]"},
    {"Buffer indexOf",
     "(() => { const b = Buffer.from('abcabc'); return [b.indexOf('c'), b.indexOf('c', 3), b.indexOf('x'), "
     "b.indexOf(98), b.indexOf(Buffer.from('ca')), b.includes('bc'), b.indexOf('6263', 0, 'hex')]; })()"},
    {"Buffer read",
     "(() => { const b = Buffer.from('fffe80017f00c3f5484840', 'hex'); return [b.readInt8(0), b.readUInt8(0), "
     "b.readInt16LE(0), b.readInt16BE(0), b.readUInt16LE(1), b.readUInt16BE(1), b.readInt32LE(0), "
     "b.readInt32BE(0), b.readUInt32LE(0), b.readUInt32BE(1), b.readUIntBE(0, 3), b.readIntLE(0, 3), "
     "b.readUIntLE(1, 6), b.readFloatLE(7), b.readUint8(2)]; })()"},
    {"Buffer write",
     "(() => { const b = Buffer.alloc(25); let at = 0; at = b.writeInt8(-1, at); at = b.writeUInt8(200, at); at = "
     "b.writeInt16LE(-2, at); at = b.writeUInt16BE(65535, at); at = b.writeInt32BE(-3, at); at = "
     "b.writeUInt32LE(4e9, at); at = b.writeUIntBE(66051, at, 3); at = b.writeDoubleBE(1.5, at); return [at, "
     "b.toString('hex')]; })()"},
    {"Buffer out of range",
     "(() => { const names = []; for (const f of [() => Buffer.from('a').readInt16LE(0), () => "
     "Buffer.alloc(1).writeUInt8(256), () => Buffer.from('a').readInt8(1), () => Buffer.alloc(-1), () => "
     "Buffer.from('a', 'nope'), () => Buffer.from(undefined)]) { try { f(); names.push('none'); } catch (e) "
     "{ names.push(e.name); } } return names; })()"},
    {"Buffer write text",
     "(() => { const b = Buffer.alloc(6); return [b.write('abc'), b.write('de', 4), b.write('ff', 3, 'hex'), "
     "b.toString('latin1')]; })()"},
    {"Buffer copy", "(() => { const t = Buffer.from('12345'); return [Buffer.from('abc').copy(t, 3), t.toString(), "
                    "Buffer.from('xyz').copy(t, 0, 1, 2), t.toString()]; })()"},
    {"Buffer fill", "[Buffer.alloc(4).fill('ab').toString(), Buffer.alloc(4).fill(7, 1, 3)]"},
    {"Buffer from arrays", "[Buffer.from([1, 256, -1]), Buffer.from(new Uint8Array([1, 2])), Buffer.from(new "
                           "Uint8Array([1, 2, 3]).buffer, 1, 2)]"},
    {"Buffer iteration",
     "[...Buffer.from('ab'), Array.from(Buffer.from('c')).length, Buffer.from('ab').map(x => x + 1).length]"},
    {"Buffer byteLength", "[Buffer.byteLength('é'), Buffer.byteLength('ffff', 'hex'), Buffer.isEncoding('HEX'), "
                          "Buffer.isBuffer([])]"},
    // promises
    {"promise order",
     "(() => { const s = []; const p = Promise.resolve(); p.then(() => s.push(1)).then(() => s.push(3)); "
     "p.then(() => s.push(2)); s.push(0); return p.then(() => {}).then(() => {}).then(() => s); })()"},
    {"promise of a promise",
     "(() => { const s = []; new Promise(r => r(Promise.resolve(1))).then(() => s.push('outer')); "
     "Promise.resolve().then(() => s.push(1)).then(() => s.push(2)).then(() => s.push(3)).then(() => "
     "s.push(4)); return new Promise(r => setTimeout(() => r(s), 5)); })()"},
    {"thenable", "Promise.resolve({ then(resolve) { resolve(7); } })"},
    {"all", "Promise.all([1, Promise.resolve(2), new Promise(r => setTimeout(() => r(3), 2))])"},
    {"all of none", "Promise.all([])"},
    {"all fails", "Promise.all([1, Promise.reject(new Error('x'))]).catch(e => e.message)"},
    {"allSettled", "Promise.allSettled([1, Promise.reject('r')])"},
    {"any", "Promise.any([Promise.reject(1), Promise.resolve(2)])"},
    {"any fails", "Promise.any([Promise.reject(1)]).catch(e => [e.message, e.errors])"},
    {"race", "Promise.race([new Promise(r => setTimeout(r, 50)), Promise.resolve('first')])"},
    {"finally",
     "Promise.resolve(1).finally(() => 2).then(x => Promise.reject(x).finally(() => {})).catch(x => 'caught ' + x)"},
    {"catch goes on", "Promise.reject(1).catch(x => x + 1).then(x => x * 10)"},
    {"thrown in then", "Promise.resolve().then(() => { throw new TypeError('t'); }).then(() => 1, e => e.name)"},
    {"own result", "(() => { let r; const p = new Promise(x => { r = x; }); r(p); return p.catch(e => e.name); })()"},
    {"decided once", "new Promise((resolve, reject) => { resolve(1); reject(2); resolve(3); })"},
    {"executor throws", "new Promise(() => { throw 5; }).catch(x => x)"},
    {"without new", "(() => { try { Promise(() => {}); } catch (e) { return e.name; } })()"},
    {"shown", "[String(Promise.resolve()), Promise.resolve() instanceof Promise, Promise.name]"},
    {"timers in order",
     "new Promise(r => { const s = []; setTimeout(() => { s.push(2); }, 6); setTimeout((a, b) => { s.push(a + b); "
     "}, 1, 'x', 'y'); const gone = setTimeout(() => s.push('gone'), 3); clearTimeout(gone); setTimeout(() => "
     "r(s), 12); })"},
    {"interval", "new Promise(r => { let n = 0; const id = setInterval(() => { if (++n === 3) { clearInterval(id); "
                 "r(n); } }, 1); })"},
    {"nextTick", "new Promise(r => { const s = []; process.nextTick(() => s.push('tick')); s.push('now'); "
                 "setTimeout(() => r(s), 2); })"},
    // the engine itself, in what mocks need most
    {"numbers",
     "[1e21, 1e-7, 123456789012345680000, 0.1, 1 / 3, 4.35, 5e-324, 1.7976931348623157e308, -1e-7, 100, "
     "(2.5).toFixed(0), (1.005).toFixed(2), (255).toString(16), parseInt('12px'), Number('0b11')].map(String)"},
    {"order of members",
     "[{ z: 1, 2: 0, a: 1, 1: 0, '-1': 5, '01': 6 }, Object.keys(Object.assign({ b: 1 }, { a: 2, b: 3 }))]"},
    {"optional chaining",
     "(() => { const a = {}, n = null; return [a?.b?.c === undefined, n?.x.y.z === undefined, a.f?.() === "
     "undefined, a?.['b'] === undefined, n \?\? 5, 0 \?\? 5, 2 ** 3 ** 2]; })()"},
    {"destructuring",
     "(({ a = 1, b: { c } = { c: 2 } }, [d, , ...e], f = a + c) => [a, c, d, e, f])({}, [1, 2, 3, 4])"},
    {"template", "`a${[1, 2].map(x => `<${x}>`).join('')}b`"},
    {"closures of loops",
     "(() => { const f = []; for (let i = 0; i < 3; ++i) f.push(() => i); return f.map(g => g()); })()"},
    {"classes",
     "(() => { class A { constructor(x) { this.x = x; } get d() { return this.x * 2; } static make(x) { return new "
     "this(x); } } class B extends A { get d() { return super.d + 1; } } return [B.make(4).d, new B(1) instanceof A]; "
     "})()"},
    {"generators",
     "(() => { function* g(n) { const x = yield n; yield* [x, x + 1]; } const i = g(1); return [i.next().value, "
     "i.next(5).value, i.next().value]; })()"},
    {"map and set", "[[...new Map([[1, 'a']]).entries()], [...new Set([3, 1, 3])], new Map([[NaN, 1]]).get(NaN)]"},
    {"regular expressions",
     "['a1b2'.replace(/[a-z](\\d)/g, '<$1>'), 'a,b;c'.split(/[,;]/), /(\\d+)-\\1/.test('12-12'), "
     "'x'.replace(/x/, () => '$1'), 'aBc'.match(/b/i).index, /^.$/u.test('😀')]"},
    {"dates", "[new Date(Date.UTC(2020, 1, 29, 12)).toISOString(), Date.parse('2020-01-02T03:04:05+02:00'), new "
              "Date('2020-02-30').getTime() > 0, new Date(0).getTimezoneOffset(), JSON.stringify(new Date(5))]"},
};

/// One Node process for all; each line of its output is the JSON of one value.
QList<QByteArray> askNode()
{
    QByteArray program = "process.stdout.setDefaultEncoding('utf8'); (async () => { for (const f of [\n";
    for (const Expression &expression : expressions)
        program += QByteArray("() => (") + expression.code + "),\n";
    program += "]) process.stdout.write(String(JSON.stringify(await f())) + '\\n'); })();";
    QProcess node;
    node.start(QStringLiteral("node"), {QStringLiteral("-")});
    node.write(program);
    node.closeWriteChannel();
    node.waitForFinished(60'000);
    return node.readAllStandardOutput().split('\n');
}

} // namespace

void TestScriptLanguage::initTestCase()
{
    const QList<QByteArray> answers = askNode();
    QCOMPARE(answers.size(), static_cast<qsizetype>(std::size(expressions)) + 1);
    for (std::size_t i = 0; i < std::size(expressions); ++i)
        m_node[QString::fromUtf8(expressions[i].name)] = answers[static_cast<qsizetype>(i)];
}

void TestScriptLanguage::rows()
{
    QTest::addColumn<QString>("code");
    for (const Expression &expression : expressions)
        QTest::newRow(expression.name) << QString::fromUtf8(expression.code);
}

void TestScriptLanguage::likeNode()
{
    QFETCH(QString, code);
    ScriptEngine engine({});
    std::optional<ScriptOutcome<json::Value>> got;
    engine.respond("() => (" + code.toStdString() + ")", json::Value::object(),
                   [&](ScriptOutcome<json::Value> outcome) { got = std::move(outcome); });
    while (!got && engine.nextDue() != TimePoint::max()) {
        std::this_thread::sleep_until(engine.nextDue());
        engine.runDue();
    }
    QVERIFY(got);
    const auto *failure = std::get_if<ScriptFailure>(&*got);
    QVERIFY2(!failure, failure ? failure->data.c_str() : "");
    QCOMPARE(QString::fromStdString(json::writeCompact(std::get<json::Value>(*got))),
             QString::fromUtf8(m_node.value(QString::fromUtf8(QTest::currentDataTag()))));
}

QTEST_GUILESS_MAIN(TestScriptLanguage)
#include "tst_scriptlanguage.moc"
