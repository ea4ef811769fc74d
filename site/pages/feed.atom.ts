import type { APIRoute } from 'astro';
import { siteFeed } from '../feed.ts';

export const GET: APIRoute = () => new Response(siteFeed().atom1());
