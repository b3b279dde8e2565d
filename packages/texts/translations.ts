import path from 'node:path';
import { withoutContext } from '@pergola/browser';
import {
  addonSwitches,
  Conflict,
  type Ctx,
  contextTools,
  describeProblem,
  InvalidInput,
  NotFound,
  repository,
} from '@pergola/core';
import { databaseSession, transactionOf } from '@pergola/db';
import type { Catalogs } from './catalog.ts';
import { isLanguageCode } from './languages.ts';
import { keepOwnCatalog } from './own-catalogs.ts';
import { parseCatalog } from './po.ts';
import { catalogs as catalogsKey } from './point.ts';
import { readPot, writePo } from './pot.ts';

/** How far an addon is translated into a language. */
export interface TranslationCoverage {
  readonly addon: string;
  readonly title: string;
  readonly total: number;
  readonly missing: number;
}

/** What became of a catalogue that was brought in. */
export interface ImportedCatalog {
  /** How many of the addon's texts have a translation now. */
  readonly translated: number;
  readonly total: number;
  /** Texts in the file that the addon does not have. */
  readonly unknown: readonly string[];
  /** Translations that do not fit their text; they are left out. */
  readonly problems: readonly string[];
}

/** How far each enabled addon is translated into a language, what was brought in for this site included. */
export async function translationCoverage(ctx: Ctx, lang: string): Promise<readonly TranslationCoverage[]> {
  requireLanguage(lang);
  const catalogs = ctx.get(catalogsKey);
  return Promise.all(
    [...folders(ctx)].map(async ([addon, { folder, title }]) => {
      const { length: total } = await readPot(folder, addon);
      const missing = await missingTexts(catalogs, { addon, folder, lang });
      return { addon, title, total, missing: missing.length };
    }),
  );
}

/** Texts of an addon that have no translation into a language, what was brought in for this site included. */
export async function missingTexts(
  catalogs: Pick<Catalogs, 'lookup'>,
  { addon, folder, lang }: { readonly addon: string; readonly folder: string; readonly lang: string },
): Promise<string[]> {
  const messages = await readPot(folder, addon);
  return messages
    .filter(({ id }) => catalogs.lookup(lang, addon, id) === undefined)
    .map(({ id }) => withoutContext(id));
}

/** An addon's texts with their translations, as the text of a `.po` file for translators. */
export async function exportCatalog(ctx: Ctx, addon: string, lang: string): Promise<string> {
  requireLanguage(lang);
  const catalogs = ctx.get(catalogsKey);
  const messages = await readPot(folderOf(ctx, addon), addon);
  return writePo(addon, lang, messages, (id) =>
    textsOf(catalogs.forms(lang, addon, id), catalogs.lookup(lang, addon, id)),
  );
}

/**
 * Brings the translations of a `.po` file in for this site. They go before those the addon ships; what the file does not translate stays as it is.
 * The pages show them once a new generation is built, which begins after the commit.
 *
 * @throws InvalidInput for what is no `.po` file, NotFound for an addon that is not enabled, Conflict where nothing may be written.
 */
export async function importCatalog(
  ctx: Ctx,
  { addon, lang, source }: { addon: string; lang: string; source: string },
): Promise<ImportedCatalog> {
  requireLanguage(lang);
  const transaction = transactionOf(ctx);
  const { database } = ctx.get(databaseSession);
  const { generation } = ctx.get(contextTools);
  const messages = await readPot(folderOf(ctx, addon), addon);
  const { catalog, problems } = parseCatalog({ addon, lang, file: `${addon}.${lang}.po`, source });
  const ids = new Set(messages.map(({ id }) => id));
  const catalogs = generation.get(catalogsKey);
  if (!catalog || (catalog.entries.size === 0 && problems.length > 0)) {
    throw new InvalidInput('This isn’t a translation file (.po). {why}', {
      code: 'core.bad_catalog',
      params: { why: problems.map(({ message }) => message).join(' ') },
    });
  }
  const translation = (id: string): readonly string[] | undefined =>
    catalog.entries.get(id)?.texts ?? textsOf(catalogs.forms(lang, addon, id), catalogs.lookup(lang, addon, id));
  await keepOwnCatalog(database, transaction, { addon, lang, source: writePo(addon, lang, messages, translation) });
  buildAnewAfterwards(ctx);
  return {
    translated: messages.filter(({ id }) => translation(id) !== undefined).length,
    total: messages.length,
    unknown: [...catalog.entries.keys()].filter((id) => !ids.has(id)),
    problems: problems.map(describeProblem),
  };
}

function textsOf(forms: readonly string[] | undefined, text: string | undefined): readonly string[] | undefined {
  return forms ?? (text === undefined ? undefined : [text]);
}

/** How long to wait for another switch to end, in tries of a second. */
const mostTries = 60;

/** A new generation holds the new texts, on every node; kept pages go with the old one. */
function buildAnewAfterwards(ctx: Ctx): void {
  const manager = ctx.get(addonSwitches);
  const by = ctx.user.login ?? 'translations';
  const { log } = ctx;
  const build = async (): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      try {
        await manager.begin('refresh', [], { by }).ended;
        return;
      } catch (error) {
        const isBusy = error instanceof Conflict && error.code === 'core.switch_running';
        if (!isBusy || tries === mostTries) throw error;
        await new Promise((resolve) => setTimeout(resolve, 1_000).unref());
      }
    }
  };
  ctx.afterCommit(() => {
    // Nobody waits for it: the answer says that it is on its way.
    void build().catch((error: unknown) => log.warn({ err: error }, 'New translations could not be put in force'));
  });
}

function folders(ctx: Ctx): ReadonlyMap<string, { readonly folder: string; readonly title: string }> {
  const { addons } = ctx.get(contextTools).generation;
  return new Map([
    ['core', { folder: path.join(repository, 'core'), title: 'Pergola' }],
    ...addons.map(({ name, folder, definition }) => [name, { folder, title: definition.title }] as const),
  ]);
}

function folderOf(ctx: Ctx, addon: string): string {
  const found = folders(ctx).get(addon);
  if (found) return found.folder;
  throw new NotFound('Unknown app “{addon}”.', { code: 'core.no_addon', params: { addon: addon.slice(0, 60) } });
}

function requireLanguage(lang: string): void {
  if (isLanguageCode(lang)) return;
  throw new InvalidInput('“{lang}” isn’t a language code.', {
    code: 'core.bad_language',
    params: { lang: lang.slice(0, 20) },
  });
}
