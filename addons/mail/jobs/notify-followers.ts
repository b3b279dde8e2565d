import { Partner, User } from '@pergola/base';
import { type Ctx, type Id, identityOf, job, TooMany, z } from 'pergola';
import { anonymousIdentity } from 'pergola/http';
import type { DueMail, MailMessage, QueuedMail } from 'pergola/mail';
import { type NewMessage, newMessage } from '../mails.ts';
import { Follower } from '../models/follower.ts';
import { Message } from '../models/message.ts';
import { Notification } from '../models/notification.ts';
import { makeLink } from '../services/follow-links.ts';
import { threadOf } from '../services/thread.ts';
import { t } from '../texts.ts';

/** Sends a message to followers who can still read its record, once each. */
export const notifyFollowers = job('mail.notify_followers', {
  mails: true,
  input: z.object({
    message: z.number().int(),
    except: z.array(z.number().int()).default([]),
    path: z.string().optional(),
  }),
  run: async ({ ctx, input, write, signal }) => {
    const message = await ctx.model(Message).first([['id', '=', input.message]], {
      select: { model: true, res_id: true, author_id: { name: true }, subject: true, body: true },
    });
    const { model, res_id: id } = message ?? {};
    if (!message || !model || !id) return;
    const followers = await ctx.model(Follower).find(
      [
        ['res_model', '=', model],
        ['res_id', '=', id],
      ],
      { select: { partner_id: true } },
    );
    const partners = await ctx.model(Partner).read(
      followers
        .map(({ partner_id }) => partner_id)
        .filter((partner) => partner !== message.author_id?.id && !input.except.includes(partner)),
      { select: { name: true, email: true, lang: true } },
    );
    for (const { id: partner, name, email, lang } of partners) {
      if (signal.aborted) throw new Error('The node stops; the rest is sent by the next run.');
      const reader = email ? await readerOf(ctx, partner, lang) : null;
      if (!email || !reader || !(await mayRead(reader, model, id))) continue;
      const record = (await reader.modelNamed(model).displayNames([id])).get(id) ?? '';
      const path = input.path ?? (await pathOf(reader, model, id));
      const headline = message.subject || t(reader, 'Update on “{record}”', { record });
      await write(async (writing) => {
        const unsubscribe = `/mail/unfollow/${makeLink(writing, 'unfollow', { model, id, email })}`;
        const queued = await sendOnce(writing, {
          about: { model, id },
          to: { email, name, lang: lang ?? undefined },
          values: {
            headline,
            record,
            path,
            author: message.author_id?.name ?? '',
            body: message.body ?? '',
            unsubscribe,
          },
          headers: {
            'List-Unsubscribe': `<${writing.config.baseUrl}${unsubscribe}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
          key: keyOf(input.message, partner),
        });
        if (queued)
          await writing.model(Notification).create({
            mail_message_id: input.message,
            res_partner_id: partner,
            name: name.slice(0, 120),
            email,
            outbox_id: queued.id,
          });
      });
    }
  },
});

const keyOf = (message: Id, partner: Id): string => `mail.message/${message}/${partner}`;

/** Whether the recipient of a queued email still follows the record. */
export async function isStillFollowing(ctx: Ctx, { name, key }: DueMail): Promise<boolean> {
  const [, message, partner] = /^mail\.message\/(\d+)\/(\d+)$/.exec(key ?? '') ?? [];
  if (name !== newMessage.name || message === undefined) return true;
  const [messageRow] = await ctx
    .model(Message)
    .find([['id', '=', Number(message)]], { select: { model: true, res_id: true } });
  if (!messageRow?.model || !messageRow.res_id) return false;
  const follower = [
    ['res_model', '=', messageRow.model],
    ['res_id', '=', messageRow.res_id],
    ['partner_id', '=', Number(partner)],
  ] as const;
  return (await ctx.model(Follower).count(follower)) > 0;
}

async function sendOnce(ctx: Ctx, message: MailMessage<NewMessage>): Promise<QueuedMail | null> {
  try {
    return await ctx.mail.send(newMessage, message);
  } catch (error) {
    // Rate limit reached; the message can be read on the site.
    if (!(error instanceof TooMany)) throw error;
    return null;
  }
}

/** Context of a follower: their user, or a visitor without an account; null if their user is disabled or unconfirmed. */
async function readerOf(ctx: Ctx, partner: Id, lang: string | null): Promise<Ctx | null> {
  const user = await ctx.model(User).first(
    [
      ['partner_id', '=', partner],
      ['active', '=', true],
    ],
    { select: { email_verified: true } },
  );
  if (user && !user.email_verified) return null;
  const identity = user ? await identityOf(ctx, user.id) : await anonymousIdentity(ctx);
  return identity && ctx.as({ user: identity, ...(lang ? { lang } : {}) });
}

async function mayRead(reader: Ctx, model: string, id: Id): Promise<boolean> {
  try {
    return (await reader.modelNamed(model).allowed([id], 'read')).length > 0;
  } catch {
    // No access to the model, or its addon is disabled.
    return false;
  }
}

/** URL of the record for the reader: on the site, or in the backend for employees; empty if it has no page. */
async function pathOf(reader: Ctx, model: string, id: Id): Promise<string> {
  const onSite = (await threadOf(reader, model)?.threadPaths([id]))?.get(id);
  if (onSite) return onSite;
  return reader.has('base.group_user') ? `/web#model=${model}&id=${id}` : '';
}
