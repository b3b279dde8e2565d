import type { ServerResponse } from 'node:http';
import type { Tracker } from '@pergola/core';
import { type Log, NOT_READY, TooMany, Unauthenticated, Unavailable } from '@pergola/core';
import type { Changes } from '@pergola/db';
import { LiveValue } from '@pergola/page-cache';
import { isPrivateNetwork } from './security/hosts-address.ts';

/** So many streams are open at once in a process, and for one network; a browser has one for each tab that is seen. */
const MOST_STREAMS = { inAll: 1500, network: 40 } as const;
/** A sign of life, so that proxies keep the line open, and a line that broke is noticed. */
const HEARTBEAT_MS = 20_000;
/** Changes within this interval are sent together. */
const GATHER_MS = 250;
/** Browsers come again after so long, each at another moment: after a switch of addons all of them do. */
const RETRY_MS = { least: 1_000, spread: 3_000 } as const;

/** A line that is open to a browser. */
interface Stream {
  readonly res: ServerResponse;
  readonly network: string;
  /** Reads the value to send. */
  readonly read: (tracker: Tracker) => Promise<unknown>;
  isOpen: boolean;
}

/** Value shared by all streams with the same key, and the changes that invalidate it. */
class Topic {
  readonly generation: object;
  readonly streams = new Set<Stream>();
  readonly text: LiveValue<string>;
  told: string | null = null;

  constructor(changes: Changes, generation: object) {
    this.generation = generation;
    this.text = new LiveValue(changes, async (tracker) => {
      // Any of them will do: all would read the same.
      const [stream] = this.streams;
      return JSON.stringify((await stream?.read(tracker)) ?? null);
    });
  }
}

/** Who asks for which stream. */
interface Asked {
  /** Shared by all streams that receive the same value. */
  readonly key: string;
  readonly generation: object;
  readonly network: string;
  readonly res: ServerResponse;
  readonly read: Stream['read'];
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Server-sent events: sends browsers the result of a route, and sends it again when it changes, in this process or another.
 *
 * ```
 * table changes ──▶ topics with stale values ──▶ one read per topic ──▶ has the text changed? ──▶ sent to each stream
 * ```
 */
export class EventStreams {
  readonly #changes: Changes;
  readonly #log: Pick<Log, 'warn'>;
  readonly #topics = new Map<string, Topic>();
  readonly #networks = new Map<string, number>();
  #count = 0;
  #isClosed = false;
  #stopListening: (() => void) | null = null;
  #heart: NodeJS.Timeout | null = null;
  #gathering: NodeJS.Timeout | null = null;

  constructor(changes: Changes, log: Pick<Log, 'warn'>) {
    this.#changes = changes;
    this.#log = log;
  }

  /**
   * Tells a browser until it leaves, or is sent away.
   *
   * @throws TooMany, Unavailable before anything is sent, where too many are open; what reading throws, likewise
   */
  async serve({ key, generation, network, res, read, headers }: Asked): Promise<void> {
    this.#admit(network);
    const stream: Stream = { res, network, read, isOpen: false };
    const closed = new Promise<void>((resolve) => res.once('close', resolve));
    const topic = this.#enter(key, generation, stream);
    try {
      const text = await topic.text.get();
      if (this.#isClosed) throw stopping();
      if (res.destroyed) return;
      stream.isOpen = true;
      topic.told ??= text;
      res.writeHead(200, { ...headers, ...streamHeaders });
      res.write(`retry: ${Math.round(RETRY_MS.least + Math.random() * RETRY_MS.spread)}\n\n`);
      tell(stream, text);
      // Something may have changed since it was read.
      if (topic.text.peek() === null || topic.told !== text) this.#gather();
      await closed;
    } finally {
      this.#leave(key, topic, stream);
    }
  }

  /** Sends away who listens to a generation that no longer serves: they come again at once, to the one that does. */
  endOthersThan(generation: object | null): void {
    for (const topic of this.#topics.values()) if (topic.generation !== generation) end(topic);
  }

  close(): void {
    this.#isClosed = true;
    this.endOthersThan(null);
  }

  #admit(network: string): void {
    if (this.#isClosed) throw stopping();
    const here = this.#networks.get(network) ?? 0;
    if (here >= MOST_STREAMS.network && !isPrivateNetwork(network))
      throw new TooMany('Too many pages wait for news here.', { code: 'core.too_many_streams', retryAfter: 60 });
    if (this.#count >= MOST_STREAMS.inAll)
      throw new Unavailable('Too many pages wait for news.', { code: 'core.streams_full', retryAfter: 60 });
  }

  #enter(key: string, generation: object, stream: Stream): Topic {
    let topic = this.#topics.get(key);
    if (topic?.generation !== generation) {
      if (topic) end(topic);
      topic = new Topic(this.#changes, generation);
      this.#topics.set(key, topic);
    }
    topic.streams.add(stream);
    this.#networks.set(stream.network, (this.#networks.get(stream.network) ?? 0) + 1);
    this.#count++;
    this.#stopListening ??= this.#changes.subscribe(() => this.#gather());
    this.#heart ??= setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
    return topic;
  }

  #leave(key: string, topic: Topic, stream: Stream): void {
    topic.streams.delete(stream);
    if (topic.streams.size === 0 && this.#topics.get(key) === topic) this.#topics.delete(key);
    const left = (this.#networks.get(stream.network) ?? 1) - 1;
    if (left > 0) this.#networks.set(stream.network, left);
    else this.#networks.delete(stream.network);
    if (--this.#count > 0) return;
    this.#stopListening?.();
    this.#stopListening = null;
    if (this.#heart) clearInterval(this.#heart);
    this.#heart = null;
  }

  #beat(): void {
    for (const { streams } of this.#topics.values())
      for (const { res, isOpen } of streams) if (isOpen && !res.writableNeedDrain) res.write(':\n\n');
    this.#gather();
  }

  #gather(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null;
      for (const topic of this.#topics.values()) if (topic.text.peek() === null) void this.#renew(topic);
    }, GATHER_MS).unref();
  }

  async #renew(topic: Topic): Promise<void> {
    try {
      const text = await topic.text.get();
      if (text === topic.told) return;
      topic.told = text;
      for (const stream of topic.streams) tell(stream, text);
    } catch (error) {
      // They ask again, and hear then why not.
      if (!(error instanceof Unauthenticated)) this.#log.warn({ err: error }, 'What a stream tells could not be read');
      end(topic);
    }
  }
}

/** Nothing in between keeps it back, changes or stores it. */
const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** Skips streams whose client doesn't read: the next text replaces this one anyway. */
function tell({ res, isOpen }: Stream, text: string): void {
  if (isOpen && !res.writableNeedDrain) res.write(`data: ${text}\n\n`);
}

function end({ streams }: Topic): void {
  for (const { res, isOpen } of streams) if (isOpen) res.end();
}

function stopping(): Unavailable {
  return new Unavailable('The site is starting or stopping. Please try again in a moment.', { code: NOT_READY });
}
