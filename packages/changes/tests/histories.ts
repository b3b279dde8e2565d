import type { Ctx } from '@pergola/core';
import { type ChangesKit, Person, Project, Tag, Task } from './kit.ts';

/** Numbers from 0 to 1 that follow from a seed. */
function randomNumbers(seed: number): () => number {
  let state = seed + 0x9e37_79b9;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Random writes to the models of the kit. */
class History {
  readonly #random: () => number;
  #count = 0;

  constructor(seed: number) {
    this.#random = randomNumbers(seed);
  }

  /** Runs one to three operations. */
  async step(ctx: Ctx): Promise<void> {
    if (this.#count === 0) for (let index = 0; index < 5; index++) await this.#create(ctx);
    const count = 1 + this.#below(3);
    for (let index = 0; index < count; index++) {
      const operation = this.#pick([
        this.#create,
        this.#createMany,
        this.#write,
        this.#bulk,
        this.#remove,
        this.#link,
        this.#lines,
        this.#fail,
        this.#everything,
      ]);
      await operation.call(this, ctx);
    }
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#below(list.length)] as T;
  }

  #some<T>(list: readonly T[], count: number): T[] {
    return [...new Set(Array.from({ length: Math.min(count, list.length) }, () => this.#pick(list)))];
  }

  #text(): string {
    this.#count += 1;
    return `${this.#pick(['Alpha', 'Béta', 'Gamma “δ”'])} ${this.#count} ${this.#below(1_000)}`;
  }

  #ids(ctx: Ctx, ref: typeof Task | typeof Project | typeof Tag | typeof Person): Promise<number[]> {
    return ctx.modelNamed(ref.modelName).search([]);
  }

  async #taskValues(ctx: Ctx): Promise<Record<string, unknown>> {
    const [people, tasks] = [await this.#ids(ctx, Person), await this.#ids(ctx, Task)];
    const values: Record<string, unknown> = {
      name: this.#text(),
      hours: String(this.#below(1_000_000) / 1_000),
      share: this.#random() * 1e6,
      due: new Date(1_700_000_000_000 + this.#below(1e9)),
      day: `2026-0${1 + this.#below(9)}-1${this.#below(10)}`,
      state: this.#pick(['open', 'done']),
      done: this.#random() < 0.5,
      data: { b: this.#below(9), a: [this.#text(), null, 0.1 + this.#random()] },
      file: { hash: 'ab'.repeat(32), mimetype: 'text/plain', size: this.#below(99) },
      person_id: people.length > 0 && this.#random() < 0.5 ? this.#pick(people) : null,
      parent_id: tasks.length > 0 && this.#random() < 0.3 ? this.#pick(tasks) : null,
    };
    const names = this.#some(Object.keys(values), 5);
    return Object.fromEntries(names.map((name) => [name, values[name]]));
  }

  async #create(ctx: Ctx): Promise<void> {
    const [tags, people] = [await this.#ids(ctx, Tag), await this.#ids(ctx, Person)];
    await this.#pick([
      () => ctx.model(Tag).create({ name: { en_US: this.#text(), fr_FR: this.#text() } as never }),
      () => ctx.model(Person).create({ name: this.#text() }),
      async () =>
        ctx.model(Project).create({
          name: this.#text(),
          note: `<p>${this.#text()}</p>`,
          active: this.#random() < 0.8,
          tag_ids: this.#some(tags, 3),
          owner_id: people.length > 0 ? this.#pick(people) : null,
          task_ids: [{ create: { ...(await this.#taskValues(ctx)), name: this.#text(), parent_id: null } }],
        } as never),
    ])();
  }

  async #createMany(ctx: Ctx): Promise<void> {
    const projects = await this.#ids(ctx, Project);
    if (projects.length === 0) return;
    const records = await Promise.all(
      Array.from({ length: 2 + this.#below(5) }, async () => ({
        ...(await this.#taskValues(ctx)),
        name: this.#text(),
        project_id: this.#pick(projects),
      })),
    );
    await ctx.model(Task).create(records as never);
  }

  async #write(ctx: Ctx): Promise<void> {
    const projects = await this.#ids(ctx, Project);
    const tasks = await this.#ids(ctx, Task);
    const people = await this.#ids(ctx, Person);
    if (projects.length > 0)
      await ctx.model(Project).write(this.#pick(projects), {
        name: this.#text(),
        note: this.#pick([null, `<p>${this.#text()}</p><p><b>${this.#text()}</b></p>`]),
        owner_id: people.length > 0 && this.#random() < 0.5 ? this.#pick(people) : null,
      } as never);
    if (tasks.length > 0)
      await this.#tolerant(ctx, async () =>
        ctx.model(Task).write(this.#pick(tasks), (await this.#taskValues(ctx)) as never),
      );
  }

  async #bulk(ctx: Ctx): Promise<void> {
    const tasks = await this.#ids(ctx, Task);
    if (tasks.length === 0) return;
    await ctx
      .model(Task)
      .write(this.#some(tasks, 20), { state: this.#pick(['open', 'done']), hours: String(this.#below(50)) } as never);
  }

  async #remove(ctx: Ctx): Promise<void> {
    const ref = this.#pick([Task, Task, Project, Tag, Person]);
    const ids = await this.#ids(ctx, ref);
    if (ids.length > 0) await this.#tolerant(ctx, () => ctx.modelNamed(ref.modelName).unlink(this.#some(ids, 2)));
  }

  async #link(ctx: Ctx): Promise<void> {
    const [projects, tags] = [await this.#ids(ctx, Project), await this.#ids(ctx, Tag)];
    if (projects.length === 0 || tags.length === 0) return;
    const commands = this.#pick([
      [{ set: this.#some(tags, 3) }],
      [{ link: this.#pick(tags) }],
      [{ unlink: this.#pick(tags) }],
      [{ create: { name: this.#text() } }],
    ]);
    await ctx.model(Project).write(this.#pick(projects), { tag_ids: commands } as never);
  }

  async #lines(ctx: Ctx): Promise<void> {
    const tasks = await this.#ids(ctx, Task);
    if (tasks.length === 0) return;
    const task = this.#pick(tasks);
    const { project_id } = await ctx.model(Task).get(task, { select: { project_id: true } });
    const commands = this.#pick([
      [{ update: task, values: { name: this.#text() } }],
      [{ delete: task }],
      [{ create: { name: this.#text() } }, { update: task, values: { done: true } }],
    ]);
    await this.#tolerant(ctx, () => ctx.model(Project).write(project_id, { task_ids: commands } as never));
  }

  /** So many records that the database stores their values itself. */
  async #everything(ctx: Ctx): Promise<void> {
    const projects = await this.#ids(ctx, Project);
    if (projects.length === 0) return;
    const project_id = this.#pick(projects);
    if (this.#random() < 0.5)
      await ctx.model(Task).create(
        Array.from({ length: 60 }, (_, index) => ({
          name: this.#text(),
          project_id,
          share: index / 7,
          done: index % 2 === 0,
        })) as never,
      );
    const tasks = await this.#ids(ctx, Task);
    const { name: _, parent_id: __, ...values } = await this.#taskValues(ctx);
    if (tasks.length > 0) await ctx.model(Task).write(tasks, { ...values, share: this.#random() } as never);
  }

  /** Changes that a savepoint takes back. */
  async #fail(ctx: Ctx): Promise<void> {
    const tolerated = ctx.savepoint(async () => {
      await this.#write(ctx);
      await this.#create(ctx);
      await this.#remove(ctx);
      throw new Error('taken back');
    });
    await tolerated.catch(() => {});
  }

  /** Refused writes are rolled back alone. */
  async #tolerant(_ctx: Ctx, work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error)) throw error;
    });
  }
}

/**
 * Runs random writes, then undoes them in reverse order, and compares all tables with their state before each of them.
 *
 * @throws Error naming the seed and the difference
 */
export async function undoHistory(kit: ChangesKit, seed: number, steps: number): Promise<number> {
  const history = new History(seed);
  const states: { readonly setId: number; readonly before: string }[] = [];
  let before = await kit.digest();
  for (let index = 0; index < steps; index++) {
    const setId = await kit.change((ctx) => history.step(ctx));
    const after = await kit.digest();
    if (setId !== null) states.push({ setId, before });
    else if (after !== before)
      throw new Error(`History ${seed}: a change wasn’t recorded: ${difference(before, after)}`);
    before = after;
  }
  for (const { setId, before: expected } of states.toReversed()) {
    const { conflicts } = await kit.undo(setId);
    if (conflicts.length > 0) throw new Error(`History ${seed}: conflicts ${JSON.stringify(conflicts)}`);
    const restored = await kit.digest();
    if (restored !== expected) throw new Error(`History ${seed}, change ${setId}: ${difference(expected, restored)}`);
  }
  return states.length;
}

function difference(expected: string, actual: string): string {
  const [before, after] = [expected.split('\n'), actual.split('\n')];
  const missing = before.filter((line) => !after.includes(line));
  const extra = after.filter((line) => !before.includes(line));
  return `\nexpected ${missing.join('\n')}\nfound ${extra.join('\n')}`;
}
