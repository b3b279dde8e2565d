import { t } from 'pergola/browser';
import { useState } from 'react';
import type { Part } from '../options.ts';
import { addressOf } from '../rich/link.ts';
import type { ChooseMedia } from './behind-options.tsx';
import { CommitInput } from './commit-input.tsx';

export interface LinkAddressProps {
  readonly part: Part;
  readonly help?: string;
  readonly onMedia: ChooseMedia;
}

/** Target of a link or button. */
export function LinkAddress({
  part,
  help = t('A page on this site, a web address, an email address, or #section on this page.'),
  onMedia,
}: LinkAddressProps) {
  const [error, setError] = useState<string | null>(null);
  const change = (input: string): void => {
    const address = addressOf(input);
    setError(address === null ? t('You must enter a URL to Create a Link') : null);
    if (address !== null) part.change((element) => element.setAttribute('href', address));
  };
  return (
    <>
      <CommitInput
        label={t('Address')}
        help={help}
        error={error}
        value={part.element.getAttribute('href') ?? ''}
        autoComplete="off"
        onChange={change}
      />
      <ChooseFile onMedia={onMedia} onChoose={change} />
    </>
  );
}

/** Selects a file of this site as the link target: a download, or a video that plays in place. */
export function ChooseFile({ onMedia, onChoose }: { onMedia: ChooseMedia; onChoose(address: string): void }) {
  return (
    <p className="ed-buttons">
      <button
        type="button"
        className="btn btn-sm btn-outline-secondary"
        onClick={() => onMedia('file', (file) => onChoose(file.website_url))}
      >
        {t('Link to a file or video')}
      </button>
    </p>
  );
}
