import { didYouMean } from '@pergola/core';
import Handlebars from 'handlebars';
import { needsOf } from './needs.ts';
import type { Fault, TemplateSources } from './sources.ts';

/** Checks that each value passed in `{{> partial name=value}}` is used by the partial, like the values of `render`. */
export function checkArguments(sources: TemplateSources): Fault[] {
  return [...sources.plans.keys()].flatMap((template) => {
    const calls = new PartialCalls();
    const program = sources.program(template);
    if (program) calls.accept(program);
    return calls.partials.flatMap((call) => {
      const path = String('original' in call.name ? call.name.original : '');
      const place = { template, line: call.loc.start.line, path };
      return faultsOf(sources, path, call).map((message) => ({ ...sources.origin(place), message }));
    });
  });
}

/** Finds partials without a body that are called with arguments: these see only their arguments. */
class PartialCalls extends Handlebars.Visitor {
  readonly partials: hbs.AST.PartialStatement[] = [];

  override PartialStatement(node: hbs.AST.PartialStatement): void {
    if (node.hash && node.params.length === 0) this.partials.push(node);
    super.PartialStatement(node);
  }
}

function faultsOf(sources: TemplateSources, partial: string, { hash }: hbs.AST.PartialStatement): string[] {
  if (!sources.plans.has(partial)) return [];
  const { names, isOpen } = needsOf(sources, partial);
  const unused = hash.pairs.filter(({ key }) => !isOpen && !names.has(key));
  return unused.map(({ key }) => `{{> ${partial}}} doesn’t use “${key}”. ${didYouMean(key, names.keys())}`.trim());
}
