import { Company } from '#addons/base';
import { Documents, letterhead, onLetterhead, type PdfContent } from '#addons/sale';
import { currentWebsite, originOf } from '#addons/website';
import { app, type Ctx, type Id, type Ids, service } from '#core';
import type { EventFacts } from '../mails.ts';
import { checkInAddress } from './ticket-links.ts';

/** Tickets as a file, one on each page, with the code that is scanned at the door. */
export class TicketDocument extends service('website_event.ticket_document', { ctx: app.ctx, documents: Documents }) {
  /** In the context's language. Who may have the tickets was decided by whoever asks for them. Takes a moment: outside of transactions. */
  async pdf(registrations: Ids): Promise<Uint8Array> {
    const ctx = this.ctx.sudo();
    const site = await currentWebsite(ctx);
    const paper = await letterhead(ctx, site?.companyId ?? (await firstCompany(ctx)), { bank: false });
    const rows = await ctx.model('event.registration').read(registrations, {
      select: {
        name: true,
        barcode: true,
        origin: true,
        event_id: true,
        event_ticket_id: { name: true, description: true },
      },
    });
    const origin = originOf(ctx, site);
    const facts = new Map<Id, EventFacts>();
    for (const { event_id } of rows)
      if (!facts.has(event_id)) facts.set(event_id, await ctx.model('event.event').facts(event_id));
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
    return this.documents.pdf(onLetterhead(ctx, paper, ctx.t('Tickets'), pages));
  }
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

async function firstCompany(ctx: Ctx): Promise<Id> {
  const [first] = await ctx.model(Company).search([], { limit: 1 });
  return first ?? ctx.ref('base.main_company');
}
