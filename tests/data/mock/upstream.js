// An http server for tests: prints its port and answers with the request as it saw it, as JSON. Ends with its standard
// input.
'use strict';
const http = require('http');

const server = http.createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => response.end(JSON.stringify({
    method: request.method,
    url: request.url,
    headers: request.rawHeaders,
    body: Buffer.concat(chunks).toString(),
  })));
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
