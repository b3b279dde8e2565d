import { YEAR_SECONDS } from '@pergola/website';
import { type Ctx, NotFound, type Reply, reply, route, z } from 'pergola';
import { Contact } from '../models/contact.ts';
import { MailingLink } from '../models/link.ts';
import { Mailing } from '../models/mailing.ts';
import { MailCompiler, NotCompilable } from '../services/content/compile.ts';
import { createComposer } from '../services/content/compose.ts';
import { isShortSignature, readMailToken } from '../services/links.ts';
import { Spool } from '../services/spool.ts';

const number = z.coerce.number().int().positive();
/** An email has its own styles and images, and is untrusted: no scripts, no forms. */
const mailHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; img-src 'self' https: data:; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation",
  'X-Robots-Tag': 'noindex',
};

const picture = route.http(
  '/mass_mailing/image/:id/:hash',
  { name: 'mass_mailing.image', method: 'GET', params: { id: number, hash: z.string().regex(/^[0-9a-f]{64}$/) } },
  async ({ ctx, params }) => {
    // The image's hash is only known to recipients of the email.
    const mailing = await ctx
      .sudo()
      .model(Mailing)
      .first([['id', '=', params.id]], { select: { image: true } });
    if (!mailing?.image || mailing.image.hash !== params.hash) throw notThere();
    const file = await ctx.files.resized(mailing.image, { width: 1200, height: 1200 });
    return reply.file(file, { inline: true, maxAge: YEAR_SECONDS });
  },
);

/** Email preview for staff, in the language of the page. */
const preview = route.http(
  '/mass_mailing/preview/:id',
  {
    name: 'mass_mailing.preview',
    method: 'GET',
    auth: 'user',
    groups: ['mass_mailing.group_user'],
    multilang: true,
    params: { id: number },
  },
  async ({ ctx, params }) => {
    await ctx.model(Mailing).get(params.id, { select: { id: true } });
    try {
      // Company and site are read for the email footer; access to the mailing was checked with the reader's permissions.
      const compiled = await ctx.sudo().get(MailCompiler).compile(params.id, [ctx.lang]);
      return show(await renderMail(ctx, params.id, compiled, { id: 0, email: 'you@example.org', name: null }));
    } catch (error) {
      if (!(error instanceof NotCompilable)) throw error;
      return reply.text(error.message, 422);
    }
  },
);

/** Web version of a recipient's email. */
const view = route.http(
  '/mass_mailing/view/:token',
  { name: 'mass_mailing.view', method: 'GET', params: { token: z.string().max(200) } },
  async ({ ctx, params }) => {
    const link = readMailToken(ctx, params.token);
    // The signed link identifies the recipient.
    const system = ctx.sudo();
    const mailing =
      link && (await system.model(Mailing).first([['id', '=', link.mailing]], { select: { compiled: true } }));
    if (!link || !mailing?.compiled) throw notThere();
    const contact = await system
      .model(Contact)
      .first([['id', '=', link.contact]], { select: { email: true, name: true, lang: true } });
    if (!contact) throw notThere();
    const localizedCtx = contact.lang ? ctx.as({ lang: contact.lang }) : ctx;
    return show(await renderMail(localizedCtx, link.mailing, mailing.compiled, contact));
  },
);

/** A transparent GIF of one pixel. */
const PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

const opened = route.http(
  '/mass_mailing/open/:mark',
  { name: 'mass_mailing.open', method: 'GET', params: { mark: z.string().max(100) } },
  async ({ ctx, params }) => {
    const [, id = '', signature = ''] = /^(\d{1,15})\.([\w-]{22})\.gif$/.exec(params.mark) ?? [];
    if (id && isShortSignature(ctx.config.sessionSecret, 'open', id, signature)) {
      await ctx.get(Spool).note({ recipient: Number(id), link: 0 });
    }
    return reply.body(Buffer.from(PIXEL, 'base64'), 'image/gif', { 'Cache-Control': 'no-store' });
  },
);

const clicked = route.http(
  '/mass_mailing/click/:mark',
  { name: 'mass_mailing.click', method: 'GET', params: { mark: z.string().max(100) } },
  async ({ ctx, params }) => {
    const [, text = '', id = '', link = '', signature = ''] =
      /^((\d{1,15})\.(\d{1,15}))\.([\w-]{22})$/.exec(params.mark) ?? [];
    if (!text || !isShortSignature(ctx.config.sessionSecret, 'click', text, signature)) throw notThere();
    // The signature proves that the link is from one of the site's emails; the target is read from the mailing, never from the request.
    const row = await ctx
      .sudo()
      .model(MailingLink)
      .first([['id', '=', Number(link)]], { select: { url: true } });
    if (!row) throw notThere();
    await ctx.get(Spool).note({ recipient: Number(id), link: row.id });
    return reply.elsewhere(row.url, 302);
  },
);

export const mailRoutes = [picture, preview, view, opened, clicked];

function notThere(): NotFound {
  return new NotFound('We can’t find that email.', { code: 'mass_mailing.no_mail' });
}

function show(html: string): Reply {
  return reply.body(html, 'text/html; charset=utf-8', mailHeaders);
}

async function renderMail(
  ctx: Ctx,
  mailing: number,
  compiled: NonNullable<Parameters<typeof createComposer>[0]['compiled']>,
  contact: { id: number; email: string; name: string | null },
): Promise<string> {
  // Recipients of the mailing may know the names of its lists.
  const lists = await ctx.sudo().model(Mailing).listNames(mailing);
  const composer = createComposer({
    config: ctx.config,
    mailing,
    compiled,
    lists: Object.fromEntries(Object.keys(compiled).map((lang) => [lang, lists])),
    from: null,
    replyTo: null,
    opens: false,
    bounceTo: '',
  });
  return composer.mail({ id: 0, email: contact.email, contact: { ...contact, lang: ctx.lang } }).html;
}
