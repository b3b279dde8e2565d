import { leaseHolder, nodesBehind, SWITCH_LEASE } from '@pergola/cluster';
import type { Addon } from '@pergola/core';
import { BrokenAddons, type Ctx, contextTools, type Problem } from '@pergola/core';
import { type Database, databaseSession, transactionOf } from '@pergola/db';
import type { JobRun } from '@pergola/jobs';
import {
  externalIdsFrom,
  type Id,
  loadData,
  modelRegistry,
  nextIds,
  pendingFieldsOf,
  recompute,
  type ShippedSet,
  withPendingFields,
  writtenSet,
} from '@pergola/orm';
import { sealSettings } from '@pergola/settings';
import { readDataFiles } from './addon-files.ts';
import { fillDefaults, refold, refreshSearchText, sealRows } from './backfill.ts';
import { addGeneration, latestGeneration } from './generation-store.ts';
import { writeModule } from './module-store.ts';
import type { AddedRecords } from './record-items.ts';
import { moveTask, readTasks, removeTasks, type Task, type TaskInput } from './tasks.ts';

/** The part of a job run used for tasks. */
export type TaskWork = Pick<JobRun<unknown>, 'ctx' | 'write' | 'signal'> & {
  /** No other requests are being served, so batches are large. */
  readonly isExclusive?: boolean;
};

/** Target duration of a batch on the write connection, in ms; the size of the next one is adjusted accordingly. */
const batchMs = 15;
const [smallest, largest] = [1, 500];

/**
 * Runs pending tasks of switches in order. Returns `later` if a task has to wait until another generation is served here; then it has to be
 * called again from there. A failing task is kept while the others continue; its error is thrown at the end.
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
        'Work after a switch of addons failed; it will be retried',
      );
      failures.push(error);
      if (error instanceof BrokenAddons) await work.write((ctx) => noteProblems(ctx, task, error.problems));
    }
  }
  if (failures.length > 0) {
    await work.write((ctx) => dropPending(ctx));
    throw failures[0];
  }
  return result;
}

/** Reports problems of an addon's follow-up records on the Apps screen. */
function noteProblems(ctx: Ctx, { addon }: Task, problems: readonly Problem[]): Promise<void> {
  return writeModule(ctx.get(databaseSession).database, transactionOf(ctx), addon, { lastError: problems });
}

/** Whether a newer generation exists: a switch waiting for all nodes must not wait for this run. */
async function isOutdated(ctx: Ctx): Promise<boolean> {
  const { database } = ctx.get(databaseSession);
  const { generation } = ctx.get(contextTools);
  const latest = await latestGeneration(database);
  return latest !== null && latest.number > generation.number;
}

/** Nodes on an older generation could still write rows that the task would miss. */
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
  // The model's addon has been disabled meanwhile: its rows are updated when it is enabled again.
  if (!work.ctx.get(modelRegistry).get(input.model)) {
    return work.write((ctx) => finish(ctx, task));
  }
  return runRows(work, task, input);
}

type RowInput = Exclude<TaskInput, { kind: 'index' | 'demo' | 'seal-settings' }>;

/** Processes all rows of a model by id. The position is read in each batch's transaction, so that concurrent runs never repeat work. */
async function runRows(
  { ctx, write, signal, isExclusive }: TaskWork,
  task: Task,
  input: RowInput,
): Promise<'done' | 'later'> {
  for (let size = isExclusive ? largest : 50; ; ) {
    if (signal.aborted || (await isOutdated(ctx))) return 'later';
    const startedAt = performance.now();
    const result = await write((writing) => nextRows(writing, task, input, size));
    if (result !== 'more') return result;
    if (!isExclusive) size = resized(size, performance.now() - startedAt);
  }
}

