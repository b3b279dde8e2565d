import type { Ctx, Id } from 'pergola';
import pg from 'pg';
import { ForumKarma, ForumPost, ForumTag, ForumUser } from '../addons/forum/index.ts';
import type { TestApp } from '../tools/testing/index.ts';
import { openPostgres, serveApp, startRole } from './app-process.ts';
import { compare, loadOptions, median, ratioTable } from './harness.ts';

/**
 * The forum on both databases: a list and a question page with twenty answers, for a visitor (cached) and for a signed-in user (rendered
 * each time), and votes. `--posts 1000000` first fills the forum on PostgreSQL with that many questions and measures searches; add `--keep
 * postgres://…` to use that database, which is filled once and kept for later runs.
 */
const POSTS = Number(optionOf('--posts')) || 0;
const KEEP = optionOf('--keep');
const SEARCHES = 30;

function optionOf(name: string): string | undefined {
  const position = process.argv.indexOf(name);
  return position < 0 ? undefined : process.argv[position + 1];
}

interface ForumFixture {
  readonly list: string;
  readonly question: string;
  readonly vote: string;
  readonly cookie: string;
}

async function measure(): Promise<void> {
  const postgres = await openPostgres();
  const roles = (POSTS > 0 ? ['postgres'] : ['sqlite', 'postgres']).map((role) =>
    startRole(import.meta.url, role, '--posts', String(POSTS), ...(KEEP === undefined ? [] : ['--keep', KEEP])),
  );
  const servers = await Promise.all(roles);
  try {
    for (const server of servers) {
      const filled = await server.ask<ForumFixture>('filled');
      const { origin } = new URL(server.url);
      const signedIn = { cookie: filled.cookie };
      const call = { ...signedIn, 'content-type': 'application/json', origin };
      const body = JSON.stringify({ jsonrpc: '2.0', method: 'call', params: {}, id: 1 });
      const { pid } = server;
      // A new server's first page takes longer than a whole round.
      for (const path of [filled.list, filled.question])
        await (await fetch(origin + path, { headers: signedIn })).text();
      for (const path of [filled.list, filled.question]) await (await fetch(origin + path)).text();
      const results = await compare(
        [
          { name: 'list, kept', url: origin + filled.list, pid },
          { name: 'list, signed in', url: origin + filled.list, pid, headers: signedIn },
          { name: 'question, kept', url: origin + filled.question, pid },
          { name: 'question, signed in', url: origin + filled.question, pid, headers: signedIn },
          { name: 'vote', url: origin + filled.vote, pid, method: 'POST', headers: call, body },
        ],
        {
          connections: 8,
          ...loadOptions(
            process.argv
              .slice(2)
              .filter(
                (_, index, all) =>
                  ![all[index], all[index - 1]].some((name) => name === '--posts' || name === '--keep'),
              ),
          ),
        },
      );
      console.log(`\n${await server.ask<string>('dialect')}`);
      console.log(ratioTable(results));
      if (POSTS > 0) console.log(await server.ask<string>('search'));
    }
    console.log(
      'Odoo 17 on two cores: 55 question pages and 36 votes a second. Limit for a search among 1 000 000 posts: 100 ms.',
    );
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await postgres.close();
  }
}

/** Creates a forum with users, a question with twenty answers, and a reader who can vote. Reuses the records of a kept database. */
async function fill(app: TestApp): Promise<ForumFixture> {
  const [existingId] = await app.read((ctx) => ctx.model(ForumPost).search([['name', '=', 'Measured']], { limit: 1 }));
  const created =
    existingId === undefined ? await app.write(people) : { forum: await app.read(forumOf), question: existingId };
  const client = await app.as('p0');
  return {
    list: `/forum/help-${created.forum}`,
    question: `/forum/help-${created.forum}/question/measured-${created.question}`,
    vote: `/forum/help-${created.forum}/post/${created.question}/upvote`,
    cookie: client.cookieHeader,
  };
}

function forumOf(ctx: Ctx): Promise<Id> {
  return ctx.ref('forum.forum_help');
}

async function people(ctx: Ctx): Promise<{ forum: Id; question: Id }> {
  const forum = await forumOf(ctx);
  const portal = await ctx.ref('base.group_portal');
  const users = [];
  for (let n = 0; n < 5; n++) {
    const partner_id = await ctx
      .modelNamed('res.partner')
      .create({ name: `Person ${n}`, email: `p${n}@bench.example` });
    users.push(await ctx.model(ForumUser).create({ login: `p${n}`, partner_id, group_ids: [portal] }));
  }
  await ctx.model(ForumKarma).move(users.map((user_id) => ({ user_id, amount: 200, reason: 'given' as const })));
  const values = { forum_id: forum, create_uid: users[1] };
  const question = await ctx.model(ForumPost).create({ ...values, name: 'Measured', content: '<p>What is it?</p>' });
  await ctx
    .model(ForumPost)
    .create(
      Array.from({ length: 30 }, (_, n) => ({ ...values, name: `Another ${n}`, content: '<p>And what is this?</p>' })),
    );
  const answer = { ...values, parent_id: question, content: `<p>${'It is what it is. '.repeat(20)}</p>` };
  await ctx.model(ForumPost).create(Array.from({ length: 20 }, () => answer));
  await ctx.model(ForumTag).create(Array.from({ length: TAGS }, (_, n) => ({ forum_id: forum, name: `tag${n}` })));
  return { forum, question };
}

