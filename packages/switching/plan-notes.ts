import type { Plan, PlanItem } from '@pergola/core';
import type { InstallHost } from './host.ts';
import { planNotes } from './points.ts';

/** Notes of enabled addons on a plan. A failing addon is logged and skipped. */
export async function notesOn(host: InstallHost, plan: Plan): Promise<PlanItem[]> {
  const { holder, database, log } = host;
  if (!holder.ready) return [];
  const stay = holder.acquire();
  const context = host.context(stay.generation, database.reader);
  try {
    const notes: PlanItem[] = [];
    for (const { addon, value: noteOn } of stay.generation.get(planNotes)) {
      try {
        const sentences = await noteOn(context.ctx, plan);
        notes.push(
          ...sentences.map(
            (note): PlanItem => ({ topic: 'note', addon: addon.name, sentence: note, data: note.params }),
          ),
        );
      } catch (error) {
        log.error({ err: error, addon: addon.name }, 'An addon could not describe the consequences of a switch');
      }
    }
    return notes;
  } finally {
    await context.dispose();
    stay.release();
  }
}
