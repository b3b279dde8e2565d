import { Money } from '@pergola/website/kit';
import { t, url } from 'pergola/browser';
import { Token } from 'pergola/islands';
import { useState } from 'react';
import type { z } from 'zod';
import { WaitingForm } from './parts/waiting-form.tsx';
import type schema from './ticket-form.props.ts';

type Ticket = z.infer<typeof schema>['tickets'][number];

/** Ticket quantities with their total price, and waiting lists for sold-out tickets. */
export default function TicketForm({ event, name, kept: holdDuration, tickets }: z.infer<typeof schema>) {
  const [quantities, setQuantities] = useState<Readonly<Record<number, number>>>({});
  const numberOf = ({ id }: Ticket): number => quantities[id] ?? 0;
  const count = tickets.reduce((sum, ticket) => sum + numberOf(ticket), 0);
  const total = tickets.reduce((sum, ticket) => sum + numberOf(ticket) * (ticket.price?.amount.value ?? 0), 0);
  // If all tickets are free, visitors register instead of ordering.
  const isFree = tickets.every(({ price }) => price === null || price.free);
  const [currency] = tickets.flatMap(({ price }) => price?.amount ?? []);
  return (
    <>
      <form
        className="event-ticket-form"
        method="post"
        action={url(`/event/cart/update?event_id=${event}`)}
        data-slot="ticket-form"
        data-ticket-form=""
      >
        <Token />
        <input type="hidden" name="event_id" value={event} />
        <p className="visually-hidden">{t('Tickets for {name}', { name })}</p>
        <ul className="list-unstyled m-0">
          {tickets.map((ticket) => (
            <li key={ticket.id} className="event-ticket" data-slot="ticket" data-ticket={ticket.id}>
              <div className="event-ticket-text">
                <About ticket={ticket} />
              </div>
              <div className="event-ticket-choice">
                {ticket.state === 'open' ? (
                  <Numbers
                    ticket={ticket}
                    value={numberOf(ticket)}
                    onChange={(number) => setQuantities((previous) => ({ ...previous, [ticket.id]: number }))}
                  />
                ) : (
                  <Closed ticket={ticket} />
                )}
              </div>
            </li>
          ))}
        </ul>
        {holdDuration !== null && (
          <>
            <p className="event-ticket-total" role="status" data-slot="ticket-total">
              {count > 0 && currency && (
                <>
                  {t('Total')} <strong>{total === 0 ? t('Free') : <Money of={{ ...currency, value: total }} />}</strong>
                </>
              )}
            </p>
            <button className="btn btn-primary btn-lg w-100" type="submit" data-slot="order-now">
              {isFree ? t('Register') : t('Order Now')}
            </button>
            <p className="small text-body-secondary mt-2 mb-0">{holdDuration}</p>
          </>
        )}
      </form>
      {tickets.map((ticket) => ticket.state === 'sold_out' && <WaitingForm key={ticket.id} ticket={ticket} />)}
    </>
  );
}

function About({ ticket: { id, name, description, price, state, few, closes } }: { readonly ticket: Ticket }) {
  return (
    <>
      <strong id={`ticket-${id}-name`}>{name}</strong>
      {description !== null && <span className="d-block small text-body-secondary">{description}</span>}
      {price && (
        <span className="d-block" id={`ticket-${id}-price`}>
          {price.before && (
            <>
              <s className="text-body-secondary">
                <Money of={price.before} />
              </s>{' '}
            </>
          )}
          {price.free ? t('Free') : <Money of={price.amount} />}
        </span>
      )}
      {state === 'open' && few !== null && <span className="badge event-note is-few">{few}</span>}
      {state === 'open' && closes !== null && (
        <span className="d-block small text-body-secondary">{t('On sale until {moment}', { moment: closes })}</span>
      )}
    </>
  );
}

interface NumbersProps {
  readonly ticket: Ticket;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function Numbers({ ticket: { id, name, price, numbers }, value, onChange }: NumbersProps) {
  return (
    <select
      className="form-select"
      id={`ticket-${id}`}
      name={`ticket-${id}`}
      aria-label={t('Quantity: {name}', { name })}
      aria-describedby={`ticket-${id}-name${price ? ` ticket-${id}-price` : ''}`}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
    >
      {numbers.map((number) => (
        <option key={number} value={number}>
          {number}
        </option>
      ))}
    </select>
  );
}

function Closed({ ticket: { state, opens } }: { readonly ticket: Ticket }) {
  if (state === 'sold_out') return <span className="badge event-note is-out">{t('Sold out')}</span>;
  const text = state === 'over' ? t('Sales ended') : t('On sale from {moment}', { moment: opens ?? '' });
  return <span className="small text-body-secondary">{text}</span>;
}
