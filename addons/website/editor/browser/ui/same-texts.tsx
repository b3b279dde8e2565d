import { t } from 'pergola/browser';
import { useState } from 'react';
import { Dialog } from '#addons/web/kit';
import { textOfHtml } from '../compare.ts';
import { looksLikeName } from '../names.ts';
import type { EditSession } from '../session.ts';
import { Check } from './fields.tsx';
import { SaveButtons } from './save-buttons.tsx';

export interface SameTextsProps {
  readonly session: EditSession;
  onClose(): void;
  onDone(count: number): void;
}

/** Bulk-accepts untranslated texts as they are; likely names are preselected. */
export function SameTexts({ session, onClose, onDone }: SameTextsProps) {
  const [texts] = useState(() => session.missing.map((one) => ({ ...one, words: textOfHtml(one.term.source) })));
  const [chosen, setChosen] = useState<ReadonlySet<number>>(
    () => new Set(texts.flatMap(({ words }, index) => (looksLikeName(words) ? [index] : []))),
  );
  const choose = (index: number, isChosen: boolean): void => {
    const all = new Set(chosen);
    if (isChosen) all.add(index);
    else all.delete(index);
    setChosen(all);
  };
  const settle = (): void => {
    const own = texts.filter((_, index) => chosen.has(index));
    for (const [field, of] of Map.groupBy(own, (one) => one.field)) field.acceptAll(of.map(({ term }) => term.at));
    onDone(own.length);
  };
  return (
    <Dialog
      title={t('Which texts stay as they are?')}
      light
      onClose={onClose}
      onSubmit={settle}
      foot={<SaveButtons onCancel={onClose} disabled={chosen.size === 0} label={t('They stay as they are')} />}
    >
      <p>{t('What looks like a name is chosen already.')}</p>
      {texts.length > 1 ? (
        <Check
          label={t('All')}
          checked={chosen.size === texts.length}
          onChange={(isAll) => setChosen(new Set(isAll ? texts.keys() : []))}
        />
      ) : null}
      {texts.map(({ field, term, words }, index) => (
        <Check
          key={`${field.key} ${term.at}`}
          label={words.slice(0, 120)}
          checked={chosen.has(index)}
          onChange={(isChosen) => choose(index, isChosen)}
        />
      ))}
    </Dialog>
  );
}
