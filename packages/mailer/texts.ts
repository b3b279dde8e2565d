import { createHash } from 'node:crypto';
import { values as appValues, type Ctx, closest, contextTools, InvalidInput, NotFound } from '@pergola/core';
import { type EditedFault, sampleOf, TemplateError, templates, type Vocabulary } from '@pergola/pages';
import { type Setting, setting } from '@pergola/settings';
import { ownText, t } from '@pergola/texts';
import { z } from 'zod';
import { addonOf, type MailDefinition } from './define.ts';
import { mailContext } from './mail-context.ts';
import { mails } from './point.ts';

/** Text of an email in one language, edited by administrators. */
const edited = z.object({
  subject: z.string().min(1).max(250),
  /** Body inside the email's layout. */
  body: z.string().min(1).max(50_000),
  /** Hash of the default text it is based on; differs once the default has changed. */
  over: z.string(),
});
type EditedText = z.infer<typeof edited>;

/** Entry in the list of editable emails. */
export interface MailSummary {
  readonly name: string;
  readonly addon: string;
  readonly subject: string;
  /** Languages with an edited text, and the subset whose default text has changed since. */
  readonly edited: readonly string[];
  readonly outdated: readonly string[];
}

/** Current and default text of an email in a language. */
export interface MailText {
  readonly name: string;
  readonly lang: string;
  readonly subject: string;
  readonly body: string;
  readonly shipped: { readonly subject: string; readonly body: string };
  readonly isEdited: boolean;
  readonly isOutdated: boolean;
  /** Names of the available placeholders. */
  readonly values: readonly string[];
}

/** Preview of an email with sample values, or the errors in its text. */
export interface MailPreview {
  readonly subject: string;
  readonly html: string;
  readonly faults: readonly { readonly field: 'subject' | 'body'; readonly line: number; readonly text: string }[];
}

/** The email a text belongs to. */
type Worded = Pick<MailDefinition, 'name' | 'subject' | 'template'>;
type Given = Pick<EditedText, 'subject' | 'body'>;

/** Stored under the addon's name, so that it is removed with the addon's settings. */
function textSetting(name: string, lang: string): Setting<EditedText | null> {
  return setting(`${name}.words.${lang}`, edited.nullable(), null, { label: name });
}

/** All emails of the addons. */
export async function listMailTexts(ctx: Ctx): Promise<readonly MailSummary[]> {
  const languages = ctx.get(appValues.languages);
  return Promise.all(
    ctx.get(mails).map(async (definition) => {
      const { name, subject } = definition;
      const all = await Promise.all(
        languages.map(async (lang) => ({ lang, text: await ctx.settings.get(textSetting(name, lang)) })),
      );
      const edited = all.filter((entry) => entry.text !== null);
      const outdated = edited.filter((entry) => entry.text?.over !== hashOf(shippedText(ctx, definition, entry.lang)));
      return {
        name,
        addon: addonOf(definition),
        subject: ownText(ctx, addonOf(definition), subject),
        edited: edited.map(({ lang }) => lang),
        outdated: outdated.map(({ lang }) => lang),
      };
    }),
  );
}

/** Text of one email. */
export async function mailText(ctx: Ctx, name: string, lang: string): Promise<MailText> {
  const definition = definitionOf(ctx, name, lang);
  const { frame: _, ...shipped } = shippedText(ctx, definition, lang);
  const editedText = await ctx.settings.get(textSetting(name, lang));
  const { subject, body } = editedText ?? shipped;
  return {
    name,
    lang,
    subject,
    body,
    shipped,
    isEdited: editedText !== null,
    isOutdated: editedText !== null && editedText.over !== hashOf(shipped),
    values: [...known(ctx, definition, lang).values].toSorted(),
  };
}

/**
 * Stores an edited text of an email in a language. The caller checks permissions.
 *
 * @throws InvalidInput with the error, its line and the nearest valid name
 */
export async function changeMailText(ctx: Ctx, name: string, lang: string, newText: Given): Promise<void> {
  const definition = definitionOf(ctx, name, lang);
  const faults = faultsOf(ctx, definition, lang, newText);
  if (faults.length > 0) {
    const text = faults.map((fault) => fault.text).join(' ');
    throw new InvalidInput('This text has errors: {faults}', {
      code: 'core.bad_mail_text',
      params: { faults: text },
      fields: Object.fromEntries(faults.toReversed().map((fault) => [fault.field, fault.text])),
    });
  }
  const shipped = shippedText(ctx, definition, lang);
  const isShipped = newText.subject === shipped.subject && newText.body === shipped.body;
  await ctx.settings.set(textSetting(name, lang), isShipped ? null : { ...newText, over: hashOf(shipped) });
}

/** Restores the addon's default text. */
export async function resetMailText(ctx: Ctx, name: string, lang: string): Promise<void> {
  definitionOf(ctx, name, lang);
  await ctx.settings.set(textSetting(name, lang), null);
}

