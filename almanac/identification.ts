import type { Crawler } from './datasets/crawlers.ts';

/**
 * What a caller says it is. `ai-crawler` collects pages for models or for AI search, `ai-agent` fetches or acts for a
 * person, `bot` is any other program that visits by itself, `http-library` names a library or command-line client.
 */
export type CallerKind = 'ai-crawler' | 'ai-agent' | 'bot' | 'http-library' | 'browser' | 'unknown';

/** How a site can find out whether the claim is true. `method` is the strongest way that the operator offers. */
export interface Proof {
  method: Crawler['verification_methods'][number];
  /** All the ways that the operator offers, strongest first. */
  methods: Crawler['verification_methods'];
  published_ip_range_url: string | null;
  reverse_dns: { suffixes: string[]; procedure: string } | null;
  web_bot_auth: { signature_agent_domain: string | null; jwks_url: string | null } | null;
  documentation_url: string | null;
  /** What to do, in order. */
  steps: string[];
}

/** Whether an address is in the ranges that the operator publishes, as far as our copy of the list can tell. */
export interface AddressFinding {
  address: string;
  /** `stale` when our copy is older than 30 days: operators add and drop ranges. Null when there is nothing to compare. */
  in_published_ranges: boolean | 'stale' | null;
  /** Our copy of the list: the day on which it read like this, its age in days, and whether it has the address. */
  list: { seen: string; age_days: number; contains: boolean } | null;
  note: string;
}

/** What a User-Agent string claims to be. It is a claim, never proof. */
export interface Identification {
  /** The part of the string that was read: its first 1,024 characters. */
  ua: string;
  /** The token that decided: as the dataset or the token list has it, or as the string has it for other bots. */
  matched: string | null;
  kind: CallerKind;
  /** True for everything automated: `ai-crawler`, `ai-agent`, `bot` and `http-library`. */
  isLikelyAgent: boolean;
  crawler: Crawler | null;
  /** The entry of the public list of bots that the string names; null where the dataset has a record, or neither knows it. */
  listed: {
    name: string;
    purposes: string[];
    documentation_url: string | null;
    source: { title: string; url: string; license: string };
  } | null;
  operator: string | null;
  /** 0 to 1: see `confidenceOf`. */
  confidence: number;
  note: string;
  how_to_prove: Proof;
  /** Present when an address was given. */
  ip?: AddressFinding;
}
