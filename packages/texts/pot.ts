import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CONTEXT_END, withoutContext } from '@pergola/browser';
import { type GetTextTranslation, type GetTextTranslations, po } from 'gettext-parser';
import { pluralHeader } from './plural.ts';
import { backendMark, browserMark, idOf } from './po.ts';

/** A translatable text. */
export interface Message {
  readonly id: string;
  readonly plural?: string;
  /** Files that use it, relative to the addon's folder. */
  readonly files: readonly string[];
  /** Descriptions of its values. */
  readonly notes: readonly string[];
  /** Whether browser code uses it. */
  readonly browser: boolean;
  /** Whether the backend's screens use it. */
  readonly backend: boolean;
}

/** Returns the text of a `.pot` file: every message, untranslated. Omits dates and lines, so it only changes with the texts. */
export function writePot(addon: string, messages: readonly Message[]): string {
  return write(
    { 'Project-Id-Version': addon, 'Plural-Forms': 'nplurals=2; plural=(n != 1);' },
    messages,
    () => undefined,
  );
}

/** Returns the text of a `.po` file: every message with its translation, or an empty one. */
export function writePo(
  addon: string,
  lang: string,
  messages: readonly Message[],
  translation: (id: string) => readonly string[] | undefined,
  pluralForms = pluralHeader(lang),
): string {
  return write({ 'Project-Id-Version': addon, Language: lang, 'Plural-Forms': pluralForms }, messages, translation);
}

function write(
  headers: Record<string, string>,
  messages: readonly Message[],
  translation: (id: string) => readonly string[] | undefined,
): string {
  const forms = Number(/nplurals=(\d)/.exec(headers['Plural-Forms'] ?? '')?.[1] ?? 2);
  const contextOf = ({ id }: Message): string => id.slice(0, Math.max(0, id.indexOf(CONTEXT_END)));
  // By context, in reading order: messages without a context first.
  const groups = Map.groupBy(
    [...messages].sort((a, b) => Number(contextOf(a) !== '') - Number(contextOf(b) !== '')),
    contextOf,
  );
  const entries = [...groups].flatMap(([msgctxt, group]) =>
    group.map(({ id, plural, files, notes, browser, backend }): [string, GetTextTranslation] => {
      const empty = plural === undefined ? [''] : Array.from({ length: forms }, () => '');
      const extracted = [...(browser ? [browserMark] : []), ...(backend ? [backendMark] : []), ...notes].join('\n');
      const comments = { reference: files.join('\n'), ...(extracted === '' ? {} : { extracted }) };
      const msgstr = [...(translation(id) ?? empty)];
      return [id, { ...(msgctxt && { msgctxt }), msgid: withoutContext(id), msgid_plural: plural, msgstr, comments }];
    }),
  );
  const table: GetTextTranslations = {
    charset: 'utf-8',
    headers: {
      ...headers,
      'MIME-Version': '1.0',
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Transfer-Encoding': '8bit',
    },
    translations: { '': Object.fromEntries(entries) }, // Each entry names its own context.
  };
  return `${po.compile(table, { foldLength: 120 }).toString('utf8').trimEnd()}\n`;
}

/** Reads the messages of an addon's `.pot`; empty if the file is missing. */
export async function readPot(addonDir: string, addon: string): Promise<Message[]> {
  let source: string;
  try {
    source = await readFile(path.join(addonDir, 'i18n', `${addon}.pot`), 'utf8');
  } catch (error) {
    if (Error.isError(error) && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  return Object.values(po.parse(source).translations)
    .flatMap(Object.values<GetTextTranslation>)
    .flatMap(({ msgctxt, msgid, msgid_plural, comments }): Message[] => {
      if (msgid === '') return [];
      const notes = comments?.extracted?.split('\n') ?? [];
      return [
        {
          id: idOf({ msgctxt, msgid }),
          plural: msgid_plural,
          files: comments?.reference?.split('\n') ?? [],
          notes: notes.filter((note) => note !== browserMark && note !== backendMark),
          browser: notes.includes(browserMark),
          backend: notes.includes(backendMark),
        },
      ];
    });
}
