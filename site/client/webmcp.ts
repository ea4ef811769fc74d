/**
 * Registers the tools of the site with the browser's model context (WebMCP draft, `document.modelContext`). A browser
 * without it does nothing here: every tool has an HTTP twin.
 */
interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: { properties?: Record<string, unknown>; required?: string[] };
  annotations: { readOnlyHint: boolean; untrustedContentHint?: boolean };
  http: {
    method: 'GET' | 'POST';
    path: string;
    query?: string[];
    body?: string[];
    select?: { list: string; by: string };
  };
}

type Input = Record<string, unknown>;

/** The browser does not check an input against its schema, so what is missing is said before anything is sent. */
function missing(tool: ToolDefinition, input: Input): string[] {
  return (tool.inputSchema.required ?? []).filter((name) => input[name] === undefined || input[name] === '');
}

/** An error as a result: what a tool throws does not reach the agent. */
const failure = (title: string, detail: string): Input => ({ error: { title, detail } });

function toRequest(tool: ToolDefinition, input: Input): Request {
  const { method, path, query = [], body = [] } = tool.http;
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(input[name] ?? '')));
  const url = new URL(filled, location.origin);
  for (const name of query) {
    if (input[name] !== undefined) {
      url.searchParams.set(name, String(input[name]));
    }
  }
  const headers: Record<string, string> = { accept: 'application/json' };
  if (method === 'GET') {
    return new Request(url, { headers });
  }
  headers['content-type'] = 'application/json';
  const picked = Object.fromEntries(
    body.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]),
  );
  return new Request(url, { method, headers, body: JSON.stringify(picked) });
}

async function call(tool: ToolDefinition, input: Input, signal?: AbortSignal): Promise<unknown> {
  const lacking = missing(tool, input);
  if (lacking.length > 0) {
    return failure('An input is missing', `${tool.name} needs ${lacking.join(', ')}.`);
  }
  try {
    const response = await fetch(toRequest(tool, input), signal ? { signal } : {});
    const answer: unknown = await response.json();
    if (!response.ok) {
      return { error: answer };
    }
    if (tool.http.select) {
      const { list, by } = tool.http.select;
      const rows = (answer as Record<string, Input[]>)[list] ?? [];
      const row = rows.find((candidate) => candidate[by] === input[by]);
      return row ?? failure('Nothing has this id', `Known ids: ${rows.map((each) => String(each[by])).join(', ')}.`);
    }
    return answer;
  } catch (error) {
    return signal?.aborted
      ? failure('Cancelled', 'The call was cancelled before the service answered.')
      : failure('The service did not answer', error instanceof Error ? error.message : String(error));
  }
}

async function register(): Promise<void> {
  const context = document.modelContext;
  if (!context) {
    return;
  }
  const response = await fetch('/api/tool-registry');
  const { tools } = (await response.json()) as { tools: ToolDefinition[] };
  await Promise.all(
    tools.map((tool) =>
      context.registerTool({
        name: tool.name,
        title: tool.title,
        description: tool.description,
        inputSchema: tool.inputSchema as { type: 'object' },
        annotations: tool.annotations,
        execute: (input: Input, options?: { signal?: AbortSignal }) => call(tool, input ?? {}, options?.signal),
      }),
    ),
  );
}

register().catch((error: unknown) => console.warn('The tools of this page could not be registered.', error));
