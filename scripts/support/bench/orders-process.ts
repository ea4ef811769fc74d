// Who orders audits of COUNT sites at once, from the one numbered FIRST, each as another client. It says how many were
// answered with which status, as JSON, when all were.
import { auditedHost } from './audited-host.ts';

const { ORIGIN, SITE_PORT, FIRST, COUNT } = process.env;

async function order(number: number): Promise<number> {
  const response = await fetch(`${ORIGIN}/api/audit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `2001:db8:${number.toString(16)}::1` },
    body: JSON.stringify({ url: `http://${auditedHost(number)}:${SITE_PORT}/` }),
  });
  await response.arrayBuffer();
  return response.status;
}

const counts: Record<string, number> = {};
const answered = Array.from({ length: Number(COUNT) }, (_, index) => order(Number(FIRST) + index));
for (const status of await Promise.all(answered)) {
  counts[status] = (counts[status] ?? 0) + 1;
}
console.log(JSON.stringify(counts));
