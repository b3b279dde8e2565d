import { Conflict, type Ctx, type Id, NotFound, setting, z } from 'pergola';
import { type AnyModel, fillSlots, humanize, matchTexts, readMarkup } from 'pergola/orm';
import { t } from '../texts.ts';
import { WebsiteRevision } from './models/revision.ts';
import { type ElementRef, inLanguage, openRecords } from './open.ts';
import { type EditableField, modelValue, revisionOf, uncheckedValues, wireValue } from './values.ts';

/** Number of revisions kept per field; older ones are deleted with the next change. */
export const revisionsKept = setting('website.revisions_kept', z.number().int().min(1).max(10_000), 100, {
  label: 'Revisions to keep',
  help: 'Number of earlier versions of each text that editors can restore.',
  section: 'Website',
});

/** Saved change. */
export interface SavedChange extends ElementRef {
  readonly lang: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

/** Revision for display. */
export interface RevisionView {
  readonly id: Id;
  readonly field: string;
  readonly label: string;
  readonly type: string;
  readonly lang: string | null;
  readonly by: string | null;
  readonly at: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Stores revisions and deletes the oldest of each field. Uses superuser rights, since users have no write access to the history. */
export async function storeRevisions(ctx: Ctx, changes: readonly SavedChange[]): Promise<void> {
  const revisions = ctx.sudo().model(WebsiteRevision);
  const real = changes.filter(({ before, after }) => revisionOf(before) !== revisionOf(after));
  if (real.length === 0) return;
  await revisions.create(
    real.map(({ model, id, field, lang, before, after }) => ({
      res_model: model,
      res_id: id,
      field,
      lang,
      user_id: ctx.user.id,
      date: new Date(ctx.now().getTime()),
      before,
      after,
    })),
  );
  const limit = await ctx.settings.get(revisionsKept);
  for (const { model, id, field } of real) {
    const old = await revisions.search(
      [
        ['res_model', '=', model],
        ['res_id', '=', id],
        ['field', '=', field],
      ],
      { offset: limit, limit: 100 },
    );
    if (old.length > 0) await revisions.unlink(old);
  }
}

/** Latest changes of a record that the caller may change, newest first, optionally of a single field. */
export async function history(ctx: Ctx, ref: { model: string; id: number; field?: string }): Promise<RevisionView[]> {
  const rows = await ctx
    .sudo() // Access depends on the record, which is checked below.
    .model(WebsiteRevision)
    .find(
      [
        ['res_model', '=', ref.model],
        ['res_id', '=', ref.id],
        ...(ref.field === undefined ? [] : ([['field', '=', ref.field]] as const)),
      ],
      {
        select: { field: true, lang: true, date: true, before: true, after: true, user_id: { name: true } },
        limit: 50,
      },
    );
  const fields = [...new Set(rows.map(({ field }) => field))];
  const [record] = await openRecords(
    ctx,
    fields.map((field) => ({ model: ref.model, id: ref.id, field })),
  );
  const editableFields = new Map(record?.fields.map((field) => [field.name, field]));
  return rows.flatMap(({ id, field, lang, date, before, after, user_id }) => {
    const editable = editableFields.get(field);
    if (!editable) return [];
    const { type, options } = editable.field;
    const label = t(ctx, options.label ?? humanize(field));
    return [{ id, field, label, type, lang, by: user_id?.name ?? null, at: date.toISOString(), before, after }];
  });
}

/**
 * Restores a field to its value before or after a revision, as a new change with its own revision.
 *
 * @throws NotFound if the caller may not change the field, Conflict if an old image no longer exists
 */
export async function restore(baseCtx: Ctx, revision: Id, side: 'before' | 'after'): Promise<ElementRef> {
  const [row] = await baseCtx
    .sudo() // As in `history`, access depends on the record.
    .model(WebsiteRevision)
    .read([revision], {
      select: { res_model: true, res_id: true, field: true, lang: true, before: true, after: true },
    });
  const ref = { model: row?.res_model ?? '', id: row?.res_id ?? 0, field: row?.field ?? '' };
  const ctx = row?.lang ? await inLanguage(baseCtx, row.lang) : baseCtx;
  const [record] = row ? await openRecords(ctx, [ref]) : [];
  const [field] = record?.fields ?? [];
  if (!row || !record || !field) throw new NotFound('This version doesn’t exist.', { code: 'website.no_revision' });
  const before = wireValue(field, record.row);
  const value = await restorable(ctx, field, row[side], record.row);
  const values = await restoreMissingBlocks(ctx, record.model, ref, value);
  await record.model.write(record.id, uncheckedValues({ [field.name]: values }));
  const [now] = await openRecords(ctx.sudo(), [ref]);
  const after = now ? wireValue(field, now.row) : null;
  await storeRevisions(ctx, [{ ...ref, lang: row.lang, before, after }]);
  return ref;
}

/**
 * Old versions of a translation can have blocks that the source lacks, from before languages shared their structure. Restores these blocks
 * in all languages.
 */
async function restoreMissingBlocks(
  ctx: Ctx,
  model: AnyModel,
  { id, field }: ElementRef,
  value: unknown,
): Promise<unknown> {
  const markup = typeof value === 'string' ? await readMarkup(model, id, field) : null;
  if (!markup || markup.source === ctx.lang) return value;
  const { left: unmatched } = matchTexts(markup.html, String(value));
  if (unmatched.length === 0) return value;
  const places = unmatched.map(
    ({ at: offset }) =>
      ({ start: offset, end: offset, at: offset, kind: 'text', name: '', text: '', optional: true }) as const,
  );
  const source = fillSlots(
    markup.html,
    places,
    unmatched.map(({ html }) => html),
  );
  return { [markup.source]: source, [ctx.lang]: value };
}

async function restorable(ctx: Ctx, editable: EditableField, value: unknown, row: Readonly<Record<string, unknown>>) {
  if (editable.field.type !== 'image' || value === null) return modelValue(ctx, editable, value, row);
  const hash = typeof value === 'object' && 'hash' in value ? String(value.hash) : '';
  if ((await ctx.files.open(hash)) !== null) return value;
  throw new Conflict('The image in that version was deleted.', { code: 'website.picture_gone' });
}
