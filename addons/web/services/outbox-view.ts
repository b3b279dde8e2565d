import { type Ctx, kept, NotFound, type RequestView } from 'pergola';
import { holdsMails } from 'pergola/mail';
import { User } from '#addons/base';
import { listOutbox, type OutboxMail, readOutboxMail } from './admin/outbox.ts';

/** Who may read the outbox: administrators in the backend, and anybody where a site is only being tried out on one's own machine. */
export type OutboxReader = 'administrator' | 'anybody' | null;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/;
/** What a proxy says of whom it asks for: then the peer is not the visitor. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];
const SHOWN = 50;

/** Whether pages lead to the outbox; visitors without a session share what is kept, so from where somebody asks counts behind the link only. */
export async function showsOutbox(ctx: Ctx): Promise<boolean> {
  return ctx.has('base.group_system') || isTriedOut(ctx);
}

/** For whom the outbox is open. */
export async function outboxReader(ctx: Ctx, request: RequestView): Promise<OutboxReader> {
  if (ctx.has('base.group_system')) return 'administrator';
  return (await isTriedOut(ctx)) && isHere(request) ? 'anybody' : null;
}

/**
 * Whether the site only shows itself on its own machine: with demo data, without a mail server, and as long as everybody knows the
 * administrator's password, so that the outbox tells nobody more than they could read by signing in.
 */
async function isTriedOut(ctx: Ctx): Promise<boolean> {
  const { demo, production, baseUrl } = ctx.config;
  if (!demo || production || !LOOPBACK.test(new URL(baseUrl).hostname)) return false;
  if (!(await holdsMails(ctx))) return false;
  // Whether there is one: visitors may not read users.
  return knowsPassword.get(ctx.sudo());
}

/** Whether there is an administrator whose password everybody knows; asked with every page. */
export const knowsPassword = kept('web.knows_password', async (ctx): Promise<boolean> => {
  const known = await ctx.model(User).count([
    ['demo_password', '=', true],
    ['group_ids.code', '=', 'base.group_system'],
  ]);
  return known > 0;
});

function isHere({ ip, headers, origin }: RequestView): boolean {
  return LOOPBACK.test(ip) && LOOPBACK.test(new URL(origin).hostname) && !FORWARDED.some((name) => name in headers);
}

/** The latest mails of the outbox, for whoever may read it without signing in; NotFound for everybody else. */
export async function publicOutbox(ctx: Ctx, request: RequestView): Promise<readonly OutboxMail[]> {
  await requireReader(ctx, request);
  return (await listOutbox(ctx, { limit: SHOWN })).mails;
}

/** One of these mails, ready to be shown in a frame. */
export async function publicMail(
  ctx: Ctx,
  request: RequestView,
  id: number,
): Promise<OutboxMail & { readonly html: string; readonly text: string }> {
  await requireReader(ctx, request);
  return framedMail(ctx, id);
}

async function requireReader(ctx: Ctx, request: RequestView): Promise<void> {
  if ((await outboxReader(ctx, request)) === null)
    throw new NotFound('There is no such page.', { code: 'core.no_such_page' });
}

/** A mail for a frame without scripts: its links open beside the page that shows it, as in a mail program. NotFound when there is none. */
export async function framedMail(
  ctx: Ctx,
  id: number,
): Promise<OutboxMail & { readonly html: string; readonly text: string }> {
  const mail = await readOutboxMail(ctx, id);
  if (!mail) throw new NotFound('There is no such mail.', { code: 'web.no_mail' });
  return { ...mail, html: inFrame(mail.html) };
}

/**
 * A mail's HTML for a frame without scripts, whose links open beside the page that shows it. Without its style sheet, which the page's
 * Content-Security-Policy blocks; the elements have their light colours themselves.
 */
export function inFrame(html: string): string {
  return html.replace(/<style>.*?<\/style>/s, '').replace(/<head>/i, '<head><base target="_blank">');
}
