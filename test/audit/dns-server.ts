import { Buffer } from 'node:buffer';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

/** What the server says of a name: addresses, an alias, an error code of the DNS, or nothing at all. */
export interface Zone {
  addresses?: string[] | (() => string[]);
  alias?: string;
  rcode?: number;
  silent?: boolean;
}

const encodeName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);

const encodeAddress = (address: string): Buffer => {
  if (isIPv4(address)) {
    return Buffer.from(address.split('.').map(Number));
  }
  const expanded = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = expanded.split('::');
  const [left, right] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const groups = [
    ...(left ?? []),
    ...Array(8 - (left?.length ?? 0) - (right?.length ?? 0)).fill('0'),
    ...(right ?? []),
  ];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
};

const record = (name: string, type: number, data: Buffer): Buffer => {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(0, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(name), fixed, data]);
};

/** A DNS server on loopback that answers A and AAAA questions from a table; unknown names do not exist. */
export async function openDnsServer(zones: Record<string, Zone>) {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, peer) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = query.readUInt16BE(at + 1);
    let name = labels.join('.').toLowerCase();
    asked.push(name);
    const answers: Buffer[] = [];
    let zone = zones[name];
    for (let depth = 0; zone?.alias !== undefined && depth < 8; depth += 1) {
      answers.push(record(name, 5, encodeName(zone.alias)));
      name = zone.alias;
      zone = zones[name];
    }
    if (zone?.silent) {
      return;
    }
    const addresses = typeof zone?.addresses === 'function' ? (type === 1 ? zone.addresses() : []) : zone?.addresses;
    for (const address of addresses ?? []) {
      if (isIPv4(address) === (type === 1)) {
        answers.push(record(name, type, encodeAddress(address)));
      }
    }
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (zone === undefined ? 3 : (zone.rcode ?? 0)), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), ...answers]), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}
