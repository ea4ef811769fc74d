import { defineCheck } from '../../check.ts';
import { findStrings } from '../../facts/json.ts';
import { bareLine, counted, lineOf } from '../../judging/lines.ts';
import { flawsOfTools } from '../../judging/tool-definitions.ts';
import { fail, notApplicable, partial, pass, requireAnswer, requireFile } from '../../judging/verdicts.ts';
import { listedTools } from '../../judging/web-mcp.ts';

/** Whether the tools that a manifest lists are defined so that a browser takes them. */
export const webmcpSchemas = defineCheck({
  id: 'webmcp-schemas',
  technique: 'webmcp',
  topic: 'Definitions of in-page tools',
  titles: {
    pass: 'Listed tools have a name, a description and a schema',
    partial: 'Some listed tools lack a name, a description or a schema',
    fail: 'Listed tools lack names, descriptions or schemas',
  },
  causes: ['webmcp'],
  why: 'A model chooses a tool by its description and fills in its schema. A browser refuses a definition that lacks one.',
  reference: { title: 'WebMCP: draft of the W3C community group', url: 'https://webmachinelearning.github.io/webmcp/' },
  fix: () => ({
    text: 'Define each tool in full where the manifest lists it, from the same source as the script.',
    snippet:
      '{\n  "name": "search_site",\n  "description": "Search the pages of this site.",\n  "inputSchema": {\n    "type": "object",\n    "properties": { "q": { "type": "string", "description": "The words to search for" } },\n    "required": ["q"]\n  }\n}',
    language: 'json',
  }),
  judge(evidence) {
    const tools = listedTools(evidence);
    if (tools.length === 0) {
      requireFile(evidence, 'agents-json');
      return notApplicable(bareLine(evidence, 'No manifest lists in-page tools.'));
    }
    const flaws = flawsOfTools(tools);
    const names = tools.flatMap((tool) => findStrings(tool, 'name')).slice(0, 12);
    const line = (note: string) => lineOf(requireAnswer(evidence, 'agents-json'), note, { excerpt: names.join(', ') });
    if (flaws.length === 0) {
      return pass(line(`Listed: ${counted(tools.length, 'tool')}, each with name, description and schema.`));
    }
    const note = `${counted(flaws.length, 'flaw')} in ${counted(tools.length, 'tool')}: ${flaws.slice(0, 3).join('; ')}.`;
    return flaws.length < tools.length ? partial(line(note)) : fail(line(note));
  },
});
