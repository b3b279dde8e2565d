import { leaseHolder, nodesBehind, SWITCH_LEASE } from '@pergola/cluster';
import type { Addon } from '@pergola/core';
import { BrokenAddons, type Ctx, contextTools, type Problem } from '@pergola/core';
import { type Database, databaseSession, type Transaction, transactionOf } from '@pergola/db';
import type { JobRun } from '@pergola/jobs';
import {
  externalIdsFrom,
  type Id,
  loadData,
  modelRegistry,
  nextIds,
  recompute,
  type ShippedSet,
  writtenSet,
} from '@pergola/orm';
import { sealSettings } from '@pergola/settings';
import { readDataFiles } from './addon-files.ts';
import { fillDefaults, refold, refreshSearchText, sealRows } from './backfill.ts';
import type { AddedRecords } from './consequences.ts';
import { addGeneration, latestGeneration } from './generation-store.ts';
import { writeModule } from './module-store.ts';
import { moveTask, readTasks, removeTasks, type Task, type TaskInput } from './tasks.ts';

/** What running tasks needs of a job's run. */
export type TaskWork = Pick<JobRun<unknown>, 'ctx' | 'write' | 'signal'> & {
  /** Nobody else is served meanwhile: large batches. */
  readonly alone?: boolean;
};

/** How long one batch may keep the write connection, in ms; the next one is smaller or larger accordingly. */
const batchMs = 15;
const [smallest, largest] = [1, 500];

/**
 * Works off what switches left, in its order. Answers `later` when some of it has to wait for another generation to be served here: then it is to
 * be called again from there. A piece that fails is kept, and the others go on; its error is thrown at the end.
 */
export async function runTasks(work: TaskWork): Promise<'done' | 'later'> {
  const { database } = work.ctx.get(databaseSession);
  const { generation } = work.ctx.get(contextTools);
  const failures: unknown[] = [];
  let result: 'done' | 'later' = 'done';
  for (const task of await readTasks(database)) {
    if (work.signal.aborted) return 'later';
    if (task.generation > generation.number || (await isOutdated(work.ctx)) || !(await allFollow(database, task))) {
      result = 'later';
      continue;
    }
    try {
      if ((await runTask(work, database, task)) === 'later') result = 'later';
    } catch (error) {
      work.ctx.log.warn(
        { err: error, addon: task.addon, task: task.input.kind },
        'Work left by a switch of addons failed; it is tried again',
      );
      failures.push(error);
      if (error instanceof BrokenAddons) await work.write((ctx) => noteProblems(ctx, task, error.problems));
    }
  }
  if (failures.length > 0) throw failures[0];
  return result;
}

/** Shows on the Apps screen what is wrong with records that an addon brings afterwards. */
function noteProblems(ctx: Ctx, { addon }: Task, problems: readonly Problem[]): Promise<void> {
  return writeModule(ctx.get(databaseSession).database, transactionOf(ctx), addon, { lastError: problems });
}

/** Whether a newer generation than ours was made: a switch that waits for all to follow must not wait for us. */
async function isOutdated(ctx: Ctx): Promise<boolean> {
  const { database } = ctx.get(databaseSession);
  const { generation } = ctx.get(contextTools);
  const latest = await latestGeneration(database);
  return latest !== null && latest.number > generation.number;
}

