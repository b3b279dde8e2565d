import { createTestApp, type TestApp } from 'pergola/testing';
import addon from '../addon.ts';
import { ForumTag } from '../models/forum-tag.ts';
import { tagNames, whyNot } from '../services/tag-names.ts';
import { helpForum, member, question } from './kit.ts';

/** Constants of sections 5, 6, 8 and 9 of the specification that are the forum's. What each action takes of karma is in karma-gates.test.ts. */
describe('The forum keeps to the specification', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['forum'] });
  });
  afterAll(() => app.close());

  it('knows tags in what was typed, and why one cannot be added', () => {
    expect(tagNames('a,b c_d')).toEqual(['a', 'b', 'c', 'd']);
    expect(tagNames(' Roses,ROSES ')).toEqual(['roses']);
    expect(tagNames('Été_été')).toEqual(['été']);
    for (const text of ['', ', _ ']) expect(tagNames(text)).toEqual([]);
    expect(whyNot('x', [])).toBe('length');
    expect(whyNot('x'.repeat(36), [])).toBe('length');
    expect(whyNot('xx', ['xx'])).toBe('twice');
    expect(whyNot('xx', ['aa', 'bb', 'cc', 'dd', 'ee'])).toBe('many');
    expect(whyNot('x'.repeat(35), ['aa', 'bb', 'cc', 'dd'])).toBeNull();
  });

  it('has its numbers of karma unless an administrator says otherwise', async () => {
    const expected = {
      gen_question_new: 0,
      gen_question_upvote: 5,
      gen_question_downvote: -2,
      gen_answer_upvote: 10,
      gen_answer_downvote: -2,
      gen_answer_accept: 2,
      gen_answer_accepted: 15,
      gen_answer_flagged: -100,
      ask: 3,
      answer: 3,
      edit_own: 1,
      edit_all: 300,
      close_own: 100,
      close_all: 500,
      unlink_own: 500,
      unlink_all: 1000,
      upvote: 5,
      downvote: 50,
      answer_accept_own: 20,
      answer_accept_all: 500,
      comment_own: 3,
      comment_all: 5,
      comment_convert_own: 50,
      comment_convert_all: 500,
      comment_unlink_own: 50,
      comment_unlink_all: 500,
      retag: 75,
      flag: 500,
      editor: 30,
      user_bio: 750,
      post: 100,
      moderate: 1000,
    };
    const values = Object.fromEntries(Object.entries(expected).map(([name, value]) => [`karma_${name}`, value]));
    const admin = await app.as('admin');
    const call = { model: 'forum.forum', method: 'default_get', args: [Object.keys(values)], kwargs: {} };
    expect(await admin.rpc('/web/dataset/call_kw', call)).toMatchObject(values);
  });

  it('shows ten questions and thirty people on a page, and suggests fifty tags', async () => {
    const forum = await helpForum(app);
    const author = await member(app, 'Author', 50);
    for (let index = 0; index < 11; index++) await question(app, forum, author);
    for (let index = 0; index < 31; index++) await member(app, `Person${index}`, 10);
    await app.write((ctx) =>
      ctx.model(ForumTag).create(Array.from({ length: 51 }, (_, index) => ({ forum_id: forum, name: `tag${index}` }))),
    );
    const count = async (path: string, pattern: RegExp): Promise<number> =>
      new Set((await app.visitor().get(path)).text.match(pattern)).size;
    expect(await count('/forum/help-1', /href="\/forum\/help-1\/question\/[^"#?]*"/g)).toBe(10);
    expect(await count('/forum/help-1/page/2', /href="\/forum\/help-1\/question\/[^"#?]*"/g)).toBe(1);
    expect(await count('/forum/help-1/users', /Person\d+|Author/g)).toBe(30);
    expect((await app.visitor().get('/forum/get_tags?q=tag')).json()).toHaveLength(50);
  });

  it('has the routes of the original', () => {
    const routes = (addon.routes ?? []).flat().map(({ kind, methods, path }) => `${kind} ${methods.join()} ${path}`);
    const f = '/forum/:forum';
    expect(routes).toEqual(
      expect.arrayContaining([
        'page GET /forum',
        'form POST /forum/new',
        `page GET ${f}`,
        `page GET ${f}/page/:page`,
        `page GET ${f}/tag/:tag/questions`,
        `page GET ${f}/tag/:tag/questions/page/:page`,
        `page GET ${f}/faq`,
        `page GET ${f}/tag`,
        'json GET /forum/get_tags',
        `page GET ${f}/ask`,
        `form POST ${f}/question/new`,
        `page GET ${f}/question/:question`,
        `rpc POST ${f}/question/:question/toggle_favourite`,
        `form POST ${f}/question/:question/ask_for_close`,
        `form POST ${f}/question/:question/close`,
        `form POST ${f}/question/:question/reopen`,
        `form POST ${f}/question/:question/delete`,
        `form POST ${f}/question/:question/undelete`,
        `page GET ${f}/question/:id/edit_answer`,
        `form POST ${f}/post/:post/new`,
        `form POST ${f}/post/:post/comment`,
        `page GET ${f}/post/:post/edit`,
        `page GET ${f}/post/:post/edition`,
        `form POST ${f}/post/:post/save`,
        `form POST ${f}/post/:post/delete`,
        `rpc POST ${f}/post/:post/upvote`,
        `rpc POST ${f}/post/:post/downvote`,
        `rpc POST ${f}/post/:post/toggle_correct`,
        `form POST ${f}/post/:post/comment/:message/convert_to_answer`,
        `form POST ${f}/post/:post/convert_to_comment`,
        `rpc POST ${f}/post/:post/comment/:message/delete`,
        `rpc POST ${f}/post/:post/flag`,
        `page GET ${f}/validation_queue`,
        `page GET ${f}/flagged_queue`,
        `page GET ${f}/offensive_posts`,
        `page GET ${f}/users`,
        `page GET ${f}/users/page/:page`,
        `page GET ${f}/partner/:partner`,
        'http GET /forum/user/:user/avatar',
        `page GET ${f}/user/:user`,
        `page GET ${f}/user/:user/edit`,
        `form POST ${f}/user/:user/save`,
        `page GET ${f}/badge`,
        `page GET ${f}/badge/:badge`,
        'rpc POST /forum/notification_read',
        'rpc POST /forum/send_validation_email',
        'page GET /forum/validate_email',
        'rpc POST /forum/validate_email/close',
      ]),
    );
  });
});
