import { cleanLine } from '../text/clean-text.ts';

/**
 * Text of a caller that an answer repeats, cleaned as the guestbook cleans what it stores: on one line, without characters
 * that people can't see. For `overwrite` of a string schema, before its least length is checked.
 */
export const echoedLine = (text: string): string => cleanLine(text, { characters: 4096 }).text;

/** Goes with an answer that repeats a caller's text: no search engine shall show it as the site's own. */
export const unindexed = { headers: { 'X-Robots-Tag': 'noindex' } } as const;
