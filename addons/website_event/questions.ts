import { lacksTax, ProductProduct, ProductTemplate } from '@pergola/sale';
import { linksAfter, question } from '@pergola/web';
import { type Ctx, type Domain, decimal, type FieldsOf, type Id, type Ids } from 'pergola';
import { EventEvent } from './models/event-event.ts';
import { EventTicket } from './models/event-event-ticket.ts';
import { t } from './texts.ts';

type TicketValues = Readonly<Record<string, unknown>>;

/** Ticket fields that determine whether a tax is missing. */
interface PricedTicket {
  readonly name: string;
  readonly price: unknown;
  readonly product_id: Id | null;
  readonly event_id: Id | null;
}

// Tickets accidentally sold without VAT leave the organiser to pay the tax.
export const questions = [
  question(EventEvent, {
    fields: ['website_published', 'event_ticket_ids'],
    ask: async (ctx, { ids, values }) => {
      const { website_published: published, event_ticket_ids: commands } = values;
      if (published === false) return null;
      const events = published === true ? ids : [...(await publishedOf(ctx, ids))];
      const isSold = events.length > 0 || (ids.length === 0 && published === true);
      return isSold ? questionsAbout(ctx, await ticketsAfter(ctx, events, commands)) : null;
    },
  }),
  question(EventTicket, {
    fields: ['product_id', 'price', 'event_id'],
    ask: async (ctx, { ids, values }) => {
      const rows = ids.length > 0 ? await ticketsWhere(ctx, [['id', 'in', ids]]) : [await newTicket(ctx)];
      const tickets = rows.map((row) => changed(row, values));
      const events = await publishedOf(
        ctx,
        tickets.flatMap(({ event_id }) => event_id ?? []),
      );
      return questionsAbout(
        ctx,
        tickets.filter(({ event_id }) => event_id !== null && events.has(event_id)),
      );
    },
  }),
  question(ProductTemplate, {
    fields: ['taxes_id'],
    ask: async (ctx, { ids, values }) => {
      const products = await ctx.model(ProductTemplate).read(ids, { select: { taxes_id: true } });
      const untaxed = products.filter((row) => linksAfter(row.taxes_id, values.taxes_id).length === 0);
      const tickets = await ticketsWhere(ctx, [
        ['product_id.product_tmpl_id', 'in', untaxed.map(({ id }) => id)],
        ['event_id.website_published', '=', true],
        ['event_id.date_end', '>=', ctx.now()],
      ]);
      return questionsAbout(ctx, tickets, { withoutTaxes: true });
    },
  }),
];

/**
 * Warns about paid tickets whose product has no tax although its company has a default tax.
 *
 * @param options `withoutTaxes`: the products are about to lose their taxes
 */
async function questionsAbout(ctx: Ctx, tickets: readonly PricedTicket[], { withoutTaxes = false } = {}) {
  const paid = tickets.filter(({ price }) => !isFree(price));
  const products = await ctx
    .sudo() // Organisers can publish events without access to products.
    .model(ProductProduct)
    .read([...new Set(paid.flatMap(({ product_id }) => product_id ?? []))], {
      select: { product_tmpl_id: { taxes_id: true, company_id: true } },
    });
  const untaxed = new Set<Id>();
  for (const { id, product_tmpl_id: product } of products) {
    const taxes = withoutTaxes ? { taxes_id: [] } : {};
    if (product && (await lacksTax(ctx, { ...product, ...taxes }))) untaxed.add(id);
  }
  const names = new Set(paid.flatMap(({ name, product_id }) => (untaxed.has(product_id ?? 0) ? name : [])));
  if (names.size === 0) return null;
  const text = t(
    ctx,
    'No tax is set for the product of these tickets: {names}. For tax-free tickets, choose a product with a 0% tax.',
    { names: [...names].join(', ') },
  );
  return { text, yes: t(ctx, 'Publish without tax') };
}

/** Tickets of events after applying the commands of a call. */
async function ticketsAfter(ctx: Ctx, events: Ids, commands: unknown): Promise<PricedTicket[]> {
  const tickets = new Map((await ticketsWhere(ctx, [['event_id', 'in', events]])).map((row) => [row.id, row]));
  const added: PricedTicket[] = [];
  for (const command of Array.isArray(commands) ? commands : []) {
    const [code, id, values = {}] = command as [number, Id, TicketValues?];
    const ticket = tickets.get(id);
    if (code === 0) added.push(changed(await newTicket(ctx), values));
    else if (code === 1 && ticket) tickets.set(id, changed(ticket, values));
    else if (code === 2) tickets.delete(id);
  }
  return [...tickets.values(), ...added];
}

async function newTicket(ctx: Ctx): Promise<PricedTicket & { readonly id: Id }> {
  const { product_id } = await ctx.model(EventTicket).defaults(['product_id']);
  return { id: 0, name: '', price: '0', product_id: idOf(product_id), event_id: null };
}

/** Merges a ticket with the values of a call. */
function changed<T extends PricedTicket>(ticket: T, { name, price, product_id, event_id }: TicketValues): T {
  return {
    ...ticket,
    name: typeof name === 'string' ? name : ticket.name,
    price: price ?? ticket.price,
    product_id: idOf(product_id) ?? ticket.product_id,
    event_id: idOf(event_id) ?? ticket.event_id,
  };
}

function ticketsWhere(ctx: Ctx, domain: Domain<FieldsOf<EventTicket>>) {
  return ctx
    .sudo() // Organisers can publish events without access to products, and salespeople can edit products without access to events.
    .model(EventTicket)
    .find(domain, { select: { name: true, price: true, product_id: true, event_id: true } });
}

/** Returns the published ones of these events. */
async function publishedOf(ctx: Ctx, ids: Ids): Promise<ReadonlySet<Id>> {
  const events = await ctx
    .sudo() // As above.
    .model(EventEvent)
    .search([
      ['id', 'in', [...new Set(ids)]],
      ['website_published', '=', true],
    ]);
  return new Set(events);
}

/** Unreadable prices are rejected on write. */
function isFree(price: unknown): boolean {
  return !Number.isFinite(Number(price)) || decimal(Number(price)).isZero();
}

function idOf(value: unknown): Id | null {
  return typeof value === 'number' ? value : null;
}
