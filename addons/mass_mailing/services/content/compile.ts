import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { Company } from '@pergola/base';
import { Website, wholeAddresses } from '@pergola/website';
import { app, type Ctx, type Id, service } from 'pergola';
import { t } from '../../texts.ts';
import { type LayoutParts, layouts } from './layouts.ts';
import { type Compiled, compileProblems } from './merge.ts';

/** Error for a mailing whose content can't be sent. */
export class NotCompilable extends Error {}

/** Compiles the emails of mailings. */
export class MailCompiler extends service('mass_mailing.compiler', { ctx: app.ctx }) {
  /**
   * Compiles a mailing in each of the languages, except for its merge fields. Slow (half a second): only call it outside of transactions.
   *
   * @throws NotCompilable with a message for the author
   */
  async compile(id: Id, languages: readonly string[]): Promise<Readonly<Record<string, Compiled>>> {
    const parts = await Promise.all(languages.map((lang) => this.#parts(this.ctx.as({ lang }), id)));
    const pages = await toHtml(parts.map(({ source }) => source));
    const { convert } = await import('html-to-text');
    const mails = parts.map(({ subject }, index): Compiled => {
      const html = wholeAddresses(pages[index] ?? '', this.ctx.config.baseUrl);
      return { subject, html, text: toText(convert, html) };
    });
    return Object.fromEntries(languages.flatMap((lang, index) => (mails[index] ? [[lang, mails[index]]] : [])));
  }

  async #parts(ctx: Ctx, id: Id): Promise<{ subject: string; source: string }> {
    const mailing = await ctx.model('mail.mass_mailing').get(id, {
      select: {
        name: true,
        preheader: true,
        headline: true,
        body_html: true,
        layout: true,
        image: true,
        button_label: true,
        button_url: true,
      },
    });
    const { name, preheader, headline, body_html: body, image, button_label: label, button_url: url } = mailing;
    const bad = compileProblems([name, preheader, headline, body].join(' '));
    if (bad) throw new NotCompilable(t(ctx, 'Unknown merge field: {field}.', { field: bad }));
    const { baseUrl } = ctx.config;
    const source = layouts[mailing.layout]({
      lang: ctx.lang,
      title: name,
      preheader: preheader ?? '',
      headline: headline ?? '',
      image: image ? `${baseUrl}/mass_mailing/image/${id}/${image.hash}` : '',
      body: body ?? '',
      button: label && url ? { label, url } : null,
      site: await siteFacts(ctx),
      because: t(ctx, 'You’re getting this email because {email} is subscribed to: {lists}.', {
        email: '{{email}}',
        lists: '{{lists}}',
      }),
      address: await addressLine(ctx),
      labels: {
        unsubscribe: t(ctx, 'Unsubscribe'),
        preferences: t(ctx, 'Manage preferences'),
        view: t(ctx, 'View in browser'),
      },
    });
    return { subject: name, source };
  }
}

/** Name and logo of the first site, as in other emails. */
async function siteFacts(ctx: Ctx): Promise<LayoutParts['site']> {
  const { baseUrl } = ctx.config;
  const site = await ctx.model(Website).first([], { select: { name: true, logo: true }, order: 'sequence, id' });
  const logo = site?.logo
    ? `${baseUrl}/web/binary/image?model=website&id=${site.id}&field=logo&height=80&unique=${site.logo.hash}`
    : '';
  return {
    name: site?.name ?? new URL(baseUrl).hostname,
    url: baseUrl,
    logo,
    icon: `${baseUrl}/website/static/icon-192.png`,
  };
}

/** Sender name and address on one line, as required by law in many countries. */
async function addressLine(ctx: Ctx): Promise<string> {
  const company = await ctx.model(Company).get(await ctx.ref('base.main_company'), {
    select: {
      name: true,
      partner_id: { street: true, street2: true, zip: true, city: true, country_id: { name: true } },
    },
  });
  const { street, street2, zip, city, country_id: country } = company.partner_id ?? {};
  const place = [zip, city].filter(Boolean).join(' ');
  return [company.name, street, street2, place, country?.name].filter(Boolean).join(' · ');
}

/** Runs in a worker thread that exits afterwards: the compiler uses a hundred megabytes that aren't needed between mailings. */
function toHtml(sources: readonly string[]): Promise<readonly string[]> {
  const worker = new Worker(path.join(import.meta.dirname, 'mjml-worker.ts'), { workerData: sources, execArgv: [] });
  return new Promise<readonly string[]>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The mail compiler ended with ${code}.`)));
  }).finally(() => worker.terminate());
}

function toText(convert: (html: string, options: object) => string, html: string): string {
  const hidden = html.replace(/<div style="display:none[^>]*>[\s\S]*?<\/div>/, '');
  return convert(hidden, {
    wordwrap: 100,
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'h1', options: { uppercase: false } },
      { selector: 'h2', options: { uppercase: false } },
      { selector: 'a', options: { linkBrackets: ['<', '>'], hideLinkHrefIfSameAsText: true } },
    ],
  });
}
