import { type Id, InvalidInput, route, z } from 'pergola';
import { nameChanges } from 'pergola/kernel';
import { questionsAbout } from '../points/questions.ts';
import { undoOwnChange } from '../services/admin/changes.ts';
import { conflictsOf } from '../services/backend/conflicts.ts';
import { dependantsOf } from '../services/backend/dependants.ts';
import { recordCounts } from '../services/backend/record-counts.ts';
import { callModel, prepareModelCall } from '../services/rpc/call.ts';

/** Records may contain images and files. */
const limit = { bytes: 12 * 1024 * 1024 };
const model = z.string().min(1).max(64);
const id = z.number().int().positive();
const values = z.record(z.string(), z.unknown());
const context = z.object({ lang: z.string().max(10).optional() }).optional();
/** Chosen by the client, to undo the change at once. */
const changeKey = z.string().max(64).optional();

/**
 * Saves a form. `seen` contains the loaded values of the changed fields. If another user has changed one of them since, saves nothing and
 * returns both values: `{ saved: false, conflicts }`.
 */
const save = route.rpc(
  '/web/backend/save',
  {
    name: 'web.backend_save',
    auth: 'user',
    limit,
    writes: true,
    input: z.object({ model, id, values, seen: values, context, changeKey }),
    prepare: ({ ctx, input }) =>
      prepareModelCall(ctx, {
        model: input.model,
        method: 'write',
        args: [[input.id], input.values],
        kwargs: input.context ? { context: input.context } : {},
      }),
  },
  async ({ ctx, input, prepared }) => {
    const conflicts = await conflictsOf(ctx, input);
    if (conflicts) return { saved: false, conflicts };
    nameChanges(ctx, { clientKey: input.changeKey });
    await callModel(ctx, prepared);
    return { saved: true, conflicts: null };
  },
);

/** Undoes what the user just did; nothing if any of it changed since. */
export const undoJust = route.rpc(
  '/web/backend/undo',
  { name: 'web.backend_undo', auth: 'user', writes: true, input: z.object({ changeKey: z.string().min(1).max(64) }) },
  ({ ctx, input }) => undoOwnChange(ctx, input.changeKey),
);

/** Returns the records that depend on records to be deleted, as far as the user may see them. */
const dependants = route.rpc(
  '/web/backend/dependants',
  { name: 'web.backend_dependants', auth: 'user', input: z.object({ model, ids: z.array(id).min(1).max(10_000) }) },
  async ({ ctx, input }) => {
    const readable = await callModel(ctx, { model: input.model, method: 'exists', args: [input.ids], kwargs: {} });
    if (!Array.isArray(readable) || readable.length === 0)
      throw new InvalidInput('These records no longer exist.', { code: 'web.records_gone' });
    return dependantsOf(ctx, input.model, readable);
  },
);

/** Returns the counts of related records that views declare. */
const counts = route.rpc(
  '/web/backend/counts',
  { name: 'web.backend_counts', auth: 'user', input: z.object({ model, id }) },
  ({ ctx, input }) => recordCounts(ctx, input.model, input.id),
);

/** Returns the questions to confirm before values are written to records, or before a record is created if there are no ids. */
export const writeQuestions = route.rpc(
  '/web/backend/questions',
  { name: 'web.backend_questions', auth: 'user', input: z.object({ model, ids: z.array(id).max(10_000), values }) },
  async ({ ctx, input }) => {
    const readable =
      input.ids.length === 0
        ? []
        : await callModel(ctx, { model: input.model, method: 'exists', args: [input.ids], kwargs: {} });
    return questionsAbout(ctx, { ...input, ids: readable as Id[] });
  },
);

export const recordRpcRoutes = [save, undoJust, dependants, counts, writeQuestions] as const;
