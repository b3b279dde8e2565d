import { t } from '#core/browser';
import { calls } from './calls.ts';
import { countFaults, type Fault, findFaults } from './faults.ts';

/** What is wrong with the page for visitors; what was found is kept for the accessibility statement. */
export async function checkPage(pageId: number | null): Promise<Fault[]> {
  const root = document.querySelector<HTMLElement>('[data-slot="page"]') ?? document.querySelector('main');
  if (!root) return [];
  const [faults, { untranslated }] = await Promise.all([
    findFaults(root),
    pageId === null ? { untranslated: [] } : calls.checkLanguages(pageId),
  ]);
  const all: Fault[] = [
    ...faults,
    ...untranslated.map(
      (language): Fault => ({
        rule: 'languages',
        text: t('The page is not translated: {language}', { language }),
        element: null,
      }),
    ),
  ];
  if (pageId !== null) await calls.keepCheck(pageId, countFaults(all));
  return all;
}
