import type { ServerResponse } from 'node:http';
import type { Tracker } from '@pergola/core';
import { type Log, NOT_READY, TooMany, Unauthenticated, Unavailable } from '@pergola/core';
import type { Changes } from '@pergola/db';
import { LiveValue } from '@pergola/page-cache';
import { isPrivateNetwork } from './security/hosts-address.ts';

/** Maximum number of open streams per process, and per network; a browser has one for each visible tab. */
const MAX_STREAMS = { inAll: 1500, network: 40 } as const;
/** Heartbeat interval: keeps proxies from closing the connection, and detects broken ones. */
const HEARTBEAT_MS = 20_000;
/** Changes within this interval are sent together. */
const GATHER_MS = 250;
/** Browsers reconnect after a random delay in this range, since after a switch of addons all of them do. */
const RETRY_MS = { min: 1_000, spread: 3_000 } as const;

/** An open connection to a browser. */
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
  sentText: string | null = null;

  constructor(changes: Changes, generation: object) {
    this.generation = generation;
    this.text = new LiveValue(changes, async (tracker) => {
      // Any stream will do: all would read the same value.
      const [stream] = this.streams;
      return JSON.stringify((await stream?.read(tracker)) ?? null);
    });
  }
}

/** A request for a stream. */
interface StreamRequest {
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
   * Sends values to a browser until it leaves or the stream is closed.
   *
   * @throws TooMany, Unavailable before anything is sent, if too many streams are open; the same goes for errors of the read
   */
  async serve({ key, generation, network, res, read, headers }: StreamRequest): Promise<void> {
    this.#admit(network);
    const stream: Stream = { res, network, read, isOpen: false };
    const closed = new Promise<void>((resolve) => res.once('close', resolve));
    const topic = this.#enter(key, generation, stream);
    try {
      const text = await topic.text.get();
      if (this.#isClosed) throw stopping();
      if (res.destroyed) return;
      stream.isOpen = true;
      topic.sentText ??= text;
      res.writeHead(200, { ...headers, ...streamHeaders });
      res.write(`retry: ${Math.round(RETRY_MS.min + Math.random() * RETRY_MS.spread)}\n\n`);
      sendText(stream, text);
      // The value may have changed since it was read.
      if (topic.text.peek() === null || topic.sentText !== text) this.#gather();
      await closed;
    } finally {
      this.#leave(key, topic, stream);
    }
  }

  /** Closes streams of generations that no longer serve: their clients reconnect at once, to the current one. */
  endOthersThan(generation: object | null): void {
    for (const topic of this.#topics.values()) if (topic.generation !== generation) end(topic);
  }

  close(): void {
    this.#isClosed = true;
    this.endOthersThan(null);
  }

  #admit(network: string): void {
    if (this.#isClosed) throw stopping();
    const networkCount = this.#networks.get(network) ?? 0;
    if (networkCount >= MAX_STREAMS.network && !isPrivateNetwork(network))
      throw new TooMany('Too many open pages are waiting for updates here.', {
        code: 'core.too_many_streams',
        retryAfter: 60,
      });
    if (this.#count >= MAX_STREAMS.inAll)
      throw new Unavailable('Too many open pages are waiting for updates.', {
        code: 'core.streams_full',
        retryAfter: 60,
      });
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
    const remaining = (this.#networks.get(stream.network) ?? 1) - 1;
    if (remaining > 0) this.#networks.set(stream.network, remaining);
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
      if (text === topic.sentText) return;
      topic.sentText = text;
      for (const stream of topic.streams) sendText(stream, text);
    } catch (error) {
      // Clients reconnect and get the reason then.
      if (!(error instanceof Unauthenticated))
        this.#log.warn({ err: error }, 'The data of an event stream could not be read');
      end(topic);
    }
  }
}

/** Prevents proxies from buffering, changing or storing the stream. */
const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** Skips streams whose client doesn't read: the next text replaces this one anyway. */
function sendText({ res, isOpen }: Stream, text: string): void {
  if (isOpen && !res.writableNeedDrain) res.write(`data: ${text}\n\n`);
}

function end({ streams }: Topic): void {
  for (const { res, isOpen } of streams) if (isOpen) res.end();
}

function stopping(): Unavailable {
  return new Unavailable('The site is stopping. Try again in a moment.', { code: NOT_READY });
}
