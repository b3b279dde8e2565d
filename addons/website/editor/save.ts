import { type Ctx, errorFields, errorText, InvalidInput, PergolaError, z } from 'pergola';
import type { RenderFragment } from 'pergola/http';
import { type AnyModel, humanize, type Markup, readMarkup } from 'pergola/orm';
import { User } from '#addons/base';
import { t } from '../texts.ts';
import { editedHtml } from './html.ts';
import { keepKnownTexts } from './known-texts.ts';
import { WebsiteRevision } from './models/revision.ts';
import { type ElementRef, inLanguage, type OpenRecord, openRecords } from './open.ts';
import { keepRevisions } from './revisions.ts';
import { isTranslated, type TermEdit, termConflicts } from './translation.ts';
import { type EditableField, modelValue, revisionOf, uncheckedValues, wireValue } from './values.ts';

/** A changed piece of a page, with the revision it was read at. */
export interface Change extends ElementRef {
  readonly revision: string;
  readonly value: unknown;
}

/** Somebody else changed the piece since it was read. */
export interface SaveConflict extends ElementRef {
  readonly label: string;
  readonly type: string;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** What the value now there is called; saving with it overwrites it knowingly. */
  readonly revision: string;
  readonly by: string | null;
  readonly at: string | null;
  /** Of a translation: which text. */
  readonly term: TermEdit | null;
}

/** A piece the caller may not change, or whose value does not fit. */
export interface Refusal extends ElementRef {
  readonly message: string;
}

export type SaveResult =
  | { readonly saved: true; readonly elements: readonly (ElementRef & { revision: string })[] }
  | { readonly saved: false; readonly conflicts: readonly SaveConflict[]; readonly refused: readonly Refusal[] };

/** One changed field of a record that may be changed. */
interface Piece {
  readonly change: Change;
  readonly record: OpenRecord;
  readonly field: EditableField;
  readonly before: unknown;
  /** Of translated markup. */
  readonly markup: Markup | null;
  /** Where only its texts are translated: those that were. */
  readonly edits: readonly TermEdit[] | null;
}

const term = z.union([z.null(), z.string(), z.tuple([z.string(), z.string()])]);
const termEdits = z
  .array(z.object({ at: z.int().min(0), source: z.string(), before: term, text: z.string().nullable() }))
  .max(20_000);

/**
 * Saves all changes, or none: when one of them meets a newer value, may not be made, or does not fit, the answer names every such piece and
 * nothing is written. Of a translation each text counts by itself: two people may translate a page together. Each change is kept as a revision. Writes to one record are one write, so that its model checks it whole.
 */
export async function saveChanges(
  given: Ctx,
  render: RenderFragment,
  lang: string,
  changes: readonly Change[],
): Promise<SaveResult> {
  const ctx = await inLanguage(given, lang);
  const { pieces, refused } = await openPieces(ctx, changes);
  const conflicts: SaveConflict[] = [];
  for (const piece of pieces) {
    if (piece.markup && piece.edits) {
      for (const { edit, theirs } of termConflicts(piece.markup, ctx.lang, piece.edits))
        conflicts.push({ ...(await describeConflict(ctx, piece)), mine: edit.text, theirs, term: edit });
    } else if (revisionOf(piece.before) !== piece.change.revision) conflicts.push(await describeConflict(ctx, piece));
  }
  if (refused.length > 0 || conflicts.length > 0) return { saved: false, conflicts, refused };
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
  throw new InvalidInput('In this language only texts are translated. Load the page again.', {
    code: 'website.only_texts',
  });
}

async function openPieces(ctx: Ctx, changes: readonly Change[]): Promise<{ pieces: Piece[]; refused: Refusal[] }> {
  const records = new Map(
    (await openRecords(ctx, changes)).map((record) => [`${record.model.modelName} ${record.id}`, record]),
  );
  const pieces: Piece[] = [];
  const refused: Refusal[] = [];
  const seen = new Set<string>();
  for (const change of changes) {
    const record = records.get(`${change.model} ${change.id}`);
    const field = record?.fields.find(({ name }) => name === change.field);
    const key = keyOf(change);
    if (!record || !field)
      refused.push({ ...refOf(change), message: t(ctx, 'This is gone, or you may not change it.') });
    else if (seen.has(key)) refused.push({ ...refOf(change), message: t(ctx, 'This was sent twice.') });
    else {
      const markup = await readMarkup(record.model, record.id, field.name);
      const edits = markup && isTranslated(ctx, markup) ? editsOf(change.value) : null;
      pieces.push({ change, record, field, before: wireValue(field, record.row), markup, edits });
    }
    seen.add(key);
  }
  return { pieces, refused };
}

/** Undoes everything that was written so far, and says of which pieces it comes. */
class Refused extends Error {
  readonly refusals: readonly Refusal[];

  constructor(refusals: readonly Refusal[]) {
    super('Some changes do not fit.');
    this.refusals = refusals;
  }
}

async function writeAll(ctx: Ctx, render: RenderFragment, pieces: readonly Piece[]): Promise<SaveResult> {
  const refusals: Refusal[] = [];
  for (const own of byRecord(pieces)) refusals.push(...(await writeRecord(ctx, own)));
  if (refusals.length > 0) throw new Refused(refusals);
  for (const { record, field, edits, markup } of pieces) {
    if (!edits) await keepKnownTexts(ctx, render, { ...record, field: field.name }, { before: markup });
  }
  const after = await valuesNow(ctx, pieces);
  await keepRevisions(
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
              terms: edits.map(({ at, source, text }) => ({ at, source, text: text && editedHtml(text) })),
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

/** Markup whose structure is that of a language which this site does not have is from now on that of the language it is edited in. */
function inOwnStructure(ctx: Ctx, markup: Markup | null, value: unknown): unknown {
  return markup && markup.source !== ctx.lang && typeof value === 'string'
    ? { source: ctx.lang, [ctx.lang]: value }
    : value;
}

/** Texts beside the fields they are about; what is about none of them counts for all of the record's pieces. */
function refusalsOf(ctx: Ctx, pieces: readonly Piece[], error: unknown): Refusal[] {
  const message = messageOf(ctx, error);
  const fields = error instanceof InvalidInput ? errorFields(ctx, error) : {};
  const named = pieces.filter(({ field }) => fields[field.name] !== undefined);
  if (named.length === 0) return pieces.map(({ change }) => ({ ...refOf(change), message }));
  return named.map(({ change, field }) => ({ ...refOf(change), message: fields[field.name] ?? message }));
}

/** The text for the person who caused it. Anything else than a refusal on purpose is a fault of ours and goes on its way. */
function messageOf(ctx: Ctx, error: unknown): string {
  if (error instanceof PergolaError && error.status < 500) return errorText(ctx, error);
  throw error;
}

async function valuesNow(ctx: Ctx, pieces: readonly Piece[]): Promise<unknown[]> {
  // As it was kept: sanitised, rounded, cut. Read with lifted rights, since a change may put a record out of its editor's sight.
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
  const who = (await lastRevision(ctx, change)) ?? (await lastWrite(ctx, record.model, record.id));
  return {
    ...refOf(change),
    label: t(ctx, field.field.options.label ?? humanize(field.name)),
    type: field.field.type,
    mine: change.value,
    theirs: before,
    revision: revisionOf(before),
    by: who?.by ?? null,
    at: who?.at.toISOString() ?? null,
    term: null,
  };
}

/** Names and times of changes are told to whoever may make some: read with lifted rights, since the list of users is not for everybody. */
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
