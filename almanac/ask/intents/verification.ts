import { formatList } from '../format.ts';
import { defineAttribute, type Intent } from '../intent.ts';

const MAX_PREFIXES = 8;

const toPrefixes = (snapshot: unknown): string => {
  if (
    typeof snapshot !== 'object' ||
    snapshot === null ||
    !('prefixes' in snapshot) ||
    !Array.isArray(snapshot.prefixes)
  ) {
    return '';
  }
  const shown = snapshot.prefixes.slice(0, MAX_PREFIXES).map(String);
  const some = snapshot.prefixes.length > MAX_PREFIXES ? 'Some of the prefixes' : 'The prefixes';
  const seen = 'seen' in snapshot ? ` as seen on ${snapshot.seen}` : '';
  return `\n${some}${seen}: ${shown.join(', ')}.`;
};

/** How a site finds out whether a request really comes from a crawler. */
export const verification: readonly Intent[] = [
  defineAttribute({
    id: 'verify',
    patterns: [
      / (verif(y|ied|ication|ying)|authentic(ate|ated|ation|ity)?|genuine(ly)?|legit(imate)?|spoof(ed|ing)?|fake(d)?|impersonat\S*|really (from|comes?|is)|prove|trust|confirm) /,
      / (comes?|coming|is) (really |actually |genuinely )?from /,
      / (tell|know|check|sure|detect|find out|make sure) (whether|if|that|when)? ?/,
      / (claim(s|ing)?( to be)?|requests?|visits?|visitors?|hits?|traffic) /,
    ],
    requires: [
      / (verif|authentic|genuine|legit|spoof|fake|impersonat|really|actual|prove|trust|confirm|claim|pretend)/,
    ],
    unless: / (web bot auth|signatures?|signs?) (?!.*how).*/,
    certainty: 0.95,
    what: 'how to verify',
    readings: {
      crawlers: {
        fields: ['verify', 'published_ip_range_url', 'verification_methods'],
        say: (name, [how, list]) =>
          `To verify ${name}: ${how}${list === undefined ? '' : ` The published list is at ${list}`}`,
      },
    },
  }),
  defineAttribute({
    id: 'web-bot-auth',
    patterns: [
      / (web bot auth|webbotauth|web bot authentication|http message signatures?|message signatures?|sign(s|ed|ing)?( its| their)?( http)? requests?|signatures?|cryptographic(ally)?|rfc 9421|request signing|unsigned) /,
      / (support(s|ed)?|use[sd]?|using|implement(s|ed)?|send(s)?|sign(s|ed)?|speak(s)?|have|with|via|requests?) /,
    ],
    requires: [
      / (web bot auth|webbotauth|web bot authentication|signatures?|sign|signs|signed|signing|unsigned|cryptographic\S*|rfc 9421)/,
    ],
    certainty: 0.96,
    what: 'whether Web Bot Auth is supported by',
    readings: {
      crawlers: {
        fields: ['supports_web_bot_auth', 'signature_agent_domain', 'jwks_url'],
        holds: ([signs]) => signs === true,
        say: (name, [signs, domain, keys]) =>
          [
            signs === true
              ? `${name} supports Web Bot Auth, so its requests carry an HTTP message signature.`
              : `${name} does not support Web Bot Auth.`,
            domain === undefined ? '' : ` Its Signature-Agent host is ${domain}.`,
            keys === undefined ? '' : ` Its keys are at ${keys}`,
          ].join(''),
      },
    },
  }),
  defineAttribute({
    id: 'address-ranges',
    patterns: [
      / (published )?(ip|ips|ip address(es)?|addresses|cidr|ipv4|ipv6)( address)?( ranges?| lists?| blocks?| prefixes| subnets?)?( list)? /,
      / (publish(es|ed)?|crawl from|come from|list of|ranges?|prefixes) /,
    ],
    requires: [/ (ip|ips|addresses|cidr|ipv4|ipv6|ranges|prefixes) /],
    unless: / (email|e mail|postal|cost) /,
    certainty: 0.96,
    what: 'published address ranges of',
    readings: {
      crawlers: {
        fields: ['published_ip_range_url', 'ip_ranges'],
        say: (name, [url, snapshot]) => `The address ranges of ${name} are published at ${url}${toPrefixes(snapshot)}`,
      },
    },
  }),
  defineAttribute({
    id: 'reverse-dns',
    patterns: [
      / (reverse dns|rdns|hostnames?|host names?|ptr|dns suffix(es)?|domain suffix)( suffix(es)?| records?| names?)? /,
    ],
    certainty: 0.96,
    what: 'a reverse DNS name for',
    readings: {
      crawlers: {
        fields: ['reverse_dns_suffix', 'verify'],
        say: (name, [suffixes]) =>
          `The host name of a genuine address of ${name} ends in ${formatList(Array.isArray(suffixes) ? suffixes.map(String) : [], 'or')}. Resolve it forward to the same address.`,
      },
    },
  }),
];
