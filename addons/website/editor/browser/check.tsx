import { createRoot } from 'react-dom/client';
import { t } from '#core/browser';
import { calls } from './calls.ts';
import { countFaults, type Fault, findFaults } from './faults.ts';
import { CheckDialog } from './ui/check-dialog.tsx';

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

/** Checks a page before it is published, and asks where something is wrong; whether it is to be published. */
export async function checkBeforePublishing(pageId: number): Promise<boolean> {
  const faults = await checkPage(pageId);
  if (faults.length === 0) return true;
  const holder = document.createElement('div');
  holder.className = 'ed-root';
  document.body.append(holder);
  const root = createRoot(holder);
  return new Promise((resolve) => {
    const end = (isPublished: boolean): void => {
      root.unmount();
      holder.remove();
      resolve(isPublished);
    };
    root.render(<CheckDialog faults={faults} onPublish={() => end(true)} onClose={() => end(false)} />);
  });
}
