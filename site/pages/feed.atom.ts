import type { APIRoute } from 'astro';
import { toAtom } from '#api/text/feed-documents.ts';
import { siteFeed } from '../feed.ts';

export const GET: APIRoute = () => new Response(toAtom({ feed: siteFeed(), next: null }));
