// An https server for tests: node tlsserver.js KEY CERT [CLIENT-CA]. With a client CA only its clients are let in.
// Prints its port; answers with what it knows of the connection, as JSON. Ends with its standard input.
'use strict';
const fs = require('fs');
const https = require('https');

const [, , key, cert, ca] = process.argv;
const options = { key: fs.readFileSync(key), cert: fs.readFileSync(cert) };
if (ca) Object.assign(options, { ca: fs.readFileSync(ca), requestCert: true, rejectUnauthorized: true });
const server = https.createServer(options, (request, response) => {
  const socket = request.socket;
  if (request.url === '/cut') { // an answer that only the end delimits, and an end without TLS's goodbye
    response.removeHeader('Connection');
    socket.write('HTTP/1.1 200 OK\r\n\r\nhalf of', () => socket._parent ? socket._parent.destroy() : socket.destroy());
    return;
  }
  const peer = socket.getPeerCertificate();
  response.end(JSON.stringify({
    name: socket.servername || '',
    client: peer && peer.subject ? peer.subject.CN : '',
    resumed: socket.isSessionReused(),
    protocol: socket.getProtocol(),
    alpn: socket.alpnProtocol || '',
  }));
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
