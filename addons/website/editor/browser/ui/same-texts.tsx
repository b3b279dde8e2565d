import { Check } from '@pergola/web/kit';
import { Dialog } from '@pergola/web/kit-dialog';
import { t } from 'pergola/browser';
import { useState } from 'react';
import { shortened } from '../../../services/shortened.ts';
import { textOfHtml } from '../compare.ts';
import { looksLikeName } from '../names.ts';
import type { EditSession } from '../session.ts';

export interface SameTextsProps {
  readonly session: EditSession;
  onClose(): void;
  onDone(count: number): void;
}

/** Bulk-accepts untranslated texts as they are; likely names are preselected. */
export function SameTexts({ session, onClose, onDone }: SameTextsProps) {
  const [texts] = useState(() =>
    session.missing.map((missing) => ({ ...missing, words: textOfHtml(missing.term.source) })),
  );
  const [selected, setSelected] = useState<ReadonlySet<number>>(
    () => new Set(texts.flatMap(({ words }, index) => (looksLikeName(words) ? [index] : []))),
  );
  const choose = (index: number, isChosen: boolean): void => {
    const all = new Set(selected);
    if (isChosen) all.add(index);
    else all.delete(index);
    setSelected(all);
  };
  const settle = (): void => {
    const accepted = texts.filter((_, index) => selected.has(index));
    for (const [field, fieldTexts] of Map.groupBy(accepted, (text) => text.field))
      field.acceptAll(fieldTexts.map(({ term }) => term.at));
    onDone(accepted.length);
  };
  return (
    <Dialog
      title={t('Which texts don’t need translating?')}
      light
      onClose={onClose}
      onSubmit={settle}
      submit={t('Keep as is')}
      disabled={selected.size === 0}
    >
      <p>{t('Texts that look like names are already selected.')}</p>
      {texts.length > 1 ? (
        <Check
          label={t('All')}
          checked={selected.size === texts.length}
          onChange={(isAll) => setSelected(new Set(isAll ? texts.keys() : []))}
        />
      ) : null}
      {texts.map(({ field, term, words }, index) => (
        <Check
          key={`${field.key} ${term.at}`}
          label={shortened(words, 120)}
          checked={selected.has(index)}
          onChange={(isChosen) => choose(index, isChosen)}
        />
      ))}
    </Dialog>
  );
}
