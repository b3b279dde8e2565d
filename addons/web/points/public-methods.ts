import { contributionPoint, type ModelRef, z } from 'pergola';
import { declaredAt, declaredHere, didYouMean, shaped, text } from 'pergola/kernel';
import { methodNames, models, type Operation } from 'pergola/orm';

/** A method that may be called from outside (`call_kw`, form buttons). All others are refused. */
export interface PublicMethod {
  readonly model: string;
  readonly method: string;
  readonly writes: boolean;
  /**
   * Operation on the model that the caller's access lists must allow, checked before the method runs. Record-level access is up to the
   * method and the record rules. Methods open to everyone give the reason instead.
   */
  readonly right: Operation | { readonly none: string };
  /** Whether ids are the first argument, as in Odoo's calls; `false` for methods of the model as a whole. */
  readonly onRecords: boolean;
  /** Schema of the arguments after the ids, or null without arguments. */
  readonly args: z.ZodType | null;
  /** Whether it sends email, directly or by a job. Buttons then warn if there is no mail server and the email will be held. */
  readonly mails: boolean;
}
/**
 * Exposes a model's method to form buttons and external calls. Callers need the given right.
 *
 * ```ts
 * publicMethods: [publicMethod(Loan, 'bring_back', { right: 'write', writes: true })]
 * ```
 *
 * @param options `args`: arguments after the ids, as a tuple by position or an object by name; none if omitted
 */
export function publicMethod<I>(
  model: ModelRef<I>,
  method: keyof I & string,
  options: { writes: boolean; right: PublicMethod['right']; onRecords?: boolean; mails?: boolean; args?: z.ZodType },
): PublicMethod {
  const { writes, right, onRecords = true, mails = false, args = null } = options;
  const definition = { model: model.modelName, method, writes, right, onRecords, mails, args };
  return Object.freeze(declaredHere(definition, publicMethod));
}

declare module 'pergola/contributions' {
  interface Contributions {
    /** Methods that may be called from outside. All others are refused. */
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
      for (const definition of value) {
        const { model, method } = definition;
        const subject = `public method "${model}.${method}"`;
        const place = () => ({ addon: addon.name, ...declaredAt(definition, addon, [method]) });
        const compiled = needs.models.get(model);
        if (!compiled) {
          const remedy = didYouMean(model, needs.models.models.keys()) || undefined;
          report({ ...place(), message: `${subject} is of a model that is not there.`, remedy });
        } else if (typeof Reflect.get(compiled.Class.prototype, method) !== 'function') {
          const remedy = didYouMean(method, methodNames(compiled.Class.prototype)) || undefined;
          report({ ...place(), message: `${subject} is not there: the model has no such method.`, remedy });
        }
      }
    }
    return contributions.flatMap(({ value }) => value);
  },
});
