import { isPicture, isReadable } from '@pergola/web/browser';
import { type CropFields, imageCrop, richText } from '@pergola/website/browser';
import { BusyButton, Field, Icon, TextField } from '@pergola/website/kit';
import pencil from 'bootstrap-icons/icons/pencil-square.svg';
import { t } from 'pergola/browser';
import { ActionForm, useAction } from 'pergola/islands';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type { create } from '../../routes/wall.ts';
import type schema from '../wall.props.ts';
import type { Post } from './post-card.tsx';

const RichText = lazy(richText);
const ImageCrop = lazy(imageCrop);
const CROP = ['x1', 'y1', 'x2', 'y2', 'w', 'h'] as const;
const ASPECT = 5 / 3;

type Texts = Readonly<Record<string, string>>;
type Props = Pick<z.infer<typeof schema>, 'wallId' | 'onApproval' | 'values' | 'errors' | 'message'> & {
  readonly onPost: (post: Post) => void;
};

/** Form for a post with title, text, and a cropped photo. */
export function NewPost({ wallId, onApproval, values = {}, errors = {}, message, onPost }: Props) {
  const [fieldMessages, setFieldMessages] = useState<Texts>(errors);
  const [note, setNote] = useState<{ readonly text: string; readonly isWrong: boolean } | null>(null);
  // Key that resets the form after each post.
  const [round, setRound] = useState(0);
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  // It may have been opened before hydration.
  useEffect(() => setOpen(details.current?.open ?? false), []);
  const posting = useAction<typeof create>('/dribblo/wall/new', {
    done: ({ card }) => {
      const text = card ? t('Your post is published.') : t('Thanks. Your post will appear once it’s approved.');
      setNote({ text, isWrong: false });
      setFieldMessages({});
      setRound((previous) => previous + 1);
      if (card) onPost(card);
    },
    failed: ({ fields, message: text }) => {
      setFieldMessages(fields);
      setNote(Object.keys(fields).length > 0 ? null : { text, isWrong: true });
      return true;
    },
  });
  const looks = note?.isWrong ? 'alert-warning' : 'alert-success';
  return (
    <details
      className="card club-new-post"
      data-slot="new-post"
      ref={details}
      open={Boolean(message) || undefined}
      // Stays mounted when closed, to keep the input.
      onToggle={(event) => setOpen((wasOpen) => wasOpen || event.currentTarget.open)}
    >
      <summary>
        <Icon of={pencil} /> {t('Write a post')}
      </summary>
      <ActionForm
        of={posting}
        className="card-body js_new_post"
        encType="multipart/form-data"
        noValidate
        onSubmit={(event) => {
          const form = event.currentTarget;
          const isEmpty = String(new FormData(form).get('name')).trim() === '';
          // Text from the specification, translated in English.
          const fieldErrors: Texts = isEmpty
            ? { ...fieldMessages, name: t('Le titre est obligatoire!') }
            : fieldMessages;
          setFieldMessages(fieldErrors);
          const field = ['name', 'image'].find((name) => fieldErrors[name]);
          if (field === undefined && !posting.pending) return;
          event.preventDefault();
          (form.elements.namedItem(field ?? '') as HTMLElement | null)?.focus();
        }}
      >
        <input type="hidden" name="wall_id" value={wallId} />
        <p className={`js_post_status${note ? ` alert ${looks}` : ''}`} role={note?.isWrong ? 'alert' : 'status'}>
          {note?.text}
        </p>
        {message && note === null && (
          <p className="alert alert-warning" role="alert">
            {message}
          </p>
        )}
        {onApproval && <p className="form-text">{t('Your post will appear once a wall manager approves it.')}</p>}
        <Fields
          key={round}
          values={round === 0 ? values : {}}
          wrong={fieldMessages}
          say={(name, text) =>
            setFieldMessages(({ [name]: _old, ...rest }) => (text === '' ? rest : { ...rest, [name]: text }))
          }
          isOpen={isOpen}
        />
        <BusyButton busy={posting.pending}>{t('button\u0004Post')}</BusyButton>
      </ActionForm>
    </details>
  );
}

interface FieldsProps {
  readonly values: Texts;
  readonly wrong: Texts;
  /** Sets the error of a field; an empty text clears it. */
  readonly say: (name: string, text: string) => void;
  readonly isOpen: boolean;
}

function Fields({ values, wrong, say, isOpen }: FieldsProps) {
  const [text, setText] = useState(values.descr ?? '');
  const plain = (
    <textarea
      className="form-control"
      id="club-post-descr"
      name="descr"
      rows={5}
      maxLength={50_000}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
  return (
    <>
      <TextField
        id="club-post-name"
        label={t('Title')}
        error={wrong.name}
        name="name"
        defaultValue={values.name}
        autoComplete="off"
        required
        maxLength={160}
        onChange={() => say('name', '')}
      />
      <Field id="club-post-descr" label={t('Text')}>
        {() =>
          isOpen ? (
            <Suspense fallback={plain}>
              <RichText id="club-post-descr" name="descr" label={t('Text')} value={text} />
            </Suspense>
          ) : (
            plain
          )
        }
      </Field>
      <Photo error={wrong.image} say={(text) => say('image', text)} />
    </>
  );
}

function Photo({ error, say }: { readonly error: string | undefined; readonly say: (text: string) => void }) {
  const [src, setSrc] = useState<string | null>(null);
  const [crop, setCrop] = useState<CropFields | null>(null);
  useEffect(() => (src === null ? undefined : () => URL.revokeObjectURL(src)), [src]);
  const latest = useRef<File>(undefined);
  const choose = async (file: File | undefined): Promise<void> => {
    latest.current = file;
    setCrop(null);
    const isAccepted = file !== undefined && isPicture(file) && (await isReadable(file));
    // Another file may have been selected in the meantime.
    if (latest.current !== file) return;
    // Same text as on the server.
    say(file && !isAccepted ? t('Only image files can be uploaded') : '');
    setSrc(isAccepted ? URL.createObjectURL(file) : null);
  };
  return (
    <>
      <Field id="club-post-image" label={t('Photo')} error={error}>
        {(control) => (
          <input
            {...control}
            name="image"
            type="file"
            accept="image/*,.heic,.heif"
            onChange={(event) => void choose(event.target.files?.[0])}
          />
        )}
      </Field>
      {src !== null && (
        <Suspense>
          <ImageCrop src={src} aspect={ASPECT} onChange={setCrop} />
        </Suspense>
      )}
      {crop && CROP.map((name) => <input key={name} type="hidden" name={name} value={crop[name]} />)}
    </>
  );
}
