import { contributionPoint, type ModelRef, z } from 'pergola';
import { declaredAt, declaredHere, didYouMean, shaped, text } from 'pergola/kernel';
import { methodNames, models, type Operation } from 'pergola/orm';

/** A method that calls from outside (`call_kw`, form buttons) may name; everything else is refused. */
export interface PublicMethod {
  readonly model: string;
  readonly method: string;
  readonly writes: boolean;
  /**
   * What the caller must be allowed to do with the model by its access lists, asked before the method runs; which records is for the method and the
   * record rules to say. A method that is for everybody says why.
   */
  readonly right: Operation | { readonly none: string };
  /** Odoo's calls give ids first; `false` for methods of the model as a whole. */
  readonly onRecords: boolean;
  /** Arguments after the ids, checked before the call; null where there are none. */
  readonly args: z.ZodType | null;
  /** Whether it sends mail, at once or by a job: buttons say beforehand if that will be held for want of a mail server. */
  readonly mails: boolean;
}
/**
 * Lets buttons of forms and calls from outside run a method of a model, after they have been asked for the right that it needs.
 *
 * ```ts
 * publicMethods: [publicMethod(Loan, 'bring_back', { right: 'write', writes: true })]
 * ```
 *
 * @param about `args`: what comes after the ids, by place as a tuple or by name as an object; none when left out
 */
export function publicMethod<I>(
  model: ModelRef<I>,
  method: keyof I & string,
  about: { writes: boolean; right: PublicMethod['right']; onRecords?: boolean; mails?: boolean; args?: z.ZodType },
): PublicMethod {
  const { writes, right, onRecords = true, mails = false, args = null } = about;
  const made = { model: model.modelName, method, writes, right, onRecords, mails, args };
  return Object.freeze(declaredHere(made, publicMethod));
}

declare module 'pergola/contributions' {
  interface Contributions {
    /** Methods that calls from outside may name; everything else is refused. */
    publicMethods: readonly PublicMethod[];
  }
}

export const publicMethods = contributionPoint('publicMethods', {
  shape: z.array(
    shaped('a public method', '`publicMethod(…)`', {
      model: text,
      method: text,
      writes: z.boolean(),
      right: z.union([z.enum(['read', 'write', 'create', 'unlink']), z.strictObject({ none: text })]),
    }),
  ),
  needs: { models },
  build({ contributions, needs, report }) {
    for (const { addon, value } of contributions) {
      for (const made of value) {
        const { model, method } = made;
        const what = `public method "${model}.${method}"`;
        const place = () => ({ addon: addon.name, ...declaredAt(made, addon, [method]) });
        const compiled = needs.models.get(model);
        if (!compiled) {
          const remedy = didYouMean(model, needs.models.models.keys()) || undefined;
          report({ ...place(), message: `${what} is of a model that is not there.`, remedy });
        } else if (typeof Reflect.get(compiled.Class.prototype, method) !== 'function') {
          const remedy = didYouMean(method, methodNames(compiled.Class.prototype)) || undefined;
          report({ ...place(), message: `${what} is not there: the model has no such method.`, remedy });
        }
      }
    }
    return contributions.flatMap(({ value }) => value);
  },
});
