import { Dialog } from '@pergola/web/kit-dialog';
import { t } from 'pergola/browser';
import { useEffect, useState } from 'react';
import type { FaultRule } from '../../checks.ts';
import { checkPage } from '../check-page.ts';
import type { Fault } from '../faults.ts';
import { troubleOf } from '../trouble.ts';

/** Checks the page and shows the issues. */
export function CheckWindow({ pageId, onClose }: { pageId: number | null; onClose(): void }) {
  const [faults, setFaults] = useState<readonly Fault[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    void checkPage(pageId).then(setFaults, (failure: unknown) => setError(troubleOf(failure).message));
  }, [pageId]);
  return <CheckDialog faults={faults} error={error} onClose={onClose} />;
}

export interface CheckDialogProps {
  /** Null during the check. */
  readonly faults: readonly Fault[] | null;
  readonly error?: string | null;
  /** Publishes the page; set when the dialog opens before publishing. */
  onPublish?(): void;
  onClose(): void;
}

/** List of the page's issues for visitors, each with a link to its location. */
export function CheckDialog({ faults, error = null, onPublish, onClose }: CheckDialogProps) {
  const show = (element: HTMLElement): void => {
    onClose();
    element.closest('details')?.setAttribute('open', '');
    element.scrollIntoView({ block: 'center' });
    element.setAttribute('data-ed-shown', '');
    if (element.tabIndex < 0) element.tabIndex = -1;
    // After the dialog has restored the focus.
    setTimeout(() => element.focus({ preventScroll: true }));
    setTimeout(() => element.removeAttribute('data-ed-shown'), 6000);
  };
  const groups = Map.groupBy(faults ?? [], ({ rule }) => rule);
  return (
    <Dialog
      title={onPublish ? t('Before publishing') : t('Page check')}
      light
      error={error}
      onClose={onClose}
      foot={
        onPublish ? (
          <>
            <button type="button" className="btn btn-outline-secondary" onClick={onClose}>
              {t('Fix first')}
            </button>
            <button type="button" className="btn btn-primary" onClick={onPublish}>
              {t('Publish anyway')}
            </button>
          </>
        ) : undefined
      }
    >
      <div role="status">
        {faults === null && !error ? <p>{t('Checking the page…')}</p> : null}
        {faults?.length === 0 ? <p>{t('No issues found.')}</p> : null}
        {faults?.length ? <p>{t('Issues visitors will notice:')}</p> : null}
      </div>
      {[...groups].map(([rule, all]) => (
        <section key={rule}>
          <h3 className="ed-kind">{nameOfRule(rule)}</h3>
          <ul className="ed-faults">
            {all.map(({ text, element, place, href }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              <li key={index}>
                <span>
                  {text}
                  {element || place ? <small>{element ? wordsOf(element) : place}</small> : null}
                </span>
                {element ? (
                  <button type="button" className="btn btn-sm btn-outline-secondary" onClick={() => show(element)}>
                    {t('Show')}
                  </button>
                ) : null}
                {href ? (
                  <a className="btn btn-sm btn-outline-secondary" href={href}>
                    {t('Translate')}
                  </a>
                ) : null}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Dialog>
  );
}

function nameOfRule(rule: FaultRule): string {
  return {
    alt: t('Images without alternative text'),
    contrast: t('Contrast'),
    headings: t('Headings'),
    names: t('Links and fields'),
    links: t('Broken links'),
    pictures: t('Large images'),
    languages: t('Languages'),
    other: t('Lists and tables'),
  }[rule];
}

/** Words that identify an element: its text, its image's alternative text, or the image's file name. */
function wordsOf(element: HTMLElement): string {
  const words = (element.textContent || (element.getAttribute('alt') ?? '')).replace(/\s+/g, ' ').trim();
  return words.slice(0, 60) || (element.getAttribute('src') ?? '').split('/').at(-1) || '';
}
