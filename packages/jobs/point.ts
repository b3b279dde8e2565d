import { buildInputs, callable, contributionPoint, id, sentence, shaped, shortMemory, text } from '@pergola/core';
import { CronExpressionParser } from 'cron-parser';
import { z } from 'zod';
import type { JobDefinition } from './define.ts';

declare module '@pergola/core/contributions' {
  interface Contributions {
    /** Work outside of requests: `job(…)`. */
    // biome-ignore lint/suspicious/noExplicitAny: jobs of any input
    jobs: readonly JobDefinition<any>[];
  }
}

/** Work outside requests. */
export const jobs = contributionPoint('jobs', {
  shape: z.array(
    shaped('a job', '`job(…)`', { kind: z.literal('job'), name: id, label: text.optional(), run: callable }),
  ),
  names: { what: 'job', of: (list) => list.map(({ name }) => name) },
  needs: { inputs: buildInputs },
  build({ contributions, needs, report }) {
    const memory = needs.inputs.memory ?? shortMemory();
    for (const { addon, value } of contributions) {
      for (const { name, cron } of value) {
        const reason = cron === undefined ? null : memory.recall('timetable', cron, () => timetableFault(cron));
        if (reason === null) continue;
        const message = `the timetable "${cron}" of job "${name}" cannot be read: ${reason}.`;
        report({ addon: addon.name, message, remedy: 'Write five fields: minute, hour, day, month, weekday.' });
      }
    }
    return contributions.flatMap(({ value }): readonly JobDefinition[] => value);
  },
  changes: (_, contributions, comes) =>
    contributions.flatMap(({ addon, value }) =>
      value
        .filter(({ cron }) => cron !== undefined)
        .map(({ name, label = name, cron }) => ({
          topic: 'job',
          addon: addon.name,
          sentence: sentence(
            comes ? 'New scheduled job: {job}' : 'Removed scheduled job: {job}',
            {},
            { job: [{ addon: addon.name, text: label }] },
          ),
          data: { job: name, cron: cron ?? null },
        })),
    ),
});

function timetableFault(cron: string): string | null {
  try {
    if (cron.trim().split(/\s+/).length !== 5) return 'it has not five fields';
    CronExpressionParser.parse(cron, { tz: 'UTC' });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
