import { eachDatabase } from '../../../tools/testing/databases.ts';
import { ForeignKeyViolation } from '../errors.ts';
import type { Database } from '../types.ts';
import { make, type OpenTest, openTest, player, seats, sql, team } from './support.ts';

eachDatabase('The database', (dialect) => {
  let test_: OpenTest;
  let database: Database;
  beforeEach(async () => {
    test_ = await openTest(dialect);
    ({ database } = test_);
  });
  afterEach(() => test_.close());

  test('keeps rows from pointing nowhere', async () => {
    await make(database, team, player);
    const write = (text: string) => database.write((transaction) => sql(transaction, text));
    await expect(write('insert into player (team_id) values (7)')).rejects.toMatchObject({
      relation: 'missing',
      table: 'player',
    });
    await write('insert into team (id) values (1)');
    await write('insert into player (id, team_id, mentor_id) values (1, 1, null), (2, 1, 1)');
    await expect(write('delete from player where id = 1')).rejects.toMatchObject({
      relation: 'referenced',
      table: 'player',
    });
    await expect(write('delete from player where id = 1')).rejects.toThrow(ForeignKeyViolation);
    await write('update team set captain_id = 2');
    await write('delete from player where id = 2');
    expect(await sql(database.reader, 'select captain_id from team')).toEqual([{ captain_id: null }]);
    await write('delete from team');
    expect(await sql(database.reader, 'select * from player')).toEqual([]);
  });

  test('names what is missing and what is there twice', async () => {
    await make(database, seats);
    const write = (text: string) => database.write((transaction) => sql(transaction, text));
    await write("insert into seat (name) values ('a')");
    await expect(write("insert into seat (name) values ('a')")).rejects.toMatchObject({
      name: 'UniqueViolation',
      status: 409,
      code: 'core.unique_violation',
      table: 'seat',
      columns: ['name'],
    });
    await expect(write("update seat set name = null where name = 'a'")).rejects.toMatchObject({
      name: 'NotNullViolation',
      code: 'core.not_null_violation',
      table: 'seat',
      columns: ['name'],
    });
  });

  test('never gives an id twice', async () => {
    await make(database, seats);
    const add = (name: string) =>
      database.write((transaction) => sql(transaction, 'insert into seat (name) values (?) returning id', name));
    const [first] = await add('a');
    await database.write((transaction) => sql(transaction, 'delete from seat'));
    const [second] = await add('b');
    expect(second?.id).toBe(Number(first?.id) + 1);
  });
});
