import { buildInputs, type Ctx } from '@pergola/core';
import { catalogs } from './point.ts';
import type { Params } from './texts.ts';

/**
 * Translates a text declared by an addon (a label, a title) with the addon's own catalogue: the same word may mean something else in
 * another addon. Addons translate their own texts with `t` from their `texts.ts`.
 */
export function ownText(ctx: Ctx, addon: string, text: string, params?: Params): string {
  return ctx.get(catalogs).translate(ctx.lang, addon, text, params);
}

/** Title of an addon on disk, enabled or not; null if it doesn't exist. */
export function appTitle(ctx: Ctx, addon: string): string | null {
  const { allAddons } = ctx.get(buildInputs);
  const addonOnDisk = allAddons.find(({ name }) => name === addon);
  return addonOnDisk ? ownText(ctx, addon, addonOnDisk.definition.title) : null;
}

/**
 * An error with a message in the source language and values for its placeholders. Its code starts with the addon that wrote the message.
 */
interface TranslatableError extends Error {
  readonly code?: string;
  readonly params: Params;
}

/** Translates an error's message with the catalogue of the addon that threw it. */
export function errorText(ctx: Ctx, error: TranslatableError): string {
  return translateIn(ctx, error, error.message);
}

/** Translates an error's messages for fields in the same way. */
export function errorFields(
  ctx: Ctx,
  error: TranslatableError & { readonly fields: Readonly<Record<string, string>> },
): Record<string, string> {
  return Object.fromEntries(Object.entries(error.fields).map(([name, text]) => [name, translateIn(ctx, error, text)]));
}

/**
 * Translates the texts of an error now, if the response won't: some of its values (labels, reasons) are already in the context's language.
 */
export function saidIn<E extends TranslatableError & { readonly fields: Readonly<Record<string, string>> }>(
  ctx: Ctx,
  error: E,
): E {
  return Object.assign(error, { message: errorText(ctx, error), fields: errorFields(ctx, error) });
}

function translateIn(ctx: Ctx, { code, params }: TranslatableError, text: string): string {
  return ownText(ctx, textDomain(code), text, params);
}

/** Addon whose catalogue is searched first for an error's texts, from the start of its code: `forum` for `forum.karma_too_low`. */
export function textDomain(code: string | undefined): string {
  return code?.split('.')[0] ?? 'core';
}
