import { t } from 'pergola/browser';
import { calls, keyOfPart, type TranslatedPart } from './calls.ts';
import { countFaults, type Fault, findFaults } from './faults.ts';
import type { PageLanguage } from './session.ts';

/** Checks the page for issues and stores the result for the accessibility statement. */
export async function checkPage(pageId: number | null): Promise<Fault[]> {
  const languages = pageLanguages();
  const root = document.querySelector<HTMLElement>('[data-slot="page"]') ?? document.querySelector('main');
  if (!root) return [];
  const [faults, untranslated] = await Promise.all([
    findFaults(root),
    pageId === null ? [] : calls.checkLanguages(pageId),
  ]);
  const all: Fault[] = [
    ...faults,
    ...untranslated.map(({ lang, name, part, missing, outdated }): Fault => {
      const href = languages.find(({ code }) => code === lang)?.href;
      return {
        rule: 'languages',
        text: [
          missing > 0 ? t('{language}: untranslated texts ({n})', { language: name, n: missing }) : '',
          outdated > 0 ? t('{language}: outdated translations ({n})', { language: name, n: outdated }) : '',
        ]
          .filter(Boolean)
          .join(' · '),
        element: null,
        place: part ? nameOfPart(part) : undefined,
        href: href && `${href}?enable_editor=${part ? keyOfPart(part) : 'next'}`,
      };
    }),
  ];
  if (pageId !== null) await calls.keepCheck(pageId, countFaults(all));
  return all;
}

function nameOfPart({ block }: Pick<TranslatedPart, 'block'>): string {
  return {
    'website.seo': t('Title and SEO'),
    'website.form': t('Form'),
    'website.saved': t('Shared block'),
  }[block];
}

/** Languages of the site, read from the editor bar. */
function pageLanguages(): readonly PageLanguage[] {
  const bar = document.querySelector<HTMLElement>('[data-editor-bar]');
  return JSON.parse(bar?.dataset.languages ?? '[]') as readonly PageLanguage[];
}
