import { BusyButton, Check, Icon, TextField } from '@pergola/website/kit';
import check from 'bootstrap-icons/icons/check-lg.svg';
import cross from 'bootstrap-icons/icons/x-lg.svg';
import { t, url } from 'pergola/browser';
import { ActionForm, useAction } from 'pergola/islands';
import { type ReactNode, useState } from 'react';
import type { z } from 'zod';
import type schema from './call-up-answer.props.ts';

type Answer = 'yes' | 'no';

/** Form for answering a call-up, with a comment for the coach. The last answer counts. */
export default function CallUpAnswer({
  token,
  chosen: preselected,
  answered,
  saved,
  comment,
  children,
}: z.infer<typeof schema> & { children?: ReactNode }) {
  const [answer, setAnswer] = useState<Answer | null>(preselected);
  const [savedAnswer, setSavedAnswer] = useState(saved ? answered : null);
  const sendAction = useAction('', {
    form: url(`/convocations/answer/${token}`),
    done: () => setSavedAnswer(answer),
  });
  const choice = (value: Answer, icon: typeof check, label: string) => (
    <Check
      wrap="club-answer"
      type="radio"
      name="answer"
      value={value}
      required
      checked={answer === value}
      onChange={() => setAnswer(value)}
      label={
        <span>
          <Icon of={icon} /> {label}
        </span>
      }
    />
  );
  return (
    <>
      {savedAnswer && (
        <p className="alert alert-success" role="status">
          {savedAnswer === 'yes' ? t('Thanks – you’re in.') : t('Thanks – you’re out.')}
        </p>
      )}
      {children}
      <ActionForm of={sendAction}>
        <fieldset className="club-answers">
          <legend className="h5">{t('Your answer')}</legend>
          {choice('yes', check, t('Available'))}
          {choice('no', cross, t('Unavailable'))}
        </fieldset>
        <TextField
          id="club-comment"
          label={t('Message to the coach (optional)')}
          error={sendAction.fields.comment}
          name="comment"
          defaultValue={comment}
          maxLength={200}
          autoComplete="off"
        />
        <BusyButton className="btn btn-primary btn-lg" busy={sendAction.pending}>
          {t('Send answer')}
        </BusyButton>
      </ActionForm>
    </>
  );
}
