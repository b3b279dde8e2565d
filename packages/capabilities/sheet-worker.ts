import { parentPort, workerData } from 'node:worker_threads';
import { readSheet } from './sheet.ts';
import type { SheetTask } from './sheet-thread.ts';

const { folder, roots } = workerData as SheetTask;
parentPort?.postMessage(readSheet(folder, roots));
