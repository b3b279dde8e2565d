import { Partner } from '@pergola/base';
import {
  type Ctx,
  errorText,
  type Id,
  type InvalidForm,
  InvalidInput,
  NotAllowed,
  type Reply,
  redirect,
  route,
  TooMany,
  z,
} from 'pergola';
import { TITLE_SIZE } from '../constants.ts';
import { ForumPost } from '../models/forum-post.ts';
import { ForumTag } from '../models/forum-tag.ts';
import { questionPage, questionSelect } from '../pages/question.ts';
import { draftOf, writePage } from '../pages/write.ts';
import { Permissions } from '../services/permissions.ts';
import { htmlFromTyped } from '../services/typed-text.ts';
import { forumParam, idParam, placeOf, postIn, requirePostIn } from './params.ts';
import { forumPath, questionPath } from './paths.ts';

const forumOnly = { forum: forumParam };
const withPost = { forum: forumParam, post: idParam };
const text = z.string().max(100_000).default('');
const askBody = z.object({
  question_name: z.string().trim().min(1, 'Enter a title for your question.').max(TITLE_SIZE),
  content: text,
  question_tags: z.string().max(1_000).default(''),
  question_tag: z.string().max(1_000).optional(),
  tag_type: z.string().max(20).default(''),
});

/** Whether an error is shown in the form, so the author's text isn't lost. */
function isRefusal(error: unknown): error is NotAllowed | TooMany {
  return (error instanceof NotAllowed && error.code.startsWith('forum.')) || error instanceof TooMany;
}

const ask = route.page(
  '/forum/:forum/ask',
  {
    name: 'forum.ask',
    auth: 'user',
    params: forumOnly,
    query: z.object({ title: z.string().max(TITLE_SIZE).default('') }),
  },
  async ({ ctx, params, query, render }) =>
    render('forum.write', await writePage(ctx, params.forum, { question_name: query.title }, {}, null)),
);

const invalidAsk = async ({
  ctx,
  params,
  render,
  values,
  errors,
  message,
}: InvalidForm<typeof forumOnly>): Promise<Reply> =>
  render('forum.write', await writePage(ctx, params.forum, values, { errors, message }, null));

/** Converts typed text to HTML; plain URLs become links if the author has the karma for links. */
async function htmlFrom(ctx: Ctx, forum: Id, text: string): Promise<string> {
  const viewer = await ctx.get(Permissions).in(forum);
  return htmlFromTyped(text, viewer.has('karma_editor'));
}

const create = route.form(
  '/forum/:forum/question/new',
  { name: 'forum.create', auth: 'user', params: forumOnly, writes: true, body: askBody, invalid: invalidAsk },
  async ({ ctx, params: { forum }, body, render, url }) => {
    try {
      const id = await ctx.savepoint(async () => {
        const posts = ctx.model(ForumPost);
        const sent = {
          forum_id: forum.id,
          name: body.question_name,
          content: await htmlFrom(ctx, forum.id, body.content),
        };
        const existingId = await posts.justSent(sent);
        if (existingId !== null) return existingId;
        const tags = await ctx.model(ForumTag).idsFromForm(forum.id, body.question_tags, body.tag_type);
        return posts.create({ ...sent, tag_ids: tags });
      });
      return redirect(url(questionPath(forum, { id, name: body.question_name })));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const message = errorText(ctx, error);
      return render('forum.write', await writePage(ctx, forum, body, { message }, null), { status: error.status });
    }
  },
);

/** Whether the caller has an email address, which answering requires. */
async function hasAddress(ctx: Ctx): Promise<boolean> {
  if (ctx.user.partnerId === null) return false;
  // The caller's own contact.
  const row = await ctx
    .sudo()
    .model(Partner)
    .first([['id', '=', ctx.user.partnerId]], { select: { email: true } });
  return Boolean(row?.email);
}

