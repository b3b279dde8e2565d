import { BusyButton, TextField } from '@pergola/website/kit';
import { t, url } from 'pergola/browser';
import { ActionForm, useAction } from 'pergola/islands';

/** Form for joining the waiting list of a sold-out ticket. */
export function WaitingForm({
  ticket: { id, name, mostWaited },
}: {
  readonly ticket: { readonly id: number; readonly name: string; readonly mostWaited: number };
}) {
  const joinAction = useAction('', { form: url('/event/waiting/join') });
  const { fields } = joinAction;
  return (
    <details className="event-waiting mt-3" data-slot="waiting">
      <summary>{t('Waiting list for {name}', { name })}</summary>
      <ActionForm of={joinAction} className="mt-2">
        <input type="hidden" name="ticket" value={id} />
        <p className="small text-body-secondary">
          {t('When seats become available, we’ll email you and hold them for you for a while.')}
        </p>
        <TextField
          id={`waiting-${id}-name`}
          label={t('Your name')}
          error={fields.name}
          name="name"
          required
          maxLength={120}
          autoComplete="name"
        />
        <TextField
          id={`waiting-${id}-email`}
          label={t('Email address')}
          error={fields.email}
          type="email"
          name="email"
          required
          maxLength={254}
          autoComplete="email"
        />
        <TextField
          id={`waiting-${id}-seats`}
          label={t('Seats')}
          error={fields.quantity}
          type="number"
          name="quantity"
          defaultValue="1"
          min="1"
          max={mostWaited}
          required
        />
        <BusyButton className="btn btn-outline-primary" busy={joinAction.pending}>
          {t('Join the waiting list')}
        </BusyButton>
      </ActionForm>
    </details>
  );
}
