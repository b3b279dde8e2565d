import { t } from 'pergola/browser';
import type { Draft } from '../drafts.ts';
import { momentText } from '../zone.ts';

/** Offers to restore unsaved changes of an earlier session. */
export function DraftNote({ draft, onTake, onDrop }: { draft: Draft; onTake(): void; onDrop(): void }) {
  const time = momentText(draft.at);
  return (
    <div className="ed-draft" role="status">
      <p>{t('You have unsaved changes to this page from {when}.', { when: time })}</p>
      <p className="ed-buttons">
        <button type="button" className="btn btn-sm btn-primary" onClick={onTake}>
          {t('Restore them')}
        </button>
        <button type="button" className="btn btn-sm btn-outline-secondary" onClick={onDrop}>
          {t('Discard them')}
        </button>
      </p>
    </div>
  );
}
