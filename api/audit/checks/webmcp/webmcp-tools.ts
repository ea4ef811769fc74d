import { defineCheck } from '../../check.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { pagesToJudge } from '../../judging/sampled-pages.ts';
import { fail, notApplicable, partial, pass, requireFile, unchecked } from '../../judging/verdicts.ts';
import { claimsWebMcp, registeringScript, scriptsOf } from '../../judging/web-mcp.ts';

const around = (text: string): string => {
  const at = text.search(/\b(?:registerTool|provideContext)\b/);
  return text.slice(Math.max(0, at - 60), at + 120);
};

/** Whether the home page registers the tools that it is said to have. */
export const webmcpTools = defineCheck({
  id: 'webmcp-tools',
  technique: 'webmcp',
  topic: 'In-page tools',
  titles: {
    pass: 'The home page registers its tools',
    partial: 'In-page tools use an outdated interface',
    fail: 'Announced in-page tools are not registered',
  },
  causes: ['webmcp'],
  why: 'An agent in a browser calls a named tool with checked input, in place of guessing at buttons.',
  reference: { title: 'WebMCP: draft of the W3C community group', url: 'https://webmachinelearning.github.io/webmcp/' },
  contested:
    'WebMCP is a draft, and browsers have it behind a flag. Earlier texts had navigator.modelContext and provideContext; current ones have document.modelContext and registerTool, which we ask for. No browser runs the page here: we judge by the text of the scripts, and whether a tool works only a browser can say.',
  fix: ({ origin }) => ({
    text: 'Register each tool in a script of the home page, on document.modelContext where the browser has it.',
    snippet: `if (document.modelContext) {\n  await document.modelContext.registerTool({\n    name: 'search_site',\n    description: 'Search the pages of ${new URL(origin).host}.',\n    inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },\n    execute: async ({ q }) => (await fetch(\`${origin}/search?q=\${encodeURIComponent(q)}\`)).text(),\n  });\n}`,
    language: 'js',
  }),
  judge(evidence) {
    const found = registeringScript(evidence);
    if (found !== null) {
      const line = (note: string) => lineOf(found.exchange, note, { excerpt: around(found.text) });
      return /\bdocument\b[^;]{0,40}modelContext/.test(found.text) && /\bregisterTool\b/.test(found.text)
        ? pass(line('A script registers tools. Whether they work, only a browser can say.'))
        : partial(line('A script registers tools in a way that current browsers no longer have.'));
    }
    const annotated = pagesToJudge(evidence).find(({ facts }) => facts.forms.some(({ toolName }) => toolName !== null));
    if (annotated !== undefined) {
      return pass(lineOf(annotated.exchange, 'A form is annotated as a tool, which a browser registers by itself.'));
    }
    if (!claimsWebMcp(evidence)) {
      requireFile(evidence, 'agents-json');
      return notApplicable(
        bareLine(evidence, 'In-page tools are not claimed, and no script that was read registers any.'),
      );
    }
    const manifest = evidence.exchanges['agents-json'];
    const claim = manifest === undefined ? [] : [lineOf(manifest, 'The manifest says that pages hold tools.')];
    return scriptsOf(evidence).areAll
      ? fail(...claim, bareLine(evidence, 'No script of the home page registers a tool, and no form is annotated.'))
      : unchecked(
          ...claim,
          bareLine(evidence, 'Not all scripts of the home page were read, and those that were register none.'),
        );
  },
});
