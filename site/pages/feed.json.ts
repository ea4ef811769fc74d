import type { APIRoute } from 'astro';
import { toJsonFeed } from '#api/text/feed-documents.ts';
import { siteFeed } from '../feed.ts';

export const GET: APIRoute = () => new Response(toJsonFeed({ feed: siteFeed(), next: null }));
