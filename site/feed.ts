import { Feed } from 'feed';
import { changes } from './changes.ts';
import { absolute, feedTitle, site } from './site.ts';

/** The news of the site, for Atom (RFC 4287) and JSON Feed 1.1. The changes of records have a feed of their own. */
export function siteFeed(): Feed {
  const feed = new Feed({
    id: absolute('/'),
    title: feedTitle,
    description: `The newest edition of the catalog, of each dataset of the almanac, of the playbook and of the rubric of the audit. Each change of a record: ${absolute('/api/changes?format=atom')}`,
    link: absolute('/'),
    language: site.language,
    updated: new Date(`${changes[0]?.date}T00:00:00Z`),
    generator: site.name,
    copyright: site.license,
    feedLinks: { atom: absolute('/feed.atom'), json: absolute('/feed.json') },
    author: { name: site.owner, email: site.contact, link: absolute('/about') },
  });
  for (const change of changes) {
    feed.addItem({
      id: `${absolute(change.path)}#${change.id}`,
      title: change.title,
      link: absolute(change.path),
      description: change.summary,
      date: new Date(`${change.date}T00:00:00Z`),
    });
  }
  return feed;
}