/** Rows that nodes on an older generation still write would be missed. */
async function allFollow(database: Database, { generation }: Task): Promise<boolean> {
  for (let tries = 0; tries < 20; tries += 1) {
    if ((await nodesBehind(database, generation)).length === 0) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

async function runTask(work: TaskWork, database: Database, task: Task): Promise<'done' | 'later'> {
  const { input } = task;
  if (input.kind === 'index') {
    await database.schema.applyOutside(input.steps);
    return work.write((ctx) => finish(ctx, task));
  }
  if (input.kind === 'demo') return runDemo(work, task);
  if (input.kind === 'seal-settings')
    return work.write(async (ctx) => {
      await sealSettings(ctx);
      return finish(ctx, task);
    });
  // A model whose addon was switched off meanwhile: its rows are looked after when it is enabled again.
  if (!work.ctx.get(modelRegistry).get(input.model)) {
    return work.write((ctx) => finish(ctx, task));
  }
  return runRows(work, task, input);
}

type RowInput = Exclude<TaskInput, { kind: 'index' | 'demo' | 'seal-settings' }>;

/** Goes through all rows of a model by id. The position is read in each batch's own transaction, so that two runs never do the same twice. */
async function runRows(
  { ctx, write, signal, alone }: TaskWork,
  task: Task,
  input: RowInput,
): Promise<'done' | 'later'> {
  for (let size = alone ? largest : 50; ; ) {
    if (signal.aborted || (await isOutdated(ctx))) return 'later';
    const began = performance.now();
    const result = await write((writing) => nextRows(writing, task, input, size));
    if (result !== 'more') return result;
    if (!alone) size = resized(size, performance.now() - began);
  }
}

async function nextRows(ctx: Ctx, task: Task, input: RowInput, size: number): Promise<'more' | 'done' | 'later'> {
  const { database, connection } = ctx.get(databaseSession);
  const [now] = await readTasks(database, connection, task.id);
  if (!now) return 'done';
  const after = typeof now.position === 'number' ? now.position : input.kind === 'defaults' ? input.above : 0;
  const ids = await nextIds(ctx, input.model, after, size);
  const last = ids.at(-1);
  if (last === undefined) return finish(ctx, task);
  await onBatch(ctx, input, ids);
  await moveTask(database, transactionOf(ctx), task.id, last);
  return 'more';
}

async function onBatch(ctx: Ctx, input: RowInput, ids: readonly Id[]): Promise<void> {
  switch (input.kind) {
    case 'defaults':
      return fillDefaults(ctx, input.model, input.fields, ids);
    case 'recompute':
      return recompute(ctx, input.model, input.fields, ids);
    case 'fold':
      return refold(ctx, input.model, input.fields, ids);
    case 'seal':
      return sealRows(ctx, input.model, input.fields, ids);
    case 'search':
      return refreshSearchText(ctx, input.model, ids);
  }
}

/**
 * Loads demo records that are not there yet, a few at a time; the position is how many were loaded. Records of one lot may name only what is there already: where they name
 * later ones, the rest of the file goes at once, and if that is not enough, together with the files that follow.
 */
async function runDemo(
  { ctx, write, signal, alone }: TaskWork,
  task: Task,
  onMissing: (records: readonly DemoRecord[]) => void = () => {},
): Promise<'done' | 'later'> {
  const addon = ctx.get(contextTools).generation.addons.find(({ name }) => name === task.addon);
  const problems: Problem[] = [];
  if (!addon) return write((writing) => finish(writing, task));
  const files = await readDataFiles(addon, 'demo', problems);
  if (problems.length > 0) throw new BrokenAddons(problems);
  let [loaded, size] = [typeof task.position === 'number' ? task.position : 0, alone ? largest : 5];
  // Those of a run that was stopped or of an earlier version are left as they are: people work with them.
  const known = await keysOf(ctx, task.addon);
  let waiting: DemoRecord[] = [];
  let refused: unknown = null;
  for (const { file, sets } of files) {
    // Pictures are made and dates worked out here, with no transaction open.
    const records = await recordsOf(ctx, addon, file, sets).catch((error: unknown) => {
      // Records that were refused are not there for later files to find: the refusal is what has to be told.
      throw refused ?? error;
    });
    const missing = records.filter(({ key }) => !known.has(key));
    onMissing(missing);
    waiting.push(...missing);
    for (refused = null; waiting.length > 0 && refused === null; ) {
      if (signal.aborted || (await isOutdated(ctx))) return 'later';
      const began = performance.now();
      const count = await loadLot(write, task, loaded, waiting, size).catch((error: unknown) => {
        if (!(error instanceof BrokenAddons)) throw error;
        refused = error;
        return 0;
      });
      if (count === size && !alone) size = resized(size, performance.now() - began);
      loaded += count;
      waiting = waiting.slice(count);
    }
  }
  if (refused !== null) throw refused;
  return write((writing) => finish(writing, task));
}

/**
 * Loads the demo records that a switch left for afterwards in the transaction of the context, for a rehearsal.
 *
 * @returns how many were missing
 * @throws BrokenAddons if some are refused
 */
export async function rehearseDemo(ctx: Ctx): Promise<AddedRecords> {
  const added = new Map<string, number>();
  const { database } = ctx.get(databaseSession);
  const signal = new AbortController().signal;
  const write: TaskWork['write'] = (work) => ctx.savepoint(() => work(ctx));
  for (const task of await readTasks(database, transactionOf(ctx)))
    if (task.input.kind === 'demo')
      await runDemo({ ctx, write, signal, alone: true }, task, (records) => {
        for (const { set } of records) {
          const key = `${task.addon}|${set.model}`;
          added.set(key, (added.get(key) ?? 0) + 1);
        }
      });
  return added;
}

async function keysOf(ctx: Ctx, addon: string): Promise<ReadonlySet<unknown>> {
  const there = await externalIdsFrom(ctx.get(databaseSession).connection, `${addon}/demo`);
  return new Set(there.map(({ name }) => name));
}

interface DemoRecord {
  readonly set: ShippedSet;
  readonly key: string;
  readonly values: object;
}

async function recordsOf(
  ctx: Ctx,
  { name, folder }: Addon,
  file: string,
  sets: readonly ShippedSet[],
): Promise<DemoRecord[]> {
  const all: DemoRecord[] = [];
  for (const each of sets) {
    const { records, ...set } = await writtenSet(ctx, name, { ...each, file }, folder);
    all.push(...Object.entries(records).map(([key, values]) => ({ set: { ...set, records }, key, values })));
  }
  return all;
}

/** Loads a lot and answers how many records it was: as many as asked for, or all that wait when they name each other. */
async function loadLot(
  write: TaskWork['write'],
  task: Task,
  loaded: number,
  waiting: readonly DemoRecord[],
  size: number,
): Promise<number> {
  const load = (lot: readonly DemoRecord[]): Promise<number> =>
    write(async (ctx) => {
      await loadData(ctx, task.addon, asSets(lot), { mode: 'install', kind: 'demo' });
      await moveTask(ctx.get(databaseSession).database, transactionOf(ctx), task.id, loaded + lot.length);
      return lot.length;
    });
  try {
    return await load(waiting.slice(0, size));
  } catch (error) {
    if (!(error instanceof BrokenAddons) || size >= waiting.length) throw error;
    return load(waiting);
  }
}

function asSets(records: readonly DemoRecord[]): ShippedSet[] {
  return records.map(({ set, key, values }) => ({ ...set, records: { [key]: values } }));
}

/** Takes a task off the list; with the last one that works out kept values, they may be read as they are from the next generation on. */
async function finish(ctx: Ctx, task: Task): Promise<'done' | 'later'> {
  const { database } = ctx.get(databaseSession);
  const transaction = transactionOf(ctx);
  if (task.input.kind === 'recompute') {
    // A switch that is under way has its number already; ours would take it away.
    if (await leaseHolder(database, SWITCH_LEASE)) return 'later';
    await dropPending(database, transaction, task);
  }
  await removeTasks(database, transaction, { id: task.id });
  return 'done';
}

async function dropPending(database: Database, transaction: Transaction, task: Task): Promise<void> {
  const latest = await latestGeneration(database, transaction);
  if (!latest) return;
  const others = (await readTasks(database, transaction)).filter(({ id }) => id !== task.id);
  const left = others.flatMap(({ input }) =>
    input.kind === 'recompute' ? input.fields.map((field) => `${input.model}.${field}`) : [],
  );
  const pendingFields = latest.pendingFields.filter((field) => left.includes(field));
  if (pendingFields.length === latest.pendingFields.length) return;
  const record = { ...latest, number: latest.number + 1, pendingFields };
  await addGeneration(database, transaction, record, 'computed values are kept again');
}

function resized(size: number, took: number): number {
  const wanted = Math.round(size * Math.min(2, batchMs / Math.max(took, 0.5)));
  return Math.max(smallest, Math.min(largest, wanted));
}
