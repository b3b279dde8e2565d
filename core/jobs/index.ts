// What other parts may import; README.md says what the part is for.

export { moveBack } from './clock-jump.ts';
export { type JobDefinition, type JobQueue, type JobRun, job, queuedMail } from './define.ts';
export { jobs } from './point.ts';
export { createJobQueue } from './queue.ts';
export { tables } from './tables.ts';
export { type JobLease, JobWorker } from './worker.ts';
