import { crc32 } from 'node:zlib';
import { type Ctx, type Id, InvalidInput, NotAllowed, NotFound, z } from 'pergola';
import { boundOf, holds, models } from 'pergola/orm';
import { ownText } from 'pergola/pages';
import { mayUseModel, operations } from '../admin/access.ts';
import { parseArguments } from './bad-arguments.ts';
import { fieldsGet } from './fields-get.ts';

/** A row of a list; every list has at least an id and a name. */
interface ListRow {
  readonly id: Id;
  readonly display_name: string;
  readonly model: string;
  readonly [column: string]: unknown;
}

/** A model without a table, which programs read to discover models and fields. */
interface List {
  /** Labels and types of its columns, by name. */
  readonly columns: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly order: string;
  rows(ctx: Ctx): ListRow[];
}

const shared = {
  id: { type: 'integer', string: 'ID' },
  display_name: { type: 'char', string: 'Name' },
  name: { type: 'char', string: 'Name' },
  model: { type: 'char', string: 'Model' },
  modules: { type: 'char', string: 'Modules' },
  state: { type: 'selection', string: 'Type', selection: [['base', 'Base']] },
} as const;

/** Lists by Odoo's names. They have no table, because models and fields are declared by the enabled addons. */
const lists: ReadonlyMap<string, List> = new Map([
  [
    'ir.model',
    {
      columns: { ...shared, transient: { type: 'boolean', string: 'Transient' } },
      order: 'model',
      rows: visibleModels,
    },
  ],
  [
    'ir.model.fields',
    {
      columns: {
        ...shared,
        model_id: { type: 'many2one', string: 'Model', relation: 'ir.model' },
        field_description: { type: 'char', string: 'Label' },
        ttype: { type: 'char', string: 'Field type' },
        relation: { type: 'char', string: 'Related model' },
        relation_field: { type: 'char', string: 'Related field' },
        required: { type: 'boolean', string: 'Required' },
        readonly: { type: 'boolean', string: 'Read-only' },
        store: { type: 'boolean', string: 'Stored' },
        translate: { type: 'boolean', string: 'Translatable' },
        help: { type: 'char', string: 'Help' },
      },
      order: 'model, name',
      rows: visibleFields,
    },
  ],
]);

/** Whether a model is one of the lists of models and fields, which have no table. */
export function isModelList(model: string): boolean {
  return lists.has(model);
}

const domain = z
  .union([z.array(z.unknown()).max(200), z.literal(false)])
  .nullish()
  .transform((list) => list || []);
const fieldNames = z.union([z.array(z.string()), z.literal(false)]).nullish();
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
    .transform((order) => order || ''),
};
const id = z.coerce.number().int();
const ids = z.union([id, z.array(id)]).transform((idOrIds) => [idOrIds].flat());

const shapes = {
  search: z.object({ args: domain, ...listing }),
  search_count: z.object({ args: domain }),
  search_read: z.object({ domain, fields: fieldNames, ...listing }),
  read: z.object({ ids, fields: fieldNames }),
  fields_get: z.object({ allfields: fieldNames, attributes: z.array(z.string()).nullish() }),
  name_search: z.object({ name: z.string().nullish(), args: domain, limit: listing.limit }),
};

/**
 * Runs a call of `ir.model` or `ir.model.fields`: returns the models on which the caller has any rights, and their readable fields. The ids
 * are derived from the names, so they are stable.
 *
 * @param model see {@link isModelList}
 * @param namedArgs arguments by Odoo's names
 * @throws NotAllowed for methods that don't read; InvalidInput for arguments or conditions that the list doesn't support
 */
export function readModelList(
  ctx: Ctx,
  model: string,
  method: string,
  namedArgs: Readonly<Record<string, unknown>>,
): unknown {
  const list = lists.get(model);
  if (!list) throw new TypeError(`“${model}” is no list of models or fields.`);
  const args = <S extends z.ZodType>(shape: S): z.infer<S> => parseArguments(ctx, shape, namedArgs).data;
  const columnsFrom = (names: readonly string[] | false | null | undefined): string[] =>
    names && names.length > 0 ? names.map((name) => columnNamed(model, list, name)) : Object.keys(list.columns);
  const matching = (conditions: readonly unknown[]): ListRow[] => {
    const tests = conditions.map((item) => (isConnective(item) ? item : conditionOf(model, list, item)));
    return list.rows(ctx).filter((row) =>
      holds(
        tests.map((test) => (typeof test === 'string' ? test : (['met', '=', test(row)] as const))),
        { met: true },
      ),
    );
  };
  const paged = (rows: readonly ListRow[], page: Page): ListRow[] =>
    pageOf(rows, { ...page, order: page.order || list.order }, (name) => columnNamed(model, list, name));
  switch (method) {
    case 'search': {
      const { args: conditions, ...page } = args(shapes.search);
      return paged(matching(conditions), page).map(({ id }) => id);
    }
    case 'search_count':
      return matching(args(shapes.search_count).args).length;
    case 'search_read': {
      const { domain: conditions, fields, ...page } = args(shapes.search_read);
      const columns = columnsFrom(fields);
      return paged(matching(conditions), page).map((row) => only(row, columns));
    }
    case 'read': {
      const { ids: requestedIds, fields } = args(shapes.read);
      const columns = columnsFrom(fields);
      const rows = new Map(list.rows(ctx).map((row) => [row.id, row]));
      return requestedIds.map((id) => only(rows.get(id) ?? noRecord(model, id), columns));
    }
    case 'name_search': {
      const { name, args: conditions, limit } = args(shapes.name_search);
      const nameConditions = name ? ['|', ['display_name', 'ilike', name], ['model', 'ilike', name]] : [];
      const rows = matching([...nameConditions, ...conditions]);
      return paged(rows, { offset: 0, limit: limit ?? 100, order: '' }).map((row) => [row.id, row.display_name]);
    }
    case 'fields_get': {
      const { allfields, attributes } = args(shapes.fields_get);
      const describe = (fieldInfo: object) =>
        attributes
          ? Object.fromEntries(Object.entries(fieldInfo).filter(([key]) => attributes.includes(key)))
          : fieldInfo;
      return Object.fromEntries(columnsFrom(allfields).map((name) => [name, describe(list.columns[name] ?? {})]));
    }
    default:
      throw new NotAllowed('“{model}” is read-only.', { code: 'core.access_denied', params: { model } });
  }
}

