import { inOrder, type Problem } from '@pergola/core';
import type { CompiledField, CompiledModel } from '../compiled.ts';
import { isText } from '../fields.ts';
import type { ComputeNode, Trigger } from './graph.ts';

type Models = ReadonlyMap<string, CompiledModel>;
interface NodeDraft {
  readonly node: ComputeNode & { rank: number; recursive: boolean };
  /** Nodes that it depends on, on the same or other records. */
  readonly follows: Set<NodeDraft>;
}

/** Follows the dependency paths of all computed fields, and records a trigger at every field on the way. */
export class GraphBuilder {
  readonly problems: Problem[] = [];
  readonly triggers = new Map<string, Trigger[]>();
  readonly #models: Models;
  readonly #drafts = new Map<string, NodeDraft>();
  readonly #owners = new Map<string, NodeDraft>();

  constructor(models: Models) {
    this.#models = models;
  }

  build(): NodeDraft[] {
    for (const model of this.#models.values()) this.#collect(model);
    for (const draft of this.#drafts.values()) {
      for (const field of draft.node.fields) {
        for (const path of field.depends) this.#follow(draft, field, path);
      }
    }
    return [...this.#drafts.values()];
  }

  /** Adds the nodes of one model. */
  #collect(model: CompiledModel): void {
    const byMethod = Map.groupBy(
      [...model.fields.values()].filter(({ compute }) => compute !== null),
      ({ compute }) => compute ?? '',
    );
    for (const [method, all] of byMethod) {
      this.#checkStored(all);
      const fields = all.filter(({ column }) => column !== null);
      if (fields.length === 0) continue;
      const key = `${model.name}:${method}`;
      const draft: NodeDraft = {
        node: {
          key,
          model: model.name,
          method,
          fields,
          shared: all.length > 1,
          rank: 0,
          recursive: false,
          neverRefused: fields.every((field) => isNeverRefused(model, field)),
        },
        follows: new Set(),
      };
      this.#drafts.set(key, draft);
      for (const { name } of fields) this.#owners.set(`${model.name}.${name}`, draft);
    }
  }

  #checkStored(fields: readonly CompiledField[]): void {
    for (const field of fields) {
      const isToMany = field.relation !== null && field.relation.kind !== 'many2one';
      if (field.options.store && isToMany) {
        this.#report(field, 'is computed and holds several records, which cannot be kept.', 'Leave “store” out.');
      }
      if (field.options.store && field.translated) {
        this.#report(
          field,
          'is computed, kept and translated; a kept value is the same in all languages.',
          'Leave “store” or “translate” out.',
        );
      }
    }
  }

  #follow(draft: NodeDraft, field: CompiledField, path: string): void {
    this.#walk({ draft, field, path, route: [], model: field.model, segments: path.split('.'), unstored: [] });
  }

  #walk(walk: Walk): void {
    const { model, segments, route } = walk;
    const [name = '', ...rest] = segments;
    const field = this.#models.get(model)?.fields.get(name);
    // Broken paths are reported by the registry's own checks.
    if (!field) return;
    if (field.related || name === 'display_name' || (field.compute && field.column === null)) {
      this.#walkThrough(walk, field, rest);
      return;
    }
    if (field.base) {
      if (name.startsWith('write_')) {
        this.#report(
          walk.field,
          `follows “${walk.path}”, and “${name}” changes with every write.`,
          'Follow the fields that matter.',
        );
      }
      return;
    }
    this.#addTriggers(walk, field);
    const { relation } = field;
    if (relation && rest.length > 0) {
      this.#walk({ ...walk, model: relation.to, route: [...route, field], segments: rest });
    }
  }

  /** A value that isn't stored changes when its dependencies do. */
  #walkThrough(walk: Walk, field: CompiledField, remaining: readonly string[]): void {
    const { model, unstored } = walk;
    const key = `${model}.${field.name}`;
    if (unstored.includes(key)) {
      this.#report(walk.field, `goes in a circle: ${[...unstored, key].join(' → ')}.`, 'Leave one of them out.');
      return;
    }
    const next = { ...walk, unstored: [...unstored, key] };
    if (field.related) {
      this.#walk({ ...next, segments: [...field.related, ...remaining] });
      return;
    }
    if (remaining.length > 0) {
      this.#report(
        walk.field,
        `follows “${walk.path}” through “${key}”, which is worked out on reading and cannot be followed backwards.`,
        'Store that field, or follow what it is made of.',
      );
      return;
    }
    const nameField = this.#models.get(model)?.nameField;
    const paths = field.name === 'display_name' ? (nameField ? [nameField.name] : []) : field.depends;
    if (paths.length === 0 && field.name !== 'display_name') {
      this.#report(
        walk.field,
        `follows “${key}”, which does not say what it depends on.`,
        'Give that field “depends”.',
      );
    }
    for (const path of paths) this.#walk({ ...next, segments: path.split('.') });
  }

  #addTriggers(walk: Walk, field: CompiledField): void {
    const { model, route } = walk;
    const { relation } = field;
    if (relation?.kind !== 'one2many') this.#addTrigger(walk, `${model}.${field.name}`, route);
    if (relation?.kind === 'one2many') {
      const lineRoute = [...route, field];
      this.#addTrigger(walk, `${relation.to}.${relation.inverse}`, lineRoute);
      // Lines that become inactive leave the list.
      if (this.#models.get(relation.to)?.activeField) this.#addTrigger(walk, `${relation.to}.active`, lineRoute);
    }
    // Links are deleted with the record at their other end.
    if (relation?.kind === 'many2many') this.#addTrigger(walk, `${relation.to}.id`, [...route, field]);
  }

  #addTrigger({ draft, field, path }: Walk, key: string, route: readonly CompiledField[]): void {
    const { node } = draft;
    this.triggers.set(key, distinct([...(this.triggers.get(key) ?? []), { node, route }]));
    const followed = this.#owners.get(key);
    if (!followed) return;
    if (followed !== draft) {
      draft.follows.add(followed);
    } else if (route.length === 0) {
      this.#report(field, `follows “${path}”, which the same method works out.`, 'Leave it out of “depends”.');
    } else {
      node.recursive = true;
    }
  }

  #report(field: CompiledField, fault: string, remedy: string): void {
    const message = `“${field.model}.${field.name}” ${fault}`;
    if (this.problems.some((problem) => problem.message === message)) return;
    this.problems.push({ addon: field.addon, message, remedy });
  }
}

