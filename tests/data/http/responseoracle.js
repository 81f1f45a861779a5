// Node's HTTP client as an oracle: reads lines "id method hex" from stdin, answers a request of its own with those bytes
// and the end of the connection, and prints what its client made of them as one JSON line.
'use strict';
const http = require('http');
const net = require('net');
const readline = require('readline');

function ask(id, method, hex) {
  return new Promise((resolve) => {
    const server = net.createServer((socket) => {
      socket.on('error', () => {});
      let head = '';
      socket.on('data', (data) => {
        head += data.toString('latin1');
        if (head.endsWith('\r\n\r\n')) socket.end(Buffer.from(hex || '', 'hex'));
      });
    });
    const done = (result) => { server.close(); resolve({ id, ...result }); };
    server.listen(0, '127.0.0.1', () => {
      const request = http.request({ port: server.address().port, host: '127.0.0.1', method, agent: false, maxHeaderSize: 65536 });
      let settled = false;
      const finish = (result) => { if (!settled) { settled = true; done(result); } };
      request.on('response', (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', (error) => finish({ error: error.code || 'error' }));
        response.on('end', () => setImmediate(() => finish({
          status: response.statusCode,
          headers: response.rawHeaders,
          trailers: response.rawTrailers,
          body: Buffer.concat(chunks).toString('hex'),
        })));
      });
      request.on('error', (error) => finish({ error: error.code || 'error' }));
      request.on('upgrade', () => finish({ error: 'upgrade' }));
      request.on('close', () => setImmediate(() => finish({ error: 'closed' })));
      request.end();
    });
  });
}

(async () => {
  console.log(JSON.stringify({ llhttp: process.versions.llhttp }));
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [id, method, hex] = line.split(' ');
    console.log(JSON.stringify(await ask(id, method, hex)));
  }
})();
