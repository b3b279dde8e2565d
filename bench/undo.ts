import { parseArgs } from 'node:util';
import type { Ctx } from '@pergola/core';
import { undoHistory } from '../packages/changes/tests/histories.ts';
import {
  type ChangesKit,
  createChangesKit,
  Person,
  Project,
  recording,
  staff,
  Tag,
  Task,
} from '../packages/changes/tests/kit.ts';
import { type TestDialect, testDatabases } from '../tools/testing/databases.ts';
import { openDoor } from '../tools/testing/postgres/door.ts';
import { median, startPostgres } from './harness.ts';

/**
 * Undoing on both databases: random histories that are undone in reverse order to the same tables, the time for undoing 10,000 rows, and what
 * recording adds to writes, with and without it in turns.
 *
 * `--histories 1000` (default 25), `--rounds 20`, `--database sqlite`
 */
const { values } = parseArgs({
  options: { histories: { type: 'string' }, rounds: { type: 'string' }, database: { type: 'string' } },
});
const histories = Number(values.histories ?? 25);
const rounds = Number(values.rounds ?? 20);
const STEPS = 8;
const ROWS = 10_000;
const MAX_SECONDS = 5;
const MAX_SHARE = 0.15;

let hasFailed = false;
function report(line: string, isMet: boolean): void {
  if (!isMet) hasFailed = true;
  console.log(`${isMet ? 'ok  ' : 'FAIL'} ${line}`);
}

async function undoHistories(kit: ChangesKit, dialect: TestDialect): Promise<void> {
  let changes = 0;
  for (let seed = 1; seed <= histories; seed++) changes += await undoHistory(kit, seed, STEPS);
  report(`${dialect}: ${histories} histories, ${changes} changes undone to the same tables`, true);
}

async function undoMany(kit: ChangesKit, dialect: TestDialect): Promise<void> {
  const project = await kit.write((ctx) => ctx.model(Project).create({ name: 'Large' }), { su: true });
  const ids: number[] = [];
  for (let offset = 0; offset < ROWS; offset += 1_000)
    ids.push(
      ...(await kit.write(
        (ctx) =>
          ctx.model(Task).create(
            Array.from({ length: 1_000 }, (_, index) => ({
              name: `Task ${offset + index}`,
              project_id: project,
              hours: String(index),
            })),
          ),
        { su: true },
      )),
    );
  const before = await kit.digest();
  for (const [name, work] of [
    ['written', (ctx: Ctx) => ctx.model(Task).write(ids, { name: 'Same', state: 'done' })],
    ['deleted', (ctx: Ctx) => ctx.model(Task).unlink(ids)],
  ] as const) {
    const setId = await kit.change(work);
    const start = performance.now();
    const { undone } = await kit.undo(setId ?? 0);
    const seconds = (performance.now() - start) / 1_000;
    const isSame = (await kit.digest()) === before;
    report(
      `${dialect}: ${undone} ${name} rows undone in ${seconds.toFixed(2)} s`,
      undone === ROWS && isSame && seconds < MAX_SECONDS,
    );
  }
}

/** Compares writes with and without recording, in turns. */
async function costOf(kit: ChangesKit, dialect: TestDialect): Promise<void> {
  const project = await kit.write((ctx) => ctx.model(Project).create({ name: 'Cost' }), staff);
  const tags = await kit.write((ctx) => ctx.model(Tag).create(['a', 'b'].map((name) => ({ name }))), staff);
  const person = await kit.write((ctx) => ctx.model(Person).create({ name: 'Ann' }), staff);
  const tasks = await kit.write(
    (ctx) =>
      ctx
        .model(Task)
        .create(Array.from({ length: 1_000 }, (_, index) => ({ name: `Task ${index}`, project_id: project }))),
    staff,
  );
  let count = 0;
  const next = (): string => {
    count += 1;
    return `Name ${count}`;
  };
  const values = () => ({ name: next(), project_id: project, person_id: person, hours: '1.5', state: 'open' as const });
  const kinds: readonly [name: string, times: number, work: (ctx: Ctx) => Promise<unknown>][] = [
    [
      'single write',
      40,
      (ctx) => ctx.model(Task).write(tasks[count % 1_000] ?? 0, { name: next(), hours: String(count % 90) }),
    ],
    [
      'form with tags',
      40,
      (ctx) => ctx.model(Project).write(project, { name: next(), tag_ids: count % 2 ? tags : [] }),
    ],
    ['create', 40, (ctx) => ctx.model(Task).create(values())],
    ['create 100', 4, (ctx) => ctx.model(Task).create(Array.from({ length: 100 }, values))],
    ['write 1,000', 4, (ctx) => ctx.model(Task).write(tasks, { name: next(), state: count % 2 ? 'open' : 'done' })],
  ];
  for (const [name, times, work] of kinds) {
    const measured = { with: [] as number[], without: [] as number[] };
    for (let turn = 0; turn < (rounds + 1) * times; turn++) {
      // One write each, so that other work on the machine affects both.
      for (const mode of turn % 2 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
        recording.isOn = mode === 'with';
        const start = performance.now();
        await kit.write(work, staff);
        // The first round warms up.
        if (turn >= times) measured[mode].push(performance.now() - start);
      }
    }
    recording.isOn = true;
    const [withIt, without] = [median(measured.with), median(measured.without)];
    const share = withIt / without - 1;
    report(
      `${dialect}: ${name} ${without.toFixed(2)} ms, recorded ${withIt.toFixed(2)} ms (${(share * 100).toFixed(1)} % more)`,
      share <= MAX_SHARE,
    );
  }
}

const door = await openDoor(startPostgres);
process.env.PERGOLA_TEST_POSTGRES = String(door.port);
for (const dialect of testDatabases.filter((name) => values.database === undefined || values.database === name)) {
  const kit = await createChangesKit(dialect);
  try {
    await undoHistories(kit, dialect);
    await costOf(kit, dialect);
    await undoMany(kit, dialect);
  } finally {
    await kit.close();
  }
}
await door.close();
process.exitCode = hasFailed ? 1 : 0;
