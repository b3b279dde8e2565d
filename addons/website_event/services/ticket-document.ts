import { Company } from '@pergola/base';
import { Documents, letterhead, onLetterhead, type PdfContent } from '@pergola/sale';
import { currentWebsite, originOf } from '@pergola/website';
import { app, type Ctx, type FileRef, type Id, type Ids, service } from 'pergola';
import { t } from '../texts.ts';
import { ticketCards } from './ticket-cards.ts';
import { checkInAddress } from './ticket-links.ts';

/** Tickets as a PDF, one per page, with the code for check-in. */
export class TicketDocument extends service('website_event.ticket_document', { ctx: app.ctx, documents: Documents }) {
  /** Renders in the language of the context. The caller must have checked access to the tickets. Slow: call it outside of transactions. */
  async pdf(registrations: Ids): Promise<Uint8Array> {
    const ctx = this.ctx.sudo();
    const site = await currentWebsite(ctx);
    const paper = await letterhead(ctx, site?.companyId ?? (await firstCompany(ctx)), { bank: false });
    const cards = await ticketCards(ctx, registrations, () => '');
    const rows = await ctx.model('event.registration').read(registrations, {
      select: {
        barcode: true,
        origin: true,
        event_id: { image: true },
        event_ticket_id: { description: true },
      },
    });
    const origin = originOf(ctx, site);
    const pictures = new Map<Id, string | null>();
    for (const { event_id: event } of rows)
      if (event && !pictures.has(event.id)) pictures.set(event.id, event.image && (await banner(ctx, event.image)));
    const pages = rows.map((row, index): PdfContent => {
      const card = cards[index];
      const code = row.barcode ?? '';
      const image = pictures.get(row.event_id?.id ?? 0);
      return {
        ...(index === 0 ? {} : { pageBreak: 'before' as const }),
        stack: [
          ...(index === 0 ? [] : [paper.head]),
          ...(image ? [{ image, cover: { ...bannerSize, align: 'center' as const, valign: 'center' as const } }] : []),
          { text: card?.event ?? '', fontSize: 24, bold: true, margin: [0, 16, 0, 10] },
          {
            columns: [
              {
                width: '*',
                stack: [
                  ...labelled(t(ctx, 'When'), card?.when ?? ''),
                  ...labelled(t(ctx, 'Where'), card?.place ?? ''),
                  ...(card?.online?.url ? [{ text: card.online.url, link: card.online.url, style: 'small' }] : []),
                  ...labelled(t(ctx, 'Attendee'), card?.attendee ?? ''),
                  ...labelled(t(ctx, 'Ticket'), [card?.ticket, card?.number].filter(Boolean).join(' · ')),
                  ...(row.event_ticket_id?.description
                    ? [{ text: row.event_ticket_id.description, style: 'small' }]
                    : []),
                  ...(row.origin ? labelled(t(ctx, 'Order'), row.origin) : []),
                ],
              },
              {
                width: 'auto',
                stack: [
                  { qr: checkInAddress(origin, code), fit: 190, eccLevel: 'M' as const },
                  { text: grouped(code), alignment: 'center' as const, fontSize: 11, margin: [0, 8, 0, 0] },
                ],
              },
            ],
            columnGap: 24,
          },
          {
            text: t(ctx, 'Show this page at the entrance, printed or on your phone. It’s valid for one entry.'),
            margin: [0, 28, 0, 0],
          },
        ],
      };
    });
    return this.documents.pdf(onLetterhead(ctx, paper, t(ctx, 'Tickets'), pages));
  }
}

/** In PDF points. */
const bannerSize = { width: 515, height: 170 };

/** The event image cropped to the page width; null if the file is missing. */
async function banner(ctx: Ctx, image: FileRef): Promise<string | null> {
  const content = await ctx.files.get(image.hash);
  if (!content) return null;
  const { default: sharp } = await import('sharp');
  const [width, height] = [bannerSize.width * 2, bannerSize.height * 2];
  const jpeg = await sharp(content)
    .resize(width, height, { fit: 'cover' })
    .flatten({ background: '#fff' })
    .jpeg()
    .toBuffer();
  return `data:image/jpeg;base64,${jpeg.toString('base64')}`;
}

function labelled(label: string, value: string): PdfContent[] {
  return [
    { text: label, style: 'small', margin: [0, 6, 0, 0] },
    { text: value, fontSize: 14, bold: true },
  ];
}

/** Groups the code for reading aloud: `ABCD EFGH JKLM NPQR`. */
function grouped(code: string): string {
  return code.match(/.{1,4}/g)?.join(' ') ?? code;
}

async function firstCompany(ctx: Ctx): Promise<Id> {
  const [first] = await ctx.model(Company).search([], { limit: 1 });
  return first ?? ctx.ref('base.main_company');
}
