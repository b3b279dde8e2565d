import { buildInputs, type Ctx } from '@pergola/core';
import { catalogs } from './point.ts';
import type { Params } from './texts.ts';

/**
 * A text that an addon declared (a label, a title) in the context's language, as its own catalogue has it: the same word may mean something else
 * in another addon. An addon’s own texts go through `t` of its `texts.ts`.
 */
export function ownText(ctx: Ctx, addon: string, text: string, params?: Params): string {
  return ctx.get(catalogs).translate(ctx.lang, addon, text, params);
}

/** What people call an addon that is on disk, enabled or not; null where there is none of that name. */
export function appTitle(ctx: Ctx, addon: string): string | null {
  const { known } = ctx.get(buildInputs);
  const found = known.find(({ name }) => name === addon);
  return found ? ownText(ctx, addon, found.definition.title) : null;
}

/** An error with a text in the source language and what fills its places. Its code begins with the addon whose words they are. */
interface TranslatableError extends Error {
  readonly code?: string;
  readonly params: Params;
}

/** What an error says, in the context's language and in the words of the addon that threw it. */
export function errorText(ctx: Ctx, error: TranslatableError): string {
  return saidBy(ctx, error, error.message);
}

/** The texts of an error beside the fields they are about, in the same way. */
export function errorFields(
  ctx: Ctx,
  error: TranslatableError & { readonly fields: Readonly<Record<string, string>> },
): Record<string, string> {
  return Object.fromEntries(Object.entries(error.fields).map(([name, text]) => [name, saidBy(ctx, error, text)]));
}

/**
 * The error with its texts as the context says them, when they are no longer translated by whoever answers: parts of them (labels, reasons) are in its
 * language already.
 */
export function saidIn<E extends TranslatableError & { readonly fields: Readonly<Record<string, string>> }>(
  ctx: Ctx,
  error: E,
): E {
  return Object.assign(error, { message: errorText(ctx, error), fields: errorFields(ctx, error) });
}

function saidBy(ctx: Ctx, { code, params }: TranslatableError, text: string): string {
  return ownText(ctx, textDomain(code), text, params);
}

/** The addon in whose catalogue the texts of an error are looked up first: the one that its code begins with, `forum` of `forum.karma_too_low`. */
export function textDomain(code: string | undefined): string {
  return code?.split('.')[0] ?? 'core';
}
