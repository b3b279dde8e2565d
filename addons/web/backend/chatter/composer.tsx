import { useMutation } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { useState } from 'react';
import { BusyButton } from '../../kit/busy-button.tsx';
import { TextArea } from '../../kit/field.tsx';
import { base64Of, MAX_BYTES } from '../form/inputs/read-file.ts';
import { FileButton } from '../lib/file-button.tsx';
import { formatNumber } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import { htmlOf, postMessage, type ThreadOf, type ThreadView, uploadFile } from './calls.ts';
import { Recipients } from './recipients.tsx';

/** Editor for a message to the listed recipients, or for an internal note. */
export function Composer({
  thread,
  view,
  onPosted,
}: {
  thread: ThreadOf;
  view: ThreadView;
  onPosted(): Promise<void>;
}) {
  const [kind, setKind] = useState<'message' | 'note'>('note');
  const [text, setText] = useState('');
  const [files, setFiles] = useState<readonly File[]>([]);
  const [fault, setFault] = useState('');
  const [ticks, setTicks] = useState<ReadonlyMap<string, boolean>>(new Map());
  const post = useMutation({
    mutationFn: async () => {
      const uploaded: number[] = [];
      for (const file of files) uploaded.push(await uploadFile(file.name, await base64Of(file), null));
      const ticked = view.recipients.filter((recipient) => ticks.get(recipient.email) ?? recipient.ticked);
      await postMessage(thread, {
        body: htmlOf(text),
        internal: kind === 'note',
        files: uploaded,
        emails: kind === 'note' ? [] : ticked.map(({ email }) => email),
      });
    },
    onSuccess: async () => {
      setText('');
      setFiles([]);
      setTicks(new Map());
      await onPosted();
    },
  });
  const send = (): void => {
    if (text.trim() === '' && files.length === 0) setFault(t('Write a message or add a file.'));
    else post.mutate();
  };
  const add = (selected: readonly File[]): void => {
    const large = selected.filter(({ size }) => size > MAX_BYTES);
    setFault(
      large.length > 0
        ? t('{name} is too large. The limit is {size} MB.', {
            name: large.map(({ name }) => name).join(', '),
            size: formatNumber(MAX_BYTES / 1e6),
          })
        : '',
    );
    setFiles([...files, ...selected.filter(({ size }) => size <= MAX_BYTES)]);
  };
  return (
    <form
      className={`chatter-composer${kind === 'note' ? ' note' : ''}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        send();
      }}
    >
      <fieldset className="btn-group" aria-label={t('Your text')}>
        {(['note', 'message'] as const).map((option) => (
          <button
            key={option}
            type="button"
            className={`btn btn-sm btn-outline-secondary${option === kind ? ' active' : ''}`}
            aria-pressed={option === kind}
            onClick={() => setKind(option)}
          >
            {option === 'note' ? t('Note') : t('Message')}
          </button>
        ))}
      </fieldset>
      {kind === 'note' ? (
        <p className="chatter-recipients">{t('No one gets an email.')}</p>
      ) : (
        <Recipients view={view} ticks={ticks} onTick={(email, on) => setTicks(new Map(ticks).set(email, on))} />
      )}
      <TextArea
        wrap=""
        labelClass="visually-hidden"
        label={kind === 'note' ? t('A note for colleagues') : t('Message to these recipients')}
        error={fault}
        rows={3}
        maxLength={50_000}
        value={text}
        placeholder={kind === 'note' ? t('Only colleagues see it.') : t('Write your message…')}
        onChange={(next) => {
          setText(next);
          setFault('');
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          send();
        }}
      />
      {files.length > 0 && (
        <ul className="form-tags">
          {files.map((file, index) => (
            <li key={`${file.name} ${file.size} ${file.lastModified}`} className="form-tag">
              <span>{file.name}</span>
              <button
                type="button"
                className="form-tag-remove"
                aria-label={t('Remove {name}', { name: file.name })}
                onClick={() => setFiles(files.filter((_, place) => place !== index))}
              >
                <Icon name="x-lg" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="chatter-composer-foot">
        <FileButton onChosen={add}>{t('Add files')}</FileButton>
        <BusyButton className="btn btn-sm btn-primary" busy={post.isPending}>
          <Icon name="send" /> {kind === 'note' ? t('Log note') : t('Send')}
        </BusyButton>
      </div>
    </form>
  );
}