const answer = route.form(
  '/forum/:forum/post/:post/new',
  {
    name: 'forum.answer',
    auth: 'user',
    params: withPost,
    writes: true,
    body: z.object({ content: text }),
    invalid: async ({ ctx, params: { forum, post: id }, render, values, errors, message }) => {
      const question = await postIn(ctx, forum, id, questionSelect);
      const rejected = { message: errors.content ?? message, content: values.content };
      return render('forum.question', await questionPage(ctx, forum, question, 1, rejected));
    },
  },
  async ({ ctx, params: { forum, post: id }, body, render, url }) => {
    const question = await postIn(ctx, forum, id, questionSelect);
    if (!(await hasAddress(ctx))) return redirect(url(`${forumPath(forum)}/user/${ctx.user.id}/edit?email_required=1`));
    try {
      const posts = ctx.model(ForumPost);
      const parent_id = question.parent_id ?? question.id;
      const sent = { forum_id: forum.id, parent_id, content: await htmlFrom(ctx, forum.id, body.content) };
      const postId = (await posts.justSent(sent)) ?? (await posts.create(sent));
      return redirect(url(await placeOf(ctx, forum, postId)));
    } catch (error) {
      if (!isRefusal(error) && !(error instanceof InvalidInput)) throw error;
      const message = errorText(ctx, error);
      const values = await questionPage(ctx, forum, question, 1, { message, content: body.content });
      return render('forum.question', values, { status: error.status });
    }
  },
);

const comment = route.form(
  '/forum/:forum/post/:post/comment',
  {
    name: 'forum.comment',
    page: '/forum/:forum/question/:post',
    auth: 'user',
    params: withPost,
    writes: true,
    body: z.object({ comment: z.string().max(20_000).default('') }),
  },
  async ({ ctx, params: { forum, post: id }, body, url }) => {
    await requirePostIn(ctx, forum, id);
    const place = url(await placeOf(ctx, forum, id));
    if (body.comment.trim() === '') return redirect(place);
    const comment = await ctx.model(ForumPost).comment([id], body.comment);
    return redirect(`${place.replace(/#.*$/, '')}#comment-${comment}`);
  },
);

const edit = route.page(
  '/forum/:forum/post/:post/edit',
  { name: 'forum.edit', auth: 'user', params: withPost },
  async ({ ctx, params: { forum, post: id }, render }) => {
    const { isAnswer, draft } = await draftOf(ctx, forum, id);
    return render('forum.write', await writePage(ctx, forum, draft, {}, { id, isAnswer }));
  },
);
/** Alternative Odoo URL of the edit form. */
const edition = route.page(
  '/forum/:forum/post/:post/edition',
  { name: 'forum.edition', auth: 'user', params: withPost },
  ({ params: { forum, post: id }, url }) => redirect(url(`${forumPath(forum)}/post/${id}/edit`), 302),
);

const save = route.form(
  '/forum/:forum/post/:post/save',
  {
    name: 'forum.save',
    auth: 'user',
    params: withPost,
    writes: true,
    body: askBody.extend({ question_name: z.string().trim().max(TITLE_SIZE).default('') }),
    invalid: async ({ ctx, params: { forum, post: id }, render, values, errors, message }) => {
      const { isAnswer } = await draftOf(ctx, forum, id);
      return render('forum.write', await writePage(ctx, forum, values, { errors, message }, { id, isAnswer }));
    },
  },
  async ({ ctx, params: { forum, post: id }, body, render, url }) => {
    const { isAnswer } = await draftOf(ctx, forum, id);
    const content = await htmlFrom(ctx, forum.id, body.content);
    try {
      await ctx.savepoint(async () => {
        const values = isAnswer
          ? { content }
          : {
              content,
              name: body.question_name,
              tag_ids: await ctx
                .model(ForumTag)
                .idsFromForm(forum.id, body.question_tag ?? body.question_tags, body.tag_type),
            };
        await ctx.model(ForumPost).write(id, values);
      });
      return redirect(url(await placeOf(ctx, forum, id)));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const message = errorText(ctx, error);
      return render('forum.write', await writePage(ctx, forum, body, { message }, { id, isAnswer }), {
        status: error.status,
      });
    }
  },
);

export const writingRoutes = [ask, create, answer, comment, edit, edition, save];
