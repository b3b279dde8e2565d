import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Violation } from './problem.ts';

/** File with the glossary of screen terms: a table of English terms, words to avoid, French terms, words to avoid. */
const VOICE = 'docs/voice.md';

interface Term {
  readonly term: string;
  readonly avoided: string;
  readonly pattern: RegExp;
}

/** Finds words that the glossary avoids, in the English texts of the addons and in their French translations. */
export function checkTerms(root: string, addons: ReadonlyMap<string, string>): Violation[] {
  if (!existsSync(join(root, VOICE))) return [];
  const { english, french } = readGlossary(readFileSync(join(root, VOICE), 'utf8'));
  const folders = [...addons.values()].map((folder) => join(folder, 'i18n')).filter((folder) => existsSync(folder));
  return (
    folders
      // The wording of external addons is their authors' choice.
      .filter((folder) => !relative(root, folder).startsWith('..'))
      .flatMap((folder) =>
        readdirSync(folder).flatMap((name) => {
          const file = join(folder, name);
          const keyword = name.endsWith('.pot') ? 'msgid' : 'msgstr';
          const terms = keyword === 'msgid' || name.startsWith('en') ? english : name.startsWith('fr') ? french : [];
          return avoidedIn(readFileSync(file, 'utf8'), keyword, terms, relative(root, file));
        }),
      )
  );
}

function avoidedIn(source: string, keyword: string, terms: readonly Term[], file: string): Violation[] {
  const messages = [...source.matchAll(/^(msgid|msgstr)\S* ((?:".*"\n?)+)/gm)].filter(([, start]) => start === keyword);
  return messages.flatMap(({ 2: quoted = '', index }) => {
    const text = quoted.trim().slice(1, -1).replace(/"\n"/g, '');
    const words = text.replace(/\{[^}]*\}|<[^>]*>/g, ' ').replaceAll('’', "'");
    return terms
      .filter(({ pattern }) => pattern.test(words))
      .map(({ term, avoided }) => ({
        rule: 'avoided-term' as const,
        file,
        line: source.slice(0, index).split('\n').length,
        message: `“${text}” contains “${avoided}”.`,
        remedy: `Write “${term}”, as ${VOICE} does.`,
      }));
  });
}

function readGlossary(markdown: string): { readonly english: Term[]; readonly french: Term[] } {
  const table = /^\| English \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(`${markdown}\n`)?.[1] ?? '';
  const rows = table.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  return {
    english: rows.flatMap(([, term = '', avoided = '']) => termsOf(term, avoided)),
    french: rows.flatMap(([, , , term = '', avoided = '']) => termsOf(term, avoided)),
  };
}

function termsOf(term: string, list: string): Term[] {
  return list
    .split(', ')
    .filter((avoided) => /\p{L}/u.test(avoided))
    .map((avoided) => ({ term, avoided, pattern: new RegExp(`(?<![\\p{L}-])${avoided}(?![\\p{L}-])`, 'iu') }));
}
