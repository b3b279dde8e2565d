import { type JobDefinition, job } from '@pergola/jobs';
import { z } from 'zod';
import { runTasks } from './task-runner.ts';

/**
 * Does what switches left for afterwards, piece by piece (see `TaskInput`). Queued by each switch; by its timetable too, so that nothing is left
 * when a node died in between.
 */
export const addonTasks: JobDefinition<Record<string, never>> = job('core.addon_tasks', {
  input: z.object({}),
  cron: '*/5 * * * *',
  run: async (work) => {
    if ((await runTasks(work)) === 'done') return;
    // From another generation: this run ends so that nobody waits for it.
    const at = new Date(Date.now() + 500);
    await work.write((ctx) => ctx.jobs.enqueue(addonTasks, {}, { key: ADDON_TASKS_KEY, at }));
  },
});

/** Under this key one run waits, however many switches ask for it. */
export const ADDON_TASKS_KEY = 'core.addon_tasks';
