import { type JobDefinition, job } from '@pergola/jobs';
import { z } from 'zod';
import { runTasks } from './task-runner.ts';

/**
 * Runs the follow-up work of switches in small batches (see `TaskInput`). Queued by each switch, and by its schedule too, so that work left
 * by a crashed node is resumed.
 */
export const addonTasks: JobDefinition<Record<string, never>> = job('core.addon_tasks', {
  input: z.object({}),
  cron: '*/5 * * * *',
  run: async (work) => {
    if ((await runTasks(work)) === 'done') return;
    // Continues on the new generation: this run ends so that the switch doesn't have to wait for it.
    const retryAt = new Date(Date.now() + 500);
    await work.write((ctx) => ctx.jobs.enqueue(addonTasks, {}, { key: ADDON_TASKS_KEY, at: retryAt }));
  },
});

/** Key that limits the job to one waiting run, however many switches queue it. */
export const ADDON_TASKS_KEY = 'core.addon_tasks';
