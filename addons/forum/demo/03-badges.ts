import { data, ref } from 'pergola';
import { ForumNotification } from '../models/forum-notification.ts';
import { GamificationBadgeUser } from '../models/gamification-badge-user.ts';
import type { Writer } from './questions/shape.ts';
import { writers } from './questions/writers.ts';

const owners: Readonly<Record<string, readonly Writer[]>> = {
  teacher: ['karim', 'jeanne', 'paul', 'amelie', 'camille'],
  nice_answer: ['karim', 'jeanne', 'paul', 'amelie'],
  good_answer: ['karim', 'jeanne', 'paul'],
  enlightened: ['karim', 'jeanne', 'paul', 'amelie', 'camille'],
  student: ['jo', 'ines', 'ada', 'karim'],
  nice_question: ['ines', 'jo', 'karim'],
  popular_question: ['jo', 'ines', 'karim', 'ada'],
  notable_question: ['jo', 'ines', 'karim'],
  famous_question: ['karim'],
  scholar: ['jo', 'ines', 'ada'],
  supporter: ['jo', 'camille', 'tomas'],
  autobiographer: ['ada', 'paul'],
};

/** Badges earned in the demo, and a first notification for the portal account. */
export default [
  data(
    GamificationBadgeUser,
    Object.fromEntries(
      Object.entries(owners).flatMap(([badge, people]) =>
        people.map((person) => [
          `demo_badge_${badge}_${person}`,
          { badge_id: ref(`badge_${badge}`), user_id: ref(writers[person].user) },
        ]),
      ),
    ),
  ),
  data(ForumNotification, {
    demo_note_answer: {
      user_id: ref('base.demo_portal'),
      kind: 'answer',
      post_id: ref('demo_answer_31_2'),
      actor_id: ref(writers.ines.user),
    },
  }),
];
