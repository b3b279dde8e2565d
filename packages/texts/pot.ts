import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CONTEXT_END, withoutContext } from '@pergola/browser';
import { type GetTextTranslation, type GetTextTranslations, po } from 'gettext-parser';
import { pluralHeader } from './plural.ts';
import { backendMark, browserMark, idOf } from './po.ts';

/** A text to be translated. */
export interface Message {
  readonly id: string;
  readonly plural?: string;
  /** Where it stands, relative to the addon's folder. */
  readonly files: readonly string[];
  /** What its values stand for. */
  readonly notes: readonly string[];
  /** Whether code in the browser shows it. */
  readonly browser: boolean;
  /** Whether code of the backend's screens shows it. */
  readonly backend: boolean;
}

/** The text of a `.pot` file: every message, untranslated. Without dates and lines, so that it changes only when texts do. */
export function writePot(addon: string, messages: readonly Message[]): string {
  return write(
    { 'Project-Id-Version': addon, 'Plural-Forms': 'nplurals=2; plural=(n != 1);' },
    messages,
    () => undefined,
  );
}

/** The text of a `.po` file: every message with its translation, empty where there is none. */
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
  // By context, as they are read again: those without one first.
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

/** The messages of an addon's `.pot`; none where there is no such file. */
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
