import { User } from '@pergola/base';
import { type Ctx, kept, NotFound, type RequestView } from 'pergola';
import { holdsMails } from 'pergola/mail';
import { listOutbox, type OutboxMail, readOutboxMail } from './admin/outbox.ts';

/** Users who may read the outbox: administrators, and everyone while a site is only being tried out on a local machine. */
export type OutboxReader = 'administrator' | 'anybody' | null;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/;
/** Proxy headers: if any is present, the peer isn't the visitor. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];
const LIMIT = 50;

/**
 * Whether pages link to the outbox. Cached pages are shared by all visitors without a session, so the visitor's address is checked only by
 * the outbox itself.
 */
export async function showsOutbox(ctx: Ctx): Promise<boolean> {
  return ctx.has('base.group_system') || isTriedOut(ctx);
}

/** Returns the reader role of the caller for the outbox. */
export async function outboxReader(ctx: Ctx, request: RequestView): Promise<OutboxReader> {
  if (ctx.has('base.group_system')) return 'administrator';
  return (await isTriedOut(ctx)) && isLocalRequest(request) ? 'anybody' : null;
}

/**
 * Whether the site is only being tried out on a local machine: with demo data, without a mail server, and while the administrator's
 * password is publicly known, so that the outbox reveals nothing that visitors couldn't read by signing in.
 */
async function isTriedOut(ctx: Ctx): Promise<boolean> {
  const { demo, production, baseUrl } = ctx.config;
  if (!demo || production || !LOOPBACK.test(new URL(baseUrl).hostname)) return false;
  if (!(await holdsMails(ctx))) return false;
  // Reads with elevated rights, because visitors may not read users.
  return knowsPassword.get(ctx.sudo());
}

/** Whether an administrator still has a publicly known password. Cached, because every page needs it. */
export const knowsPassword = kept('web.knows_password', async (ctx): Promise<boolean> => {
  const demoCount = await ctx.model(User).count([
    ['demo_password', '=', true],
    ['group_ids.code', '=', 'base.group_system'],
  ]);
  return demoCount > 0;
});

function isLocalRequest({ ip, headers, origin }: RequestView): boolean {
  return LOOPBACK.test(ip) && LOOPBACK.test(new URL(origin).hostname) && !FORWARDED.some((name) => name in headers);
}

/** Returns the latest emails in the outbox for visitors who may read it without signing in. Throws NotFound for all others. */
export async function publicOutbox(ctx: Ctx, request: RequestView): Promise<readonly OutboxMail[]> {
  await requireReader(ctx, request);
  return (await listOutbox(ctx, { limit: LIMIT })).mails;
}

/** Returns one of these emails, ready for a frame. */
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
    throw new NotFound('We can’t find that page.', { code: 'core.no_such_page' });
}

/**
 * Returns an email for a sandboxed frame without scripts; its links open in a new tab, as in an email client. Throws NotFound if it doesn't
 * exist.
 */
export async function framedMail(
  ctx: Ctx,
  id: number,
): Promise<OutboxMail & { readonly html: string; readonly text: string }> {
  const mail = await readOutboxMail(ctx, id);
  if (!mail) throw new NotFound('This email doesn’t exist.', { code: 'web.no_mail' });
  return { ...mail, html: inFrame(mail.html) };
}

/**
 * Returns the HTML of an email for a sandboxed frame without scripts; its links open in a new tab. Removes the style sheet, which the
 * page's Content-Security-Policy blocks; the light colours are inline.
 */
export function inFrame(html: string): string {
  return html.replace(/<style>.*?<\/style>/s, '').replace(/<head>/i, '<head><base target="_blank">');
}
