import { BusyButton } from '@pergola/website/kit';
import { t, url } from 'pergola/browser';
import { ActionForm, useAction } from 'pergola/islands';
import { useState } from 'react';
import type { z } from 'zod';
import type { cancel, reserve } from '../routes/reservations.ts';
import type schema from './reserve.props.ts';

/** Shows how many copies are available, with a button to reserve one or cancel the reservation. */
export default function Reserve({ book, signedIn, ...initialShelf }: z.infer<typeof schema>) {
  const [{ free, reserved }, setShelf] = useState(initialShelf);
  const reserving = useAction<typeof reserve>(`/library/${book}/reserve`, { done: setShelf });
  const cancelling = useAction<typeof cancel>(`/library/${book}/cancel`, { done: setShelf });
  return (
    <>
      <p role="status">{reserved ? t('A copy is kept for you.') : t('Free copies: {n}', { n: free })}</p>
      {!signedIn && <a href={url('/web/login')}>{t('Sign in to reserve')}</a>}
      {signedIn && reserved && (
        <ActionForm of={cancelling}>
          <BusyButton>{t('Cancel the reservation')}</BusyButton>
        </ActionForm>
      )}
      {signedIn && !reserved && free > 0 && (
        <ActionForm of={reserving}>
          <BusyButton>{t('Reserve')}</BusyButton>
        </ActionForm>
      )}
    </>
  );
}