interface Walk {
  readonly draft: NodeDraft;
  /** Field whose path is followed, for problems. */
  readonly field: CompiledField;
  readonly path: string;
  readonly route: readonly CompiledField[];
  readonly model: string;
  readonly segments: readonly string[];
  /** Unstored fields on the way. */
  readonly unstored: readonly string[];
}

/** Sorts nodes so that each comes after its dependencies, and sets their rank accordingly; reports circles. */
export function sortDrafts(drafts: readonly NodeDraft[], problems: Problem[]): NodeDraft[] {
  const sorted = inOrder(
    drafts,
    ({ follows }) => follows,
    (members) => problems.push(circle(members)),
  );
  for (const [rank, { node }] of sorted.entries()) node.rank = rank;
  return sorted;
}

function circle(drafts: readonly NodeDraft[]): Problem {
  const names = drafts.map(({ node }) => `${node.model}.${node.fields.map(({ name }) => name).join('+')}`);
  return {
    addon: drafts[0]?.node.fields[0]?.addon ?? '',
    message: `Computed fields follow each other in a circle: ${names.join(' → ')}.`,
    remedy: 'Leave one of these paths out of “depends”.',
  };
}

/** Removes duplicate triggers. */
export function distinct(triggers: readonly Trigger[]): Trigger[] {
  const seen = new Map<string, Trigger>();
  for (const trigger of triggers) {
    const route = trigger.route.map(({ model, name }) => `${model}.${name}`).join('/');
    seen.set(`${trigger.node.key} ${route}`, trigger);
  }
  return [...seen.values()];
}

/** Whether the database accepts any value: the column has no reference, may be empty, and is in no unique index. */
function isNeverRefused(model: CompiledModel, field: CompiledField): boolean {
  const { column, type, relation, options, foldColumn, declared } = field;
  if (column === null || relation || type === 'boolean') return false;
  if (model.unique.some(({ columns, where }) => columns.includes(column) || where?.includes(column))) return false;
  // Indexes limit the length of texts.
  const isIndexed =
    options.index || foldColumn !== null || model.indexes.some(({ columns }) => columns.includes(column));
  return !(isText(declared) && isIndexed);
}
