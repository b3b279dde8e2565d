// Public API of the package; see README.md for its purpose.

export { moveBack } from './clock-jump.ts';
export { hasQueuedMail, type JobDefinition, type JobRun, job, queuedMail } from './define.ts';
export { type ClockStamps, jobsPart, jobWorker } from './part.ts';
export { jobs } from './point.ts';
