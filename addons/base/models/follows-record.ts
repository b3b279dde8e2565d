import {
  type Ctx,
  type Domain,
  type Id,
  type Ids,
  InvalidInput,
  mixin,
  NotFound,
  type Row,
  type Select,
} from 'pergola';
import type { Asked, BaseFields, FindOptions, GroupOptions, GroupRow } from 'pergola/orm';

type F = BaseFields;
/** Record that a row belongs to. */
interface RowOwner {
  readonly id: Id;
  readonly model: string | null;
  readonly record: Id | null;
  /** Whether only the model's own rules apply, regardless of the record. */
  readonly free: boolean;
}

/** Rows checked per batch, and maximum per query. */
const STEP = 500;
const MAX_ROWS = 10_000;

/**
 * For models whose rows belong to a record of any model (files, messages, followers): in addition to the model's own permissions, a row is
 * only visible to users who can read its record. The columns are `res_model` or `model`, and `res_id`; rows with a true `public` field, if
 * there is one, are exempt.
 *
 * Rows without a record only follow the model's own rules.
 */
export const FollowsRecord = mixin(
  'base.follows_record',
  {},
  (Base) =>
    class extends Base {
      override async find<const S extends Select<F>>(
        domain: Domain<F>,
        options: FindOptions<S> & { readonly select: Asked<F, S> },
      ): Promise<Row<F, S>[]> {
        if (this.ctx.su) return super.find(domain, options);
        const { select, ...page } = options;
        return super.read(await this.#page(domain, page), { select });
      }

      override async first<const S extends Select<F>>(
        domain: Domain<F>,
        options: FindOptions<S> & { readonly select: Asked<F, S> },
      ): Promise<Row<F, S> | null> {
        const [row] = await this.find(domain, { ...options, limit: 1 });
        return row ?? null;
      }

      override async get<const S extends Select<F>>(
        id: Id,
        options: { readonly select: Asked<F, S> },
      ): Promise<Row<F, S>> {
        const [row] = await this.read([id], options);
        if (!row) throw new NotFound('This record doesn’t exist.', { code: 'base.no_record' });
        return row;
      }

      override async read<const S extends Select<F>>(
        ids: Ids,
        options: { readonly select: Asked<F, S> },
      ): Promise<Row<F, S>[]> {
        return super.read(this.ctx.su ? ids : await this.#visible(ids), options);
      }

      override async search(domain: Domain<F>, options: Omit<FindOptions<never>, 'select'> = {}): Promise<Id[]> {
        return this.ctx.su ? super.search(domain, options) : this.#page(domain, options);
      }

      override async count(domain: Domain<F>): Promise<number> {
        return this.ctx.su ? super.count(domain) : (await this.#page(domain, {})).length;
      }

      override async group(domain: Domain<F>, options: GroupOptions<F>): Promise<GroupRow[]> {
        if (this.ctx.su) return super.group(domain, options);
        return super.group([['id', 'in', await this.#page(domain, {})]], options);
      }

      override async allowed(ids: Ids, operation: 'read' | 'write' | 'unlink'): Promise<Id[]> {
        const allowedIds = await super.allowed(ids, operation);
        return this.ctx.su ? allowedIds : this.#visible(allowedIds, operation === 'read' ? 'read' : 'write');
      }

      override async displayNames(ids: Ids): Promise<Map<Id, string>> {
        return super.displayNames(this.ctx.su ? ids : await this.#visible(ids));
      }

      /** Returns matching IDs visible to the caller, in order. */
      async #page(domain: Domain<F>, { order, limit, offset = 0 }: Omit<FindOptions<never>, 'select'>): Promise<Id[]> {
        const end = limit === undefined ? Number.POSITIVE_INFINITY : offset + limit;
        const visibleIds: Id[] = [];
        for (let batchOffset = 0; batchOffset < MAX_ROWS && visibleIds.length < end; batchOffset += STEP) {
          const ids = await super.search(domain, { order, limit: STEP, offset: batchOffset });
          visibleIds.push(...(await this.#visible(ids)));
          if (ids.length < STEP) return visibleIds.slice(offset, end);
        }
        if (visibleIds.length >= end) return visibleIds.slice(offset, end);
        throw new InvalidInput('Too many records match. Narrow your search.', { code: 'base.too_many_records' });
      }

      /** Filters the IDs by access to their records. */
      async #visible(ids: Ids, operation: 'read' | 'write' = 'read'): Promise<Id[]> {
        const holds = await this.#holds(ids);
        const recordsByModel = new Map<string, Set<Id>>();
        for (const { model, record, free } of holds) {
          if (model === null || record === null || (free && operation === 'read')) continue;
          recordsByModel.set(model, (recordsByModel.get(model) ?? new Set()).add(record));
        }
        const allowed = new Map<string, ReadonlySet<Id>>();
        for (const [model, records] of recordsByModel)
          allowed.set(model, await allowedOf(this.ctx, model, [...records], operation));
        return holds
          .filter(
            ({ model, record, free }) =>
              model === null || record === null || (free && operation === 'read') || allowed.get(model)?.has(record),
          )
          .map(({ id }) => id);
      }

      async #holds(ids: Ids): Promise<RowOwner[]> {
        if (ids.length === 0) return [];
        const model = 'res_model' in this.fields ? 'res_model' : 'model';
        const free = 'public' in this.fields;
        // The record of a row is read regardless of the caller's rights, to check access.
        const rows = await this.ctx
          .sudo()
          .modelNamed(this.modelName)
          .read(ids, { select: { [model]: true, res_id: true, ...(free ? { public: true } : {}) } });
        const rowsById = new Map(rows.map((row) => [row.id, row as Readonly<Record<string, unknown>>]));
        return ids.flatMap((id): RowOwner[] => {
          const row = rowsById.get(id);
          if (!row) return [];
          const name = row[model];
          const record = row.res_id;
          return [
            {
              id,
              model: typeof name === 'string' && name !== '' ? name : null,
              record: typeof record === 'number' && record > 0 ? record : null,
              free: row.public === true,
            },
          ];
        });
      }
    },
);

async function allowedOf(ctx: Ctx, model: string, ids: Ids, operation: 'read' | 'write'): Promise<ReadonlySet<Id>> {
  try {
    return new Set(await ctx.modelNamed(model).allowed(ids, operation));
  } catch {
    // The model's addon is disabled, or the caller has no access to the model.
    return new Set();
  }
}
