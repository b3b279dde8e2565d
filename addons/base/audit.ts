import type { Ctx } from 'pergola';
import type { TrackedChange } from 'pergola/orm';
import { APP, AuditEntry, type AuditNote, SETTING } from './models/audit.ts';
import { User } from './models/user.ts';

/** Logs changes of tracked fields, settings and apps. */
export async function keepTrail(ctx: Ctx, changes: readonly TrackedChange[]): Promise<void> {
  const logins = new Set(changes.flatMap(({ by: login }) => login ?? []));
  const users = new Map<string, number>();
  // Apps are switched by login name.
  for (const login of logins) users.set(login, (await ctx.sudo().model(User).byLogin(login))?.id ?? 0);
  const entries = changes.map(({ model, id, field, old, new: now, by: login }): AuditNote => {
    const kind = model === SETTING ? 'setting' : model === APP ? 'app' : 'change';
    const user = login === undefined ? undefined : users.get(login) || null;
    return { kind, res_model: model, res_id: id, field, old_value: old ?? null, new_value: now ?? null, user_id: user };
  });
  await ctx.model(AuditEntry).note(entries);
}
