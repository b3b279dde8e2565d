import { type Ctx, errorFields, errorText, type Id, type Ids, InvalidInput, PergolaError } from 'pergola';
import { keepExternalId, recordByExternalId } from 'pergola/orm';
import type { ImportError, ImportOutcome, ModelInfo } from '../../../backend/types.ts';
import { type AskedQuestion, questionsAbout } from '../../../points/questions.ts';
import { callModel } from '../../rpc/call.ts';
import { previewCell, readCell, refuseError } from './cells.ts';
import { describeColumn, type Writing, writingOf } from './columns.ts';
import { refuseOtherCurrencies } from './currencies.ts';
import type { Sheet } from './read-file.ts';
import { Relations } from './relations.ts';
import { fieldInRow } from './row-values.ts';
import { inRowZone } from './row-zone.ts';
import { type Cell, textOf } from './table.ts';
import { type Target, targetOf } from './targets.ts';

export interface ImportOrder {
  readonly info: ModelInfo;
  readonly sheet: Sheet;
  /** Target of each column; empty to ignore it. */
  readonly mapping: readonly string[];
  /** Format of each column chosen by the user; null to deduce it from the cells. */
  readonly writing: readonly Writing[];
  /** Creates missing related records. */
  readonly makeMissing: boolean;
  /** Skips rows with errors; otherwise any error rejects all rows. */
  readonly skipFaulty: boolean;
  /** Rolls everything back at the end. */
  readonly dryRun: boolean;
  /** The user has confirmed the questions about the records. */
  readonly isConfirmed: boolean;
}

/** Maximum number of reported errors. */
const MAX_ERRORS = 200;

/** Thrown to roll back a test run; never leaves this file. */
class Undo extends Error {}

/**
 * Creates and updates records from the rows of a file, in the current transaction. Imports all rows or none, or skips rows with errors if
 * requested. Each row goes through the public calls with the user's rights.
 */
export async function runImport(ctx: Ctx, order: ImportOrder): Promise<ImportOutcome> {
  const { ids: _, ...outcome } = await importRows(ctx, order);
  return outcome;
}

/** Same as {@link runImport}, but also returns the ids of the rows' records. */
export async function importRows(ctx: Ctx, order: ImportOrder): Promise<ImportOutcome & { readonly ids: Ids }> {
  const columns = columnsOf(ctx, order);
  const open = columns.filter(({ isOpen }) => isOpen);
  if (open.length > 0) return { ...questionsOf(ctx, order, open), ids: [] };
  const outcome: Counts = { created: 0, updated: 0, faulty: 0, errors: [] };
  let questions: readonly AskedQuestion[] = [];
  const relations = new Relations(ctx, order.makeMissing);
  const writtenIds: Id[] = [];
  const isKept = (): boolean =>
    !order.dryRun && (outcome.faulty === 0 || order.skipFaulty) && (questions.length === 0 || order.isConfirmed);
  try {
    await ctx.savepoint(async () => {
      for (const [index, row] of order.sheet.rows.entries()) {
        relations.begin();
        try {
          const { id, operation } = await ctx.savepoint(() => importRow(ctx, order, { row, columns, relations }));
          outcome[operation] += 1;
          writtenIds.push(id);
        } catch (error) {
          relations.forgetMade();
          outcome.faulty += 1;
          outcome.errors.push(...faultsOf(ctx, error, { line: order.sheet.lines[index] ?? 0, order, columns }));
        }
      }
      questions = await questionsAfter(ctx, order, { written: writtenIds, columns });
      if (!isKept()) throw new Undo();
    });
  } catch (error) {
    if (!(error instanceof Undo)) throw error;
  }
  const { errors, ...counts } = outcome;
  const total = order.sheet.rows.length;
  return { ...counts, total, errors: errors.slice(0, MAX_ERRORS), questions, kept: isKept(), ids: writtenIds };
}

/** Returns the questions that a form would ask, based on the records as written. */
async function questionsAfter(
  ctx: Ctx,
  { info }: ImportOrder,
  { written: writtenIds, columns }: { readonly written: Ids; readonly columns: readonly Column[] },
): Promise<readonly AskedQuestion[]> {
  const fields = columns.flatMap(({ target }) => target.field?.name ?? []);
  const ids = [...new Set(writtenIds)];
  return ids.length > 0 ? questionsAbout(ctx, { model: info.name, ids, values: {} }, fields) : [];
}

interface Counts {
  created: number;
  updated: number;
  faulty: number;
  readonly errors: ImportError[];
}

interface Column {
  readonly index: number;
  readonly target: Target;
  readonly writing: Writing;
  /** Whether the column has ambiguous cells, resolved neither by other cells nor by the user. */
  readonly isOpen: boolean;
}

function columnsOf(ctx: Ctx, { info, sheet, mapping, writing }: ImportOrder): readonly Column[] {
  const columns = mapping.flatMap((id, index): Column[] => {
    if (id === '' || index >= sheet.headers.length) return [];
    const target = targetOf(info, id);
    if (!target) throw new InvalidInput('Unknown field “{field}”. Choose another one.', about(id));
    const cells = sheet.rows.map((row) => row[index] ?? null);
    const columnWriting = writingOf(cells, target.field, writing[index] ?? unknownWriting);
    const { question, value } = describeColumn(ctx, cells, target.field, columnWriting);
    return [{ index, target, writing: columnWriting, isOpen: question !== null && value === null }];
  });
  if (columns.length === 0)
    throw new InvalidInput('Choose a field for at least one column.', { code: 'web.import_no_mapping' });
  const names = columns.map(({ target }) => target.field?.name ?? target.via);
  const doubled = names.find((name, index) => names.indexOf(name) !== index);
  if (doubled !== undefined)
    throw new InvalidInput('Two columns are mapped to “{field}”. Skip one of them.', about(doubled));
  return columns;
}

