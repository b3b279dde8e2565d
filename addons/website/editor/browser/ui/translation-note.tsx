import { useState } from 'react';
import { t } from '#core/browser';
import type { EditSession, PageLanguages } from '../session.ts';

/** Which language is edited, and how far its text is behind the one it translates. */
export function TranslationNote({ session }: { session: EditSession }) {
  const [isShown, setShown] = useState(true);
  const { here, source } = session.languages;
  const [standing] = useState(() => session.translation());
  if (!isShown || !source || standing === 'same') return null;
  const names = { here, source };
  const close = (): void => setShown(false);
  return (
    <div className="ed-draft" role="status" data-slot="translation-note">
      {standing === 'missing' ? (
        <p>
          {t(
            'This page is not translated into {here} yet: it shows the text in {source}. What you save is the text in {here}.',
            names,
          )}
        </p>
      ) : (
        <p>
          {t(
            'The page in {here} has other blocks than in {source}. Take over those in {source}: what is translated stays, new blocks come untranslated.',
            names,
          )}
        </p>
      )}
      <p className="ed-buttons">
        {standing === 'behind' ? (
          <button
            type="button"
            className="btn btn-sm btn-primary"
            onClick={() => {
              session.takeBlocks();
              close();
            }}
          >
            {t('Take over the blocks')}
          </button>
        ) : null}
        <button type="button" className="btn btn-sm btn-outline-secondary" onClick={close}>
          {standing === 'behind' ? t('Leave it so') : t('Close')}
        </button>
      </p>
    </div>
  );
}

/** Says in the bar which language's text is edited; nothing where the site has one. */
export function LanguageTag({ languages: { here, source } }: { languages: PageLanguages }) {
  if (!here) return null;
  const help = source
    ? t('You edit the text in {here}; {source} has its own.', { here, source })
    : t('You edit the text in {here}; other languages have their own.', { here });
  return (
    <span className="ed-lang" title={help} translate="no">
      {here}
      <span className="visually-hidden">{help}</span>
    </span>
  );
}
