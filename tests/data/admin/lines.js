// A protocol of its own for `mb --protofile`: each line a client sends is a request, {"line": ..., "words": [...]}, and
// the answer's "line" goes back. `to` of a proxy is host:port of another such server.
const http = require('http'), net = require('net');
const config = JSON.parse(process.argv[process.argv.length - 1]);

function post (url, body) {
    return new Promise((resolve, reject) => {
        const request = http.request(url, { method: 'POST', headers: { 'Content-Type': 'application/json' } }, response => {
            let text = '';
            response.on('data', piece => { text += piece; });
            response.on('end', () => resolve(JSON.parse(text)));
        });
        request.on('error', reject);
        request.end(JSON.stringify(body));
    });
}

function askUpstream (to, line) {
    return new Promise(resolve => {
        const [host, port] = to.split(':');
        const socket = net.connect(Number(port), host, () => socket.write(line + '\n'));
        socket.once('data', data => { socket.end(); resolve({ line: data.toString().trim() }); });
    });
}

async function answer (line, ip) {
    const callback = config.callbackURLTemplate.replace(':port', server.address().port);
    const first = await post(callback, { request: { line, words: line.split(' '), ip } });
    if (first.proxy) {
        const upstream = await askUpstream(first.proxy.to, first.request.line);
        return post(first.callbackURL, { proxyResponse: upstream });
    }
    return first.blocked ? { line: 'blocked' } : first.response || first;
}

const server = net.createServer(socket => {
    let input = '';
    socket.on('data', data => {
        input += data;
        for (let end = input.indexOf('\n'); end >= 0; end = input.indexOf('\n')) {
            const line = input.slice(0, end);
            input = input.slice(end + 1);
            answer(line, socket.remoteAddress).then(response =>
                socket.write((response.line || (config.defaultResponse || {}).line || JSON.stringify(response)) + '\n'));
        }
    });
    socket.on('error', () => {});
});
if (config.fails) {
    process.exit(3);
}
server.listen(config.port || 0, () => {
    console.log(JSON.stringify({ port: server.address().port, greeting: config.greeting }));
    console.log('info listening, ' + config.loglevel);
});