/** Previews a text with sample values from a record if the addon provides one, otherwise with the names of the values. */
export async function previewMailText(ctx: Ctx, name: string, lang: string, newText: Given): Promise<MailPreview> {
  const definition = definitionOf(ctx, name, lang);
  const faults = faultsOf(ctx, definition, lang, newText);
  if (faults.length > 0) return { subject: '', html: '', faults };
  const speaking = ctx.as({ lang });
  const sample = {
    ...sampleOf(known(ctx, definition, lang), { now: ctx.now(), timezone: ctx.siteTimezone }),
    ...((await definition.sample?.(speaking)) ?? {}),
  };
  try {
    return { ...(await renderEdited(speaking, definition, newText, sample)), faults };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const text = Error.isError(error.cause) ? error.cause.message : error.message;
    return { subject: '', html: '', faults: [{ field: 'body', line: 1, text }] };
  }
}

/** Renders the email with the site's edited text. Null if it wasn't edited, or if the text can no longer be rendered. */
export async function renderInOwnWords(
  ctx: Ctx,
  definition: Worded,
  values: object,
): Promise<{ subject: string; html: string } | null> {
  const editedText = await ctx.settings.get(textSetting(definition.name, ctx.lang));
  if (editedText === null) return null;
  try {
    return await renderEdited(ctx, definition, editedText, values);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    ctx.log.warn({ err: error, mail: definition.name }, 'The edited text of an email failed; the default text is sent');
    return null;
  }
}

async function renderEdited(ctx: Ctx, definition: Worded, { subject, body }: Given, values: object) {
  const { generation } = ctx.get(contextTools);
  const { frame } = shippedText(ctx, definition, ctx.lang);
  const html = generation.get(templates).renderEdited(`${frame[0]}${body}${frame[1]}`, values, await mailContext(ctx));
  return { html, subject: filled(subject, values) };
}

function filled(subject: string, values: object): string {
  const valuesByName = values as Readonly<Record<string, unknown>>;
  return subject.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(valuesByName, name) ? valuesByName[name] : '';
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  });
}

function definitionOf(ctx: Ctx, name: string, lang: string): MailDefinition {
  const definition = ctx.get(mails).find((mail) => mail.name === name);
  if (!definition || !ctx.get(appValues.languages).includes(lang))
    throw new NotFound('This email doesn’t exist.', { code: 'core.no_mail' });
  return definition;
}

interface Shipped extends Given {
  /** Template code around the body: the layout shared by all emails. */
  readonly frame: readonly [before: string, after: string];
}

function shippedText(ctx: Ctx, { name, subject, template }: Worded, lang: string): Shipped {
  const source = ctx.get(templates).sourceIn(template, lang) ?? '';
  const [, before = '', body = source, after = ''] =
    /^(\s*\{\{#>[^}]*\}\}\n?)([\s\S]*?)(\{\{\/[\w.]+\}\}\s*)$/.exec(source) ?? [];
  return { subject: ownText(ctx.as({ lang }), addonOf({ name }), subject), body, frame: [before, after] };
}

function hashOf({ subject, body }: Given): string {
  return createHash('sha256')
    .update(JSON.stringify([subject, body]))
    .digest('base64url')
    .slice(0, 22);
}

/** Names a text may use: those in the template and in the subject. */
function known(ctx: Ctx, { subject, template }: MailDefinition, lang: string): Vocabulary {
  const vocabulary = ctx.get(templates).vocabulary(template, lang);
  return { ...vocabulary, values: new Set([...vocabulary.values, ...namesIn(subject)]) };
}

function namesIn(subject: string): string[] {
  return [...subject.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function faultsOf(ctx: Ctx, definition: MailDefinition, lang: string, { subject, body }: Given): MailPreview['faults'] {
  const vocabulary = known(ctx, definition, lang);
  const inSubject = namesIn(subject)
    .filter((name) => !vocabulary.values.has(name))
    .map((name) => unknownText(ctx, name, closest(name, vocabulary.values) ?? ''));
  if (/[{}]/.test(subject.replace(/\{\w+\}/g, '')))
    inSubject.push(t(ctx, 'In the subject, put values in single braces: {example}.', { example: '{name}' }));
  return [
    ...inSubject.map((text) => ({ field: 'subject' as const, line: 1, text })),
    ...ctx
      .get(templates)
      .checkEdited(body, vocabulary)
      .map((fault) => ({ field: 'body' as const, line: fault.line, text: faultText(ctx, fault) })),
  ];
}

function faultText(ctx: Ctx, { line, column, kind, name, near: suggestion, detail }: EditedFault): string {
  const description =
    kind === 'unknown'
      ? unknownText(ctx, name, suggestion)
      : kind === 'raw'
        ? t(ctx, '{name} would be printed as is. Put it in double braces.', { name })
        : detail;
  return t(ctx, 'Line {line}, column {column}: {what}', { line, column, what: description });
}

function unknownText(ctx: Ctx, name: string, suggestion: string): string {
  return suggestion
    ? t(ctx, 'Unknown name “{name}”. Did you mean “{near}”?', { name, near: suggestion })
    : t(ctx, 'Unknown name “{name}”.', { name });
}
