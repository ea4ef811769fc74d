import { once } from 'node:events';
import { connect } from 'node:net';

/** A request as bytes: GET with these headers. */
const toRequest = (url: URL, headers: Record<string, string>): string =>
  [
    `GET ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

/** The length of the whole answer in bytes, which has to be a 200 with a Content-Length. */
async function answerLength(url: URL, request: string): Promise<number> {
  const socket = connect(Number(url.port), url.hostname);
  socket.write(request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  let answer = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    answer += chunk;
  });
  await once(socket, 'end');
  if (!answer.startsWith('HTTP/1.1 200 ')) {
    throw new Error(`${url} answered ${answer.slice(0, answer.indexOf('\r\n'))}, and a 200 was expected`);
  }
  return answer.length + 'keep-alive'.length - 'close'.length;
}

/** The length of an answer in bytes, from the chunk that it begins with. */
function lengthFrom(chunk: Buffer): number {
  const end = chunk.indexOf('\r\n\r\n');
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(chunk.toString('latin1', 0, end)) ?? [];
  if (end === -1 || length === undefined || !chunk.toString('latin1', 0, 12).startsWith('HTTP/1.1 200')) {
    throw new Error(
      `an answer begins with ${JSON.stringify(chunk.toString('latin1', 0, 100))}, and a 200 with a length was expected`,
    );
  }
  return end + 4 + Number(length);
}

/**
 * Asks for one address again and again over kept connections, and counts the answers. It counts bytes and parses
 * nothing, so that the server is what is measured: every answer has to be as long as the first, unless the length
 * varies, which costs a look at the headers of each.
 */
export async function countAnswers(
  address: string,
  headers: Record<string, string>,
  milliseconds: number,
  { connections = 32, lengthVaries = false }: { connections?: number; lengthVaries?: boolean } = {},
): Promise<{ answers: number; seconds: number; slowestMs: number }> {
  const url = new URL(address);
  const request = toRequest(url, headers);
  const firstLength = await answerLength(url, request);
  let answers = 0;
  let slowestMs = 0;
  let running = true;
  const start = performance.now();
  const ask = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let received = 0;
      let length = firstLength;
      let asked = performance.now();
      const socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true }, () =>
        socket.write(request),
      );
      socket.on('data', (chunk) => {
        if (lengthVaries && received === 0) {
          length = lengthFrom(chunk);
        }
        received += chunk.length;
        if (received === length) {
          received = 0;
          answers += 1;
          const now = performance.now();
          slowestMs = Math.max(slowestMs, now - asked);
          asked = now;
          if (running) {
            socket.write(request);
          } else {
            socket.destroy();
          }
        }
      });
      socket.on('error', reject);
      socket.on('close', () => {
        const isLast = received === length + 'close'.length - 'keep-alive'.length;
        if (received !== 0 && !isLast) {
          reject(new Error(`${address} gave an answer of ${received} bytes, not of ${length}`));
          return;
        }
        answers += isLast ? 1 : 0;
        resolve();
      });
    });
  const stop = setTimeout(() => {
    running = false;
  }, milliseconds);
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (running) {
        await ask();
      }
    }),
  );
  clearTimeout(stop);
  return { answers, seconds: (performance.now() - start) / 1000, slowestMs };
}
