import { User } from '@pergola/base';
import { Follower } from '@pergola/mail';
import { app, escapeHtml, type FieldsOf, type Id, service } from 'pergola';
import { Forum } from '../models/forum.ts';
import { ForumNotification } from '../models/forum-notification.ts';
import { ForumTag } from '../models/forum-tag.ts';
import { questionPath } from '../routes/paths.ts';

type Kind = NonNullable<NonNullable<FieldsOf<ForumNotification>['kind']['$']>[0]>;

/** A question to announce to the forum's followers. */
export interface AnnouncedQuestion {
  readonly id: Id;
  readonly name: string | null;
  readonly content: string | null;
  readonly create_uid: Id | null;
  readonly forum_id: { readonly id: Id; readonly name: string } | null;
  readonly tag_ids: readonly Id[];
}

/** Sends forum notifications, on the site and by email. */
export class Notifications extends service('forum.notifications', { ctx: app.ctx }) {
  /** Notifies a user about their post, unless they caused the event themselves. */
  async notify(kind: Kind, post: Id, user: Id | null): Promise<void> {
    const { ctx } = this;
    if (user === null || user === ctx.user.id) return;
    // Users have no write access to notifications.
    await ctx.sudo().model(ForumNotification).create({ kind, post_id: post, user_id: user, actor_id: ctx.user.id });
  }

  /** Emails a new question to the followers of its forum or one of its tags, once each. */
  async announceQuestion({ forum_id: forum, ...post }: AnnouncedQuestion): Promise<void> {
    if (!forum) return;
    // Sends in the author's name, even if a moderator publishes the question.
    const system = this.ctx.sudo();
    const [author] = await system.model(User).read(post.create_uid === null ? [] : [post.create_uid], {
      select: { partner_id: true },
    });
    const path = questionPath(forum, post);
    const title = `<p><a href="${this.ctx.config.baseUrl}${path}">${escapeHtml(post.name ?? '')}</a></p>`;
    const message = {
      subject: post.name ?? '',
      path,
      body: title + (post.content ?? ''),
      type: 'notification' as const,
      published: false,
      authorId: author?.partner_id ?? null,
    };
    const forums = system.model(Forum);
    const notified = await this.#followersOf(forums, forum.id);
    await forums.messagePost([forum.id], message);
    const tags = system.model(ForumTag);
    for (const tag of post.tag_ids) {
      const followers = await this.#followersOf(tags, tag);
      if (followers.some((partner) => !notified.includes(partner)))
        await tags.messagePost([tag], { ...message, except: [...notified] });
      notified.push(...followers);
    }
  }

  /** Contacts following a record. */
  async #followersOf({ modelName }: Forum | ForumTag, id: Id): Promise<Id[]> {
    const rows = await this.ctx
      .sudo()
      .model(Follower)
      .find(
        [
          ['res_model', '=', modelName],
          ['res_id', '=', id],
        ],
        { select: { partner_id: true } },
      );
    return rows.map(({ partner_id }) => partner_id);
  }
}
