import { didYouMean } from '@pergola/core';
import Handlebars from 'handlebars';
import { needsOf } from './needs.ts';
import type { Fault, TemplateSources } from './sources.ts';

/** Checks each `{{> partial name=value}}`: what it gives is asked for there, as with `render`. */
export function checkArguments(sources: TemplateSources): Fault[] {
  return [...sources.plans.keys()].flatMap((template) => {
    const calls = new PartialCalls();
    const program = sources.program(template);
    if (program) calls.accept(program);
    return calls.found.flatMap((call) => {
      const path = String('original' in call.name ? call.name.original : '');
      const written = { template, line: call.loc.start.line, path };
      return faultsOf(sources, path, call).map((message) => ({ ...sources.origin(written), message }));
    });
  });
}

/** A partial that takes no body and is called with arguments sees these alone. */
class PartialCalls extends Handlebars.Visitor {
  readonly found: hbs.AST.PartialStatement[] = [];

  override PartialStatement(node: hbs.AST.PartialStatement): void {
    if (node.hash && node.params.length === 0) this.found.push(node);
    super.PartialStatement(node);
  }
}

function faultsOf(sources: TemplateSources, partial: string, { hash }: hbs.AST.PartialStatement): string[] {
  if (!sources.plans.has(partial)) return [];
  const { names, isOpen } = needsOf(sources, partial);
  const strange = hash.pairs.filter(({ key }) => !isOpen && !names.has(key));
  return strange.map(({ key }) => `{{> ${partial}}} asks for no “${key}”. ${didYouMean(key, names.keys())}`.trim());
}
