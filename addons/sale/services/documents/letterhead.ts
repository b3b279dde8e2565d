import type { Ctx, Id } from '#core';
import { SaleCompany } from '../../models/res-company.ts';
import type { PdfContent, PdfDocument } from './pdf.ts';

/** The house's green, as on the site. */
const ink = '#1f6b4a';

/** What every document of a company begins and ends with. */
export interface Letterhead {
  /** Logo or name to the left, the address to the right. */
  readonly head: PdfContent;
  /** A line at the foot of each page: name, address, registry, bank. */
  readonly footer: string;
  readonly company: string;
}

/** The letterhead of a company, in the context's language; without its bank where nothing is to be paid. Reads a file: outside of transactions. */
export async function letterhead(given: Ctx, company: Id, { bank = true } = {}): Promise<Letterhead> {
  const ctx = given.sudo(); // What stands on every letter of a company is for everybody.
  const row = await ctx.model(SaleCompany).get(company, {
    select: {
      name: true,
      logo: true,
      email: true,
      phone: true,
      registry: true,
      bank_account: true,
      bank_bic: true,
      partner_id: {
        street: true,
        street2: true,
        zip: true,
        city: true,
        country_id: { name: true },
        vat: true,
        website: true,
      },
    },
  });
  const place = row.partner_id;
  const lines = [
    place?.street,
    place?.street2,
    [place?.zip, place?.city].filter(Boolean).join(' '),
    place?.country_id?.name,
    row.phone,
    row.email,
    place?.website,
  ].filter((line): line is string => Boolean(line));
  const logo = row.logo ? await picture(ctx, row.logo.hash, row.logo.mimetype) : null;
  const name: PdfContent = { text: row.name, fontSize: 18, bold: true, color: ink };
  return {
    company: row.name,
    head: {
      columns: [
        logo ? { image: logo, fit: [170, 60] } : name,
        {
          stack: logo ? [{ text: row.name, bold: true }, ...lines] : lines,
          alignment: 'right',
          fontSize: 9,
          color: '#444444',
        },
      ],
      columnGap: 20,
      margin: [0, 0, 0, 24],
    },
    footer: [
      row.name,
      row.registry,
      place?.vat ? ctx.t('Tax number {number}', { number: place.vat }) : null,
      bank && row.bank_account ? ctx.t('Bank account {number}', { number: row.bank_account }) : null,
      bank ? row.bank_bic : null,
    ]
      .filter(Boolean)
      .join(' · '),
  };
}

/** A picture of the filestore as documents take it; null where it is gone or of a kind they do not know. */
export async function picture(ctx: Ctx, hash: string, mimetype: string): Promise<string | null> {
  if (mimetype !== 'image/png' && mimetype !== 'image/jpeg') return null;
  const content = await ctx.files.get(hash);
  return content ? `data:${mimetype};base64,${Buffer.from(content).toString('base64')}` : null;
}

/** A document on a company's letter paper: its margins, fonts and colours, in the context's language. */
export function onLetterhead(ctx: Ctx, paper: Letterhead, title: string, content: readonly PdfContent[]): PdfDocument {
  return {
    content: [paper.head, ...content],
    footer: paper.footer,
    pageLabel: ctx.t('Page {page} of {pages}', { page: '{page}', pages: '{pages}' }),
    pageSize: 'A4',
    pageMargins: [40, 40, 40, 48],
    info: { title, author: paper.company },
    language: ctx.lang.replace('_', '-'),
    displayTitle: true,
    defaultStyle: { font: 'Roboto', fontSize: 10, lineHeight: 1.2 },
    styles: {
      title: { fontSize: 16, bold: true, margin: [0, 12, 0, 8] },
      heading: { fontSize: 11, bold: true, color: ink, margin: [0, 12, 0, 4] },
      small: { fontSize: 8.5, color: '#444444' },
    },
  };
}
