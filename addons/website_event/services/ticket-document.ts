import { Company } from '#addons/base';
import { Documents, letterhead, onLetterhead, type PdfContent } from '#addons/sale';
import { currentWebsite, originOf } from '#addons/website';
import type { Ctx, Id, Ids } from '#core';
import { EventRegistration } from '../models/event-registration.ts';
import { factsOf } from './event-facts.ts';
import { checkInAddress } from './ticket-links.ts';

/** Tickets as a file, one on each page, with the code that is scanned at the door. Takes a moment: outside of transactions. */
export async function ticketPdf(given: Ctx, registrations: Ids, lang: string): Promise<Uint8Array> {
  // Who may have the tickets was decided by whoever asks for them.
  const ctx = given.sudo().as({ lang });
  const paper = await letterhead(ctx, await companyOf(ctx), { bank: false });
  const rows = await ctx.model(EventRegistration).read(registrations, {
    select: {
      name: true,
      barcode: true,
      origin: true,
      event_id: true,
      event_ticket_id: { name: true, description: true },
    },
  });
  const site = await currentWebsite(ctx);
  const origin = originOf(ctx, site);
  const facts = new Map<Id, Awaited<ReturnType<typeof factsOf>>>();
  for (const { event_id } of rows) if (!facts.has(event_id)) facts.set(event_id, await factsOf(ctx, event_id, lang));
  const pages = rows.map((row, index): PdfContent => {
    const about = facts.get(row.event_id);
    const code = row.barcode ?? '';
    return {
      ...(index === 0 ? {} : { pageBreak: 'before' as const }),
      stack: [
        ...(index === 0 ? [] : [paper.head]),
        { text: about?.event ?? '', fontSize: 22, bold: true, margin: [0, 12, 0, 6] },
        { text: about?.when ?? '', fontSize: 12 },
        { text: about?.place ?? '', fontSize: 12, margin: [0, 0, 0, 18] },
        {
          columns: [
            {
              width: '*',
              stack: [
                ...labelled(ctx.t('Attendee'), row.name ?? ''),
                ...labelled(ctx.t('Ticket'), row.event_ticket_id?.name ?? ''),
                ...(row.event_ticket_id?.description
                  ? [{ text: row.event_ticket_id.description, style: 'small' }]
                  : []),
                ...(row.origin ? labelled(ctx.t('Order'), row.origin) : []),
              ],
            },
            {
              width: 'auto',
              stack: [
                { qr: checkInAddress(origin, code), fit: 170, eccLevel: 'M' as const },
                { text: grouped(code), alignment: 'center' as const, fontSize: 11, margin: [0, 8, 0, 0] },
              ],
            },
          ],
          columnGap: 24,
        },
        {
          text: ctx.t('Show this page at the door, on paper or on your telephone. It is valid once.'),
          style: 'small',
          margin: [0, 24, 0, 0],
        },
      ],
    };
  });
  return ctx.get(Documents).pdf(onLetterhead(ctx, paper, ctx.t('Tickets'), pages));
}

function labelled(label: string, value: string): PdfContent[] {
  return [
    { text: label, style: 'small', margin: [0, 6, 0, 0] },
    { text: value, fontSize: 14, bold: true },
  ];
}

/** `ABCD EFGH JKLM NPQR`, as people read it to each other. */
function grouped(code: string): string {
  return code.match(/.{1,4}/g)?.join(' ') ?? code;
}

async function companyOf(ctx: Ctx): Promise<Id> {
  const site = await currentWebsite(ctx);
  if (site) return site.companyId;
  const [first] = await ctx.model(Company).search([], { limit: 1 });
  return first ?? ctx.ref('base.main_company');
}
