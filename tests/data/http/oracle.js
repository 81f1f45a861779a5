// Node's HTTP parser as an oracle: reads lines "id hex" from stdin, sends each input to a server of its own on a fresh
// connection, ends its half, and prints what came of it as one JSON line: the statuses on the wire and the requests. Some
// are asked at once; the lines come in any order.
'use strict';
const http = require('http');
const net = require('net');
const readline = require('readline');

const seen = new Map(); // local port of the client -> requests
const server = http.createServer({ maxHeaderSize: 65536 }, (request, response) => {
  const requests = seen.get(request.socket.remotePort);
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    requests.push({
      method: request.method,
      target: request.url,
      headers: request.rawHeaders,
      trailers: request.rawTrailers,
      body: Buffer.concat(chunks).toString('hex'),
    });
    response.setHeader('Content-Length', '0');
    response.end();
  });
});
server.maxHeadersCount = 0;

function ask(id, hex) {
  return new Promise((resolve) => {
    const client = net.connect(server.address().port, '127.0.0.1', () => {
      const port = client.localPort;
      seen.set(port, []);
      let answer = '';
      client.on('data', (data) => { answer += data.toString('latin1'); });
      client.on('error', () => {});
      // A request's end is told a little after its connection was closed for what follows it.
      client.on('close', () => setTimeout(() => {
        const statuses = [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map((match) => Number(match[1]));
        resolve({ id, statuses: statuses.filter((status) => status >= 200), requests: seen.get(port) });
        seen.delete(port);
      }, 20));
      client.end(Buffer.from(hex, 'hex'));
    });
  });
}

server.listen(0, '127.0.0.1', async () => {
  console.log(JSON.stringify({ llhttp: process.versions.llhttp }));
  const lines = [];
  for await (const line of readline.createInterface({ input: process.stdin })) lines.push(line);
  const work = async () => {
    while (lines.length > 0) {
      const [id, hex] = lines.pop().split(' ');
      console.log(JSON.stringify(await ask(id, hex || '')));
    }
  };
  await Promise.all(Array.from({ length: 32 }, work));
  server.close();
});
