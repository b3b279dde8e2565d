import { namedCache, roughBytes } from '@pergola/caches';
import { type ContextTools, type Ctx, contextTools, type ServiceClass, service, values } from '@pergola/core';
import { type DatabaseSession, databaseSession, sessionOn } from '@pergola/db';
import type { Made } from './live-value.ts';
import { RenderTracker } from './render-tracker.ts';

/** Size limit of the values of one name, in bytes. */
const MAX_BYTES = 8_000_000;
/** Estimated size of a value's recorded reads. */
const READS_BYTES = 500;

/** Values read from the database and cached until a table they were read from changes, here or on another node. */
export interface LiveValues<T> {
  /**
   * The value for a key. The object is shared and must not be modified. If the context's transaction has changed any of the tables, the
   * value is read again and not cached; a page being rendered takes over the value's dependencies.
   */
  get(ctx: Ctx, key: string): Promise<T>;
}

/**
 * Declares live values: data that every cart or page needs and that rarely changes (taxes, price rules). `read` computes a value as the
 * system: with elevated rights, in the default language. So the caller has to check rights, and the key has to contain everything the value
 * depends on. Dependencies on tables are tracked automatically.
 *
 * ```ts
 * export const taxes = liveValues('sale.taxes', { read: (ctx, ids) => readTaxes(ctx, ids) });
 * const rules = await ctx.get(taxes).get(ctx, '3,4');
 * ```
 *
 * @param options.most maximum number of cached values; the least recently used are evicted. Default 2000.
 */
export function liveValues<T>(
  name: string,
  options: { readonly read: (ctx: Ctx, key: string) => Promise<T>; readonly most?: number },
): ServiceClass<LiveValues<T>> {
  return class extends service(name) implements LiveValues<T> {
    readonly #values = namedCache<string, Made<T>>(name, {
      max: options.most ?? 2000,
      maxSize: MAX_BYTES,
      sizeCalculation: ({ value }, key) => READS_BYTES + key.length + roughBytes(value),
    });

    async get(ctx: Ctx, key: string): Promise<T> {
      const session = ctx.get(databaseSession);
      const tools = ctx.get(contextTools);
      const reads = new RenderTracker(session.database.changes);
      try {
        const cached = this.#values.get(key);
        const entry = cached?.reads.holds ? cached : await this.#make(tools, session, key, reads);
        if (!isOvertaken(session, entry.reads)) {
          entry.reads.passOn(tools.tracker);
          return entry.value;
        }
      } catch (error) {
        // Records created in this transaction aren't visible outside it, so the read may have failed for that reason.
        if (!isOvertaken(session, reads)) throw error;
      }
      return options.read(asSystem(tools, null), key);
    }

    /** Reads outside the caller's transaction, whose snapshot may predate a change that has already been announced. */
    async #make(
      tools: ContextTools,
      { database }: DatabaseSession,
      key: string,
      reads: RenderTracker,
    ): Promise<Made<T>> {
      const ctx = asSystem(tools, reads, sessionOn(database, database.reader));
      const entry = { value: await options.read(ctx, key), reads };
      this.#values.set(key, entry);
      return entry;
    }
  };
}

/** System context in the default language, for values that are the same for everyone. */
function asSystem(
  { generation, derive }: ContextTools,
  tracker: RenderTracker | null,
  session: Readonly<Record<string, unknown>> = {},
): Ctx {
  const [lang] = generation.get(values.languages);
  return derive({ tracker, ...(lang && { lang }), timezone: 'UTC', su: true, values: session });
}

/** Whether the transaction has changed any table that was read. */
function isOvertaken({ transaction }: DatabaseSession, reads: RenderTracker): boolean {
  if (transaction === null || transaction.touched.size === 0) return false;
  for (const table of reads.versions.keys()) if (transaction.touched.has(table)) return true;
  return false;
}
