import { z } from 'zod';
import type { Protocol } from '#almanac/datasets/protocols.ts';
import { type Comparison, type Edition, type Finding, type Known, parseJson, type Upstream } from '../upstream.ts';

const id = 'github-tags';

const Tags = z.array(z.looseObject({ name: z.string().min(1).max(200), commit: z.looseObject({ sha: z.string() }) }));

const addressOf = (repository: string): string => `https://api.github.com/repos/${repository}/tags?per_page=100`;

/** The repositories that hold a protocol or its libraries, as "owner/name" in lower case. */
function repositoriesOf({ source, canonical_spec_url, entity_uri, sdks }: Protocol): string[] {
  const addresses = [source, canonical_spec_url, entity_uri, ...sdks.map(({ repository }) => repository)];
  return [
    ...new Set(
      addresses.flatMap((address) => {
        const [, owner, name] = /^https:\/\/github\.com\/([^/]+)\/([^/#?]+)/.exec(address ?? '') ?? [];
        return owner === undefined || name === undefined
          ? []
          : [`${owner}/${name.replace(/\.git$/, '')}`.toLowerCase()];
      }),
    ),
  ];
}

/** The parts of a version such as "v1.0.1" or "2026-08-25"; null for anything else, release candidates among it. */
const versionParts = (text: string): number[] | null =>
  /^v?\d+(?:[.-]\d+){1,2}$/.test(text) ? text.replace(/^v/, '').split(/[.-]/).map(Number) : null;

function isNewer(tag: string, version: string): boolean {
  const [theirs, ours] = [versionParts(tag), versionParts(version)];
  if (theirs === null || ours === null || theirs.length !== ours.length) {
    return false;
  }
  const place = theirs.findIndex((part, index) => part !== ours[index]);
  return place !== -1 && (theirs[place] ?? 0) > (ours[place] ?? 0);
}

/** The version that a record gives, if it is one that a tag can be compared with. */
const versionOf = ({ current_spec_version: version }: Protocol): string =>
  typeof version === 'string' ? version : (version?.value ?? '');

function newestVersion(tags: readonly string[], version: string): string | null {
  return tags.filter((tag) => isNewer(tag, version)).sort((one, other) => (isNewer(one, other) ? -1 : 1))[0] ?? null;
}

function compareRepository(protocol: Protocol, edition: Edition, { previous }: Known): Finding[] {
  const tags = Object.keys(edition.entries);
  const before = previous[edition.address];
  const page = edition.address
    .replace('https://api.github.com/repos/', 'https://github.com/')
    .replace('?per_page=100', '');
  const record = { dataset: 'protocols', id: protocol.id } as const;
  const isOwn = repositoriesOf({ ...protocol, sdks: [] }).some(
    (repository) => edition.address === addressOf(repository),
  );
  const newest = isOwn ? newestVersion(tags, versionOf(protocol)) : null;
  if (newest !== null) {
    const theirs = newest.replace(/^v/, '');
    return [
      {
        id: `${id}/protocols/${protocol.id}/current_spec_version`,
        kind: 'changed',
        upstream: id,
        source: page,
        message: `has the tag ${newest}`,
        record,
        difference: { field: 'current_spec_version', ours: protocol.current_spec_version, theirs },
      },
    ];
  }
  return tags
    .filter((tag) => before !== undefined && !Object.hasOwn(before, tag))
    .map(
      (tag): Finding => ({
        id: `${id}/new/${page}/${tag}`,
        kind: 'new',
        upstream: id,
        source: page,
        message: `has a new tag, ${tag}`,
        record,
      }),
    );
}

export const githubTags: Upstream = {
  id,
  title: 'GitHub tags',
  licence: 'GitHub Terms of Service; names of tags are facts',
  compares:
    'Tags of the repositories of each protocol: a newer version than the record gives, and tags not seen before.',
  cited: null,
  addresses: ({ protocols }) => [...new Set(protocols.flatMap(repositoriesOf))].sort().map(addressOf),
  parse: (text, address) => ({
    address,
    version: null,
    entries: Object.fromEntries(parseJson(text, Tags).map(({ name, commit }) => [name, { sha: commit.sha }])),
  }),
  compare: (editions, known) => {
    const result: Comparison = { findings: [], covered: [] };
    const byAddress = new Map(editions.map((edition) => [edition.address, edition]));
    for (const protocol of known.records.protocols) {
      for (const repository of repositoriesOf(protocol)) {
        const edition = byAddress.get(addressOf(repository));
        if (edition !== undefined) {
          // A first look at a repository whose version no tag is like compares nothing.
          const isCompared =
            known.previous[edition.address] !== undefined || versionParts(versionOf(protocol)) !== null;
          result.covered.push(...(isCompared ? [`protocols/${protocol.id}`] : []));
          result.findings.push(...compareRepository(protocol, edition, known));
        }
      }
    }
    return result;
  },
};
