import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';

const jar = createRequire(import.meta.url).resolve('vnu-jar/build/dist/vnu.jar');

// The checker runs for a second or two: what makes long runs fast would take longer than it saves.
const forShortRuns = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

async function runJava(...options: string[]): Promise<{ code: number; output: string }> {
  const child = spawn('java', ['-Xss8m', ...forShortRuns, '-cp', jar, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code as number, output: output + errors };
}

/** One remark of the Nu HTML checker. */
export interface CheckerMessage {
  type: string;
  url: string;
  lastLine: number;
  lastColumn: number;
  message: string;
  extract?: string;
}

/** Runs the Nu HTML checker over every HTML, SVG and CSS file of a folder. */
export async function checkMarkup(folder: string): Promise<CheckerMessage[]> {
  const { code, output } = await runJava(
    'nu.validator.client.SimpleCommandLineValidator',
    ...['--skip-non-html', '--also-check-svg', '--also-check-css', '--format', 'json', '--exit-zero-always', folder],
  );
  if (code !== 0) {
    throw new Error(`the Nu HTML checker ended with ${code}: ${output.slice(0, 2000)}`);
  }
  return (JSON.parse(output) as { messages: CheckerMessage[] }).messages;
}

/** What the checker does not know: standards younger than it is. */
const unknownToChecker = [
  // The declarative half of WebMCP: a form that is a tool.
  /^Attribute “(?:toolname|tooldescription|toolautosubmit|toolparamdescription)” not allowed on element “(?:form|input|select|textarea)” at this point\.$/,
  // The link relation of Agentic Resource Discovery.
  /^Potentially bad value “ai-catalog” for attribute “rel” on element “link”/,
  // SVG 2, section 13.9.
  /^CSS: “paint-order”: Property “paint-order” doesn't exist\.$/,
  // CSS Conditional Rules 5, sections 3 and 6, and CSS Properties and Values API 1, section 2.
  /^CSS: “container-type”: Property “container-type” doesn't exist\.$/,
  /^CSS: Unrecognized at-rule “@(?:container|property)”$/,
];

/** What the checker finds wrong in a folder, a line for each, without what it does not know. */
export async function markupFaults(folder: string): Promise<string[]> {
  const messages = await checkMarkup(folder);
  return messages
    .filter(({ message }) => !unknownToChecker.some((known) => known.test(message)))
    .map(
      ({ type, url, lastLine, lastColumn, message, extract }) =>
        `${type} · ${url.split(basename(folder)).at(-1)}:${lastLine}:${lastColumn} · ${message} · ${extract?.slice(0, 120)}`,
    );
}

/** What the checker finds wrong in one page that stands in no file. */
export async function pageFaults(html: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-page-'));
  try {
    await writeFile(join(folder, 'page.html'), html);
    return await markupFaults(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Validates XML files against a RELAX NG schema in the compact syntax, with the Jing that the checker brings. Each line
 * that it returns is a complaint and begins with the file's path.
 */
export async function checkXml(schema: string, ...files: string[]): Promise<string[]> {
  const { output } = await runJava('nu.validator.vendor.thaiopensource.relaxng.util.Driver', '-c', schema, ...files);
  return output.split('\n').filter((line) => line !== '');
}
