import { checks } from '#api/audit/checks/index.ts';
import type { CheckResult } from '#api/audit/report.ts';
import type { Format } from './index.ts';

const pageOf = ({ evidence }: CheckResult, home: string): string =>
  /https?:\/\/[^\s)]+/.exec(evidence[0]?.request ?? '')?.[0] ?? home;

/** For code scanning (SARIF 2.1.0, OASIS): a rule for each check, a result for each finding. */
export const toSarif: Format = ({ results, version }) => {
  const rules = checks.map(({ id, title, why, reference }) => ({
    id,
    shortDescription: { text: title },
    fullDescription: { text: why },
    helpUri: reference.url,
  }));
  const found = results.flatMap((result) =>
    result.kind === 'report'
      ? result.report.checks
          .filter(({ status }) => status === 'fail' || status === 'partial')
          .map((check) => ({
            ruleId: check.id,
            ruleIndex: rules.findIndex(({ id }) => id === check.id),
            level: check.status === 'fail' ? 'warning' : 'note',
            message: { text: [check.title, check.evidence[0]?.note, check.fix?.text].filter(Boolean).join('. ') },
            locations: [{ physicalLocation: { artifactLocation: { uri: pageOf(check, result.report.final_url) } } }],
            partialFingerprints: { siteAndCheck: `${result.report.final_url} ${check.id}` },
          }))
      : [],
  );
  const unreachable = results.flatMap((result) =>
    result.kind === 'unreachable' ? [{ level: 'error', message: { text: `${result.url}: ${result.reason}` } }] : [],
  );
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Porchlight', version, rules } },
        invocations: [{ executionSuccessful: unreachable.length === 0, toolExecutionNotifications: unreachable }],
        results: found,
      },
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
};
