import { crc32 } from 'node:zlib';
import { type Ctx, type Id, InvalidInput, NotAllowed, NotFound, z } from '#core';
import { holds, models } from '#core/orm';
import { ownText } from '#core/pages';
import { mayUseModel, operations } from '../admin/access.ts';
import { parseArguments } from './bad-arguments.ts';

/** Odoo's name for the list of models, by which programs find out what there is. */
export const MODEL_LIST = 'ir.model';

/** A model as `ir.model` describes it. */
interface ModelRow {
  readonly id: Id;
  readonly display_name: string;
  readonly name: string;
  readonly model: string;
  readonly modules: string;
  readonly state: 'base';
  readonly transient: false;
}

const labels = {
  id: { type: 'integer', string: 'ID' },
  display_name: { type: 'char', string: 'Name' },
  name: { type: 'char', string: 'Name' },
  model: { type: 'char', string: 'Model' },
  modules: { type: 'char', string: 'Modules' },
  state: { type: 'selection', string: 'Type', selection: [['base', 'Base']] },
  transient: { type: 'boolean', string: 'Transient' },
} as const satisfies Record<keyof ModelRow, object>;

const columns = Object.keys(labels) as (keyof ModelRow)[];

const domain = z
  .union([z.array(z.unknown()).max(200), z.literal(false)])
  .nullish()
  .transform((list) => list || []);
const fields = z
  .union([z.array(z.enum(columns)), z.literal(false)])
  .nullish()
  .transform((names) => (names && names.length > 0 ? names : columns));
const listing = {
  offset: z
    .number()
    .int()
    .min(0)
    .nullish()
    .transform((offset) => offset ?? 0),
  limit: z.union([z.number().int().min(0), z.literal(false)]).nullish(),
  order: z
    .union([z.string(), z.literal(false)])
    .nullish()
    .transform((order) => order || 'model'),
};
const ids = z.union([z.number(), z.array(z.number())]).transform((given) => [given].flat());

const shapes = {
  search: z.object({ args: domain, ...listing }),
  search_count: z.object({ args: domain }),
  search_read: z.object({ domain, fields, ...listing }),
  read: z.object({ ids, fields }),
  fields_get: z.object({ allfields: fields, attributes: z.array(z.string()).nullish() }),
  name_search: z.object({ name: z.string().nullish(), args: domain, limit: listing.limit }),
};

/**
 * Answers a call of `ir.model`: the models the caller has any right on. There is no table behind it, since the models are those that the enabled
 * addons declare. The ids follow from the names, so they stay the same.
 *
 * @param named arguments by Odoo's names
 * @throws NotAllowed for every method that is not about reading, InvalidInput for arguments or conditions that `ir.model` doesn't have
 */
export function modelList(ctx: Ctx, method: string, named: Readonly<Record<string, unknown>>): unknown {
  const rows = visibleModels(ctx);
  const args = <S extends z.ZodType>(shape: S): z.infer<S> => parseArguments(ctx, shape, named).data;
  switch (method) {
    case 'search': {
      const { args: conditions, ...page } = args(shapes.search);
      return paged(matching(rows, conditions), page).map(({ id }) => id);
    }
    case 'search_count':
      return matching(rows, args(shapes.search_count).args).length;
    case 'search_read': {
      const { domain: conditions, fields: names, ...page } = args(shapes.search_read);
      return paged(matching(rows, conditions), page).map((row) => only(row, names));
    }
    case 'read': {
      const { ids: wanted, fields: names } = args(shapes.read);
      return wanted.map((id) => only(rows.find((row) => row.id === id) ?? noModel(id), names));
    }
    case 'name_search': {
      const { name, args: conditions, limit } = args(shapes.name_search);
      const named = name ? ['|', ['name', 'ilike', name], ['model', 'ilike', name]] : [];
      const found = matching(rows, [...named, ...conditions]);
      return paged(found, { offset: 0, limit: limit ?? 100, order: 'model' }).map((row) => [row.id, row.display_name]);
    }
    case 'fields_get': {
      const { allfields, attributes } = args(shapes.fields_get);
      const describe = (about: object) =>
        attributes ? Object.fromEntries(Object.entries(about).filter(([key]) => attributes.includes(key))) : about;
      return Object.fromEntries(allfields.map((name) => [name, describe(labels[name])]));
    }
    default:
      throw new NotAllowed('“{model}” can only be read.', {
        code: 'core.access_denied',
        params: { model: MODEL_LIST },
      });
  }
}

