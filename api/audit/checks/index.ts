import type { Check } from '../check.ts';
import { headings } from './accessibility-tree/headings.ts';
import { imageAlternatives } from './accessibility-tree/image-alternatives.ts';
import { landmarks } from './accessibility-tree/landmarks.ts';
import { language } from './accessibility-tree/language.ts';
import { namedControls } from './accessibility-tree/named-controls.ts';
import { agentCard } from './agent-api/agent-card.ts';
import { agentSkills } from './agent-api/agent-skills.ts';
import { agentsJson } from './agent-api/agents-json.ts';
import { apiCatalog } from './agent-api/api-catalog.ts';
import { helpful404 } from './agent-api/helpful-404.ts';
import { mcpServer } from './agent-api/mcp-server.ts';
import { mcpServerCard } from './agent-api/mcp-server-card.ts';
import { openapi } from './agent-api/openapi.ts';
import { paymentRequired } from './agent-api/payment-required.ts';
import { real404 } from './agent-api/real-404.ts';
import { structuredErrors } from './agent-api/structured-errors.ts';
import { hsts } from './agent-identity/hsts.ts';
import { https } from './agent-identity/https.ts';
import { oauthMetadata } from './agent-identity/oauth-metadata.ts';
import { signatureDirectory } from './agent-identity/signature-directory.ts';
import { signedRequests } from './agent-identity/signed-requests.ts';
import { aboutAndContact } from './ax-trust/about-and-contact.ts';
import { agentsServed } from './ax-trust/agents-served.ts';
import { cacheLifetimes } from './ax-trust/cache-lifetimes.ts';
import { noBotChallenge } from './ax-trust/no-bot-challenge.ts';
import { noLoginWall } from './ax-trust/no-login-wall.ts';
import { nosniff } from './ax-trust/nosniff.ts';
import { securityTxt } from './ax-trust/security-txt.ts';
import { canonical } from './json-ld/canonical.ts';
import { jsonLdDescribes } from './json-ld/json-ld-describes.ts';
import { jsonLdParses } from './json-ld/json-ld-parses.ts';
import { titleAndDescription } from './json-ld/title-and-description.ts';
import { llmsTxtCovers } from './llms-txt/llms-txt-covers.ts';
import { llmsTxtLinked } from './llms-txt/llms-txt-linked.ts';
import { llmsTxtLinks } from './llms-txt/llms-txt-links.ts';
import { llmsTxtMarkdown } from './llms-txt/llms-txt-markdown.ts';
import { llmsTxtSize } from './llms-txt/llms-txt-size.ts';
import { llmsTxtValid } from './llms-txt/llms-txt-valid.ts';
import { aiCatalog } from './machine-discovery/ai-catalog.ts';
import { feed } from './machine-discovery/feed.ts';
import { linkHeaders } from './machine-discovery/link-headers.ts';
import { shortRedirects } from './machine-discovery/short-redirects.ts';
import { sitemapLastmod } from './machine-discovery/sitemap-lastmod.ts';
import { sitemapMarkdown } from './machine-discovery/sitemap-markdown.ts';
import { sitemapValid } from './machine-discovery/sitemap-valid.ts';
import { fencesClosed } from './markdown-negotiation/fences-closed.ts';
import { frontMatter } from './markdown-negotiation/front-matter.ts';
import { linksAbsolute } from './markdown-negotiation/links-absolute.ts';
import { markdownOnRequest } from './markdown-negotiation/markdown-on-request.ts';
import { qValues } from './markdown-negotiation/q-values.ts';
import { qZero } from './markdown-negotiation/q-zero.ts';
import { twinAddress } from './markdown-negotiation/twin-address.ts';
import { twinAdvertised } from './markdown-negotiation/twin-advertised.ts';
import { varyAccept } from './markdown-negotiation/vary-accept.ts';
import { contentStartsEarly } from './no-js-parity/content-starts-early.ts';
import { contentWithoutScripts } from './no-js-parity/content-without-scripts.ts';
import { formsWithoutScripts } from './no-js-parity/forms-without-scripts.ts';
import { pageSize } from './no-js-parity/page-size.ts';
import { aiCrawlerStance } from './robots-welcome/ai-crawler-stance.ts';
import { contentSignal } from './robots-welcome/content-signal.ts';
import { indexable } from './robots-welcome/indexable.ts';
import { robotsValid } from './robots-welcome/robots-valid.ts';
import { sitemapInRobots } from './robots-welcome/sitemap-in-robots.ts';
import { machineLayerShown } from './transparent-machine-layer/machine-layer-shown.ts';
import { noHiddenInstructions } from './transparent-machine-layer/no-hidden-instructions.ts';
import { twinMatchesPage } from './transparent-machine-layer/twin-matches-page.ts';
import { webmcpForms } from './webmcp/webmcp-forms.ts';
import { webmcpSchemas } from './webmcp/webmcp-schemas.ts';
import { webmcpTools } from './webmcp/webmcp-tools.ts';

/** All checks, in the order of the techniques and within each by what matters first. */
export const checks: readonly Check[] = [
  llmsTxtValid,
  llmsTxtLinks,
  llmsTxtCovers,
  llmsTxtLinked,
  llmsTxtMarkdown,
  llmsTxtSize,
  markdownOnRequest,
  varyAccept,
  qValues,
  qZero,
  twinAddress,
  twinAdvertised,
  linksAbsolute,
  fencesClosed,
  frontMatter,
  webmcpTools,
  webmcpSchemas,
  webmcpForms,
  jsonLdParses,
  jsonLdDescribes,
  titleAndDescription,
  canonical,
  robotsValid,
  aiCrawlerStance,
  contentSignal,
  sitemapInRobots,
  indexable,
  headings,
  landmarks,
  language,
  namedControls,
  imageAlternatives,
  contentWithoutScripts,
  contentStartsEarly,
  pageSize,
  formsWithoutScripts,
  sitemapValid,
  sitemapLastmod,
  sitemapMarkdown,
  linkHeaders,
  shortRedirects,
  aiCatalog,
  feed,
  real404,
  helpful404,
  structuredErrors,
  openapi,
  apiCatalog,
  agentsJson,
  mcpServer,
  mcpServerCard,
  agentSkills,
  agentCard,
  paymentRequired,
  agentsServed,
  noBotChallenge,
  noLoginWall,
  cacheLifetimes,
  aboutAndContact,
  securityTxt,
  nosniff,
  https,
  hsts,
  oauthMetadata,
  signatureDirectory,
  signedRequests,
  machineLayerShown,
  twinMatchesPage,
  noHiddenInstructions,
];