function visibleModels(ctx: Ctx): ListRow[] {
  return [...ctx.get(models).models.values()]
    .filter(({ name }) => operations.some((operation) => mayUseModel(ctx, name, operation)))
    .map(({ name: model, label, addon: modules }) => {
      const name = ownText(ctx, modules, label);
      return { id: idOf(model), display_name: name, name, model, modules, state: 'base', transient: false };
    });
}

function visibleFields(ctx: Ctx): ListRow[] {
  return visibleModels(ctx).flatMap((row) => {
    const bound = boundOf(ctx.modelNamed(row.model));
    return Object.entries(fieldsGet(bound, null, null)).map(([name, fieldInfo]) => ({
      id: idOf(`${row.model}.${name}`),
      display_name: String(fieldInfo.string),
      name,
      model: row.model,
      modules: bound.compiled.fields.get(name)?.addon ?? row.modules,
      state: 'base',
      model_id: [row.id, row.display_name],
      field_description: fieldInfo.string,
      ttype: fieldInfo.type,
      relation: fieldInfo.relation ?? false,
      relation_field: fieldInfo.relation_field ?? false,
      required: fieldInfo.required,
      readonly: fieldInfo.readonly,
      store: fieldInfo.store,
      translate: fieldInfo.translate,
      help: fieldInfo.help ?? false,
    }));
  });
}

/** Returns a positive 31-bit number, the range of XML-RPC integers. */
function idOf(name: string): Id {
  return (crc32(name) >>> 1) + 1;
}

function noRecord(model: string, id: Id): never {
  throw new NotFound('Record {id} of “{model}” doesn’t exist, or you don’t have access to it.', {
    params: { model, id },
  });
}

function only(row: ListRow, columns: readonly string[]): Readonly<Record<string, unknown>> {
  return { id: row.id, ...Object.fromEntries(columns.map((name) => [name, row[name]])) };
}

interface Page {
  readonly offset: number;
  readonly limit?: number | false | null | undefined;
  readonly order: string;
}

function pageOf(
  rows: readonly ListRow[],
  { offset, limit, order }: Page,
  columnNamed: (name: unknown) => string,
): ListRow[] {
  const terms = order.split(',').map((term) => {
    const [, column, direction] = /^\s*(\w+)(?:\s+(asc|desc))?\s*$/i.exec(term) ?? [];
    return { column: columnNamed(column), sign: direction?.toLowerCase() === 'desc' ? -1 : 1 };
  });
  const sorted = rows.toSorted((a, b) => {
    for (const { column, sign } of terms) {
      const [left, right] = [cellOf(a, column), cellOf(b, column)];
      if (left === right) continue;
      const areNumbers = typeof left === 'number' && typeof right === 'number';
      return (areNumbers ? left < right : String(left) < String(right)) ? -sign : sign;
    }
    return 0;
  });
  return sorted.slice(offset, limit ? offset + limit : undefined);
}

/** Returns the value to compare, which is the id for many2one fields. */
function cellOf(row: ListRow, column: string): unknown {
  const cell = row[column];
  return Array.isArray(cell) ? cell[0] : cell;
}

function columnNamed(model: string, list: List, name: unknown): string {
  if (typeof name === 'string' && Object.hasOwn(list.columns, name)) return name;
  const params = { model, field: String(name).slice(0, 80) };
  throw new InvalidInput('“{model}” has no field “{field}”.', { code: 'core.bad_domain', params });
}

function isConnective(item: unknown): item is '&' | '|' | '!' {
  return item === '&' || item === '|' || item === '!';
}

/** Converts a condition to a test of rows. */
function conditionOf(model: string, list: List, item: unknown): (row: ListRow) => boolean {
  if (!Array.isArray(item) || item.length !== 3) throw badCondition(model, item);
  const [path, operator, value]: unknown[] = item;
  if (path === value || (path === 0 && value === 1)) return () => path === value;
  const column = columnNamed(model, list, path === 'model_id.model' ? 'model' : path);
  const [positive, isNegative] = /^(not |!(?==))/.test(String(operator))
    ? [String(operator).replace(/^not |^!/, ''), true]
    : [operator, false];
  const test = testOf(positive, value);
  if (!test) throw badCondition(model, item);
  return (row) => test(String(cellOf(row, column))) !== isNegative;
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

function badCondition(model: string, item: unknown): InvalidInput {
  const condition = JSON.stringify(item)?.slice(0, 80) ?? '';
  return new InvalidInput('“{model}” doesn’t support the condition “{condition}”.', {
    code: 'core.bad_domain',
    params: { model, condition },
  });
}
