import { t } from 'pergola/browser';
import { useBlocker } from 'react-router';
import { Dialog } from '../../kit/dialog.tsx';
import { useWindowEvent } from '../../kit/use-window-event.ts';

/** Asks for confirmation before unsaved changes are lost, when following a link of the backend or closing the page. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  );
  useWindowEvent('beforeunload', (event) => isDirty && event.preventDefault());
  if (blocker.state !== 'blocked') return null;
  return (
    <Dialog
      title={t('Leave without saving?')}
      onClose={() => blocker.reset()}
      slot="leave"
      foot={
        <>
          <button type="button" className="btn btn-outline-secondary" onClick={() => blocker.proceed()}>
            {t('Leave without saving')}
          </button>
          <button type="button" className="btn btn-primary" onClick={() => blocker.reset()}>
            {t('Stay')}
          </button>
        </>
      }
    >
      <p className="mb-0">{t('Your changes aren’t saved yet and will be lost.')}</p>
    </Dialog>
  );
}
