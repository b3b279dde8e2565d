import { Language } from '@pergola/base';
import { type Ctx, InvalidInput } from 'pergola';
import { type AnyModel, humanize, readMarkup } from 'pergola/orm';
import { t } from '../texts.ts';
import { type OpenTranslation, openTranslation } from './untranslated.ts';
import { type EditableField, editableField, revisionOf, selectOf, uncheckedSelect, wireValue } from './values.ts';

/** Piece of a page: a field of a record. */
export interface ElementRef {
  readonly model: string;
  readonly id: number;
  readonly field: string;
}

/** Piece with its metadata for the editor. */
export interface OpenElement extends ElementRef {
  readonly type: string;
  readonly value: unknown;
  /** Identifies the value that was read. */
  readonly revision: string;
  readonly label: string;
  readonly required: boolean;
  /** Whether the field has a value per language. */
  readonly translated: boolean;
  /** Maximum length in characters; null without a limit. */
  readonly size: number | null;
  /** Choices by value, with their labels. */
  readonly choices: Readonly<Record<string, string>> | null;
  /** Texts to translate if the markup has the structure of another language; the value is then the list of edits (`TermEdit`). */
  readonly translation: OpenTranslation | null;
  /** Sanitiser profile of HTML fields. */
  readonly profile: 'page' | 'comment' | 'mail' | null;
  /** Time zone for displaying and entering moments: the field's zone, otherwise the user's. */
  readonly timezone: string;
}

/** Record with the requested fields that the caller may change. */
export interface OpenRecord {
  readonly model: AnyModel;
  readonly id: number;
  readonly row: Readonly<Record<string, unknown>>;
  readonly fields: readonly EditableField[];
}

/**
 * Context for reading and writing texts of a language of the site.
 *
 * @throws InvalidInput if the site doesn't have the language
 */
export async function inLanguage(ctx: Ctx, lang: string): Promise<Ctx> {
  if (lang === ctx.lang) return ctx;
  const count = await ctx.model(Language).count([['code', '=', lang]]);
  if (count > 0) return ctx.as({ lang });
  throw new InvalidInput('This site isn’t available in “{lang}”.', { code: 'website.no_language', params: { lang } });
}

/**
 * Reads the records of pieces, with those requested fields that can be edited in place. Skips records that don't exist or that the caller
 * may not change.
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

/** Reads pieces with their values for editing. */
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
    // Unknown models and models of disabled addons look the same to callers.
    return null;
  }
}

async function allowedToWrite(model: AnyModel, ids: readonly number[]): Promise<readonly number[]> {
  try {
    return await model.allowed(ids, 'write');
  } catch {
    // No access to the model at all.
    return [];
  }
}

/** Returns null if the record was deleted, or if a field is restricted to groups the user isn't in. */
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
