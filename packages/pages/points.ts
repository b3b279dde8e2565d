import {
  type Addon,
  buildInputs,
  callable,
  contributionPoint,
  declaredAt,
  didYouMean,
  id,
  inSlices,
  listPoint,
  sentence,
  shaped,
  text,
  values,
} from '@pergola/core';
import { assets } from '@pergola/islands';
import { groups } from '@pergola/orm';
import { catalogs } from '@pergola/texts';
import { z } from 'zod';
import { checkTemplateUses } from './check/template-uses.ts';
import { withoutDefault } from './check/written-values.ts';
import type { BlockDefinition, FragmentDefinition, TemplateName } from './define.ts';
import { coreHelpers } from './helpers/index.ts';
import type { AddonHelper } from './helpers/tools.ts';
import { readTemplates } from './read-templates.ts';
import type { RenderingRule } from './rendering.ts';
import { templateSteps } from './templates.ts';

declare module '@pergola/core/contributions' {
  interface Contributions {
    /** Blocks that editors can place on pages: `block(…)`. */
    // biome-ignore lint/suspicious/noExplicitAny: blocks of any options
    blocks: readonly BlockDefinition<any>[];
    /** Helpers for templates: `helper(…)`. */
    helpers: readonly AddonHelper[];
    /** Visitor-specific parts of pages: `fragment(…)`. */
    fragments: readonly FragmentDefinition[];
    /**
     * Addon data that every page may need: the base addon provides currencies, website decides who edits in place. For currencies, the
     * first contribution that knows one wins; any contribution can enable the editor; a field is editable unless one of them says no.
     */
    rendering: readonly RenderingRule[];
    /** Templates that external calls may request; all others are rejected. */
    publicTemplates: readonly TemplateName[];
  }
}

/** The blocks of all addons, by id. */
export const blocks = contributionPoint('blocks', {
  shape: z.array(shaped('a block', '`block(…)`', { id, label: text, template: text, load: callable })),
  names: { what: 'block', of: (list) => list.map((block) => block.id) },
  build({ contributions, report }) {
    for (const { addon, value } of contributions) {
      for (const { id: name, options } of value) {
        for (const option of withoutDefault(options))
          report({
            addon: addon.name,
            message: `block "${name}" has the option "${option}" without a default.`,
            remedy: 'Add `.default(…)`: a block that was just placed has no options yet.',
          });
      }
    }
    return byId(contributions);
  },
});

export const fragments = contributionPoint('fragments', {
  shape: z.array(shaped('a fragment', '`fragment(…)`', { id, template: text, load: callable })),
  names: { what: 'fragment', of: (list) => list.map((fragment) => fragment.id) },
  build: ({ contributions }) => byId(contributions),
});

/** The helpers of the platform and of all addons, by name. */
const helpers = contributionPoint('helpers', {
  shape: z.array(shaped('a helper', '`helper(…)`', { id, params: z.array(z.unknown()), make: callable })),
  names: { what: 'helper', of: (list) => list.map((item) => item.id) },
  build({ contributions, report }) {
    for (const { addon, value } of contributions) {
      for (const { id: name, params, block } of value) {
        if (params[0] > 0 || block === 'always') continue;
        report({
          addon: addon.name,
          message: `helper "${name}" can be called without a value, and {{${name}}} prints a value of that name.`,
          remedy: 'Let it take at least one value, or make it a block.',
        });
      }
    }
    return new Map([...coreHelpers, ...byId(contributions)]);
  },
});

export const rendering = listPoint('rendering');

/** The templates with the changes of all addons. */
export const templates = contributionPoint('templates', {
  folders: ['templates'],
  needs: {
    catalogs,
    assets,
    groups,
    blocks,
    fragments,
    helpers,
    inputs: buildInputs,
    languages: values.languages,
    log: values.log,
  },
  async build({ addons, needs, pause, report }) {
    const { inputs, log } = needs;
    const sources = [];
    for (const addon of addons) {
      sources.push(await inputs.read('templates', addon, () => readTemplates(addon)));
      await pause();
    }
    const built = await inSlices(
      templateSteps({
        addons: sources,
        helpers: needs.helpers,
        languages: needs.languages,
        translate: (lang, addon, source) => needs.catalogs.lookup(lang, addon, source),
        forms: (lang, addon, singular) => needs.catalogs.forms(lang, addon, singular),
        pluralIndex: (lang, n) => needs.catalogs.pluralIndex(lang, n),
        place: (lang, addon, source) => needs.catalogs.place(lang, addon, source),
        warn: (problem) => log.warn({ addon: problem.addon, problem }, 'A translation does not fit its template'),
        memory: inputs.memory,
      }),
      pause,
    );
    built.problems.forEach(report);
    checkTemplateUses(built.templates.uses, {
      block: needs.blocks,
      fragment: needs.fragments,
      group: needs.groups,
      propsOf: (island) => needs.assets.propsSchema(island),
      islands: needs.assets.islandIds,
      stylesheets: needs.assets.stylesheetIds,
    }).forEach(report);
    const templateIds = new Set(built.templates.ids);
    for (const addon of addons) {
      const { blocks: ownBlocks = [], fragments: ownFragments = [] } = addon.definition;
      const uses = [
        ...ownBlocks.map((definition) => ({ label: `block "${definition.id}"`, definition })),
        ...ownFragments.map((definition) => ({ label: `fragment "${definition.id}"`, definition })),
      ];
      for (const { label, definition } of uses)
        for (const problem of checkTemplate(addon.name, label, definition.template, templateIds))
          report({ ...problem, ...declaredAt(definition, addon, [definition.template], definition.id) });
    }
    return built.templates;
  },
  changes: (_, __, comes, addons) =>
    addons.flatMap((addon) =>
      patchedTemplates(addon).map((template) => ({
        topic: 'template',
        addon: addon.name,
        sentence: sentence(comes ? 'Changes the template {template}.' : 'Restores the template {template}.', {
          template,
        }),
        data: { template },
      })),
    ),
});

/** Problem if `label` of an addon references a missing template. */
export function checkTemplate(addon: string, label: string, template: string, templateIds: ReadonlySet<string>) {
  if (templateIds.has(template)) return [];
  const message = `${label} names the template "${template}", which is not there.`;
  return [{ addon, message, remedy: didYouMean(template, templateIds) || undefined }];
}

function patchedTemplates({ files }: Addon): string[] {
  const end = '.patch.hbs';
  return (files.templates ?? []).filter((file) => file.endsWith(end)).map((file) => file.slice(0, -end.length));
}

function byId<T extends { readonly id: string }>(
  contributions: readonly { readonly value: readonly T[] }[],
): ReadonlyMap<string, T> {
  return new Map(contributions.flatMap(({ value }) => value.map((item) => [item.id, item] as const)));
}

/** Templates that external calls may request. */
export const publicTemplates = contributionPoint('publicTemplates', {
  shape: z.array(text),
  needs: { templates },
  build({ contributions, needs, report }) {
    const templateIds = new Set(needs.templates.ids);
    for (const { addon, value } of contributions)
      for (const template of value)
        checkTemplate(addon.name, '`publicTemplates`', template, templateIds).forEach(report);
    return new Set(contributions.flatMap(({ value }) => value));
  },
});

export const pagePoints = [blocks, fragments, helpers, rendering, templates, publicTemplates];
