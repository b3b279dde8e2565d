import { t } from 'pergola/browser';
import { useState } from 'react';
import { isShortLink, positionIn } from '../position.ts';
import { CommitInput } from './commit-input.tsx';

interface PositionProps {
  readonly label: string;
  readonly help: string | undefined;
  readonly latitude: unknown;
  readonly longitude: unknown;
  onChange(position: { readonly latitude: number; readonly longitude: number }): void;
}

/** Location on a map, from any link or coordinates copied from a map. */
export function PositionInput({ label, help, latitude, longitude, onChange }: PositionProps) {
  const [error, setError] = useState<string | null>(null);
  const read = (text: string): void => {
    const position = positionIn(text);
    if (position) onChange(position);
    setError(position || text.trim() === '' ? null : whyNot(text));
  };
  return (
    <CommitInput
      label={label}
      help={help}
      placeholder="48.8583, 2.2945"
      autoComplete="off"
      error={error}
      value={latitude || longitude ? `${latitude}, ${longitude}` : ''}
      onChange={read}
    />
  );
}

function whyNot(text: string): string {
  return isShortLink(text)
    ? t('Short links don’t contain the location. Open the link and copy the full address from your browser.')
    : t('No location found here. Open the place on a map and copy the address from your browser.');
}
