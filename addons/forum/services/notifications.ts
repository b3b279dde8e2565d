import { User } from '#addons/base';
import { Follower } from '#addons/mail';
import { type Ctx, escapeHtml, type FieldsOf, type Id } from '#core';
import { Forum } from '../models/forum.ts';
import { ForumNotification } from '../models/forum-notification.ts';
import { ForumPost } from '../models/forum-post.ts';
import { ForumTag } from '../models/forum-tag.ts';
import { questionPath } from '../routes/paths.ts';

type Kind = NonNullable<NonNullable<FieldsOf<ForumNotification>['kind']['$']>[0]>;

/** Tells somebody that something happened to a post of theirs, unless they did it themselves. */
export async function tell(ctx: Ctx, kind: Kind, post: Id, user: Id | null): Promise<void> {
  if (user === null || user === ctx.user.id) return;
  // What others are told is nobody's to write.
  await ctx.sudo().model(ForumNotification).create({ kind, post_id: post, user_id: user, actor_id: ctx.user.id });
}

/** Lets the authors of posts follow them, so that they hear of what is written there. */
export async function followOwn(ctx: Ctx, post: Id, user: Id | null): Promise<void> {
  if (user === null) return;
  const system = ctx.sudo();
  const row = await system.model(User).first([['id', '=', user]], { select: { partner_id: true } });
  if (row?.partner_id) await system.model(ForumPost).messageSubscribe([post], [row.partner_id]);
}

/** Mails a new question to those who follow its forum or one of its tags, each once. */
export async function announceQuestion(ctx: Ctx, id: Id): Promise<void> {
  // Also where a moderator lets it through: it is its author who speaks.
  const system = ctx.sudo();
  const post = await system
    .model(ForumPost)
    .get(id, { select: { name: true, content: true, create_uid: true, forum_id: { name: true }, tag_ids: true } });
  if (!post.forum_id) return;
  const forum = post.forum_id.id;
  const [author] = await system.model(User).read(post.create_uid === null ? [] : [post.create_uid], {
    select: { partner_id: true },
  });
  const address = ctx.config.baseUrl + questionPath(post.forum_id, post);
  const title = `<p><a href="${address}">${escapeHtml(post.name ?? '')}</a></p>`;
  const saying = {
    subject: post.name ?? '',
    path: questionPath(post.forum_id, post),
    body: title + (post.content ?? ''),
    type: 'notification' as const,
    published: false,
    authorId: author?.partner_id ?? null,
  };
  const forums = system.model(Forum);
  const told = await followersOf(forums, forum);
  await forums.messagePost([forum], saying);
  const tags = system.model(ForumTag);
  for (const tag of post.tag_ids) {
    const followers = await followersOf(tags, tag);
    if (followers.some((partner) => !told.includes(partner)))
      await tags.messagePost([tag], { ...saying, except: [...told] });
    told.push(...followers);
  }
}

/** Mails a new answer to those who follow its question, and tells the question's author on the site. */
export async function announceAnswer(ctx: Ctx, id: Id): Promise<void> {
  const system = ctx.sudo();
  const { content, parent_id: question } = await system
    .model(ForumPost)
    .get(id, { select: { content: true, parent_id: { name: true, create_uid: true } } });
  if (!question) return;
  await tell(ctx, 'answer', id, question.create_uid);
  await system.model(ForumPost).messagePost([question.id], {
    subject: `Re: ${question.name ?? ''}`,
    body: content ?? '',
    type: 'notification',
    published: false,
  });
}

/** The contacts who follow a record. */
async function followersOf(records: Forum | ForumTag, id: Id): Promise<Id[]> {
  const rows = await records.ctx
    .sudo()
    .model(Follower)
    .find(
      [
        ['res_model', '=', records.modelName],
        ['res_id', '=', id],
      ],
      { select: { partner_id: true } },
    );
  return rows.map(({ partner_id }) => partner_id);
}
