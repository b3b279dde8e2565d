import { type CacheSize, cacheSizes } from '@pergola/caches';
import type { LoadShedder } from './load-shedder.ts';
import type { HttpApplication, Vitals } from './types.ts';

/** An answered request, for the metrics. */
interface Answered {
  /** Empty for replies that don't come from an addon (early errors, files). */
  readonly addon: string;
  readonly kind: string;
  readonly status: number;
  readonly seconds: number;
}

/** Metrics of one server, in Prometheus' text format. */
export interface Metrics {
  answered(request: Answered): void;
  /** The metrics, and their content type. */
  text(): Promise<{ readonly text: string; readonly contentType: string }>;
}

/** Creates the metrics of a server. Each server has a separate registry, so that two in one process don't mix. */
export function createMetrics(application: HttpApplication, loadShedder: LoadShedder): Metrics {
  // Loaded on demand, so that startup doesn't wait for a metrics library.
  let figures: Promise<Figures> | null = null;
  const ready = (): Promise<Figures> => {
    figures ??= createFigures(application, loadShedder);
    return figures;
  };
  return {
    answered(request) {
      ready()
        .then(({ count }) => count(request))
        .catch((error: unknown) => application.log.warn({ err: error }, 'A request could not be counted'));
    },
    text: async () => (await ready()).text(),
  };
}

interface Figures {
  count(request: Answered): void;
  text: Metrics['text'];
}

async function createFigures(application: HttpApplication, loadShedder: LoadShedder): Promise<Figures> {
  const { Counter, Gauge, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  const seconds = new Histogram({
    name: 'pergola_http_request_seconds',
    help: 'Response time by app and kind of route, without cached pages',
    labelNames: ['addon', 'kind', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const errors = new Counter({
    name: 'pergola_http_errors_total',
    help: 'Responses with status 500 or above, by app',
    labelNames: ['addon'] as const,
    registers,
  });
  for (const [name, help, read] of gauges(application, loadShedder)) {
    new Gauge({
      name: `pergola_${name}`,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  }
  const { vitals } = application;
  new Gauge({
    name: 'pergola_disk_free_bytes',
    help: 'Free space on each disk the site writes to, by contents',
    labelNames: ['holds'] as const,
    registers,
    async collect() {
      this.reset();
      for (const { holds, free } of await vitals.disks()) this.set({ holds: holds.join(' ') }, free);
    },
  });
  for (const [name, help, read] of vitalGauges) {
    new Gauge({
      name: `pergola_${name}`,
      help,
      registers,
      async collect() {
        this.reset();
        // Without the database, all other metrics are still available.
        const current = await vitals.read().catch(() => null);
        if (current) this.set(read(current));
      },
    });
  }
  for (const [name, help, part] of cacheGauges) {
    new Gauge({
      name: `pergola_${name}`,
      help,
      labelNames: ['cache'] as const,
      registers,
      collect() {
        this.reset();
        for (const [cache, size] of cacheSizes()) this.set({ cache }, size[part]);
      },
    });
  }
  // Looking up the labels each time would cost more than counting.
  const histograms = new Map<string, Observed>();
  const observed = (addon: string, kind: string, status: string): Observed => {
    const key = `${addon} ${kind} ${status}`;
    const histogram = histograms.get(key) ?? seconds.labels({ addon, kind, status });
    histograms.set(key, histogram);
    return histogram;
  };
  return {
    count({ addon, kind, status, seconds: duration }) {
      observed(addon, kind, `${Math.floor(status / 100)}xx`).observe(duration);
      if (status >= 500) errors.inc({ addon });
    },
    text: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  };
}

/** A histogram with its labels filled in. */
interface Observed {
  observe(seconds: number): void;
}

const cacheGauges: readonly (readonly [name: string, help: string, part: keyof CacheSize])[] = [
  ['cache_entries', 'Entries of a cache in memory', 'entries'],
  ['cache_bytes', 'About how many bytes the entries of a cache take', 'bytes'],
  ['cache_bytes_limit', 'How many bytes a cache may grow to; what was not asked for longest goes first', 'limit'],
];

const vitalGauges: readonly (readonly [name: string, help: string, read: (vitals: Vitals) => number])[] = [
  ['breakers_open', 'Parts of apps that are off because they keep failing', ({ breakers }) => breakers?.open ?? 0],
  ['jobs_overdue', 'Jobs that should have begun at least ten minutes ago', ({ jobs }) => jobs?.overdue ?? 0],
  [
    'mail_oldest_waiting_seconds',
    'Age of the oldest email that waits to be sent',
    ({ mail }) => (mail?.oldestWaiting ? Math.max(0, (Date.now() - mail.oldestWaiting.getTime()) / 1000) : 0),
  ],
];

type GaugeOf = readonly [name: string, help: string, read: () => number];

function gauges({ database, pageCache }: HttpApplication, loadShedder: LoadShedder): readonly GaugeOf[] {
  return [
    ['http_requests_inside', 'Requests at work', () => loadShedder.stats.inside],
    ['http_requests_shed', 'Requests turned away since the start because of overload', () => loadShedder.stats.shed],
    ['event_loop_lag_seconds', 'How late the event loop was of late', () => loadShedder.stats.lagMs / 1000],
    ['process_resident_memory_bytes', 'Memory of the process', () => process.memoryUsage.rss()],
    ['process_cpu_seconds', 'CPU time of the process with its threads', () => cpuSeconds()],
    ['page_cache_hits', 'Pages answered from memory since the start', () => pageCache.stats.hits],
    ['page_cache_misses', 'Pages asked for that were not in memory', () => pageCache.stats.misses],
    ['database_reads', 'Reads since the start', () => database.metrics().reads],
    ['database_rows_read', 'Rows that reads answered', () => database.metrics().rowsRead],
    ['database_writes', 'Write transactions since the start', () => database.metrics().writes],
    ['database_writes_failed', 'Write transactions that failed', () => database.metrics().writesFailed],
    ['database_retries', 'Write transactions that were tried again', () => database.metrics().retries],
    [
      'database_unavailable',
      'Calls refused because the database was away or busy',
      () => database.metrics().unavailable,
    ],
    ['database_writes_waiting', 'Writes that wait for their turn', () => database.metrics().writesWaiting],
    ['database_reads_waiting', 'Reads that wait for a connection', () => database.metrics().readsWaiting],
    ['database_connections', 'Open connections', () => database.metrics().connections],
  ];
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
