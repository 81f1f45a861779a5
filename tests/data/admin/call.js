// One HTTP request, with nothing but Node's http.
'use strict';

const http = require('http');

/// Sends `body` (text, or JSON of a value) and gives status, headers, the raw header lines, the text and, if it is
/// JSON, its value.
module.exports = function call(port, method, path, body, headers = {}) {
    return new Promise((resolve, reject) => {
        const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
        const request = http.request({ port, host: 'localhost', method, path, agent: false, headers: {
            Accept: 'application/json', Connection: 'close',
            ...(text && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }), ...headers
        } }, response => {
            let answer = '';
            response.setEncoding('utf8');
            response.on('data', piece => { answer += piece; });
            response.on('end', () => {
                let json;
                try { json = JSON.parse(answer); } catch (error) { /* not JSON */ }
                const { statusCode: status, headers: sent, rawHeaders } = response;
                resolve({ status, headers: sent, rawHeaders, text: answer, json });
            });
        });
        request.on('error', reject);
        request.end(text);
    });
};
