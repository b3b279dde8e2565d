import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Unavailable } from '@pergola/core';
import type { CapabilitySheet } from './sheet.ts';

/** Input of the worker thread. */
export interface SheetTask {
  readonly folder: string;
  readonly roots: readonly string[];
}

/** Longest time for one sheet, in ms. */
const MAX_MS = 60_000;

/**
 * Like `readSheet`, without blocking the server meanwhile: large addons take seconds.
 *
 * @throws Unavailable if it takes longer than a minute; the errors of `readSheet`
 */
export async function readSheetInThread(folder: string, roots: readonly string[]): Promise<CapabilitySheet> {
  const worker = new Worker(new URL('./sheet-worker.ts', import.meta.url), {
    workerData: { folder, roots } satisfies SheetTask,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  try {
    const [sheet] = await once(worker, 'message', { signal: AbortSignal.timeout(MAX_MS) });
    return sheet;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
    throw new Unavailable('The code of this app is too large to be analysed in a minute.', { code: 'core.sheet_slow' });
  } finally {
    await worker.terminate();
  }
}
