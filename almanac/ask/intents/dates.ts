import { formatDate, formatWhen, toSentence } from '../format.ts';
import { defineAttribute, type Intent } from '../intent.ts';

/** When something was launched, versioned, retired, or last checked. */
export const dates: readonly Intent[] = [
  defineAttribute({
    id: 'launched',
    patterns: [
      / when (was|were|did|has|have|is|does) /,
      / (released?|launch(ed|es)?|published|announced|introduced|debut(ed)?|come out|came out|created|available|start(ed)?|begin|began|shipped|proposed|appear(ed)?|born|invented)( first)? $/,
      / (first )?(released?|launch(ed)?|publish(ed)?|publication|announced|introduced|come out|came out|created|invented|birth)( date| day| year)? /,
      / (how old is|since when|what (date|day|year|month)|date of|release date|launch date) /,
    ],
    requires: [/ (when|release|released|launch|launched|how old|since|what (date|day|year|month)|date|publication) /],
    unless:
      / (retire[sd]?|deprecated|cut ?off|version|should|use|updated|verified|checked|revision|who|notes|shut|sunset|switched|stop\S*|weights|donated?|handed|licen[cs]e|join(ed)?|gave|given) /,
    certainty: 0.95,
    what: 'a release date of',
    readings: {
      models: { fields: ['released'], say: (name, [day]) => `${name} was released ${formatWhen(String(day))}.` },
      protocols: {
        fields: ['launch_date'],
        say: (name, [day]) => `${name} was first published ${formatWhen(String(day))}.`,
      },
    },
  }),
  defineAttribute({
    id: 'publication-year',
    patterns: [
      / (in )?(what|which) year (was|did|is|were|does) /,
      / (start(ed)?|begin|began|publish(ed)?|appear(ed)?|created|launch(ed)?|proposed|introduced|first|come out|came out|released) /,
    ],
    requires: [/ year /],
    certainty: 0.97,
    what: 'the year of',
    readings: {
      protocols: { fields: ['year'], say: (name, [year]) => `${name} was first published in ${year}.` },
      models: { fields: ['released'], say: (name, [day]) => `${name} was released ${formatWhen(String(day))}.` },
    },
  }),
  defineAttribute({
    id: 'version-date',
    patterns: [
      / (when|date|day|how (old|recent)) /,
      / (last |latest |current |newest |most recent )?(spec(ification)?( version| revision)?|versions?|revisions?|updates?|updated|release)( of| date| dated| from| published| last)? /,
      / (updated|revised|dated|published|released|last|latest) /,
    ],
    requires: [
      / (when|date|day|dated|how old|how recent) /,
      / (spec|specification|version|revision|update|updated|revised|latest) /,
    ],
    certainty: 0.97,
    what: 'the date of the current version of',
    readings: {
      protocols: {
        fields: ['spec_date', 'current_spec_version'],
        say: (name, [day, version]) =>
          toSentence(
            `The current version of ${name}${version === undefined ? '' : `, ${version},`} is dated ${formatDate(String(day))}`,
          ),
      },
    },
  }),
  defineAttribute({
    id: 'dated-version',
    patterns: [
      / (when|what date|on what day|date) (was|were|did|is|has)? ?/,
      / (published|released|dated|issued|come out|came out|appear|appeared|launched|finished|final) /,
    ],
    requires: [/ (when|date|day) /],
    isOfVersion: true,
    certainty: 0.98,
    what: 'the date of that version of',
    readings: {
      protocols: {
        fields: ['spec_date', 'current_spec_version'],
        say: (name, [day, version]) =>
          toSentence(
            `${name}${version === undefined ? '' : `, version ${version},`} is dated ${formatDate(String(day))}`,
          ),
      },
    },
  }),
  defineAttribute({
    id: 'retired',
    patterns: [
      / (retire[sd]?|retirement|retiring|shut ?(down|off)|sunset(ted)?|end of life|eol|discontinued|switched off|turned off|go(es)? away|removed|withdrawn|stop(s|ped)? working|deprecat(ed|ion))( date)? /,
      / (when|what date|on what day) (was|is|will|does|did|are)?( be)? ?/,
    ],
    requires: [
      / (when|date|day) /,
      / (retire|retiring|shut|sunset|end of life|eol|discontinu|switched off|turned off|away|removed|withdrawn|stop|deprecat)/,
    ],
    certainty: 0.965,
    what: 'a day of retirement of',
    readings: {
      models: {
        fields: ['retired_on', 'status'],
        say: (name, [day, status]) =>
          `${name} has ${formatDate(String(day))} as its day of retirement; its status is ${status}.`,
      },
    },
  }),
  defineAttribute({
    id: 'knowledge-cutoff',
    patterns: [
      / (knowledge|training|data)?( data)? ?(cut ?off|cut off)( date)? /,
      / (knowledge( end| stop| reach| go)?s?|how (recent|current|up to date) is|up to date) /,
      / (when|what|date|know(s)? about) /,
    ],
    requires: [/ (cutoff|cut off|knowledge|up to date) /],
    certainty: 0.97,
    what: 'the knowledge cutoff of',
    readings: {
      models: {
        fields: ['knowledge_cutoff'],
        say: (name, [day]) => `The knowledge cutoff of ${name} is ${formatDate(String(day))}.`,
      },
    },
  }),
  defineAttribute({
    id: 'last-verified',
    patterns: [/ (last )?(verified|checked|reviewed|looked up)( on| at| by)? /, / when (was|were|did) /],
    requires: [/ when .*(verified|checked|reviewed|looked up) /],
    certainty: 0.96,
    what: 'when somebody last verified',
    readings: Object.fromEntries(
      ['crawlers', 'protocols', 'models', 'glossary'].map((dataset) => [
        dataset,
        {
          fields: ['last_verified'] as const,
          say: (name: string, [day]: unknown[]) =>
            `The record of ${name} was last verified ${formatWhen(String(day))}.`,
        },
      ]),
    ),
  }),
];
