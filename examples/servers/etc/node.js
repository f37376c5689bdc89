// The files below www, by Node's own http module, or https on port 443.
const fs = require('fs');
const http = require('http');
const https = require('https');
const path = require('path');

const log = fs.openSync('access.log', 'a');
const root = path.resolve('www');

const port = Number(process.env.PORT);
const answer = (request, response) => {
  const file = path.join(root, path.normalize('/' + request.url));
  fs.readFile(file, (error, body) => {
    const status = error ? 404 : 200;
    response.writeHead(status, {'Content-Length': error ? 0 : body.length});
    response.end(error ? '' : body);
    fs.writeSync(log, `${request.method} ${request.url} ${status}\n`);
  });
};
const server = port === 443 ? https.createServer({key: fs.readFileSync('key.pem'), cert: fs.readFileSync('certificate.pem')}, answer)
                            : http.createServer(answer);
server.keepAliveTimeout = 75000;
server.listen(port, '0.0.0.0', 4096);
