// A plain Node server that sends the same answer to every request: PORT and FILE come from the environment, and the file
// holds the headers as JSON in its first line and the body behind it. It says "up" when it listens.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { PORT, FILE = '' } = process.env;
const bytes = readFileSync(FILE);
const end = bytes.indexOf('\n');
const headers = JSON.parse(bytes.toString('utf8', 0, end)) as Record<string, string>;
const body = bytes.subarray(end + 1);
createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
}).listen(Number(PORT), '127.0.0.1', () => console.log('up'));
