import { type Ctx, InvalidInput } from 'pergola';
import { type AnyModel, humanize, readMarkup } from 'pergola/orm';
import { Language } from '#addons/base';
import { t } from '../texts.ts';
import { type OpenTranslation, openTranslation } from './untranslated.ts';
import { type EditableField, editableField, revisionOf, selectOf, uncheckedSelect, wireValue } from './values.ts';

/** A piece of a page: a field of a record. */
export interface ElementRef {
  readonly model: string;
  readonly id: number;
  readonly field: string;
}

/** A piece with what the editor needs to know of it. */
export interface OpenElement extends ElementRef {
  readonly type: string;
  readonly value: unknown;
  /** Names the value as it was read. */
  readonly revision: string;
  readonly label: string;
  readonly required: boolean;
  /** Whether each language has its own text. */
  readonly translated: boolean;
  /** Longest text in characters; null where nothing is said. */
  readonly size: number | null;
  /** Values and labels to choose from. */
  readonly choices: Readonly<Record<string, string>> | null;
  /** The texts to translate, for markup in a language that has the structure of another one; its value is what was translated since (`TermEdit`). */
  readonly translation: OpenTranslation | null;
  /** What may stay of HTML. */
  readonly profile: 'page' | 'comment' | 'mail' | null;
  /** Zone in which a moment is shown and entered: the one its field declares, else the user's. */
  readonly timezone: string;
}

/** A record with the fields in question, as the caller may change it. */
export interface OpenRecord {
  readonly model: AnyModel;
  readonly id: number;
  readonly row: Readonly<Record<string, unknown>>;
  readonly fields: readonly EditableField[];
}

/**
 * The context that reads and writes texts of a language, which must be one of the site's.
 *
 * @throws InvalidInput for another one.
 */
export async function inLanguage(ctx: Ctx, lang: string): Promise<Ctx> {
  if (lang === ctx.lang) return ctx;
  const known = await ctx.model(Language).count([['code', '=', lang]]);
  if (known > 0) return ctx.as({ lang });
  throw new InvalidInput('This site has no language “{lang}”.', { code: 'website.no_language', params: { lang } });
}

/**
 * Reads the records behind pieces: those the caller may change, with those of the fields that may be edited in place. Whatever is not there,
 * or not the caller's to change, is left out.
 */
export async function openRecords(ctx: Ctx, refs: readonly ElementRef[]): Promise<OpenRecord[]> {
  const opened: OpenRecord[] = [];
  for (const [name, byId] of grouped(refs)) {
    const model = modelOrNull(ctx, name);
    const writable = model ? await allowedToWrite(model, [...byId.keys()]) : [];
    for (const id of writable) {
      const fields = [...(byId.get(id) ?? [])].flatMap((field) => (model && editableField(model, field)) ?? []);
      const row = model && fields.length > 0 ? await readable(model, id, fields) : null;
      if (model && row) opened.push({ model, id, row, fields });
    }
  }
  return opened;
}

/** Pieces with their values, for editing them. */
export async function openElements(ctx: Ctx, refs: readonly ElementRef[]): Promise<OpenElement[]> {
  const elements: OpenElement[] = [];
  for (const record of await openRecords(ctx, refs)) {
    for (const field of record.fields) {
      const markup = await readMarkup(record.model, record.id, field.name);
      elements.push(describe(ctx, record, field, await openTranslation(ctx, record.model, record.id, markup)));
    }
  }
  return elements;
}

function describe(
  ctx: Ctx,
  { model, id, row }: OpenRecord,
  editable: EditableField,
  translation: OpenTranslation | null,
): OpenElement {
  const { name, field } = editable;
  const { options, values } = field;
  const value = wireValue(editable, row);
  return {
    model: model.modelName,
    id,
    field: name,
    type: field.type,
    value: translation ? [] : value,
    revision: revisionOf(value),
    label: t(ctx, options.label ?? humanize(name)),
    required: options.required === true,
    translated: options.translate ?? false,
    size: options.size ?? (field.type === 'char' ? 255 : null),
    choices: values ? Object.fromEntries(Object.entries(values).map(([key, label]) => [key, t(ctx, label)])) : null,
    translation,
    profile: field.type === 'html' ? (options.sanitize ?? 'page') : null,
    timezone: zoneOf(ctx, options.timezone, row),
  };
}

function zoneOf(ctx: Ctx, declared: string | undefined, row: Readonly<Record<string, unknown>>): string {
  if (declared === '@site') return ctx.siteTimezone;
  const zone = declared === undefined ? null : row[declared];
  return typeof zone === 'string' && zone !== '' ? zone : ctx.timezone;
}

function grouped(refs: readonly ElementRef[]): Map<string, Map<number, Set<string>>> {
  const models = new Map<string, Map<number, Set<string>>>();
  for (const { model, id, field } of refs) {
    const byId = models.get(model) ?? new Map<number, Set<string>>();
    models.set(model, byId);
    byId.set(id, (byId.get(id) ?? new Set()).add(field));
  }
  return models;
}

function modelOrNull(ctx: Ctx, name: string): AnyModel | null {
  try {
    return ctx.modelNamed(name);
  } catch {
    // No such model, or its addon is off: for whoever asks from outside the same.
    return null;
  }
}

async function allowedToWrite(model: AnyModel, ids: readonly number[]): Promise<readonly number[]> {
  try {
    return await model.allowed(ids, 'write');
  } catch {
    // No right on the model at all.
    return [];
  }
}

/** null for a record that is gone, or with a field of groups the reader is not in. */
async function readable(
  model: AnyModel,
  id: number,
  fields: readonly EditableField[],
): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const [row] = await model.read([id], { select: uncheckedSelect(selectOf(fields)) });
    return row ?? null;
  } catch {
    return null;
  }
}
