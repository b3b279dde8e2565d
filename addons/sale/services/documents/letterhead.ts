import type { Ctx, Id } from 'pergola';
import { SaleCompany } from '../../models/res-company.ts';
import { t } from '../../texts.ts';
import { filledLines } from '../orders/addresses.ts';
import type { PdfContent, PdfDocument } from './pdf.ts';

/** The company's green, as on the site. */
const ink = '#1f6b4a';

/** Header and footer of every document of a company. */
export interface Letterhead {
  /** Logo or name on the left, address on the right. */
  readonly head: PdfContent;
  /** Footer of each page: name, address, registry, bank. */
  readonly footer: string;
  readonly company: string;
}

/** The seller as printed on letters; plain JSON. */
export interface Seller {
  readonly name: string;
  readonly logo: { readonly hash: string; readonly mimetype: string } | null;
  /** Address, phone, email and website, line by line. */
  readonly lines: readonly string[];
  /** Name, registry and tax number. */
  readonly legal: readonly string[];
  readonly bank: readonly string[];
}

/** Returns the selling company, in the context's language. */
export async function sellerOf(callerCtx: Ctx, company: Id): Promise<Seller> {
  const ctx = callerCtx.sudo(); // A company's letterhead is public.
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
  return {
    name: row.name,
    logo: row.logo && { hash: row.logo.hash, mimetype: row.logo.mimetype },
    lines: filledLines([
      place?.street,
      place?.street2,
      [place?.zip, place?.city].filter(Boolean).join(' '),
      place?.country_id?.name,
      row.phone,
      row.email,
      place?.website,
    ]),
    legal: filledLines([
      row.name,
      row.registry,
      place?.vat ? t(ctx, 'Tax number {number}', { number: place.vat }) : null,
    ]),
    bank: filledLines([
      row.bank_account ? t(ctx, 'Bank account {number}', { number: row.bank_account }) : null,
      row.bank_bic,
    ]),
  };
}

/**
 * Returns the letterhead of a company or of a stored seller; leaves out the bank if there is nothing to pay. Reads a file: call it outside
 * of transactions.
 */
export async function letterhead(ctx: Ctx, from: Id | Seller, { bank = true } = {}): Promise<Letterhead> {
  const seller = typeof from === 'number' ? await sellerOf(ctx, from) : from;
  const logo = seller.logo ? await picture(ctx.sudo(), seller.logo.hash, seller.logo.mimetype) : null;
  const name: PdfContent = { text: seller.name, fontSize: 18, bold: true, color: ink };
  return {
    company: seller.name,
    head: {
      columns: [
        logo ? { image: logo, fit: [170, 60] } : name,
        {
          stack: logo ? [{ text: seller.name, bold: true }, ...seller.lines] : [...seller.lines],
          alignment: 'right',
          fontSize: 9,
          color: '#444444',
        },
      ],
      columnGap: 20,
      margin: [0, 0, 0, 24],
    },
    footer: [...seller.legal, ...(bank ? seller.bank : [])].join(' · '),
  };
}

/** Returns a stored picture as a data URL for documents, or null if it is missing or its type isn't supported. */
export async function picture(ctx: Ctx, hash: string, mimetype: string): Promise<string | null> {
  if (mimetype !== 'image/png' && mimetype !== 'image/jpeg') return null;
  const content = await ctx.files.get(hash);
  return content ? `data:${mimetype};base64,${Buffer.from(content).toString('base64')}` : null;
}

/** Creates a document with a company's letterhead, margins, fonts and colours, in the context's language. */
export function onLetterhead(ctx: Ctx, paper: Letterhead, title: string, content: readonly PdfContent[]): PdfDocument {
  return {
    content: [paper.head, ...content],
    footer: paper.footer,
    pageLabel: t(ctx, 'Page {page} of {pages}', { page: '{page}', pages: '{pages}' }),
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
