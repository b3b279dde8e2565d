import { type Ctx, contributionPoint, type Ids, type ModelRef, z } from 'pergola';
import { callable, declaredAt, declaredHere, didYouMean, shaped, text } from 'pergola/kernel';
import { models } from 'pergola/orm';

/** Values about to be written, in the format of calls. */
export interface AskedWrite {
  readonly model: string;
  /** Records that the user may read; empty for a new record. */
  readonly ids: Ids;
  /** Values to write; empty if they are already written, as in an import. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** A question to the user, in their language. */
export interface AskedQuestion {
  readonly text: string;
  /** Label of the confirming button. */
  readonly yes: string;
}

/** A confirmation required before certain fields of a model are changed. */
export interface QuestionDefinition {
  readonly model: string;
  readonly fields: readonly string[];
  readonly ask: (ctx: Ctx, write: AskedWrite) => Promise<AskedQuestion | null>;
}

/**
 * Declares a question that forms, lists, imports and the publish toggle of the website ask before writing values. Programs aren't asked;
 * changes that must never happen are refused by the model.
 *
 * ```ts
 * questions: [
 *   question(Product, {
 *     fields: ['website_published'],
 *     ask: async (ctx, { ids }) => ({ text: t(ctx, '…'), yes: t(ctx, 'Publish') }),
 *   }),
 * ]
 * ```
 *
 * @param definition `fields`: fields whose change triggers the question. `ask` returns null if no confirmation is needed
 */
export function question<I>(
  model: ModelRef<I>,
  definition: { readonly fields: readonly string[]; readonly ask: QuestionDefinition['ask'] },
): QuestionDefinition {
  return Object.freeze(declaredHere({ model: model.modelName, ...definition }, question));
}

declare module 'pergola/contributions' {
  interface Contributions {
    /** Questions to confirm before certain fields are written: `question(…)`. */
    questions: readonly QuestionDefinition[];
  }
}

/** Questions to ask before fields are written. */
export const questions = contributionPoint('questions', {
  shape: z.array(shaped('a question', '`question(…)`', { model: text, fields: z.array(text).min(1), ask: callable })),
  needs: { models },
  build({ contributions, needs, report }) {
    for (const { addon, value } of contributions) {
      for (const definition of value) {
        const { model, fields } = definition;
        const compiled = needs.models.get(model);
        if (!compiled) {
          const remedy = didYouMean(model, needs.models.models.keys()) || undefined;
          const message = `a question is about "${model}", which does not exist.`;
          report({ addon: addon.name, ...declaredAt(definition, addon, []), message, remedy });
          continue;
        }
        for (const field of fields.filter((name) => !compiled.fields.has(name))) {
          const remedy = didYouMean(field, compiled.fields.keys()) || undefined;
          report({
            addon: addon.name,
            ...declaredAt(definition, addon, [field]),
            message: `a question is about "${model}.${field}", which does not exist.`,
            remedy,
          });
        }
      }
    }
    return contributions.flatMap(({ value }) => value);
  },
});

/** Returns the links that a many2many field has once the commands of a call are applied. Commands that create records are ignored. */
export function linksAfter(links: Ids, commands: unknown): Ids {
  let current = new Set(links);
  for (const command of Array.isArray(commands) ? commands : []) {
    const [code, id, ids] = Array.isArray(command) ? (command as [number, number, number[]?]) : [4, Number(command)];
    if (code === 5) current.clear();
    else if (code === 6) current = new Set(ids);
    else if (code === 4) current.add(id);
    else if (code === 2 || code === 3) current.delete(id);
  }
  return [...current];
}

/**
 * Returns the questions about a write, in the user's language.
 *
 * @param changed written fields; by default the fields of `values`. Imports write first, then ask with these fields and without values, and
 * roll back unless the user confirms
 */
export async function questionsAbout(
  ctx: Ctx,
  write: AskedWrite,
  changed: readonly string[] = Object.keys(write.values),
): Promise<AskedQuestion[]> {
  const answers: AskedQuestion[] = [];
  for (const { model, fields, ask } of ctx.get(questions)) {
    if (model !== write.model || !fields.some((field) => changed.includes(field))) continue;
    const answer = await ask(ctx, write);
    if (answer) answers.push(answer);
  }
  return answers;
}
