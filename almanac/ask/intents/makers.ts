import { toSentence } from '../format.ts';
import { defineAttribute, type Intent } from '../intent.ts';

const behind =
  / (who|whom|what|which) … (company |organi[sz]ation |vendor |firm |lab |team |group |person |people )?(is |are |was |were |has |have )?(behind|responsible for|owns?) /;

/** Who runs, makes, maintains or decides about something. */
export const makers: readonly Intent[] = [
  defineAttribute({
    id: 'maker',
    patterns: [
      behind,
      / (who|which|what)( company| companies| organi[sz]ations?| vendors?| labs?| firms?| people| person| teams?| groups?)? (first |originally )?(is |are )?(operates?|operated|operating|running|making|runs?|ran|makes?|made|develops?|developed|creates?|created|invented|builds|built|wrote|authored|designed|started|launched|publishes|published|proposed|owns?|released|provides?|trained|introduced|came up with|sends?) /,
      / (operator|creator|maker|developer|author|inventor|provider|vendor|owner|company|publisher)s?( of| behind| for| is)? /,
      / (is|are|was|were) … (made|operated|run|created|developed|built|invented|owned|written|proposed|published) by /,
      / (made|operated|run|created|developed|invented|owned|written|proposed) by (who|whom|which company|what company) /,
      / whose (bot|crawler|model|protocol|spider|agent) /,
      / (belongs?) to /,
    ],
    unless:
      / (how many|when|list|maintains?|maintainers?|governs?|built on|builds on) | (which|what) (bots|crawlers|models|protocols|standards) /,
    certainty: 0.96,
    what: 'who is behind',
    readings: {
      crawlers: { fields: ['operator'], say: (name, [operator]) => `${name} is operated by ${operator}.` },
      models: { fields: ['provider'], say: (name, [provider]) => `${name} is made by ${provider}.` },
      protocols: {
        fields: ['creator'],
        say: (name, [creator]) => toSentence(`${name} was first published by ${creator}`),
      },
    },
  }),
  defineAttribute({
    id: 'maintainer',
    patterns: [
      / (who (is |are |now |currently )?(maintain(s|ing)?|edit(s|ing)?)|maintainers?|maintained by|(spec )?editors?( of)?|maintains|looks? after|stewards?|takes care of|in charge of)( \S+ now)? /,
      / who is /,
    ],
    requires: [/ (maintain|edit|look|steward|takes care|in charge)/],
    certainty: 0.96,
    what: 'who maintains',
    readings: {
      protocols: {
        fields: ['maintainer'],
        say: (name, [maintainer]) => toSentence(`${name} is maintained by ${maintainer}`),
      },
      crawlers: { fields: ['operator'], say: (name, [operator]) => `${name} is operated by ${operator}.` },
      models: { fields: ['provider'], say: (name, [provider]) => `${name} is made by ${provider}.` },
    },
  }),
  defineAttribute({
    id: 'governance',
    patterns: [
      / (who|which body|which organi[sz]ation|what body|what organi[sz]ation|which foundation|what foundation|which group) … (governs?|decides( about| on)?|controls?|oversees?|standardi[sz](es|ed)|hosts?|is in charge of|owns?|stewards?|manages?) /,
      / (governance( body| model| structure)?|governing body|standards body|governed by|steward of|standardi[sz]ed by) /,
      / (is|are) … (governed|standardi[sz]ed|overseen|hosted) /,
    ],
    unless: /governed by (?!who|whom|which|what)\S|^ (which|what) (protocols|standards|projects|specs) /,
    certainty: 0.965,
    what: 'a governing body of',
    readings: {
      protocols: {
        fields: ['governance_body'],
        say: (name, [body]) => toSentence(`The governance of ${name}: ${body}`),
      },
    },
  }),
];
