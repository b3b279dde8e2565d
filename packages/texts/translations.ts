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
import { storeImportedCatalog } from './own-catalogs.ts';
import { parseCatalog } from './po.ts';
import { catalogs as catalogsKey } from './point.ts';
import { readPot, writePo } from './pot.ts';

/** How much of an addon is translated into a language. */
export interface TranslationCoverage {
  readonly addon: string;
  readonly title: string;
  readonly total: number;
  readonly missing: number;
}

/** Result of importing a catalogue. */
export interface ImportedCatalog {
  /** Number of the addon's texts that are now translated. */
  readonly translated: number;
  readonly total: number;
  /** Texts in the file that the addon doesn't have. */
  readonly unknown: readonly string[];
  /** Translations that don't match their text and were skipped. */
  readonly problems: readonly string[];
}

/** Returns how much of each enabled addon is translated into a language, including translations imported for this site. */
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

/** Returns an addon's texts without a translation into a language, considering translations imported for this site. */
export async function missingTexts(
  catalogs: Pick<Catalogs, 'lookup'>,
  { addon, folder, lang }: { readonly addon: string; readonly folder: string; readonly lang: string },
): Promise<string[]> {
  const messages = await readPot(folder, addon);
  return messages
    .filter(({ id }) => catalogs.lookup(lang, addon, id) === undefined)
    .map(({ id }) => withoutContext(id));
}

/** Returns an addon's texts with their translations as a `.po` file for translators. */
export async function exportCatalog(ctx: Ctx, addon: string, lang: string): Promise<string> {
  requireLanguage(lang);
  const catalogs = ctx.get(catalogsKey);
  const messages = await readPot(folderOf(ctx, addon), addon);
  return writePo(addon, lang, messages, (id) =>
    textsOf(catalogs.forms(lang, addon, id), catalogs.lookup(lang, addon, id)),
  );
}

/**
 * Imports the translations of a `.po` file for this site. They override the translations shipped by the addon; texts missing from the file
 * keep their current translation. Pages show them once a new generation is built, which starts after the commit.
 *
 * @throws InvalidInput for an invalid `.po` file, NotFound if the addon isn't enabled, Conflict if writing isn't allowed
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
  await storeImportedCatalog(database, transaction, {
    addon,
    lang,
    source: writePo(addon, lang, messages, translation),
  });
  rebuildAfterCommit(ctx);
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

/** How many times to wait a second for another switch to end. */
const maxAttempts = 60;

/** Builds a new generation with the new texts, on every node; cached pages end with the old one. */
function rebuildAfterCommit(ctx: Ctx): void {
  const manager = ctx.get(addonSwitches);
  const login = ctx.user.login ?? 'translations';
  const { log } = ctx;
  const build = async (): Promise<void> => {
    for (let attempts = 1; ; attempts += 1) {
      try {
        await manager.begin('refresh', [], { by: login }).ended;
        return;
      } catch (error) {
        const isBusy = error instanceof Conflict && error.code === 'core.switch_running';
        if (!isBusy || attempts === maxAttempts) throw error;
        await new Promise((resolve) => setTimeout(resolve, 1_000).unref());
      }
    }
  };
  ctx.afterCommit(() => {
    // Not awaited: the response says that it is in progress.
    void build().catch((error: unknown) => log.warn({ err: error }, 'New translations could not be applied'));
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
  const entry = folders(ctx).get(addon);
  if (entry) return entry.folder;
  throw new NotFound('Unknown app “{addon}”.', { code: 'core.no_addon', params: { addon: addon.slice(0, 60) } });
}

function requireLanguage(lang: string): void {
  if (isLanguageCode(lang)) return;
  throw new InvalidInput('“{lang}” isn’t a language code.', {
    code: 'core.bad_language',
    params: { lang: lang.slice(0, 20) },
  });
}