function visibleModels(ctx: Ctx): ModelRow[] {
  return [...ctx.get(models).models.values()]
    .filter(({ name }) => operations.some((operation) => mayUseModel(ctx, name, operation)))
    .map(({ name: model, label, addon: modules }) => {
      const name = ownText(ctx, modules, label);
      return { id: idOf(model), display_name: name, name, model, modules, state: 'base', transient: false };
    });
}

/** A positive number of 31 bits, which is all that XML-RPC's integers hold. */
function idOf(model: string): Id {
  return (crc32(model) >>> 1) + 1;
}

function noModel(id: Id): never {
  throw new NotFound('“{model}” has no record {id} for you.', { params: { model: MODEL_LIST, id } });
}

function only(row: ModelRow, names: readonly (keyof ModelRow)[]): Partial<ModelRow> & { readonly id: Id } {
  return { id: row.id, ...Object.fromEntries(names.map((name) => [name, row[name]])) };
}

interface Page {
  readonly offset: number;
  readonly limit?: number | false | null | undefined;
  readonly order: string;
}

function paged(rows: readonly ModelRow[], { offset, limit, order }: Page): ModelRow[] {
  const terms = order.split(',').map((term) => {
    const [, column, direction] = /^\s*(\w+)(?:\s+(asc|desc))?\s*$/i.exec(term) ?? [];
    return { column: columnNamed(column), sign: direction?.toLowerCase() === 'desc' ? -1 : 1 };
  });
  const sorted = rows.toSorted((a, b) => {
    for (const { column, sign } of terms) {
      const [left, right] = [a[column], b[column]];
      if (left !== right) return left < right ? -sign : sign;
    }
    return 0;
  });
  return sorted.slice(offset, limit ? offset + limit : undefined);
}

function columnNamed(name: unknown): keyof ModelRow {
  const column = columns.find((known) => known === name);
  if (column) return column;
  const params = { model: MODEL_LIST, field: String(name).slice(0, 80) };
  throw new InvalidInput('“{model}” has no field “{field}”.', { code: 'core.bad_domain', params });
}

function matching(rows: readonly ModelRow[], conditions: readonly unknown[]): ModelRow[] {
  const tests = conditions.map((item) => (item === '&' || item === '|' || item === '!' ? item : conditionOf(item)));
  return rows.filter((row) =>
    holds(
      tests.map((test) => (typeof test === 'string' ? test : (['met', '=', test(row)] as const))),
      { met: true },
    ),
  );
}

/** One condition as a test of a row. */
function conditionOf(item: unknown): (row: ModelRow) => boolean {
  if (!Array.isArray(item) || item.length !== 3) throw badCondition(item);
  const [path, operator, value]: unknown[] = item;
  if (path === value || (path === 0 && value === 1)) return () => path === value;
  const column = columnNamed(path);
  const [positive, isNegative] = /^(not |!(?==))/.test(String(operator))
    ? [String(operator).replace(/^not |^!/, ''), true]
    : [operator, false];
  const test = testOf(positive, value);
  if (!test) throw badCondition(item);
  return (row) => test(String(row[column])) !== isNegative;
}

function testOf(operator: unknown, value: unknown): ((text: string) => boolean) | null {
  if (operator === '=' || operator === 'in') {
    const members = (operator === 'in' ? [value].flat() : [value]).map(String);
    return (text) => members.includes(text);
  }
  if (operator !== 'like' && operator !== 'ilike') return null;
  const pattern = new RegExp(String(value).split('%').map(RegExp.escape).join('.*'), operator === 'like' ? 's' : 'is');
  return (text) => pattern.test(text);
}

function badCondition(item: unknown): InvalidInput {
  const condition = JSON.stringify(item)?.slice(0, 80) ?? '';
  return new InvalidInput('“{model}” takes no condition “{condition}”.', {
    code: 'core.bad_domain',
    params: { model: MODEL_LIST, condition },
  });
}
