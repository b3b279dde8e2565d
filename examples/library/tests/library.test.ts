import { listOutbox } from '@pergola/web';
import { WebsitePage } from '@pergola/website';
import { createTestApp, eachDatabase, refusal } from 'pergola/testing';
import { remind } from '../jobs/remind.ts';
import { Book } from '../models/book.ts';
import { Loan } from '../models/loan.ts';
import { Reservation } from '../models/reservation.ts';
import { mostReservations } from '../settings.ts';

const addons = ['library'];

eachDatabase('The library', (database) => {
  it('shows its books by category, and one with its authors', async () => {
    await using app = await createTestApp({ addons, database, demo: true });
    const { text } = await app.get('/library');
    expect(text).toContain('3 books');
    const garden = await app.read((ctx) => ctx.ref('library.demo_garden'));
    const narrowed = await app.get(`/library?category=${garden}`);
    expect(narrowed.text).toContain('2 books');
    expect(narrowed.text).not.toContain('Hedgehogs');
    const [, path = ''] = /href="([^"]*bees[^"]*)"/.exec(text) ?? [];
    const book = (await app.get(path)).text;
    expect(book).toContain('Ada Greenfield, Jean Rucher');
    expect(book).toContain('"@type":"Book","name":"Bees at Home"');
    expect((await app.get('/sitemap.xml')).text).toContain(path);
  });

  it('keeps copies, lends them, takes them back, and is gone without a trace', async () => {
    await using app = await createTestApp({ addons, database, demo: true });
    const id = await app.read((ctx) => ctx.ref('library.demo_bees'));
    const path = `/library/bees-at-home-${id}`;
    expect((await app.get(path)).text).toContain('Free copies: 1');
    await expect(app.rpc(`${path}/reserve`)).rejects.toThrow();

    const reader = await app.as('portal');
    expect(await reader.rpc(`${path}/reserve`)).toEqual({ free: 0, reserved: true });
    expect((await app.get(path)).text).toContain('Free copies: 0');
    const staff = await app.as('admin');
    // The demo customer reads French, the administrator English.
    await expect(reader.rpc(`${path}/reserve`)).rejects.toThrow('Vous avez déjà réservé ce livre.');
    await expect(staff.rpc(`${path}/reserve`)).rejects.toThrow('All copies are taken.');

    const press = async (model: string, method: string, ids: readonly number[]) =>
      staff.rpc('/web/dataset/call_kw', { model, method, args: [ids], kwargs: {} });
    await press('library.reservation', 'handOut', await app.read((ctx) => ctx.model(Reservation).search([])));
    const loans = await app.read((ctx) => ctx.model(Loan).search([['book_id', '=', id]]));
    expect(loans).toHaveLength(1);
    await press('library.loan', 'giveBack', loans);
    expect((await app.get(path)).text).toContain('Free copies: 1');

    const { lifecycle } = app.application;
    await lifecycle.disable(addons, { yes: true });
    expect((await app.get('/library')).status).toBe(404);
    await lifecycle.enable(addons, { yes: true });
    expect((await app.get(path)).status).toBe(200);
    await lifecycle.uninstall('library', { yes: true, confirm: 'library' });
    expect((await app.get('/library')).status).toBe(404);
  });

  it('works without JavaScript', async () => {
    await using app = await createTestApp({ addons, database, demo: true });
    const id = await app.read((ctx) => ctx.ref('library.demo_bees'));
    const path = `/fr/library/des-abeilles-chez-soi-${id}`;
    const reader = await app.as('portal');
    expect((await reader.press(path, 'library.Reserve', 'Réserver')).read).toContain('Un exemplaire vous attend.');
    const { read } = await reader.press(path, 'library.Reserve', 'Annuler la réservation');
    expect(read).toMatch(/Exemplaires libres\s: 1/);
  });

  it('never keeps or lends more copies than there are, whoever asks at the same moment', async () => {
    await using app = await createTestApp({ addons, database, demo: true });
    const id = await app.read((ctx) => ctx.ref('library.demo_bees'));
    const path = `/library/bees-at-home-${id}`;
    const readers = [await app.as('portal'), await app.as('admin'), await app.as('editor')];
    const reservations = await Promise.allSettled(readers.map((reader) => reader.rpc(`${path}/reserve`)));
    expect(reservations.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);

    // The limit also applies to records written directly.
    const otherBook = await app.read((ctx) => ctx.ref('library.demo_small_garden'));
    const partner_id = await app.read((ctx) => ctx.ref('base.demo_portal_partner'));
    const values = { book_id: otherBook, partner_id };
    const outcomes = await Promise.allSettled(
      ['library.loan', 'library.reservation', 'library.loan', 'library.reservation'].map((model) =>
        app.write((ctx) => ctx.modelNamed(model).create(values)),
      ),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    const free = await app.read((ctx) => ctx.model(Book).read([id, otherBook], { select: { free: true } }));
    expect(free.map((book) => book.free)).toEqual([0, 0]);
    const fewer = await refusal(app.write((ctx) => ctx.model(Book).write(otherBook, { copies: 1 })));
    expect(fewer.code).toBe('library.all_taken');
  });

  it('lets one reader reserve a book once, and as many books as the setting says, in two windows at once', async () => {
    await using app = await createTestApp({ addons, database, demo: true });
    const [garden, bees] = await app.read(async (ctx) => [
      await ctx.ref('library.demo_small_garden'),
      await ctx.ref('library.demo_bees'),
    ]);
    const reader = await app.as('portal');
    const twice = await Promise.allSettled([1, 2].map(() => reader.rpc(`/library/the-small-garden-${garden}/reserve`)));
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await app.write((ctx) => ctx.settings.set(mostReservations, 1));
    await expect(reader.rpc(`/library/bees-at-home-${bees}/reserve`)).rejects.toThrow('1');
  });

  it('shows readers what is theirs, and nobody else', async () => {
    await using app = await createTestApp({ addons, database, demo: true });
    const list = { model: 'library.loan', method: 'search_read', args: [[], ['state']], kwargs: {} };
    const loansOf = async (login: string) =>
      (await (await app.as(login)).rpc<unknown[]>('/web/dataset/call_kw', list)).length;
    await app.write(async (ctx) => {
      const book_id = await ctx.ref('library.demo_bees');
      await ctx.model(Loan).create({ book_id, partner_id: await ctx.ref('base.main_partner') });
    });
    expect(await loansOf('portal')).toBe(1);
    expect(await loansOf('admin')).toBe(2);
    await expect(app.visitor().rpc('/web/dataset/call_kw', list)).rejects.toThrow();
  });

  it('reminds once of what is overdue', async () => {
    await using app = await createTestApp({ addons, database, demo: true });
    for (let times = 0; times < 2; times++) {
      await app.write((ctx) => ctx.jobs.enqueue(remind, {}));
      await app.runJobs();
    }
    const { mails } = await app.read((ctx) => listOutbox(ctx));
    expect(mails.map(({ subject }) => subject)).toEqual(['Merci de le rapporter\u00a0: Les hérissons']);
  });
});

it('shows new books in a block, by the options an editor chose', async () => {
  await using app = await createTestApp({ addons, demo: true });
  await app.write(async (ctx) => {
    const options = JSON.stringify({ count: 1, category: await ctx.ref('library.demo_garden') });
    const content = `<div data-block="library.new_books" data-options='${options}'></div>`;
    await ctx.model(WebsitePage).create({ name: 'Hi', url: '/hi', website_published: true, content });
  });
  const { text } = await app.get('/hi');
  expect(text).toContain('Bees at Home');
  expect(text).not.toContain('The Small Garden');
});

it('refuses what is no ISBN', async () => {
  await using app = await createTestApp({ addons });
  const createBook = (isbn: string) => app.write((ctx) => ctx.model(Book).create({ name: 'Bees', isbn }));
  expect((await refusal(createBook('9783161484101'))).fields).toEqual({ isbn: 'This is no ISBN.' });
  expect(await createBook('9783161484100')).toBeGreaterThan(0);
});
