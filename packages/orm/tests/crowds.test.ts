import { setTimeout as sleep } from 'node:timers/promises';
import { f, model } from 'pergola';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import type { Id } from '../fields.ts';
import { createModelKit, type ModelKit, openToAll } from './kit.ts';

class Show extends model('crowd.show', { name: f.char(), seen: f.integer() }) {}
class Ticket extends model('crowd.ticket', {
  show_id: f.many2one('crowd.show'),
  also_ids: f.many2many('crowd.show', { empty: 'none' }),
}) {}
declare module 'pergola' {
  interface Models {
    'crowd.show': Show;
    'crowd.ticket': Ticket;
  }
}

eachDatabase('In a crowd', (dialect) => {
  let kit: ModelKit;
  let show: Id;
  let ticket: Id;
  let isOver = false;
  let locking: Promise<unknown>;
  beforeAll(async () => {
    kit = await createModelKit(dialect, openToAll([{ name: 'crowd', models: [Show, Ticket] }]));
    show = await kit.write((ctx) => ctx.model(Show).create({ name: 'Hamlet', seen: 0 }));
    ticket = await kit.write((ctx) => ctx.model(Ticket).create({}));
    locking = Promise.all([1, 2].map(keepLocking));
  });
  afterAll(async () => {
    isOver = true;
    await locking;
    await kit.close();
  });

  /** Somebody who decides about the show and locks it for that, all the time. */
  async function keepLocking(): Promise<void> {
    while (!isOver) {
      await kit.write(async (ctx) => {
        await ctx.lock(Show, [show]);
        const { seen } = await ctx.model(Show).get(show, { select: { seen: true } });
        await ctx.model(Show).write(show, { seen: (seen ?? 0) + 1 });
      });
      await sleep(2);
    }
  }

  const works = {
    'make records that refer to one that others lock': (ctx) => ctx.model(Ticket).create({ show_id: show }),
    'let records refer to one that others lock': (ctx) => ctx.model(Ticket).write(ticket, { show_id: show }),
    'link records to one that others lock': (ctx) => ctx.model(Ticket).create({ also_ids: [{ link: show }] }),
    'write what others lock': (ctx) => ctx.model(Show).write(show, { name: 'Macbeth' }),
  } satisfies Record<string, Parameters<ModelKit['write']>[0]>;

  test.each(Object.entries(works))('some %s, and nobody is turned away', async (_, work) => {
    const slowly = () =>
      kit.write(async (ctx) => {
        await ctx.model(Show).get(show, { select: { name: true } });
        await sleep(dialect === 'postgres' ? 40 : 1);
        return work(ctx);
      });
    await Promise.all(Array.from({ length: 10 }, slowly));
  });
});
