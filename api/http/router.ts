import { Router } from 'express';

/** A router that takes paths to the letter: `/Audit` and `/audit/` are not `/audit`. */
export const createRouter = (): Router => Router({ caseSensitive: true, strict: true });

/** The path of a tool or an endpoint, an RFC 6570 level 1 template, in the form of the router. */
export const toRoutePath = (template: string): string => template.replace(/\{(\w+)\}/g, ':$1');
