import {
  type ContextTools,
  type Ctx,
  contextTools,
  namedCache,
  roughBytes,
  type ServiceClass,
  service,
  values,
} from '@pergola/core';
import { type DatabaseSession, databaseSession, sessionOn } from '@pergola/db';
import type { Made } from './live-value.ts';
import { RenderTracker } from './render-tracker.ts';

/** Bytes that the values of one name may take. */
const MOST_BYTES = 8_000_000;
/** What a value was read from takes about so much. */
const READS_BYTES = 500;

/** Values read from the database that are kept until a table they were read from changes, here or on another node. */
export interface LiveValues<T> {
  /**
   * The value for a key. Everybody gets the same object, so nobody changes it. What the context's own transaction has changed is read anew, and not kept;
   * a page that is being made follows what the value was read from.
   */
  get(ctx: Ctx, key: string): Promise<T>;
}

/**
 * Declares live values: what is asked for often, with every cart or page, and changes seldom (taxes, rules of prices). `read` works a value out, as the
 * system: rights lifted, in the default language. So whoever asks has to have looked at rights, and a key says everything a value depends on. Nobody
 * has to say what it was read from.
 *
 * ```ts
 * export const taxes = liveValues('sale.taxes', { read: (ctx, ids) => readTaxes(ctx, ids) });
 * const rules = await ctx.get(taxes).get(ctx, '3,4');
 * ```
 *
 * @param about.most how many values are kept; the one not asked for longest goes first. Default 2000.
 */
export function liveValues<T>(
  name: string,
  about: { readonly read: (ctx: Ctx, key: string) => Promise<T>; readonly most?: number },
): ServiceClass<LiveValues<T>> {
  return class extends service(name) implements LiveValues<T> {
    readonly #values = namedCache<string, Made<T>>(name, {
      max: about.most ?? 2000,
      maxSize: MOST_BYTES,
      sizeCalculation: ({ value }, key) => READS_BYTES + key.length + roughBytes(value),
    });

    async get(ctx: Ctx, key: string): Promise<T> {
      const session = ctx.get(databaseSession);
      const tools = ctx.get(contextTools);
      const reads = new RenderTracker(session.database.changes);
      try {
        const known = this.#values.get(key);
        const made = known?.reads.holds ? known : await this.#make(tools, session, key, reads);
        if (!isOvertaken(session, made.reads)) {
          made.reads.passOn(tools.tracker);
          return made.value;
        }
      } catch (error) {
        // What only this transaction has made is not there for others.
        if (!isOvertaken(session, reads)) throw error;
      }
      return about.read(asSystem(tools, null), key);
    }

    /** Reads outside the caller's transaction: that one may see the database as it was before a change that everybody has been told of. */
    async #make(
      tools: ContextTools,
      { database }: DatabaseSession,
      key: string,
      reads: RenderTracker,
    ): Promise<Made<T>> {
      const ctx = asSystem(tools, reads, sessionOn(database, database.reader));
      const made = { value: await about.read(ctx, key), reads };
      this.#values.set(key, made);
      return made;
    }
  };
}

/** The system's context in the default language, for values that are the same for everybody. */
function asSystem(
  { generation, derive }: ContextTools,
  tracker: RenderTracker | null,
  session: Readonly<Record<string, unknown>> = {},
): Ctx {
  const [lang] = generation.get(values.languages);
  return derive({ tracker, ...(lang && { lang }), timezone: 'UTC', su: true, values: session });
}

/** Whether the transaction has changed something that was read. */
function isOvertaken({ transaction }: DatabaseSession, reads: RenderTracker): boolean {
  if (transaction === null || transaction.touched.size === 0) return false;
  for (const table of reads.versions.keys()) if (transaction.touched.has(table)) return true;
  return false;
}
