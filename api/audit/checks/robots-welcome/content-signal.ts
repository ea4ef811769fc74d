import { defineCheck } from '../../check.ts';
import { headerOf, isSuccess, linkHeaderOf } from '../../facts/headers.ts';
import { robotsOf } from '../../facts/robots.ts';
import { isHtml } from '../../judging/gates.ts';
import { lineOf } from '../../judging/lines.ts';
import { absent, fail, partial, pass, requireFile } from '../../judging/verdicts.ts';

const rslType = 'application/rsl+xml';

const keys = ['search', 'ai-input', 'ai-train', 'use'];

interface Signal {
  from: string;
  values: Map<string, string>;
  problem: string | null;
}

function read(from: string, text: string): Signal {
  const values = new Map<string, string>();
  let problem: string | null = null;
  for (const part of text.split(',').slice(0, 20)) {
    const [key = '', value = ''] = part.split('=').map((piece) => piece.trim().toLowerCase());
    if (key !== '' && (!keys.includes(key) || !/^(?:yes|no|immediate|reference|full)$/.test(value))) {
      problem = `"${part.trim().slice(0, 60)}" is no signal that readers know.`;
    }
    values.set(key, value);
  }
  return { from, values, problem };
}

/** Whether the site says what may be done with its content. */
export const contentSignal = defineCheck({
  id: 'content-signal',
  technique: 'robots-welcome',
  topic: 'Content signals',
  titles: {
    pass: 'Signals say what may be done with the content',
    partial: 'Signals on use of the content are unclear',
    fail: 'Nothing says what may be done with the content',
  },
  causes: ['robots-txt-silent'],
  why: 'robots.txt says what may be fetched. Search, answers and training are three other questions.',
  reference: { title: 'Content Signals', url: 'https://contentsignals.org/' },
  contested:
    'Content-Signal is in use and not standardised; the IETF (AIPREF) drafts Content-Usage with other keys. As a line of robots.txt Content-Usage makes one public auditor call the file invalid, as a header it does no harm. We take either, in robots.txt or as a header, and a license of RSL 1.0.',
  fix: () => ({
    text: 'Add one line to each group, with your own answers.',
    snippet: 'User-agent: *\nContent-Signal: search=yes, ai-input=yes, ai-train=no\nAllow: /',
    language: 'text',
  }),
  judge(evidence) {
    const robots = requireFile(evidence, 'robots');
    const groups = isSuccess(robots) && !isHtml(robots) ? robotsOf(robots).groups : [];
    const home = evidence.exchanges['home'] ?? null;
    const everyone = groups.filter((group) => group.agents.includes('*'));
    const written = (everyone.some((group) => group.contentSignals.length > 0) ? everyone : groups).flatMap(
      (group) => group.contentSignals,
    );
    const header = home === null ? null : headerOf(home, 'content-signal');
    const usage =
      groups.flatMap((group) => group.contentUsage)[0] ?? (home === null ? null : headerOf(home, 'content-usage'));
    const signals = [
      ...written.slice(0, 50).map((text) => read('robots.txt', text)),
      ...(header === null ? [] : [read('the header', header)]),
    ];
    const first = written[0];
    const lines = [
      lineOf(robots, first === undefined ? 'No Content-Signal line.' : 'A Content-Signal line.', { excerpt: first }),
      ...(header === null || home === null
        ? []
        : [lineOf(home, 'A Content-Signal header.', { header: 'content-signal' })]),
    ];
    const license = isSuccess(robots) && !isHtml(robots) && robotsOf(robots).unknownFields.includes('license');
    const linked = home === null ? [] : linkHeaderOf(home);
    if (signals.length === 0 && usage === null && (license || linked.some(({ type }) => type === rslType))) {
      return pass(lineOf(license ? robots : (home ?? robots), 'A license for machines is named (RSL 1.0).'));
    }
    if (signals.length === 0 && usage === null && (!isSuccess(robots) || isHtml(robots))) {
      return absent('robots-valid', lineOf(robots, 'There is no robots.txt, and no header says it either.'));
    }
    if (signals.length === 0) {
      return usage === null
        ? fail(...lines)
        : pass(lineOf(robots, 'Content-Usage is given (draft of the IETF).', { excerpt: usage }));
    }
    const wrong = signals.find((signal) => signal.problem !== null);
    if (wrong?.problem) {
      return partial(...lines, lineOf(robots, `In ${wrong.from}, ${wrong.problem}`));
    }
    const torn = keys.find(
      (key) => new Set(signals.map((signal) => signal.values.get(key)).filter((value) => value !== undefined)).size > 1,
    );
    return torn === undefined
      ? pass(...lines)
      : partial(...lines, lineOf(robots, `The signals contradict each other on ${torn}.`));
  },
});
