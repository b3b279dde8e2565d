import { Message } from '@pergola/mail';
import { type Ctx, data, ref } from 'pergola';
import { Forum } from '../models/forum.ts';
import { ForumKarma, type KarmaReason } from '../models/forum-karma.ts';
import { ForumPost } from '../models/forum-post.ts';
import { ForumPostVote } from '../models/forum-post-vote.ts';
import { ForumTag } from '../models/forum-tag.ts';
import { relevancyOf } from '../models/relevancy.ts';
import { inFrench, questions } from './questions/all.ts';
import type { DemoQuestion, Writer } from './questions/shape.ts';
import { names, writers } from './questions/writers.ts';

const HOUR = 3_600_000;
/** Puts each question in the forum of its language. */
const forumOf = (question: DemoQuestion): number => ref(inFrench.has(question) ? 'demo_forum_fr' : 'forum_help');
const langOf = (question: DemoQuestion): string => (inFrench.has(question) ? 'fr_FR' : 'en_US');
const user = (writer: Writer): number => ref(writers[writer].user);
const questionKey = (index: number): string => `demo_question_${index + 1}`;
const answerKey = (index: number, answerIndex: number): string => `demo_answer_${index + 1}_${answerIndex + 1}`;

/** A demo post, as needed for votes and karma. */
interface VotedPost {
  readonly key: string;
  readonly by: Writer;
  readonly votes: number;
  readonly isAnswer: boolean;
  readonly isAccepted: boolean;
  readonly asker: Writer;
  readonly forum: number;
}

const posts: readonly VotedPost[] = questions.flatMap((question, index) => [
  {
    key: questionKey(index),
    by: question.by,
    votes: question.votes,
    isAnswer: false,
    isAccepted: false,
    asker: question.by,
    forum: forumOf(question),
  },
  ...(question.answers ?? []).map(([author, , votes, accepted], answerIndex) => ({
    key: answerKey(index, answerIndex),
    by: author,
    votes,
    isAnswer: true,
    isAccepted: accepted === 'yes',
    asker: question.by,
    forum: forumOf(question),
  })),
]);

/** Picks the voters of a post: at most all other members, even if the demo asks for more votes. */
function votersOf({ key, by: author, votes }: VotedPost): Writer[] {
  const voters = names.filter((name) => name !== author);
  const start = [...key].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % voters.length;
  return [...voters.slice(start), ...voters.slice(0, start)].slice(0, Math.min(Math.abs(votes), voters.length));
}

const forums = data(Forum, {
  demo_forum_fr: {
    name: { en_US: 'Help in French', fr_FR: 'Questions en français' },
    description: {
      en_US: 'Questions and answers between neighbours, in French.',
      fr_FR: 'Questions et réponses entre voisins, en français.',
    },
    sequence: 20,
  },
});

/** Tags belong to a forum, so a word used in both languages becomes two tags. */
const tagIds = [...new Set(questions.flatMap((question) => question.tags.map((name) => tagId(question, name))))];
const tagKey = (question: DemoQuestion, name: string): string =>
  `demo_tag_${tagIds.indexOf(tagId(question, name)) + 1}`;

function tagId(question: DemoQuestion, name: string): string {
  return `${inFrench.has(question) ? 'fr' : 'en'} ${name}`;
}

const tags = data(
  ForumTag,
  Object.fromEntries(
    questions
      .toReversed()
      .flatMap((question) =>
        question.tags.map((name) => [
          tagKey(question, name),
          { name, forum_id: forumOf(question), create_uid: user(question.by) },
        ]),
      ),
  ),
);

/** Dates of a question and its answers, relative to the day the demo is loaded and never in the future. */
function datesOf(now: Date, { days, answers = [] }: DemoQuestion, index: number): Date[] {
  const askedAt = now.getTime() - days * 24 * HOUR - ((index * 7) % 9) * HOUR;
  return [0, ...answers].map(
    (_, step) => new Date(Math.min(askedAt + step * (3 + (index % 5)) * HOUR, now.getTime() - HOUR)),
  );
}