/** Words by rank: the first occur in most texts, the last in very few. */
const WORDS = 20_000;
/** Tags by rank: the first are on most questions. */
const TAGS = 200;

/** Inserts questions with random words and tags directly; a million of them would take the models an hour. */
async function generate(app: TestApp): Promise<void> {
  const forum = await app.read(forumOf);
  const [user] = await app.read((ctx) => ctx.model(ForumUser).search([['login', '=', 'p1']]));
  const client = new pg.Client({ connectionString: app.config.databaseUrl });
  await client.connect();
  const countResult = await client.query<{ n: number }>('select count(*)::int as n from forum_post');
  const missing = POSTS - (countResult.rows[0]?.n ?? 0);
  if (missing > POSTS / 100) {
    // Building a word index once is faster than updating it row by row.
    const indexes = await client.query<{ name: string; made: string }>(
      `select indexname as name, indexdef as made from pg_indexes where tablename = 'forum_post' and indexdef like '%USING gin%'`,
    );
    for (const { name } of indexes.rows) await client.query(`drop index ${name}`);
    for (let remaining = missing; remaining > 0; remaining -= 50_000)
      await insert(client, [user, forum, Math.min(50_000, remaining)]);
    for (const { made: definition } of indexes.rows) await client.query(definition);
    await client.query(
      `insert into forum_tag_rel (forum_post_id, forum_tag_id)
       select distinct p.id, t.id from forum_post p cross join generate_series(1, 3) s
         join forum_tag t on t.name = 'tag' || floor(${TAGS} * power(random() + 0 * (p.id + s), 3))::int
       where p.parent_id is null on conflict do nothing`,
    );
    await client.query(
      `update forum_tag t set posts_count = (select count(*) from forum_tag_rel r where r.forum_tag_id = t.id)`,
    );
    await client.query('vacuum (analyze) forum_post, forum_tag_rel, forum_tag');
  }
  await client.end();
}

async function insert(client: pg.Client, values: readonly unknown[]): Promise<void> {
  const word = `'w' || floor(${WORDS} * power(random(), 3))::int`;
  const words = (n: number): string => `(select string_agg(${word}, ' ') from generate_series(1, ${n} + 0 * s))`;
  await client.query(
    `insert into forum_post (create_date, write_date, last_activity_date, create_uid, forum_id, name, name__fold, content, state, active, views,
       is_correct, has_validated_answer, self_reply, child_count, vote_count, favourite_count, relevancy, author_hidden, website_visible, words__text)
     select d, d, d, $1, $2, t, t, '<p>' || b || '</p>', 'active', true, 0, false, false, false, 0, floor(random() * 20)::int, 0, 0, false, true,
       to_tsvector('simple', t || ' ' || b || ' ' || t || ' ' || t)
     from (select now() - random() * interval '900 days' as d, ${words(6)} as t, ${words(40)} as b from generate_series(1, $3::int) s) x`,
    [...values],
  );
}

/** Measures searches for frequent and rare words, alone and combined. */
async function search(app: TestApp): Promise<string> {
  const forum = await app.read(forumOf);
  const client = await app.as('p0');
  const rank = () => Math.floor(WORDS * Math.random() ** 3);
  const rareWords = Array.from({ length: SEARCHES }, (_, n) =>
    Array.from({ length: 1 + (n % 3) }, () => `w${rank()}`).join(' '),
  );
  const timed = [];
  for (const text of ['w', 'w0', 'w1', 'w0 w1', 'w1 w2 w3', 'w12 w7', 'w0 w19999', ...rareWords]) {
    const startedAt = performance.now();
    const { status } = await client.get(`/forum/help-${forum}?search=${encodeURIComponent(text)}`);
    if (status !== 200) throw new Error(`A search returned status ${status}.`);
    timed.push({ text, time: performance.now() - startedAt });
  }
  const slowest = timed.toSorted((a, b) => b.time - a.time).slice(0, 5);
  return `${timed.length} searches among ${POSTS} questions, whole pages: median ${median(timed.map(({ time }) => time)).toFixed(0)} ms, slowest ${slowest.map(({ text, time }) => `${time.toFixed(0)} ms (${text})`).join(', ')}`;
}

const [role] = process.argv.slice(2);
if (role === 'sqlite' || role === 'postgres') {
  await serveApp({ addons: ['forum'], database: role, ...(KEEP === undefined ? {} : { url: KEEP }) }, async (app) => {
    const filled = await fill(app);
    if (POSTS > 0) await generate(app);
    process.on('message', async (message) => {
      if (message === 'filled') process.send?.(filled);
      if (message === 'dialect') process.send?.(role);
      if (message === 'search') process.send?.(await search(app));
    });
    return filled.list;
  });
} else await measure();
