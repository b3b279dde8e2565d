import { TextField } from '@pergola/website/kit';
import { t } from 'pergola/browser';
import { usePage } from 'pergola/islands';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { tagNames } from '../services/tag-names.ts';
import type schema from './ask.props.ts';
import { Tags } from './parts/tags.tsx';
import { useDraft } from './parts/use-draft.ts';
import { DraftNote, WriteForm } from './parts/write-form.tsx';

// Loaded when the first letters of a title are typed.
const Similar = lazy(() => import('./parts/similar.tsx'));

type Props = z.infer<typeof schema> & { children?: ReactNode };

/** Form for asking a question or editing a post. Its children are the text field, which the rich-text editor enhances. */
export default function Ask({ children, errors, ...form }: Props) {
  const { url } = usePage();
  const [title, setTitle] = useState(form.title);
  const [tags, setTags] = useState<readonly string[]>(form.tags);
  const field = useRef<HTMLInputElement>(null);
  // The title may have been typed before hydration.
  useEffect(() => setTitle(field.current?.value ?? ''), []);
  const draft = useDraft(form.draft, (values) => {
    setTitle(values.question_name ?? '');
    setTags(tagNames(values.question_tags ?? ''));
  });
  const isQuestion = form.kind !== 'answer';
  return (
    <WriteForm action={url(form.action)} draft={draft} mayUseTools={form.mayUseTools} data-slot="write-form">
      {isQuestion && (
        <div className="forum-title-field">
          <TextField
            id="question-name"
            className="form-control form-control-lg"
            label={t('Title')}
            help={t('Sum up your question in one sentence.')}
            error={errors.title}
            name="question_name"
            ref={field}
            defaultValue={form.title}
            onChange={setTitle}
            maxLength={form.titleSize}
            required
            autoComplete="off"
          />
          {form.similar !== null && title !== form.title && (
            <Suspense>
              <Similar address={url(form.similar)} title={title} />
            </Suspense>
          )}
        </div>
      )}
      {children}
      {isQuestion && (
        <Tags
          forum={form.forum}
          tags={tags}
          onChange={(now) => {
            setTags(now);
            draft.typed();
          }}
          needs={form.tagNeeds}
          error={errors.tags}
        />
      )}
      <DraftNote draft={draft} />
      <div className="d-flex gap-2 flex-wrap">
        <button className="btn btn-primary" type="submit">
          {form.kind === 'question' ? t('Post your question') : t('Save')}
        </button>
        <a className="btn btn-outline-secondary" href={url(form.back)}>
          {t('Cancel')}
        </a>
      </div>
    </WriteForm>
  );
}