const postData = data(ForumPost, async (ctx: Ctx) => {
  const now = new Date(ctx.now());
  const weights = { relevancy_post_vote: 0.8, relevancy_time_decay: 1.8 };
  const records: Record<string, object> = {};
  for (const [index, question] of questions.entries()) {
    const [askedAt = now, ...answered] = datesOf(now, question, index);
    records[questionKey(index)] = {
      name: question.title,
      lang: langOf(question),
      content: question.text,
      forum_id: forumOf(question),
      tag_ids: question.tags.map((name) => ref(tagKey(question, name))),
      state: question.state ?? 'active',
      views: question.views,
      create_uid: user(question.by),
      create_date: askedAt,
      last_activity_date: answered.at(-1) ?? askedAt,
      relevancy: relevancyOf(question.votes, askedAt, now, weights),
      favourite_ids: question.votes > 9 ? [user('jo'), user('ada')] : question.votes > 7 ? [user('ines')] : [],
      ...(question.state === 'close'
        ? {
            closed_reason_id: ref('reason_9'),
            closed_uid: user('camille'),
            closed_date: new Date(askedAt.getTime() + HOUR),
          }
        : {}),
      ...(question.state === 'flagged' ? { flag_user_id: user('karim') } : {}),
    };
    for (const [answerIndex, [author, text, , accepted]] of (question.answers ?? []).entries()) {
      records[answerKey(index, answerIndex)] = {
        content: text,
        lang: langOf(question),
        forum_id: forumOf(question),
        parent_id: ref(questionKey(index)),
        is_correct: accepted === 'yes',
        create_uid: user(author),
        create_date: answered[answerIndex] ?? askedAt,
        last_activity_date: answered[answerIndex] ?? askedAt,
      };
    }
  }
  return records;
});

const votes = data(
  ForumPostVote,
  Object.fromEntries(
    posts.flatMap((post) =>
      votersOf(post).map((voter) => [
        `demo_vote_${post.key.slice(5)}_${voter}`,
        {
          post_id: ref(post.key),
          user_id: user(voter),
          vote: post.votes < 0 ? ('-1' as const) : ('1' as const),
          forum_id: post.forum,
          recipient_id: user(post.by),
        },
      ]),
    ),
  ),
);

const comments = data(Message, async (ctx: Ctx) => {
  const now = new Date(ctx.now());
  return Object.fromEntries(
    questions.flatMap((question, index) => {
      const [askedAt = now] = datesOf(now, question, index);
      return (question.comments ?? []).map(([author, body], commentIndex) => [
        `demo_comment_${index + 1}_${commentIndex + 1}`,
        {
          model: 'forum.post',
          res_id: ref(questionKey(index)),
          author_id: ref(writers[author].partner),
          body,
          type: 'comment' as const,
          date: new Date(Math.min(askedAt.getTime() + (commentIndex + 1) * HOUR, now.getTime())),
        },
      ]);
    }),
  );
});

interface KarmaLine {
  readonly by: Writer;
  readonly amount: number;
  readonly reason: KarmaReason;
  readonly post: VotedPost | null;
}

/** Karma lines for the votes and accepted answers above, after a line with the initial karma. */
function ledger(): KarmaLine[] {
  const earned = posts.flatMap((post): KarmaLine[] => {
    const karmaPerVote = post.votes < 0 ? -2 : post.isAnswer ? 10 : 5;
    const acceptedByOther = post.isAccepted && post.by !== post.asker;
    return [
      { by: post.by, amount: karmaPerVote * votersOf(post).length, reason: 'vote', post },
      ...(acceptedByOther
        ? ([
            { by: post.by, amount: 15, reason: 'accepted', post },
            { by: post.asker, amount: 2, reason: 'accept', post },
          ] as const)
        : []),
    ];
  });
  const initialLines = names.map((author): KarmaLine => {
    const sum = earned.filter((line) => line.by === author).reduce((total, { amount }) => total + amount, 0);
    return { by: author, amount: Math.max(7, writers[author].karma - sum), reason: 'given', post: null };
  });
  return [...initialLines, ...earned].filter(({ amount }) => amount !== 0);
}

const karma = data(
  ForumKarma,
  Object.fromEntries(
    ledger().map(({ by: author, amount, reason, post }, index) => [
      `demo_karma_${index + 1}`,
      {
        user_id: user(author),
        amount,
        reason,
        forum_id: post?.forum ?? ref('forum_help'),
        post_id: post === null ? null : ref(post.key),
      },
    ]),
  ),
);

export default [forums, tags, postData, votes, comments, karma];
