import { User } from '@pergola/base';
import { type Ctx, errorFields, errorText, InvalidInput, PergolaError, z } from 'pergola';
import type { RenderFragment } from 'pergola/http';
import { type AnyModel, humanize, type Markup, readMarkup } from 'pergola/orm';
import { t } from '../texts.ts';
import { editedHtml } from './html.ts';
import { keepKnownTexts } from './known-texts.ts';
import { WebsiteRevision } from './models/revision.ts';
import { type ElementRef, inLanguage, type OpenRecord, openRecords } from './open.ts';
import { storeRevisions } from './revisions.ts';
import { isTranslated, type TermEdit, termConflicts } from './translation.ts';
import { type EditableField, modelValue, revisionOf, uncheckedValues, wireValue } from './values.ts';

/** Changed piece with the revision it is based on. */
export interface Change extends ElementRef {
  readonly revision: string;
  readonly value: unknown;
}

/** Another user changed the piece after it was read. */
export interface SaveConflict extends ElementRef {
  readonly label: string;
  readonly type: string;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** Revision of the current value; saving with it overwrites that value deliberately. */
  readonly revision: string;
  readonly by: string | null;
  readonly at: string | null;
  /** Conflicting text of a translation. */
  readonly term: TermEdit | null;
}

/** Piece that the caller may not change, or whose value is invalid. */
export interface Refusal extends ElementRef {
  readonly message: string;
}

export type SaveResult =
  | { readonly saved: true; readonly elements: readonly (ElementRef & { revision: string })[] }
  | { readonly saved: false; readonly conflicts: readonly SaveConflict[]; readonly refused: readonly Refusal[] };

/** Changed field of an editable record. */
interface Piece {
  readonly change: Change;
  readonly record: OpenRecord;
  readonly field: EditableField;
  readonly before: unknown;
  /** Set for translated markup. */
  readonly markup: Markup | null;
  /** Edited texts if only texts of the markup are translated. */
  readonly edits: readonly TermEdit[] | null;
}

const term = z.union([z.null(), z.string(), z.tuple([z.string(), z.string()])]);
const termEdits = z
  .array(z.object({ at: z.int().min(0), source: z.string(), before: term, text: z.string().nullable() }))
  .max(20_000);

/**
 * Saves all changes or none. If any piece conflicts with a newer value, may not be changed, or is invalid, the result lists all such pieces
 * and nothing is written. In translations conflicts are per text, so two people can translate a page at the same time. Each change becomes
 * a revision. Changes of a record are written together, so that its model validates them as a whole.
 */
export async function saveChanges(
  baseCtx: Ctx,
  render: RenderFragment,
  lang: string,
  changes: readonly Change[],
): Promise<SaveResult> {
  const ctx = await inLanguage(baseCtx, lang);
  const { pieces, refusals } = await openPieces(ctx, changes);
  const conflicts: SaveConflict[] = [];
  for (const piece of pieces) {
    if (piece.markup && piece.edits) {
      for (const { edit, theirs: otherText } of termConflicts(piece.markup, ctx.lang, piece.edits))
        conflicts.push({ ...(await describeConflict(ctx, piece)), mine: edit.text, theirs: otherText, term: edit });
    } else if (revisionOf(piece.before) !== piece.change.revision) conflicts.push(await describeConflict(ctx, piece));
  }
  if (refusals.length > 0 || conflicts.length > 0) return { saved: false, conflicts, refused: refusals };
  try {
    return await ctx.savepoint(() => writeAll(ctx, render, pieces));
  } catch (error) {
    if (error instanceof Refused) return { saved: false, conflicts: [], refused: error.refusals };
    throw error;
  }
}

function editsOf(value: unknown): readonly TermEdit[] {
  const parsed = termEdits.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new InvalidInput('In this language you can only translate texts. Reload the page.', {
    code: 'website.only_texts',
  });
}

async function openPieces(ctx: Ctx, changes: readonly Change[]): Promise<{ pieces: Piece[]; refusals: Refusal[] }> {
  const records = new Map(
    (await openRecords(ctx, changes)).map((record) => [`${record.model.modelName} ${record.id}`, record]),
  );
  const pieces: Piece[] = [];
  const refusals: Refusal[] = [];
  const seen = new Set<string>();
  for (const change of changes) {
    const record = records.get(`${change.model} ${change.id}`);
    const field = record?.fields.find(({ name }) => name === change.field);
    const key = keyOf(change);
    if (!record || !field)
      refusals.push({
        ...refOf(change),
        message: t(ctx, 'This was deleted, or you don’t have permission to edit it.'),
      });
    else if (seen.has(key)) refusals.push({ ...refOf(change), message: t(ctx, 'This was already sent.') });
    else {
      const markup = await readMarkup(record.model, record.id, field.name);
      const edits = markup && isTranslated(ctx, markup) ? editsOf(change.value) : null;
      pieces.push({ change, record, field, before: wireValue(field, record.row), markup, edits });
    }
    seen.add(key);
  }
  return { pieces, refusals };
}

/** Rolls back all writes and carries the rejected pieces. */
class Refused extends Error {
  readonly refusals: readonly Refusal[];

  constructor(refusals: readonly Refusal[]) {
    super('Some changes do not fit.');
    this.refusals = refusals;
  }
}

