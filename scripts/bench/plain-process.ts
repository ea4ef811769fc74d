// A plain Node server that sends the bytes of one file with two headers: PORT, FILE, TYPE and CODING come from the
// environment. It says "up" when it listens.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { PORT, FILE = '', TYPE = '', CODING = '' } = process.env;
const body = readFileSync(FILE);
const headers = { 'content-type': TYPE, 'content-encoding': CODING, 'content-length': body.length };
createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
}).listen(Number(PORT), '127.0.0.1', () => console.log('up'));
