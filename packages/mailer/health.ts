import { type Database, rowsOf } from '@pergola/db';

/** Creation time of the oldest email waiting to be sent, and the error of the latest failure. */
export interface MailHealth {
  readonly oldestWaiting: Date | null;
  readonly lastError: string | null;
}

/** Email that isn't being sent. */
export async function mailBacklog({ knex, reader, codec }: Database): Promise<MailHealth> {
  const [oldest] = await rowsOf(reader, knex('core_outbox').where('state', 'waiting').min({ at: 'create_date' }));
  const [failed] = await rowsOf(
    reader,
    knex('core_outbox')
      .whereIn('state', ['waiting', 'failed'])
      .whereNotNull('error')
      .orderBy('create_date', 'desc')
      .limit(1)
      .select('error'),
  );
  const writtenAt = oldest?.at ?? null;
  return {
    oldestWaiting: writtenAt === null ? null : (codec.decode('datetime', writtenAt) as Date),
    lastError: failed ? String(failed.error) : null,
  };
}
