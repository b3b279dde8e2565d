import { emailKey, migration } from 'pergola';

interface OpenPlace {
  readonly id: number;
  readonly event_ticket_id: number;
  readonly email: string;
  readonly state: string;
}

export default migration({
  version: '1.5.0',
  summary: 'Keeps one open place per person on each waiting list',
  async up({ db, note }) {
    // Since this version, a claimed place with an expiry time is one whose seats aren't paid yet.
    await db('event_waiting').where({ state: 'claimed' }).update({ offered_until: null });
    const open: OpenPlace[] = await db('event_waiting')
      .whereIn('state', ['waiting', 'offered'])
      .orderBy('id')
      .select('id', 'event_ticket_id', 'email', 'state');
    const people = Map.groupBy(open, ({ event_ticket_id, email }) => `${event_ticket_id}:${emailKey(email)}`);
    const surplus = [...people.values()].flatMap((places) => {
      const survivor = places.find(({ state }) => state === 'offered') ?? places[0];
      return places.filter((place) => place !== survivor).map(({ id }) => id);
    });
    for (const id of surplus) await db('event_waiting').where({ id }).update({ state: 'left' });
    if (surplus.length > 0) note(`Removed ${surplus.length} places of people who were on the same waiting list twice`);
  },
});
