import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AnsweredRequest } from '../http/request-context.ts';
import type { Database } from '../stores/postgres/database.ts';

/** What the metrics look at when they are read. */
export interface Watched {
  instance: string;
  build: string | null;
  baseUrl: string;
  entries(): { guestbook: number; directory: number; reports: number };
  audits(): { running: number; queued: number };
  /** How long the live pages have been behind the stores, in seconds. */
  behindSeconds(): number;
  database: Database | null;
}

/** The metrics of this process in the Prometheus text format. */
export interface Metrics {
  observe(request: AnsweredRequest): void;
  /** Content type and text. */
  read(): Promise<{ type: string; text: string }>;
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']);

/**
 * Builds the metrics. Labels are templates of routes, methods and statuses: no path, address, User-Agent or id of an entry is
 * ever one, so that they identify neither visitors nor callers, nor can a caller make their number grow.
 */
export function createMetrics(watched: Watched): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const { instance, build, baseUrl, database } = watched;
  registry.setDefaultLabels({ instance });
  new Gauge({
    name: 'porchlight_build_info',
    help: 'The build that is served.',
    labelNames: ['build', 'base_url'],
    registers,
  }).set({ build: build ?? 'none', base_url: baseUrl }, 1);
  const duration = new Histogram({
    name: 'porchlight_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.25, 1, 2.5, 10, 30],
    registers,
  });
  const bytes = new Counter({
    name: 'porchlight_http_response_bytes_total',
    help: 'Bytes of the bodies that were sent, as far as their length was declared.',
    labelNames: ['route'],
    registers,
  });
  const cut = new Counter({
    name: 'porchlight_http_incomplete_total',
    help: 'Answers that the client did not wait for.',
    labelNames: ['route'],
    registers,
  });
  const gauge = (name: string, help: string, read: () => Record<string, number>, label: string): void => {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      collect() {
        for (const [value, number] of Object.entries(read())) {
          this.set({ [label]: value }, number);
        }
      },
    });
  };
  gauge('porchlight_store_entries', 'What is kept.', () => watched.entries(), 'store');
  gauge('porchlight_audits', 'Audits that run and that wait.', () => watched.audits(), 'state');
  gauge(
    'porchlight_publish_lag_seconds',
    'How long pages have been behind the stores.',
    () => ({ all: watched.behindSeconds() }),
    'page',
  );
  if (database !== null) {
    gauge(
      'porchlight_db_pool',
      'Connections to the database, and callers that wait for one.',
      () => database.pool,
      'state',
    );
    gauge(
      'porchlight_db_listening',
      'Whether changes of other instances are heard.',
      () => ({ all: database.isListening ? 1 : 0 }),
      'channel',
    );
  }
  return {
    observe({ route, method, status, milliseconds, bytes: length, complete }) {
      const labels = { route, method: knownMethods.has(method) ? method : 'other', status };
      duration.observe(labels, milliseconds / 1000);
      bytes.inc({ route }, length ?? 0);
      if (!complete) {
        cut.inc({ route });
      }
    },
    read: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}
