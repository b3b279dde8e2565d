import { Check } from '@pergola/web/kit';
import { Dialog } from '@pergola/web/kit-dialog';
import { t } from 'pergola/browser';
import { useState } from 'react';
import type { Refusal, SaveConflict } from '../calls.ts';
import { compareTexts, textOfHtml } from '../compare.ts';
import { momentText } from '../zone.ts';

export interface ConflictDialogProps {
  readonly conflicts: readonly SaveConflict[];
  readonly refused: readonly Refusal[];
  /** One decision per conflict, in the same order. */
  onResolve(keep: readonly ('mine' | 'theirs')[]): void;
  onClose(): void;
}

/** Explains why nothing was saved: conflicts between another editor's changes and the user's, and invalid values. */
export function ConflictDialog({ conflicts, refused: refusals, onResolve, onClose }: ConflictDialogProps) {
  const [keep, setKeep] = useState<('mine' | 'theirs' | null)[]>(conflicts.map(() => null));
  const isDecided = keep.every((choice) => choice !== null);
  const title = conflicts.length > 0 ? t('Someone else changed this page') : t('This can’t be saved yet');
  return (
    <Dialog
      title={title}
      wide
      light
      onClose={onClose}
      {...(conflicts.length > 0
        ? {
            onSubmit: () => onResolve(keep as ('mine' | 'theirs')[]),
            submit: t('Save with these choices'),
            cancel: t('Back to the page'),
            disabled: !isDecided,
          }
        : {
            foot: (
              <button type="button" className="btn btn-outline-secondary" onClick={onClose}>
                {t('Back to the page')}
              </button>
            ),
          })}
    >
      <p>{t('Nothing was saved, and nothing is lost. Your changes are still on the page.')}</p>
      {refusals.length > 0 ? (
        <ul className="ed-refusals">
          {refusals.map(({ model, id, field, message }) => (
            <li key={`${model} ${id} ${field}`}>{message}</li>
          ))}
        </ul>
      ) : null}
      {conflicts.map((conflict, index) => (
        <OneConflict
          key={nameOf(conflict)}
          conflict={conflict}
          choice={keep[index] ?? null}
          onChoose={(choice) =>
            setKeep((choices) => choices.map((current, position) => (position === index ? choice : current)))
          }
        />
      ))}
    </Dialog>
  );
}

function OneConflict({
  conflict,
  choice,
  onChoose,
}: {
  conflict: SaveConflict;
  choice: 'mine' | 'theirs' | null;
  onChoose(choice: 'mine' | 'theirs'): void;
}) {
  const { label, mine: ownValue, theirs: otherValue, by: author, at: changedAt, type } = conflict;
  const time = changedAt ? momentText(changedAt) : '';
  const parts = compareTexts(shown(otherValue, type), shown(ownValue, type));
  const name = `ed-conflict ${nameOf(conflict)}`;
  const side = (version: 'mine' | 'theirs', title: string) => (
    <Check
      type="radio"
      wrap={`ed-version${choice === version ? ' ed-chosen' : ''}`}
      name={name}
      checked={choice === version}
      onChange={() => onChoose(version)}
      label={
        <>
          <span className="ed-version-head">{title}</span>
          <span className="ed-version-text">
            {parts
              .filter(({ kind }) => kind === 'both' || kind === version)
              .map(({ kind, text }, index) => {
                // biome-ignore lint/suspicious/noArrayIndexKey: segments of a text have no other key
                return kind === 'both' ? <span key={index}>{text}</span> : <mark key={index}>{text}</mark>;
              })}
          </span>
        </>
      }
    />
  );
  return (
    <fieldset className="ed-conflict">
      <legend>{conflict.term ? textOfHtml(conflict.term.source) : label}</legend>
      {side('theirs', author ? t('{name}, {when}', { name: author, when: time }) : t('Current version'))}
      {side('mine', t('Your version'))}
    </fieldset>
  );
}

function nameOf({ model, id, field, term }: SaveConflict): string {
  return `${model} ${id} ${field} ${term?.at ?? ''}`;
}

function shown(value: unknown, type: string): string {
  if (value === null || value === undefined) return '';
  if (type === 'html') return textOfHtml(String(value));
  return typeof value === 'object' ? t('Image') : String(value);
}
