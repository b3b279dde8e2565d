import type { Problem } from '@pergola/core';
import type { CompiledField, CompiledModel } from '../compiled.ts';
import { distinct, GraphBuilder, sortDrafts } from './graph-builder.ts';

/** Stored computed fields that one method calculates together. */
export interface ComputeNode {
  /** `sale.order:computeTotals` */
  readonly key: string;
  readonly model: string;
  readonly method: string;
  readonly fields: readonly CompiledField[];
  /** Several fields name the method: it returns an object with a value for each. */
  readonly shared: boolean;
  /** Dependencies of a node have a lower rank. */
  readonly rank: number;
  /** Depends on its own value in other records (`parent_id.complete_name`), so it is recalculated until nothing changes. */
  readonly recursive: boolean;
  /** The database accepts any value for its fields. */
  readonly neverRefused: boolean;
}

/** A change of a field that changes the node's computed values. */
export interface Trigger {
  readonly node: ComputeNode;
  /** Relations from the node's model to the changed record; walked backwards to find the affected records. */
  readonly route: readonly CompiledField[];
}

/** Dependencies of computed values on fields, within and across models. */
export interface DependencyGraph {
  /** In order of calculation. */
  readonly nodes: readonly ComputeNode[];
  readonly problems: readonly Problem[];
  /** Returns the triggers of a field. */
  triggers(model: string, field: string): readonly Trigger[];
  /** Returns the triggers of all fields of a model, for deleted records. */
  triggersOf(model: string): readonly Trigger[];
  nodesOf(model: string): readonly ComputeNode[];
  nodeOf(model: string, field: string): ComputeNode | undefined;
  /** Filters many2one fields through which computed values depend on their own value in other records of the model, as in a tree. */
  climbs(model: string, fields: Iterable<string>): readonly CompiledField[];
}

type Models = ReadonlyMap<string, CompiledModel>;
/**
 * Reads the dependencies of computed values from the fields of a registry. Cycles, and paths that can't be followed, are problems.
 *
 * A path is followed one relation at a time. `line_ids.product_id.price` of an order is recalculated when
 *
 *   a line is added, removed or moved   (the line's order_id, on its old and its new order)
 *   a line's product_id changes         (walked back: line → order)
 *   a product's price changes           (walked back: product → lines → orders)
 *
 * Related fields and computed fields that aren't stored are replaced by their own dependencies.
 */
export function dependencyGraph(registry: { readonly models: Models }): DependencyGraph {
  const builder = new GraphBuilder(registry.models);
  const drafts = builder.build();
  const order = sortDrafts(drafts, builder.problems);
  return new Graph(
    order.map(({ node }) => node),
    builder.triggers,
    builder.problems,
  );
}

class Graph implements DependencyGraph {
  readonly nodes: readonly ComputeNode[];
  readonly problems: readonly Problem[];
  readonly #triggers: ReadonlyMap<string, readonly Trigger[]>;
  readonly #byModel = new Map<string, ComputeNode[]>();
  readonly #byField = new Map<string, ComputeNode>();
  readonly #ofModel = new Map<string, Trigger[]>();
  readonly #climbing = new Map<string, CompiledField>();

  constructor(
    nodes: readonly ComputeNode[],
    triggers: ReadonlyMap<string, readonly Trigger[]>,
    problems: readonly Problem[],
  ) {
    this.nodes = nodes;
    this.problems = problems;
    this.#triggers = triggers;
    for (const node of nodes) {
      this.#byModel.set(node.model, [...(this.#byModel.get(node.model) ?? []), node]);
      for (const { name } of node.fields) this.#byField.set(`${node.model}.${name}`, node);
    }
    for (const [key, list] of triggers) {
      const model = key.slice(0, key.lastIndexOf('.'));
      this.#ofModel.set(model, distinct([...(this.#ofModel.get(model) ?? []), ...list]));
      for (const { node, route } of list) {
        const [field] = route;
        const isOwn = node.recursive && node.fields.some(({ name }) => key === `${node.model}.${name}`);
        if (isOwn && route.length === 1 && field?.relation?.kind === 'many2one') {
          this.#climbing.set(`${field.model}.${field.name}`, field);
        }
      }
    }
  }

  triggers(model: string, field: string): readonly Trigger[] {
    return this.#triggers.get(`${model}.${field}`) ?? [];
  }
  triggersOf(model: string): readonly Trigger[] {
    return this.#ofModel.get(model) ?? [];
  }
  nodesOf(model: string): readonly ComputeNode[] {
    return this.#byModel.get(model) ?? [];
  }
  nodeOf(model: string, field: string): ComputeNode | undefined {
    return this.#byField.get(`${model}.${field}`);
  }
  climbs(model: string, fields: Iterable<string>): readonly CompiledField[] {
    const climbing = [...fields].flatMap((name) => this.#climbing.get(`${model}.${name}`) ?? []);
    return [...new Set(climbing)];
  }
}