async function nextRows(ctx: Ctx, task: Task, input: RowInput, size: number): Promise<'more' | 'done' | 'later'> {
  const { database, connection } = ctx.get(databaseSession);
  const [now] = await readTasks(database, connection, task.id);
  if (!now) return 'done';
  const lastId = typeof now.position === 'number' ? now.position : input.kind === 'defaults' ? input.above : 0;
  const ids = await nextIds(ctx, input.model, lastId, size);
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
 * Loads missing demo records, a few at a time; the position is the number loaded. Records of a batch can only reference existing ones: if
 * they reference later ones, the rest of the file is loaded at once, and if that isn't enough, together with the following files.
 */
async function runDemo(
  { ctx, write, signal, isExclusive }: TaskWork,
  task: Task,
  onMissing: (records: readonly DemoRecord[]) => void = () => {},
): Promise<'done' | 'later'> {
  const addon = ctx.get(contextTools).generation.addons.find(({ name }) => name === task.addon);
  const problems: Problem[] = [];
  if (!addon) return write((writing) => finish(writing, task));
  const files = await readDataFiles(addon, 'demo', problems);
  if (problems.length > 0) throw new BrokenAddons(problems);
  let [loaded, size] = [typeof task.position === 'number' ? task.position : 0, isExclusive ? largest : 5];
  // Existing records, from an interrupted run or an earlier version, are left unchanged: people work with them.
  const existingKeys = await keysOf(ctx, task.addon);
  let waiting: DemoRecord[] = [];
  let rejection: unknown = null;
  for (const { file, sets } of files) {
    // Prepares images and calculates dates here, outside a transaction.
    const records = await recordsOf(ctx, addon, file, sets).catch((error: unknown) => {
      // Later files can't find records that were rejected, so the rejection is the actual error.
      throw rejection ?? error;
    });
    const missing = records.filter(({ key }) => !existingKeys.has(key));
    onMissing(missing);
    waiting.push(...missing);
    for (rejection = null; waiting.length > 0 && rejection === null; ) {
      if (signal.aborted || (await isOutdated(ctx))) return 'later';
      const startedAt = performance.now();
      const count = await loadLot(write, task, loaded, waiting, size).catch((error: unknown) => {
        if (!(error instanceof BrokenAddons)) throw error;
        rejection = error;
        return 0;
      });
      if (count === size && !isExclusive) size = resized(size, performance.now() - startedAt);
      loaded += count;
      waiting = waiting.slice(count);
    }
  }
  if (rejection !== null) throw rejection;
  return write((writing) => finish(writing, task));
}

/**
 * Loads a switch's pending demo records in the context's transaction, for a rehearsal.
 *
 * @returns how many were missing
 * @throws BrokenAddons if some are rejected
 */
export async function rehearseDemo(ctx: Ctx): Promise<AddedRecords> {
  const added = new Map<string, number>();
  const { database } = ctx.get(databaseSession);
  const signal = new AbortController().signal;
  const write: TaskWork['write'] = (work) => ctx.savepoint(() => work(ctx));
  for (const task of await readTasks(database, transactionOf(ctx)))
    if (task.input.kind === 'demo')
      await runDemo({ ctx, write, signal, isExclusive: true }, task, (records) => {
        for (const { set } of records) {
          const key = `${task.addon}|${set.model}`;
          added.set(key, (added.get(key) ?? 0) + 1);
        }
      });
  return added;
}

async function keysOf(ctx: Ctx, addon: string): Promise<ReadonlySet<unknown>> {
  const externalIds = await externalIdsFrom(ctx.get(databaseSession).connection, `${addon}/demo`);
  return new Set(externalIds.map(({ name }) => name));
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
  for (const shippedSet of sets) {
    const { records, ...set } = await writtenSet(ctx, name, { ...shippedSet, file }, folder);
    all.push(...Object.entries(records).map(([key, values]) => ({ set: { ...set, records }, key, values })));
  }
  return all;
}

/** Loads a batch and returns its size: `size` records, or all waiting ones if they reference each other. */
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

/**
 * Removes a task from the list. After the last one that recalculates stored values, they can be read directly from the next generation on.
 */
async function finish(ctx: Ctx, task: Task): Promise<'done' | 'later'> {
  const { database } = ctx.get(databaseSession);
  const transaction = transactionOf(ctx);
  const isLastOfKind =
    task.input.kind === 'recompute' &&
    (await readTasks(database, transaction)).every(({ id, input }) => id === task.id || input.kind !== 'recompute');
  // A running switch has already reserved its generation number, which this one would take.
  if (isLastOfKind && (await leaseHolder(database, SWITCH_LEASE))) return 'later';
  await removeTasks(database, transaction, { id: task.id });
  if (isLastOfKind) await dropPending(ctx);
  return 'done';
}

/** Creates a generation in which recalculated values are read directly. Each one makes all nodes build, so this is done once for all fields. */
async function dropPending(ctx: Ctx): Promise<void> {
  const { database } = ctx.get(databaseSession);
  const transaction = transactionOf(ctx);
  const latest = await latestGeneration(database, transaction);
  if (!latest || (await leaseHolder(database, SWITCH_LEASE))) return;
  const remainingFields = (await readTasks(database, transaction)).flatMap(({ input }) =>
    input.kind === 'recompute' ? input.fields.map((field) => `${input.model}.${field}`) : [],
  );
  const pendingFields = pendingFieldsOf(latest).filter((field) => remainingFields.includes(field));
  if (pendingFields.length === pendingFieldsOf(latest).length) return;
  const record = withPendingFields({ ...latest, number: latest.number + 1 }, pendingFields);
  await addGeneration(database, transaction, record, 'computed values are kept again');
}

function resized(size: number, durationMs: number): number {
  const targetSize = Math.round(size * Math.min(2, batchMs / Math.max(durationMs, 0.5)));
  return Math.max(smallest, Math.min(largest, targetSize));
}
