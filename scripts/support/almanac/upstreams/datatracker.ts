import { z } from 'zod';
import type { Protocol } from '#almanac/datasets/protocols.ts';
import { type Comparison, type Edition, type Finding, parseJson, type Upstream } from '../upstream.ts';

const id = 'datatracker';
const addressOf = (name: string): string => `https://datatracker.ietf.org/api/v1/doc/document/${name}/?format=json`;

const Document = z.looseObject({
  name: z.string().regex(/^draft-[a-z0-9-]+$/),
  rev: z.string().regex(/^\d\d$/),
  time: z.string().regex(/^\d{4}-\d{2}-\d{2}/),
  expires: z.string().nullable().optional(),
  rfc_number: z.number().nullable().optional(),
});

/** The value of a field that can also be an object with its standing. */
const versionText = (field: Protocol['current_spec_version']): string =>
  typeof field === 'string' ? field : (field?.value ?? '');

/** The Internet-Drafts that a record names as its text, without their revisions. */
function draftsOf({ current_spec_version: version, canonical_spec_url: url, spec_url: page }: Protocol): string[] {
  const named = `${versionText(version)} ${url ?? ''} ${page ?? ''}`.matchAll(/\bdraft-[a-z0-9]+(?:-[a-z0-9]+)+/g);
  return [...new Set([...named].map(([name]) => name.replace(/-\d\d$/, '')))];
}

const day = (time: unknown): string | null => (typeof time === 'string' ? time.slice(0, 10) : null);

function compareDraft(protocol: Protocol, name: string, { entries, address }: Edition): Finding[] {
  const fields = entries[name];
  if (fields === undefined) {
    return [];
  }
  const record = { dataset: 'protocols', id: protocol.id } as const;
  const ours = protocol.current_spec_version;
  const revision = new RegExp(`${name}-(\\d\\d)`).exec(versionText(ours))?.[1];
  const findings: Finding[] = [];
  const differ = (field: string, message: string, value: unknown, theirs: unknown): void => {
    findings.push({
      id: `${id}/protocols/${protocol.id}/${field}`,
      kind: 'changed',
      upstream: id,
      source: address,
      message,
      record,
      difference: { field, ours: value, theirs },
    });
  };
  if (typeof fields['rfc_number'] === 'number') {
    differ('current_spec_version', `${name} became RFC ${fields['rfc_number']}`, ours, `RFC ${fields['rfc_number']}`);
  } else if (revision !== undefined && revision !== fields['rev']) {
    const renewed = versionText(ours).replace(`${name}-${revision}`, `${name}-${String(fields['rev'])}`);
    differ('current_spec_version', `${name} is at revision ${String(fields['rev'])}`, ours, renewed);
    differ(
      'spec_date',
      `revision ${String(fields['rev'])} of ${name} is of ${String(fields['date'])}`,
      protocol.spec_date,
      fields['date'],
    );
  }
  if (fields['expires'] !== null && fields['expires'] !== protocol.draft_expires) {
    differ(
      'draft_expires',
      `${name} lapses on ${String(fields['expires'])}`,
      protocol.draft_expires,
      fields['expires'],
    );
  }
  return findings;
}

export const datatracker: Upstream = {
  id,
  title: 'IETF datatracker',
  licence: 'IETF Trust (https://trustee.ietf.org/license-info); facts, no texts',
  compares: 'Revision, day and expiry of every Internet-Draft that a protocol record names.',
  cited: null,
  addresses: ({ protocols }) => [...new Set(protocols.flatMap(draftsOf))].sort().map(addressOf),
  parse: (text, address) => {
    const document = parseJson(text, Document);
    if (address !== addressOf(document.name)) {
      throw new Error(`it is about ${document.name}, another draft`);
    }
    return {
      address,
      version: document.rev,
      entries: {
        [document.name]: {
          rev: document.rev,
          date: day(document.time),
          expires: day(document.expires),
          rfc_number: document.rfc_number ?? null,
        },
      },
    };
  },
  compare: (editions, { records }) => {
    const result: Comparison = { findings: [], covered: [] };
    const byAddress = new Map(editions.map((edition) => [edition.address, edition]));
    for (const protocol of records.protocols) {
      for (const name of draftsOf(protocol)) {
        const edition = byAddress.get(addressOf(name));
        if (edition !== undefined) {
          result.covered.push(`protocols/${protocol.id}`);
          result.findings.push(...compareDraft(protocol, name, edition));
        }
      }
    }
    return result;
  },
};
