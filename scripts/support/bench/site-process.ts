// A site to audit: it answers on every address of this machine at PORT, each request after DELAY_MS. It says "up" when it
// listens.
import { createServer } from 'node:http';
import { judgedSites } from '../../../test/audit/judged-sites.ts';

const { PORT, DELAY_MS } = process.env;
const { answer } = judgedSites['perfect'] ?? {};
if (answer === undefined) {
  throw new Error('test/audit/judged-sites.ts has no perfect site');
}
createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  const { method = '', url: path = '', headers } = request;
  const {
    status = 200,
    type,
    headers: own,
    body: text = '',
  } = answer({ method, path, accept: headers.accept ?? '', headers, body }, `http://${headers.host}`);
  setTimeout(() => {
    response.writeHead(status, { ...(type === undefined ? {} : { 'Content-Type': type }), ...own });
    response.end(method === 'HEAD' ? '' : text);
  }, Number(DELAY_MS));
}).listen(Number(PORT), '0.0.0.0', () => console.log('up'));
