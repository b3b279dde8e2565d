import { parentPort, workerData } from 'node:worker_threads';
import { compileStyle, type StyleOrder } from './compile-style.ts';

parentPort?.postMessage(compileStyle(workerData as StyleOrder));
