import { Dialog } from '@pergola/web/kit-dialog';
import { t } from 'pergola/browser';
import { useState } from 'react';
import type { PageText } from '../../page-texts.ts';
import { calls, type TranslatedPart } from '../calls.ts';
import { troubleOf } from '../trouble.ts';
import { TranslatedText } from './translated-text.tsx';
import { useCall } from './use-call.ts';

export interface PageTextsProps {
  readonly record: Pick<TranslatedPart, 'model' | 'id'>;
  readonly lang: string;
  /** Name of a language. */
  nameOf(lang: string): string;
  /** Translation of the same words on the page, if there is one. */
  onPage(words: string): string | null;
  onSaved(): void;
  onClose(): void;
}

/** Page title and SEO texts, each next to its source. */
export function PageTexts({ record: { model, id }, lang, nameOf, onPage, onSaved, onClose }: PageTextsProps) {
  const { value: pageTexts, error: trouble } = useCall(async () => {
    const { texts } = await calls.pageTexts(lang, model, id);
    const { elements } = await calls.open(
      lang,
      texts.map(({ field }) => ({ model, id, field })),
    );
    return texts.flatMap((text) => {
      const piece = elements.find(({ field }) => field === text.field);
      return piece ? [{ text, piece }] : [];
    });
  }, `${model} ${id}`);
  const [edits, setEdits] = useState<ReadonlyMap<string, string | null>>(new Map());
  const [error, setError] = useState<string | null>(null);
  /** Edited text; for an untranslated one, the translation of the same words on the page. */
  const editOf = ({ field, source, term }: PageText): string | null | undefined =>
    edits.has(field) || term !== null ? edits.get(field) : (onPage(source) ?? undefined);
  const save = async (): Promise<void> => {
    const changes = (pageTexts ?? []).flatMap(({ text: pageText, piece: { field, revision } }) => {
      const text = editOf(pageText);
      return text === undefined ? [] : [{ model, id, field, revision, value: text?.trim() || null }];
    });
    try {
      const result = changes.length > 0 ? await calls.save(lang, changes) : null;
      if (result?.saved === false && result.conflicts.length > 0)
        setError(t('Someone else changed these texts. Close this window and open it again.'));
      else if (result?.saved === false) setError(result.refused.map(({ message }) => message).join(' '));
      else onSaved();
    } catch (failure) {
      setError(troubleOf(failure).message);
    }
  };
  return (
    <Dialog
      title={t('Title and SEO')}
      light
      wide
      error={error ?? trouble}
      onClose={onClose}
      onSubmit={() => void save()}
      disabled={pageTexts === null}
    >
      {pageTexts?.map(({ text, piece: { field, label, size } }, index) => (
        <TranslatedText
          key={field}
          isFirst={index === 0}
          isLong={field === 'website_meta_description'}
          maxLength={size ?? 255}
          text={text}
          label={label}
          language={nameOf(text.from)}
          edited={editOf(text)}
          onChange={(translation) => setEdits(new Map(edits).set(field, translation))}
        />
      ))}
    </Dialog>
  );
}
