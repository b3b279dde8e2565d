import type { Ctx, Id } from 'pergola';
import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { Attachment } from '../models/attachment.ts';
import { Partner } from '../models/partner.ts';
import { User } from '../models/user.ts';
import { actingAs, makeUser } from './kit.ts';

/** A file on the administrator's contact, one on the customer's own, one on nothing, and one for everybody. */
async function files(app: TestApp, customer: Id): Promise<{ hidden: Id; own: Id; loose: Id; open: Id }> {
  return app.write(async (ctx) => {
    const { partner_id } = await ctx.model(User).get(customer, { select: { partner_id: true } });
    const make = (name: string, record: Id | null, free = false) =>
      ctx.model(Attachment).create({
        name,
        res_model: record ? 'res.partner' : null,
        res_id: record,
        public: free,
      });
    return {
      hidden: await make('hidden', await ctx.ref('base.admin_partner')),
      own: await make('own', partner_id),
      loose: await make('loose', null),
      open: await make('open', await ctx.ref('base.admin_partner'), true),
    };
  });
}

someDatabase('Attachments', (database) => {
  it('are fetched by whoever may read their record, by everybody when public, and loose ones by employees', async () => {
    await using app = await createTestApp({ addons: ['base'], database });
    const customer = await makeUser(app, 'customer', ['base.group_portal']);
    const employee = await makeUser(app, 'employee', ['base.group_user']);
    const { hidden, own, loose, open } = await files(app, customer);
    const readable = (ctx: Ctx) => ctx.model(Attachment).readable([hidden, own, loose, open]);
    await app.read(async (ctx) => {
      expect(await readable(await actingAs(ctx, customer))).toEqual([own, open]);
      expect(await readable(await actingAs(ctx, employee))).toEqual([hidden, own, loose, open]);
    });
  });

  it('of records that an employee may not read are not found by searching, counting or grouping', async () => {
    await using app = await createTestApp({ addons: ['base'], database });
    const employee = await makeUser(app, 'employee', ['base.group_user']);
    const id = await app.write((ctx) =>
      ctx.model(Attachment).create({ name: 'secret', res_model: 'ir.sequence', res_id: 1 }),
    );
    await app.read(async (ctx) => {
      const files = (await actingAs(ctx, employee)).model(Attachment);
      expect(await files.search([])).toEqual([]);
      expect(await files.count([['name', '=', 'secret']])).toBe(0);
      expect(await files.group([], { by: ['res_model'] })).toEqual([]);
      expect(await files.find([], { select: { name: true } })).toEqual([]);
      expect(await files.read([id], { select: { name: true } })).toEqual([]);
      expect(await files.allowed([id], 'read')).toEqual([]);
      await expect(files.get(id, { select: { name: true } })).rejects.toMatchObject({ status: 404 });
      expect(await ctx.model(Attachment).count([])).toBe(1);
    });
  });

  it('are found in order and page by page, as if the hidden ones were not there', async () => {
    await using app = await createTestApp({ addons: ['base'], database });
    const employee = await makeUser(app, 'employee', ['base.group_user']);
    await app.write((ctx) =>
      ctx.model(Attachment).create(
        Array.from({ length: 12 }, (_, number) => ({
          name: `file ${String(number).padStart(2, '0')}`,
          res_model: number % 2 ? 'ir.sequence' : null,
          res_id: number % 2 ? 1 : null,
        })),
      ),
    );
    const names = await app.read(async (ctx) => {
      const rows = await (await actingAs(ctx, employee))
        .model(Attachment)
        .find([], { select: { name: true }, order: 'name', limit: 2, offset: 3 });
      return rows.map(({ name }) => name);
    });
    expect(names).toEqual(['file 06', 'file 08']);
  });

  it('cannot be hung on, changed or taken from a record that one may not change', async () => {
    await using app = await createTestApp({ addons: ['base'], database });
    const employee = await makeUser(app, 'employee', ['base.group_user']);
    const [partner, hidden] = await app.write(async (ctx) => {
      const record = await ctx.model(Partner).create({ name: 'Ada' });
      return [record, await ctx.model(Attachment).create({ name: 'x', res_model: 'res.partner', res_id: record })];
    });
    const as = (work: (ctx: Ctx) => Promise<unknown>) => app.write(async (ctx) => work(await actingAs(ctx, employee)));
    const refused = { status: 403 };
    await expect(
      as((ctx) => ctx.model(Attachment).create({ name: 'y', res_model: 'res.partner', res_id: partner })),
    ).rejects.toMatchObject(refused);
    await expect(as((ctx) => ctx.model(Attachment).write(hidden, { name: 'z' }))).rejects.toMatchObject(refused);
    await expect(as((ctx) => ctx.model(Attachment).unlink(hidden))).rejects.toMatchObject(refused);
  });

  it('go with their record', async () => {
    await using app = await createTestApp({ addons: ['base'], database });
    const left = await app.write(async (ctx) => {
      const partner = await ctx.model(Partner).create({ name: 'Ada' });
      await ctx.model(Attachment).create({ name: 'x', res_model: 'res.partner', res_id: partner });
      await ctx.model(Partner).unlink(partner);
      return ctx.model(Attachment).count([]);
    });
    expect(left).toBe(0);
  });
});
