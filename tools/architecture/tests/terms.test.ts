import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkTerms } from '../terms.ts';

const voice = `
| instead of | write |
|---|---|
| log in | sign in |

| English | not | French | not |
|---|---|---|---|
| email | mails, e-mails | e-mail | mail, courriel |
| page | | page | |
| sign in | log in | se connecter | s'identifier |
`;

const header = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n';

function violations(files: Record<string, string>, folder = 'addons/club'): string[] {
  const root = join(mkdtempSync(join(tmpdir(), 'terms-')), 'site');
  for (const [file, text] of Object.entries({ 'docs/voice.md': voice, ...files })) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return checkTerms(root, new Map([['club', join(root, folder)]])).map(
    ({ file, line, message, remedy }) => `${file}:${line}: ${message} ${remedy}`,
  );
}

test('terms that the glossary avoids are found in texts and in their French, with file and line', () => {
  const source = `${header}msgid "Log in to read {mails}"\nmsgstr ""\n\nmsgid "Not one email"\nmsgid_plural ""\n"{n} unread "\n"mails"\nmsgstr[0] ""\n`;
  const french = `${header}msgid "Log in to read mails"\nmsgstr "S’identifier"\n\nmsgid "e-mail"\nmsgstr "E-mail de la page"\n\nmsgid "Mail"\nmsgstr "Un <b>mail</b>"\n`;
  expect(violations({ 'addons/club/i18n/club.pot': source, 'addons/club/i18n/fr.po': french })).toEqual([
    'addons/club/i18n/club.pot:5: “Log in to read {mails}” contains “log in”. Write “sign in”, as docs/voice.md does.',
    'addons/club/i18n/club.pot:9: “{n} unread mails” contains “mails”. Write “email”, as docs/voice.md does.',
    "addons/club/i18n/fr.po:6: “S’identifier” contains “s'identifier”. Write “se connecter”, as docs/voice.md does.",
    'addons/club/i18n/fr.po:12: “Un <b>mail</b>” contains “mail”. Write “e-mail”, as docs/voice.md does.',
  ]);
});

test('the wording of addons outside the repository is up to their authors', () => {
  const files = { '../club/i18n/club.pot': `${header}msgid "Log in"\nmsgstr ""\n` };
  expect(violations(files, '../club')).toEqual([]);
});
