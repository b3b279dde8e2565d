import { Partner, User } from '#addons/base';
import { anonymousIdentity, type Ctx, type Id, identityOf, job, TooMany, z } from '#core';
import { makeLink } from '../links.ts';
import { type NewMessage, newMessage } from '../mails.ts';
import { Follower } from '../models/follower.ts';
import { Message } from '../models/message.ts';

/** Sends a message to those who follow its record and may still read it; each once. */
export const notifyFollowers = job('mail.notify_followers', {
  input: z.object({ message: z.number().int() }),
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
      followers.map(({ partner_id }) => partner_id).filter((partner) => partner !== message.author_id?.id),
      { select: { name: true, email: true, lang: true } },
    );
    const record = (await ctx.modelNamed(model).displayNames([id])).get(id) ?? '';
    for (const { id: partner, name, email, lang } of partners) {
      if (signal.aborted) throw new Error('The node stops; the rest is sent by the next run.');
      if (!email || !(await mayRead(ctx, partner, model, id))) continue;
      await write(async (writing) => {
        const unsubscribe = `/mail/unfollow/${makeLink(writing, 'unfollow', { model, id, email })}`;
        await sendOnce(writing, {
          to: { email, name, lang: lang ?? undefined },
          values: { record, author: message.author_id?.name ?? '', body: message.body ?? '', unsubscribe },
          headers: {
            'List-Unsubscribe': `<${writing.config.baseUrl}${unsubscribe}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
          key: `mail.message/${input.message}/${partner}`,
        });
      });
    }
  },
});

async function sendOnce(ctx: Ctx, message: Parameters<typeof ctx.mail.send<NewMessage>>[1]): Promise<void> {
  try {
    await ctx.mail.send(newMessage, message);
  } catch (error) {
    // Enough for one hour; what was said can be read on the site.
    if (!(error instanceof TooMany)) throw error;
  }
}

/** Whether a follower may (still) read the record: as their user, or as anybody when they have none. */
async function mayRead(ctx: Ctx, partner: Id, model: string, id: Id): Promise<boolean> {
  const [user] = await ctx.model(User).search(
    [
      ['partner_id', '=', partner],
      ['active', '=', true],
    ],
    { limit: 1 },
  );
  const identity = user === undefined ? await anonymousIdentity(ctx) : await identityOf(ctx, user);
  if (!identity) return false;
  return (await ctx.as({ user: identity }).modelNamed(model).allowed([id], 'read')).length > 0;
}
