import { Check, TextField } from '@pergola/website/kit';
import { buyer } from '@pergola/website_sale/kit';
import { t } from 'pergola/browser';
import { useState } from 'react';
import type { z } from 'zod';
import type schema from './attendees.props.ts';
import type { Seat } from './attendees.props.ts';

/** Attendee fields of the checkout form: each ticket is for a named attendee or for the buyer. */
export default function Attendees({ tickets }: z.infer<typeof schema>) {
  return (
    <section className="event-attendees mb-4" aria-labelledby="attendees-title" data-slot="attendees">
      <h2 className="h4" id="attendees-title">
        {t('Attendees')}
      </h2>
      <p className="text-body-secondary">{t('Who’s coming? Leave a name blank to use yours.')}</p>
      {tickets.map(({ title, seats }) => (
        <fieldset key={seats[0]?.key} className="mb-3">
          <legend className="h6">{title}</legend>
          {seats.map((seat) => (
            <Attendee key={seat.key} seat={seat} />
          ))}
        </fieldset>
      ))}
    </section>
  );
}

/** Fields of one ticket. Without JavaScript, the server uses the buyer's details if the box is ticked. */
function Attendee({
  seat: { key, number, same: initiallySame, nameError, emailError, ...attendee },
}: {
  readonly seat: Seat;
}) {
  const [isSame, setSame] = useState(initiallySame);
  const [details, setDetails] = useState({ name: attendee.name, email: attendee.email });
  const checkoutBuyer = buyer.use();
  const buyerDetails = isSame ? checkoutBuyer : null;
  const field = (name: 'name' | 'email', label: string, error: string | null) => (
    <TextField
      id={`${key}-${name}`}
      label={
        <>
          {label} <span className="text-body-secondary">{t('(optional)')}</span>
        </>
      }
      error={error}
      name={`${key}-${name}`}
      type={name === 'email' ? 'email' : 'text'}
      value={(buyerDetails ?? details)[name]}
      onChange={(value) => setDetails({ ...details, [name]: value })}
      readOnly={buyerDetails !== null}
      autoComplete="off"
      maxLength={name === 'email' ? 254 : 120}
    />
  );
  return (
    <div className="event-attendee">
      <Check
        id={`${key}-same`}
        label={t('Ticket {number}: same as buyer', { number })}
        name={`${key}-same`}
        checked={isSame}
        onChange={setSame}
      />
      {field('name', t('Ticket {number}: name', { number }), nameError)}
      {field('email', t('Ticket {number}: email', { number }), emailError)}
    </div>
  );
}
