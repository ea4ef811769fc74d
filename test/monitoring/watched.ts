import { freePort } from '../../scripts/support/ports.ts';
import { startOwnService } from '../support/own-service.ts';

// A connection that is kept open would hold up the stop of a service.
export const headers = { connection: 'close' };

/** A service with a listener for its operators, and what reads from that. */
export async function startWatched(environment: Record<string, string> = {}) {
  const port = await freePort();
  const service = await startOwnService({ environment: { METRICS_LISTEN: `127.0.0.1:${port}`, ...environment } });
  const look = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };
  return { service, look };
}
