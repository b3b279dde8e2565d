import { SelectField } from '@pergola/web/kit';
import { Dialog } from '@pergola/web/kit-dialog';
import { notify, t } from 'pergola/browser';
import { useState } from 'react';
import { calls, type RevisionView } from '../calls.ts';
import { compareTexts, onlyDifferences, textOfHtml } from '../compare.ts';
import { troubleOf } from '../trouble.ts';
import { momentText } from '../zone.ts';
import { useCall } from './use-call.ts';

export interface HistoryDialogProps {
  /** Editable records of the page, with their names. */
  readonly records: readonly { readonly model: string; readonly id: number; readonly name: string }[];
  onRestored(): void;
  onClose(): void;
}

/** Earlier versions of the page's texts: changes, authors and dates, with the option to restore them. */
export function HistoryDialog({ records, onRestored, onClose }: HistoryDialogProps) {
  const [recordIndex, setRecordIndex] = useState(0);
  const record = records[recordIndex];
  const history = useCall(
    () => (record ? calls.history({ model: record.model, id: record.id }) : Promise.resolve({ revisions: [] })),
    `${record?.model} ${record?.id}`,
  );
  const revisions = history.value?.revisions ?? [];
  const restore = async (revision: RevisionView): Promise<void> => {
    try {
      await calls.restore(revision.id, 'before');
      onRestored();
    } catch (error) {
      notify(troubleOf(error).message, 'alert');
    }
  };
  return (
    <Dialog title={t('Earlier versions')} wide light onClose={onClose}>
      {records.length > 1 ? (
        <SelectField
          label={t('Item')}
          value={String(recordIndex)}
          choices={records.map(({ name }, index) => ({ value: String(index), label: name }))}
          onChange={(value) => setRecordIndex(Number(value))}
        />
      ) : null}
      {history.error ? <p className="ed-error">{history.error}</p> : null}
      {history.value && revisions.length === 0 ? <p className="ed-none">{t('No changes yet.')}</p> : null}
      <ol className="ed-revisions">
        {revisions.map((revision) => (
          <li key={revision.id}>
            <Revision revision={revision} onRestore={() => void restore(revision)} />
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

function Revision({ revision, onRestore }: { revision: RevisionView; onRestore(): void }) {
  const { label, by: author, at: changedAt, lang, before, after, type } = revision;
  const time = momentText(changedAt);
  const parts = onlyDifferences(compareTexts(shown(before, type), shown(after, type)));
  const title = [label, lang?.slice(0, 2).toUpperCase()].filter(Boolean).join(' · ');
  return (
    <details className="ed-revision">
      <summary>
        <strong>{title}</strong> <span>{author ? t('{name}, {when}', { name: author, when: time }) : time}</span>
      </summary>
      <p className="ed-version-text">
        {parts.length === 0 ? <em>{t('The text is unchanged. Only the layout or appearance changed.')}</em> : null}
        {parts.map(({ kind, text }, index) => {
          if (kind === 'theirs') {
            // biome-ignore lint/suspicious/noArrayIndexKey: segments of a text have no other key
            return <del key={index}>{text}</del>;
          }
          // biome-ignore lint/suspicious/noArrayIndexKey: segments of a text have no other key
          return kind === 'mine' ? <ins key={index}>{text}</ins> : <span key={index}>{text}</span>;
        })}
      </p>
      <button type="button" className="btn btn-sm btn-outline-primary" onClick={onRestore}>
        {t('Restore the version before this change')}
      </button>
    </details>
  );
}

function shown(value: unknown, type: string): string {
  if (value === null || value === undefined) return '';
  if (type === 'html') return textOfHtml(String(value));
  return typeof value === 'object' ? t('Image') : String(value);
}
