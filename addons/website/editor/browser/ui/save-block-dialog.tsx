import { Check, TextField } from '@pergola/web/kit';
import { Dialog } from '@pergola/web/kit-dialog';
import { t } from 'pergola/browser';
import { useState } from 'react';
import { calls } from '../calls.ts';
import { nameOfBlock } from '../dom/block-name.ts';
import { cleanCopy } from '../dom/serialize.ts';
import type { EditSession, SessionView } from '../session.ts';
import { troubleOf } from '../trouble.ts';

export interface SaveBlockDialogProps {
  readonly session: EditSession;
  readonly block: NonNullable<SessionView['block']>;
  onSaved(): void;
  onClose(): void;
}

/** Saves a block of the page for use on other pages; a shared block is replaced with a reference to its id. */
export function SaveBlockDialog({ session, block: { field, element }, onSaved, onClose }: SaveBlockDialogProps) {
  const [name, setName] = useState(() => nameOfBlock(element));
  const [isShared, setShared] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const save = async (): Promise<void> => {
    try {
      session.endTyping();
      const { model, id: record, field: fieldName } = field.piece;
      const id = await calls.saveBlock({
        name: name.trim(),
        content: cleanCopy(element).outerHTML,
        shared: isShared,
        origin: { model, id: record, field: fieldName },
      });
      if (isShared) {
        const place = document.createElement('div');
        place.dataset.block = 'website.saved';
        place.dataset.options = JSON.stringify({ block: id });
        field.restructure(() => {
          element.replaceWith(place);
          session.contents.fill(field.root);
        });
        session.selectBlock(field, place);
      }
      onSaved();
    } catch (failure) {
      setError(troubleOf(failure).message);
    }
  };
  return (
    <Dialog title={t('Save this block')} light onClose={onClose} onSubmit={() => void save()}>
      <TextField
        label={t('Name')}
        value={name}
        maxLength={120}
        error={error}
        // Typing replaces the suggested name.
        onFocus={(event) => event.target.select()}
        onChange={(value) => {
          setName(value);
          setError(null);
        }}
      />
      <Check
        label={t('Shared')}
        help={t('Changes to a shared block apply everywhere it’s used. Otherwise each page gets its own copy.')}
        checked={isShared}
        onChange={setShared}
      />
    </Dialog>
  );
}