const unknownWriting: Writing = { decimal: null, dayFirst: null };

/** Returns the ambiguous cells as errors of their rows. An import that would have to guess doesn't start. */
function questionsOf(ctx: Ctx, order: ImportOrder, open: readonly Column[]): ImportOutcome {
  const { headers, rows, lines } = order.sheet;
  const errors = rows.flatMap((row, index) =>
    open.flatMap(({ index: column, target, writing }): ImportError[] => {
      const { problem } = previewCell(ctx, row[column] ?? null, target.field, writing);
      return problem === null ? [] : [{ line: lines[index] ?? 0, column: headers[column] ?? '', message: problem }];
    }),
  );
  const faulty = new Set(errors.map(({ line }) => line)).size;
  const noChanges = { created: 0, updated: 0, questions: [], kept: false };
  return { ...noChanges, faulty, total: rows.length, errors: errors.slice(0, MAX_ERRORS) };
}

function about(field: string) {
  return { code: 'web.import_mapping', params: { field: field.slice(0, 60) } };
}

interface RowScene {
  readonly row: readonly Cell[];
  readonly columns: readonly Column[];
  readonly relations: Relations;
}

async function importRow(
  ctx: Ctx,
  { info }: ImportOrder,
  scene: RowScene,
): Promise<{ readonly id: Id; readonly operation: 'created' | 'updated' }> {
  const values: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  const { id, external } = await knownRecord(ctx, info, scene);
  const row = {
    info,
    id,
    cell: (name: string) => {
      const column = scene.columns.find(({ target }) => target.field?.name === name);
      return column ? textOf(scene.row[column.index] ?? null) : null;
    },
  };
  for (const { index, target, writing } of scene.columns) {
    const { field, via } = target;
    if (!field) continue;
    const cell = scene.row[index] ?? null;
    try {
      values[field.name] = field.relation
        ? await scene.relations.value(cell, field, via)
        : readCell(await inRowZone(ctx, field, row), cell, await fieldInRow(ctx, field, row), writing);
    } catch (error) {
      if (!(error instanceof PergolaError)) throw error;
      problems[field.name] = errorText(ctx, error);
    }
  }
  if (Object.keys(problems).length > 0)
    throw new InvalidInput('This line isn’t valid.', { code: 'web.import_line', fields: problems });
  // Cells with a currency in fields that don't accept one have been refused already.
  const amounts = scene.columns.flatMap(({ index, target: { field } }) =>
    field ? [{ field, cell: scene.row[index] ?? null }] : [],
  );
  const call = (method: string, args: unknown[]) => callModel(ctx, { model: info.name, method, args, kwargs: {} });
  if (id !== null) {
    await call('write', [[id], values]);
    await refuseOtherCurrencies(ctx, info, id, amounts);
    return { id, operation: 'updated' };
  }
  const newId = Number(await call('create', [withoutEmpty(values)]));
  await refuseOtherCurrencies(ctx, info, newId, amounts);
  if (external !== '') await keepExternalId(ctx, info.name, newId, external);
  return { id: newId, operation: 'created' };
}

/** Removes empty values, so that new records get their defaults. */
function withoutEmpty(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

/** Returns the record that a row updates, by its id or by an existing external id. */
export async function knownRecord(
  ctx: Ctx,
  info: ModelInfo,
  { row, columns }: { readonly row: readonly Cell[]; readonly columns: readonly Pick<Column, 'index' | 'target'>[] },
): Promise<{ id: Id | null; external: string }> {
  let external = '';
  for (const { index, target } of columns) {
    if (target.field) continue;
    const cell = row[index] ?? null;
    refuseError(cell);
    const text = textOf(cell);
    if (text === '') continue;
    if (target.via === 'id') {
      external = text;
      const id = await recordByExternalId(ctx, info.name, text);
      if (id !== null) return { id, external };
      continue;
    }
    const id = Number(text);
    if (!Number.isSafeInteger(id) || id <= 0)
      throw new InvalidInput('“{value}” isn’t a record ID.', {
        code: 'web.import_value',
        params: { value: text },
      });
    return { id, external };
  }
  return { id: null, external };
}

/** Returns the errors of a row for people, by column if possible. Rethrows internal errors. */
function faultsOf(
  ctx: Ctx,
  error: unknown,
  { line, order, columns }: { line: number; order: ImportOrder; columns: readonly Column[] },
): ImportError[] {
  if (!(error instanceof PergolaError) || error.status >= 500) throw error;
  const headerOf = (field: string): string => {
    const column = columns.find(({ target }) => target.field?.name === field);
    return column ? (order.sheet.headers[column.index] ?? '') : (order.info.fields[field]?.label ?? field);
  };
  const fields = Object.entries(errorFields(ctx, error));
  if (fields.length === 0) return [{ line, column: '', message: errorText(ctx, error) }];
  return fields.map(([field, text]) => ({ line, column: headerOf(field), message: text }));
}
