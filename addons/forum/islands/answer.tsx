import { t } from 'pergola/browser';
import { usePage } from 'pergola/islands';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import type schema from './answer.props.ts';
import { karmaGate } from './parts/karma.ts';
import { useDraft } from './parts/use-draft.ts';
import { DraftNote, WriteForm } from './parts/write-form.tsx';

type Props = z.infer<typeof schema> & { children?: ReactNode };

/** Form for answering a question. Its children are the text field, which the rich-text editor enhances. */
export default function Answer({ action, draft: name, mayUseTools, needs, children }: Props) {
  const { url } = usePage();
  const draft = useDraft(name);
  return (
    <WriteForm action={url(action)} draft={draft} mayUseTools={mayUseTools}>
      {children}
      <DraftNote draft={draft} />
      <button className="btn btn-primary" type="submit" {...karmaGate(needs)}>
        {t('Post your answer')}
      </button>
    </WriteForm>
  );
}
