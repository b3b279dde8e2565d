import { Partner } from '#addons/base';
import { type Ctx, type Id, InvalidInput, isEmailAddress, TooMany } from '#core';
import { anonymousIdentity } from '#core/http';
import { confirmFollow } from '../mails.ts';
import { threadOf } from '../thread.ts';
import { type FollowLink, makeLink } from './follow-links.ts';

/** Which contact a visitor without an account is, once a link from a mail has shown it. */
const PARTNER = 'mail.partner_id';

/** The caller's own contact: the user's, or the one a confirmed link has shown in this session. */
export function ownPartner(ctx: Ctx): Id | null {
  if (ctx.user.partnerId !== null) return ctx.user.partnerId;
  const known = ctx.session.get(PARTNER);
  return typeof known === 'number' ? known : null;
}

/** Whether the caller follows the record. Says nothing about anybody else. */
export async function follows(ctx: Ctx, model: string, id: Id): Promise<boolean> {
  const partner = ownPartner(ctx);
  return (
    partner !== null &&
    (await mayRead(ctx, model, id)) &&
    ((await threadOf(ctx, model)?.isFollower(id, partner)) ?? false)
  );
}

/**
 * Turns following on or off; `following` is what it is now. A visitor's address gets a mail that asks for confirmation, whether it is known here or not.
 * Answers the new state.
 *
 * @throws InvalidInput for something that is no address
 */
export async function toggleFollow(
  ctx: Ctx,
  model: string,
  id: Id,
  following: boolean,
  email: string,
): Promise<boolean> {
  const partner = ownPartner(ctx);
  const thread = threadOf(ctx, model);
  if (!thread || !(await mayRead(ctx, model, id))) return false;
  if (following) {
    if (partner !== null) await thread.messageUnsubscribe([id], [partner]);
    return false;
  }
  if (partner !== null && (ctx.user.id !== null || !email)) await thread.messageSubscribe([id], [partner]);
  else await askToConfirm(ctx, model, id, email);
  return true;
}

/** Does what a confirmed link says, and remembers in the session who its owner is. */
export async function followByLink(ctx: Ctx, { model, id, email }: FollowLink): Promise<boolean> {
  const visitor = await anonymousIdentity(ctx);
  // As anybody: the link shows an address, not rights.
  const thread = threadOf(visitor ? ctx.as({ user: visitor }) : ctx, model);
  if (!thread || !(await mayRead(thread.ctx, model, id))) return false;
  const partner = await partnerOf(ctx, email);
  await thread.messageSubscribe([id], [partner]);
  ctx.session.set(PARTNER, partner);
  return true;
}

export async function unfollowByLink(ctx: Ctx, { model, id, email }: FollowLink): Promise<void> {
  const thread = threadOf(ctx, model);
  const partners = await ctx
    .sudo()
    .model(Partner)
    .search([['email', '=', email]]);
  await thread?.messageUnsubscribe([id], partners);
}

/** How the record is called, for whoever holds a link to it. */
export async function nameOf(ctx: Ctx, { model, id }: Pick<FollowLink, 'model' | 'id'>): Promise<string> {
  const thread = threadOf(ctx, model);
  return thread && (await mayRead(ctx, model, id)) ? ((await thread.displayNames([id])).get(id) ?? '') : '';
}

async function askToConfirm(ctx: Ctx, model: string, id: Id, email: string): Promise<void> {
  if (!isEmailAddress(email)) {
    const message = ctx.t('Please write an address with an @ in it.');
    throw new InvalidInput(message, { code: 'mail.bad_email', fields: { email: message } });
  }
  const path = `/mail/follow/${makeLink(ctx, 'follow', { model, id, email })}`;
  try {
    await ctx.mail.send(confirmFollow, {
      to: { email, lang: ctx.lang },
      values: { record: await nameOf(ctx, { model, id }), path },
    });
  } catch (error) {
    // Who asked must not learn what was sent to this address before.
    if (!(error instanceof TooMany)) throw error;
  }
}

async function mayRead(ctx: Ctx, model: string, id: Id): Promise<boolean> {
  return (await ctx.modelNamed(model).allowed([id], 'read')).length > 0;
}

/** The contact with an address; a new one when there is none. Visitors have no rights on contacts, their confirmed address makes theirs. */
async function partnerOf(ctx: Ctx, email: string): Promise<Id> {
  const partners = ctx.sudo().model(Partner);
  // An account that nobody confirmed only says that the address is its own.
  const [known] = await partners.search(
    [['email', '=', email], '|', ['user_ids', '=', false], ['user_ids.email_verified', '=', true]],
    { limit: 1 },
  );
  return known ?? partners.create({ name: email.split('@')[0] ?? email, email, lang: ctx.lang });
}
