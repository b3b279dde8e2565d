import { access, f, type Id, type Ids, InvalidInput, model } from 'pergola';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { createModelKit, type ModelKit, refusal } from './kit.ts';

class Part extends model('inverse.part', {
  whole_id: f.many2one('inverse.whole', { required: true, ondelete: 'cascade' }),
  code: f.char({ size: 5 }),
}) {}
class Whole extends model('inverse.whole', {
  name: f.char({ required: true }),
  part_ids: f.one2many('inverse.part', 'whole_id'),
  code: f.char({ compute: 'computeCode', inverse: 'storeCode', depends: ['part_ids.code'], size: 5 }),
}) {
  override async afterCreate(ids: Ids): Promise<void> {
    await this.ctx.model(Part).create(ids.map((whole_id) => ({ whole_id })));
  }

  async computeCode(ids: Ids): Promise<Map<Id, string | null>> {
    const parts = await this.ctx
      .model(Part)
      .find([['whole_id', 'in', ids]], { select: { whole_id: true, code: true } });
    return new Map(parts.map(({ whole_id, code }) => [whole_id, code]));
  }

  async storeCode(ids: Ids, code: string | null): Promise<void> {
    if (code === 'bad') throw new InvalidInput('This code is bad.', { code: 'inverse.bad', fields: { code: 'Bad.' } });
    const parts = await this.ctx.model(Part).search([['whole_id', 'in', ids]]);
    await this.ctx.model(Part).write(parts, { code });
  }
}
declare module 'pergola' {
  interface Models {
    'inverse.part': Part;
    'inverse.whole': Whole;
  }
}

const addon = {
  name: 'inverse',
  models: [Part, Whole],
  access: [access(Part, { '*': 'r', 'inverse.keeper': 'rwcd' }), access(Whole, { '*': 'rwcd' })],
};
const keeper = { id: 7, groups: ['inverse.keeper'] };

eachDatabase('Computed fields that store what is written to them', (dialect) => {
  let kit: ModelKit;
  beforeAll(async () => {
    kit = await createModelKit(dialect, [addon], { groups: ['inverse.keeper'] });
  });
  afterAll(() => kit.close());

  const codeOf = async (id: Id) =>
    (
      await kit
        .ctx({ su: true })
        .model(Whole)
        .get(id, { select: { name: true, code: true } })
    ).code;

  test('do so after a record was created or written, alone or with other fields, and are emptied', async () => {
    const [first = 0, second = 0] = await kit.write(
      (ctx) => ctx.model(Whole).create([{ name: 'A', code: 'a' }, { name: 'B' }]),
      keeper,
    );
    expect([await codeOf(first), await codeOf(second)]).toEqual(['a', null]);
    await kit.write((ctx) => ctx.model(Whole).write([first, second], { name: 'C', code: 'c' }), keeper);
    expect([await codeOf(first), await codeOf(second)]).toEqual(['c', 'c']);
    await kit.write((ctx) => ctx.model(Whole).write(first, { code: null }), keeper);
    expect([await codeOf(first), await codeOf(second)]).toEqual([null, 'c']);
  });

  test('refuse values that do not fit, and leave nothing behind', async () => {
    const before = await kit.ctx({ su: true }).model(Whole).count([]);
    for (const code of ['too long', 'bad']) {
      const error = await refusal(kit.write((ctx) => ctx.model(Whole).create({ name: 'D', code }), keeper));
      expect(error).toMatchObject({ fields: { code: expect.any(String) } });
    }
    expect(await kit.ctx({ su: true }).model(Whole).count([])).toBe(before);
  });

  test('need the rights that storing needs', async () => {
    const stranger = { id: 8, groups: [] };
    const id = await kit.write((ctx) => ctx.model(Whole).create({ name: 'E', code: 'e' }), keeper);
    await refusal(kit.write((ctx) => ctx.model(Whole).write(id, { code: 'x' }), stranger));
    expect(await codeOf(id)).toBe('e');
  });
});
