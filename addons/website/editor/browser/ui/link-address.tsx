import { useState } from 'react';
import { t } from '#core/browser';
import type { Part } from '../options.ts';
import { addressOf } from '../rich/link.ts';
import { CommitInput } from './fields.tsx';

/** Where a link or button leads. */
export function LinkAddress({ part }: { part: Part }) {
  const [error, setError] = useState<string | null>(null);
  const change = (typed: string): void => {
    const address = addressOf(typed);
    setError(address === null ? t('You must enter a URL to Create a Link') : null);
    if (address !== null) part.change((element) => element.setAttribute('href', address));
  };
  return (
    <CommitInput
      label={t('Address')}
      help={t('A page of this site, a web address, an e-mail address, or #place on this page.')}
      error={error}
      value={part.element.getAttribute('href') ?? ''}
      autoComplete="off"
      onChange={change}
    />
  );
}
