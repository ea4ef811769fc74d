import { parseCommandLine, UsageError } from '../../command-line.ts';
import { type HostName, hostNames } from './hosts.ts';

/** What the command line of the build says of an edge. */
export interface EdgeOptions {
  hosts: HostName[];
  /** Origin of the service behind the edge; null leaves it to the host's settings. */
  origin: string | null;
}

const isHostName = (name: string): name is HostName => (hostNames as string[]).includes(name);

/** Reads `--edge HOST`, any number of them, and `--origin URL`. Throws UsageError, a sentence on what to type instead. */
export function readEdgeOptions(args: string[], baseUrl: string): EdgeOptions {
  const { values, positionals } = parseCommandLine(args, {
    edge: { type: 'string', multiple: true, default: [] },
    origin: { type: 'string' },
  });
  const unknown = [...positionals, ...values.edge.filter((name) => !isHostName(name))];
  if (unknown.length > 0) {
    throw new UsageError(`${unknown.join(', ')} is no host. Write --edge ${hostNames.join(', --edge ')}.`);
  }
  if (values.origin === undefined) {
    return { hosts: values.edge.filter(isHostName), origin: null };
  }
  const url = URL.parse(values.origin);
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.username) {
    throw new UsageError(`--origin is the address of the service, such as https://origin.example.org, and no path.`);
  }
  if (url.origin === baseUrl) {
    throw new UsageError(`--origin is BASE_URL itself, where the edge answers. Give the service a name of its own.`);
  }
  return { hosts: values.edge.filter(isHostName), origin: url.origin };
}
