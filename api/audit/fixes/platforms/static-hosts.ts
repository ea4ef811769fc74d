import { type Platform, twinsSteps } from './platform.ts';

/** GitHub Pages and other hosts that map paths to files and take no configuration. */
export const githubPages: Platform = {
  name: 'GitHub Pages and other static hosts',
  testedWith: null,
  configure: (site, needs) => ({
    files: [],
    steps: [
      ...(needs.negotiation ? twinsSteps('the folder of your built pages', site) : []),
      'Publish the files of this plan with your pages. On GitHub Pages add an empty file called .nojekyll, or files below /.well-known/ are left out.',
      'Put the links of this plan into the head of your page template: they do in HTML what headers do elsewhere.',
    ],
    limits: [
      "The host can't choose by Accept and can't set headers: markdown has addresses of its own, and HTML names them. To get the rest, put a CDN with functions in front.",
    ],
  }),
};

/** Shopify, Wix, Squarespace, Webflow and the like. */
export const hostedBuilder: Platform = {
  name: 'Shopify, Wix, Squarespace, Webflow',
  testedWith: null,
  configure: () => ({
    files: [],
    steps: [
      'Titles, descriptions and canonical addresses: in the SEO settings of each page.',
      'JSON-LD and the links for the head: Shopify theme.liquid, Wix Custom Code, Squarespace Code Injection, Webflow Custom Code, as "head".',
      'robots.txt: Shopify robots.txt.liquid, Wix SEO Tools, Webflow SEO settings. Squarespace has a switch for AI crawlers only.',
      'llms.txt: Shopify and Wix make one themselves or by an app; Webflow takes an uploaded file; on Squarespace publish it as a page and link to it.',
    ],
    limits: [
      "You can't negotiate by Accept, add response headers or put files below /.well-known/. A CDN in front of your domain can, where your plan allows one.",
    ],
  }),
};
