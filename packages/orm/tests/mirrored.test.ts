import { access, f, model } from 'pergola';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { createModelKit, type ModelKit, refusal } from './kit.ts';

class Person extends model('mirror.person', { name: f.char({ required: true }), email: f.char() }) {}
class Member extends model('mirror.member', {
  number: f.char({ required: true }),
  person_id: f.many2one('mirror.person', { required: true, ondelete: 'restrict' }),
  name: f.char({ related: 'person_id.name', writable: true }),
  email: f.char({ related: 'person_id.email', writable: true }),
}) {}
declare module 'pergola' {
  interface Models {
    'mirror.person': Person;
    'mirror.member': Member;
  }
}

const addon = {
  name: 'mirror',
  models: [Person, Member],
  access: [access(Person, { '*': 'r', 'mirror.keeper': 'rwcd' }), access(Member, { '*': 'rwcd' })],
};
const keeper = { id: 7, groups: ['mirror.keeper'] };

eachDatabase('Related fields that may be written', (dialect) => {
  let kit: ModelKit;
  beforeAll(async () => {
    kit = await createModelKit(dialect, [addon], { groups: ['mirror.keeper'] });
  });
  afterAll(() => kit.close());

  const select = { number: true, name: true, email: true, person_id: true } as const;
  const read = async (id: number) => (await kit.ctx({ su: true }).model(Member).get(id, { select })) ?? null;

  test('make the other record of a new one, or change the one that is named', async () => {
    const id = await kit.write((ctx) => ctx.model(Member).create({ number: '1', name: 'Ada', email: 'a@x' }), keeper);
    const ada = await read(id);
    expect(ada).toMatchObject({ number: '1', name: 'Ada', email: 'a@x' });
    const again = { number: '2', person_id: ada.person_id, email: 'b@x' };
    const other = await kit.write((ctx) => ctx.model(Member).create(again), keeper);
    expect(await read(other)).toMatchObject({ number: '2', name: 'Ada', email: 'b@x', person_id: ada.person_id });
  });

  test('write to the other record, beside values of their own or alone', async () => {
    const id = await kit.write((ctx) => ctx.model(Member).create({ number: '3', name: 'Bob' }), keeper);
    await kit.write((ctx) => ctx.model(Member).write(id, { number: '4', name: 'Robert' }), keeper);
    await kit.write((ctx) => ctx.model(Member).write(id, { email: 'r@x' }), keeper);
    expect(await read(id)).toMatchObject({ number: '4', name: 'Robert', email: 'r@x' });
  });

  test('say what is wrong with the other record, and leave nothing behind', async () => {
    const before = await kit.ctx({ su: true }).model(Person).count([]);
    const error = await refusal(kit.write((ctx) => ctx.model(Member).create({ number: '5', name: '' }), keeper));
    expect(error.code).toBe('core.invalid_values');
    expect(await kit.ctx({ su: true }).model(Person).count([])).toBe(before);
  });

  test('need the right to write the other record', async () => {
    const id = await kit.write((ctx) => ctx.model(Member).create({ number: '6', name: 'Eve' }), keeper);
    const stranger = { id: 8, groups: [] };
    await refusal(kit.write((ctx) => ctx.model(Member).write(id, { name: 'Mallory' }), stranger));
    await refusal(kit.write((ctx) => ctx.model(Member).create({ number: '7', name: 'Mallory' }), stranger));
    expect(await read(id)).toMatchObject({ name: 'Eve' });
  });
});
