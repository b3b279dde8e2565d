import type { z } from 'zod';
import { BusyButton } from '#addons/website/kit';
import { t, url } from '#core/browser';
import { ActionForm, useAction } from '#core/islands';
import type { reserve } from '../routes/books.ts';
import type schema from './reserve.props.ts';

/** How many copies are there, and a button that keeps one. */
export default function Reserve({ book, free, signedIn }: z.infer<typeof schema>) {
  const reserving = useAction<typeof reserve>('/library/reserve');
  const left = reserving.result?.free ?? free;
  return (
    <>
      <p data-slot="free">{t('Copies there: {n}', { n: left })}</p>
      {!signedIn && <a href={url('/web/login')}>{t('Sign in to reserve')}</a>}
      {signedIn && left > 0 && (
        <ActionForm of={reserving}>
          <input type="hidden" name="book" value={book} />
          <BusyButton>{t('Reserve')}</BusyButton>
        </ActionForm>
      )}
    </>
  );
}
