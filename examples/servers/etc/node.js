// The files below www, by Node's own http module.
const fs = require('fs');
const http = require('http');
const path = require('path');

const log = fs.openSync('access.log', 'a');
const root = path.resolve('www');

const server = http.createServer((request, response) => {
  const file = path.join(root, path.normalize('/' + request.url));
  fs.readFile(file, (error, body) => {
    const status = error ? 404 : 200;
    response.writeHead(status, {'Content-Length': error ? 0 : body.length});
    response.end(error ? '' : body);
    fs.writeSync(log, `${request.method} ${request.url} ${status}\n`);
  });
});
server.keepAliveTimeout = 75000;
server.listen(80, '0.0.0.0', 4096);
