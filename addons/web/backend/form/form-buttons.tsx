import { useMutation, useQueryClient } from '@tanstack/react-query';
import { confirmDialog, notify, t } from 'pergola/browser';
import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { useRecordDialog } from '../fields/making.tsx';
import { isScreen } from '../lib/addresses.ts';
import { questionOf, successText } from '../lib/button-question.ts';
import { callKw } from '../lib/calls.ts';
import { matches } from '../lib/domain.ts';
import { useStart } from '../lib/start.tsx';
import { useOffered } from '../shell/things-to-do.tsx';
import type { ViewButtonInfo } from '../types.ts';
import { ReviewDialog } from './review-dialog.tsx';
import type { RecordFormState } from './use-record-form.tsx';

/** A record form opened by a button. */
type Opening = NonNullable<ViewButtonInfo['opens']> & { readonly button: ViewButtonInfo };
/** A review of changes opened by a button. */
type Review = NonNullable<ViewButtonInfo['reviews']> & Pick<ViewButtonInfo, 'label'>;

/** Returns the address that a button's method redirects to, if any. */
function addressOf(answer: unknown): string | null {
  const url = typeof answer === 'object' && answer !== null && 'url' in answer ? answer.url : null;
  return typeof url === 'string' && /^\/(?!\/)/.test(url) ? url : null;
}

/** Buttons for the model's declared methods, as far as they apply to the record. Unsaved changes are saved first. */
export function FormButtons({ state }: { state: RecordFormState }) {
  const { info, id, record, isDirty } = state;
  const client = useQueryClient();
  const navigate = useNavigate();
  const { keepsMails } = useStart();
  const [opened, setOpened] = useState<Opening | null>(null);
  const [review, setReview] = useState<Review | null>(null);
  const RecordDialog = useRecordDialog();
  const readAgain = (): void => void client.invalidateQueries({ queryKey: ['records'] });
  /** Reloads shortly after, to show the effects of a job, such as an email in the thread. */
  const readSoon = (): void => {
    for (const delay of [1_500, 5_000, 15_000]) setTimeout(readAgain, delay);
  };
  const press = useMutation({
    mutationFn: async (button: ViewButtonInfo) => {
      const answers = { title: button.label, yes: button.label, no: t('Go back') };
      const question = questionOf(button, keepsMails);
      if (question && !(await confirmDialog(question, answers))) return undefined;
      if (isDirty && (await state.save()) === null) return undefined;
      if (button.opens) {
        setOpened({ ...button.opens, button });
        return undefined;
      }
      if (button.reviews) {
        setReview({ ...button.reviews, label: button.label });
        return undefined;
      }
      const answer = await callKw<unknown>(info.name, String(button.method), [[Number(id)]]);
      return { answer, button };
    },
    onSuccess: async (outcome) => {
      if (!outcome) return;
      await client.invalidateQueries({ queryKey: ['records'] });
      if (outcome.button.mails) readSoon();
      const to = addressOf(outcome.answer);
      if (to && isScreen(to)) void navigate(to);
      else if (to) location.assign(to);
      else notify(successText(outcome.button, keepsMails));
    },
  });
  const buttons = info.form.buttons.filter(({ when: condition }) => condition === null || matches(condition, record));
  useOffered(
    buttons.map((button) => ({
      id: `button ${keyOf(button)}`,
      label: button.label,
      icon: 'caret-right-fill',
      run: () => press.mutate(button),
    })),
  );
  if (buttons.length === 0) return null;
  return (
    <fieldset className="form-buttons" aria-label={t('Actions')} data-slot="form-buttons">
      {buttons.map((button) => (
        <button
          key={keyOf(button)}
          type="button"
          className={`btn btn-sm ${button.primary ? 'btn-primary' : 'btn-outline-secondary'}`}
          disabled={press.isPending}
          onClick={() => press.mutate(button)}
        >
          {button.label}
        </button>
      ))}
      {review && (
        <ReviewDialog
          model={info.name}
          id={Number(id)}
          {...review}
          onClose={() => setReview(null)}
          onApplied={() => {
            setReview(null);
            readAgain();
          }}
        />
      )}
      {opened && (
        <Suspense>
          <RecordDialog
            model={opened.model}
            id="new"
            action={opened.button.label}
            mails={opened.button.mails}
            defaults={{
              ...Object.fromEntries(opened.along.map((name) => [name, record[name]])),
              [opened.by]: [Number(id), String(record.display_name ?? '')],
            }}
            onClose={() => setOpened(null)}
            onSaved={() => {
              setOpened(null);
              if (opened.button.mails) notify(successText(opened.button, keepsMails));
              readAgain();
              readSoon();
            }}
          />
        </Suspense>
      )}
    </fieldset>
  );
}

function keyOf({ method, opens, reviews, label }: ViewButtonInfo): string {
  return `${method ?? opens?.model ?? reviews?.apply} ${label}`;
}