async function writeAll(ctx: Ctx, render: RenderFragment, pieces: readonly Piece[]): Promise<SaveResult> {
  const refusals: Refusal[] = [];
  for (const recordPieces of byRecord(pieces)) refusals.push(...(await writeRecord(ctx, recordPieces)));
  if (refusals.length > 0) throw new Refused(refusals);
  for (const { record, field, edits, markup } of pieces) {
    if (!edits) await keepKnownTexts(ctx, render, { ...record, field: field.name }, { before: markup });
  }
  const after = await valuesNow(ctx, pieces);
  await storeRevisions(
    ctx,
    pieces.map(({ change, field, before }, index) => ({
      ...refOf(change),
      lang: field.field.options.translate ? ctx.lang : null,
      before,
      after: after[index],
    })),
  );
  return {
    saved: true,
    elements: pieces.map(({ change }, index) => ({ ...refOf(change), revision: revisionOf(after[index]) })),
  };
}

async function writeRecord(ctx: Ctx, pieces: readonly Piece[]): Promise<Refusal[]> {
  const [first] = pieces;
  if (!first) return [];
  const { model, id, row } = first.record;
  const values: Record<string, unknown> = {};
  const refusals: Refusal[] = [];
  for (const { change, field, edits, markup } of pieces) {
    try {
      values[field.name] = edits
        ? {
            [ctx.lang]: {
              terms: edits.map((edit) => ({
                at: edit.at,
                source: edit.source,
                text: edit.text && editedHtml(edit.text),
              })),
            },
          }
        : inOwnStructure(ctx, markup, await modelValue(ctx, field, change.value, row));
    } catch (error) {
      refusals.push({ ...refOf(change), message: messageOf(ctx, error) });
    }
  }
  if (refusals.length > 0) return refusals;
  try {
    await ctx.savepoint(() => model.write(id, uncheckedValues(values)));
    return [];
  } catch (error) {
    return refusalsOf(ctx, pieces, error);
  }
}

/** If the site lacks the language that provides the structure, the edited language takes over. */
function inOwnStructure(ctx: Ctx, markup: Markup | null, value: unknown): unknown {
  return markup && markup.source !== ctx.lang && typeof value === 'string'
    ? { source: ctx.lang, [ctx.lang]: value }
    : value;
}

/** Maps messages to the fields they are about; without field errors, the message applies to all pieces of the record. */
function refusalsOf(ctx: Ctx, pieces: readonly Piece[], error: unknown): Refusal[] {
  const message = messageOf(ctx, error);
  const fields = error instanceof InvalidInput ? errorFields(ctx, error) : {};
  const matching = pieces.filter(({ field }) => fields[field.name] !== undefined);
  if (matching.length === 0) return pieces.map(({ change }) => ({ ...refOf(change), message }));
  return matching.map(({ change, field }) => ({ ...refOf(change), message: fields[field.name] ?? message }));
}

/** Message for the user. Rethrows unexpected errors. */
function messageOf(ctx: Ctx, error: unknown): string {
  if (error instanceof PergolaError && error.status < 500) return errorText(ctx, error);
  throw error;
}

async function valuesNow(ctx: Ctx, pieces: readonly Piece[]): Promise<unknown[]> {
  // Values as stored: sanitised, rounded, truncated. Uses superuser rights, since a change can remove the editor's access to the record.
  const records = await openRecords(
    ctx.sudo(),
    pieces.map(({ change }) => change),
  );
  return pieces.map(({ change, field }) => {
    const record = records.find(({ model, id }) => model.modelName === change.model && id === change.id);
    return record ? wireValue(field, record.row) : null;
  });
}

async function describeConflict(ctx: Ctx, { change, record, field, before }: Piece): Promise<SaveConflict> {
  const lastChange = (await lastRevision(ctx, change)) ?? (await lastWrite(ctx, record.model, record.id));
  return {
    ...refOf(change),
    label: t(ctx, field.field.options.label ?? humanize(field.name)),
    type: field.field.type,
    mine: change.value,
    theirs: before,
    revision: revisionOf(before),
    by: lastChange?.by ?? null,
    at: lastChange?.at.toISOString() ?? null,
    term: null,
  };
}

/** Author and time of the last change. Uses superuser rights, since editors may not be able to read users. */
async function lastRevision(
  ctx: Ctx,
  { model, id, field }: ElementRef,
): Promise<{ by: string | null; at: Date } | null> {
  const row = await ctx
    .sudo()
    .model(WebsiteRevision)
    .first(
      [
        ['res_model', '=', model],
        ['res_id', '=', id],
        ['field', '=', field],
      ],
      { select: { date: true, user_id: { name: true } } },
    );
  return row ? { by: row.user_id?.name ?? null, at: row.date } : null;
}

async function lastWrite(ctx: Ctx, model: AnyModel, id: number): Promise<{ by: string | null; at: Date } | null> {
  const [row] = await ctx
    .sudo()
    .modelNamed(model.modelName)
    .read([id], { select: { write_date: true, write_uid: true } });
  if (!(row?.write_date instanceof Date)) return null;
  const [user] =
    typeof row.write_uid === 'number'
      ? await ctx
          .sudo()
          .model(User)
          .read([row.write_uid], { select: { name: true } })
      : [];
  return { by: user?.name ?? null, at: row.write_date };
}

function byRecord(pieces: readonly Piece[]): Piece[][] {
  return [...Map.groupBy(pieces, ({ record }) => record).values()];
}

function keyOf({ model, id, field }: ElementRef): string {
  return `${model} ${id} ${field}`;
}

function refOf({ model, id, field }: ElementRef): ElementRef {
  return { model, id, field };
}
