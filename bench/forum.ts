import pg from 'pg';
import { Forum, ForumKarma, ForumPost, ForumUser } from '../addons/forum/index.ts';
import type { TestApp } from '../core/testing/index.ts';
import { openPostgres, serveApp, startRole } from './app-process.ts';
import { compare, loadOptions, median, ratioTable } from './harness.ts';

/**
 * The forum on both databases: a list and a question page with twenty answers as a visitor (kept) and as somebody signed in (made anew), and votes.
 * With `--posts 1000000` the forum on PostgreSQL is filled with so many questions first, and searched.
 */
const POSTS = Number(process.argv[process.argv.indexOf('--posts') + 1]) || 0;
const SEARCHES = 30;

interface Filled {
  readonly list: string;
  readonly question: string;
  readonly vote: string;
  readonly cookie: string;
}

async function measure(): Promise<void> {
  const postgres = await openPostgres();
  const roles = (POSTS > 0 ? ['postgres'] : ['sqlite', 'postgres']).map((role) =>
    startRole(import.meta.url, role, '--posts', String(POSTS)),
  );
  const servers = await Promise.all(roles);
  try {
    for (const server of servers) {
      const filled = await server.ask<Filled>('filled');
      const { origin } = new URL(server.url);
      const signedIn = { cookie: filled.cookie };
      const call = { ...signedIn, 'content-type': 'application/json', origin };
      const body = JSON.stringify({ jsonrpc: '2.0', method: 'call', params: {}, id: 1 });
      const { pid } = server;
      // The first page of a new server takes longer than a whole turn.
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
            process.argv.slice(2).filter((_, at, all) => all[at] !== '--posts' && all[at - 1] !== '--posts'),
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

/** A forum with people, a question with twenty answers, and a reader who may vote. */
async function fill(app: TestApp): Promise<Filled> {
  const made = await app.write(async (ctx) => {
    const forum = await ctx.ref('forum.forum_help');
    const portal = await ctx.ref('base.group_portal');
    const users = [];
    for (let n = 0; n < 5; n++) {
      const partner_id = await ctx
        .modelNamed('res.partner')
        .create({ name: `Person ${n}`, email: `p${n}@bench.example` });
      users.push(await ctx.model(ForumUser).create({ login: `p${n}`, partner_id, group_ids: [portal] }));
    }
    await ctx.model(ForumKarma).move(users.map((user_id) => ({ user_id, amount: 200, reason: 'given' as const })));
    const about = { forum_id: forum, create_uid: users[1] };
    const question = await ctx.model(ForumPost).create({ ...about, name: 'Measured', content: '<p>What is it?</p>' });
    await ctx
      .model(ForumPost)
      .create(
        Array.from({ length: 30 }, (_, n) => ({ ...about, name: `Another ${n}`, content: '<p>And what is this?</p>' })),
      );
    const answer = { ...about, parent_id: question, content: `<p>${'It is what it is. '.repeat(20)}</p>` };
    await ctx.model(ForumPost).create(Array.from({ length: 20 }, () => answer));
    return { forum, question, users };
  });
  const client = await app.as('p0');
  return {
    list: `/forum/help-${made.forum}`,
    question: `/forum/help-${made.forum}/question/measured-${made.question}`,
    vote: `/forum/help-${made.forum}/post/${made.question}/upvote`,
    cookie: client.cookieHeader,
  };
}

/** Words by their rank, the first ones in every tenth text, the last ones in very few. */
const WORDS = 20_000;

/** Fills the forum with questions of random words, past the models: a million of them would take those an hour. */
async function generate(app: TestApp): Promise<void> {
  const forum = await app.read((ctx) => ctx.ref('forum.forum_help'));
  const [user] = await app.read((ctx) => ctx.model(ForumUser).search([['login', '=', 'p1']]));
  const client = new pg.Client({ connectionString: app.config.databaseUrl });
  await client.connect();
  const word = `'w' || floor(${WORDS} * power(random(), 3))::int`;
  const words = (n: number): string => `(select string_agg(${word}, ' ') from generate_series(1, ${n} + 0 * s))`;
  for (let done = 0; done < POSTS; done += 50_000) {
    await client.query(
      `insert into forum_post (create_date, write_date, last_activity_date, create_uid, forum_id, name, name__fold, content, state, active, views,
         is_correct, has_validated_answer, self_reply, child_count, vote_count, favourite_count, relevancy, author_hidden, website_visible, words__text)
       select d, d, d, $1, $2, t, t, '<p>' || b || '</p>', 'active', true, 0, false, false, false, 0, floor(random() * 20)::int, 0, 0, false, true,
         to_tsvector('simple', t || ' ' || b || ' ' || t || ' ' || t)
       from (select now() - random() * interval '900 days' as d, ${words(6)} as t, ${words(40)} as b from generate_series(1, $3::int) s) x`,
      [user, forum, Math.min(50_000, POSTS - done)],
    );
  }
  await client.query('vacuum (analyze) forum_post');
  await client.end();
}

/** How long searches take, of words that are in many texts and in few, alone and in pairs. */
async function search(app: TestApp): Promise<string> {
  const forum = await app.read((ctx) => ctx.ref('forum.forum_help'));
  const times: number[] = [];
  const client = await app.as('p0');
  for (let n = 0; n < SEARCHES; n++) {
    const rank = () => Math.floor(WORDS * Math.random() ** 3);
    const text =
      n % 3 === 0 ? `w${rank()}` : n % 3 === 1 ? `w${rank()} w${rank()}` : `w${rank()} w${rank()} w${rank()}`;
    const begun = performance.now();
    const { status } = await client.get(`/forum/help-${forum}?search=${encodeURIComponent(text)}`);
    if (status !== 200) throw new Error(`A search was answered ${status}.`);
    times.push(performance.now() - begun);
  }
  const count = await app.read((ctx) => ctx.model(Forum).count([]));
  const sorted = times.toSorted((a, b) => a - b);
  return `${SEARCHES} searches among ${POSTS} questions in ${count} forum, whole pages: median ${median(times).toFixed(0)} ms, slowest ${(sorted.at(-1) ?? 0).toFixed(0)} ms`;
}

const [role] = process.argv.slice(2);
if (role === 'sqlite' || role === 'postgres') {
  await serveApp({ addons: ['forum'], database: role }, async (app) => {
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
