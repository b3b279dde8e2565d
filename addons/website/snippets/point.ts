import { contributionPoint, listPoint, type Problem, type TemplateName, z } from 'pergola';
import { declaredAt, didYouMean, id, namesIn, text } from 'pergola/kernel';
import { models } from 'pergola/orm';
import { blocks, templates, valueFaults } from 'pergola/pages';
import { recordFaults } from './record-options.ts';

/** Tabs of the drawer, in order. `saved` has blocks saved by editors, `dynamic` has records: events, posts, teams. */
export type SnippetTab = 'saved' | 'structure' | 'content' | 'feature' | 'effect' | 'dynamic';

/** Type of page part that an option applies to; `text` is a text selection. */
export type PartKind = 'section' | 'column' | 'block' | 'picture' | 'button' | 'table' | 'text';

/** Choice of an option. */
export interface OptionChoice {
  readonly label: string;
  /** Class names or attribute value; empty for none. */
  readonly value: string;
  /** Equivalent value in older pages; any choice replaces it. */
  readonly formerly?: string;
  /** Minimum number of targets; the last one is duplicated as needed. */
  readonly least?: number;
}

/** Single-choice option of a page part. */
export interface SnippetOption {
  readonly label: string;
  /** CSS selector of the targets inside the part; by default the part itself. All matches are changed; without any the option is hidden. */
  readonly on?: string;
  /** CSS selector that the part must match. */
  readonly when?: string;
  /**
   * Attribute that a choice sets, by default `class` (replacing the classes of other choices). Pages keep no other attributes. Contents of
   * server-rendered blocks aren't affected; their options are the fields of the block's schema, labelled with `.meta({ title: … })`.
   */
  readonly attribute?: 'class' | 'role' | `aria-${string}` | `data-opt-${string}`;
  /** Pattern of further classes that a choice removes. */
  readonly replaces?: string;
  readonly choices: readonly OptionChoice[];
  /** Display of the choices: a list (the default), preview swatches, or an ordered scale. */
  readonly look?: 'list' | 'swatches' | 'scale';
}

/** Group of an option in the panel. */
export type OptionGroup = 'background' | 'space' | 'layout' | 'text' | 'look' | 'devices';

/** Option of all parts of a kind, regardless of their snippet. */
export interface BlockOption extends SnippetOption {
  /** `addon.name` */
  readonly id: string;
  readonly for: readonly PartKind[];
  readonly group: OptionGroup;
}

/**
 * Page snippet in the editor's drawer. Its markup is either a template (copied into the page and edited there) or a block (rendered by the
 * server on each view).
 */
export interface Snippet {
  /** `addon.name` */
  readonly id: string;
  readonly label: string;
  readonly tab: SnippetTab;
  /** URL of a 120 × 80 SVG, readable on light and dark backgrounds: `/website/static/snippets/banner.svg`. */
  readonly thumbnail: string;
  /** Markup with realistic contents in the editor's language: a single root element, and nothing that sanitising would remove. */
  readonly template?: TemplateName;
  /** Id of a block (`block(…)`) and its initial options. */
  readonly block?: string;
  readonly blockOptions?: Readonly<Record<string, unknown>>;
  /** Options in addition to `blockOptions`, which all parts of its kind have. */
  readonly options?: readonly SnippetOption[];
}

/** Template for new pages: a sequence of snippets. Missing snippets are skipped. */
export interface PageTemplate {
  /** `addon.name` */
  readonly id: string;
  readonly label: string;
  readonly snippets: readonly string[];
}

declare module 'pergola/contributions' {
  interface Contributions {
    /** Snippets in the editor's drawer. */
    snippets: readonly Snippet[];
    /** Options of all sections, columns, images, buttons or tables. */
    blockOptions: readonly BlockOption[];
    /** Templates for new pages. */
    pageTemplates: readonly PageTemplate[];
  }
}

/**
 * Lets addons add snippets to the editor's drawer.
 *
 * ```ts
 * snippets: [{ id: 'dribblo.standings', label: 'Standings', tab: 'dynamic', thumbnail: '…', block: 'dribblo.standings' }],
 * ```
 */
export const snippets = contributionPoint('snippets', {
  shape: z.array(
    z.looseObject({
      id,
      label: text,
      thumbnail: text,
      tab: z.enum(['saved', 'structure', 'content', 'feature', 'effect', 'dynamic']),
    }),
  ),
  names: { what: 'snippet', of: (list) => list.map((snippet) => snippet.id) },
  needs: { blocks, templates, models },
  build({ addons, contributions, needs, report }) {
    for (const addon of addons) {
      for (const block of addon.definition.blocks ?? [])
        for (const { message, remedy } of recordFaults(block.options, needs.models)) {
          const place = declaredAt(block, addon, namesIn(message));
          report({ addon: addon.name, ...place, message: `block "${block.id}" ${message}`, remedy });
        }
    }
    for (const { addon, value } of contributions) {
      for (const snippet of value)
        for (const fault of snippetFaults(snippet, needs.blocks, new Set(needs.templates.ids)))
          report({ addon: addon.name, ...fault, message: `snippet "${snippet.id}" ${fault.message}` });
    }
    return contributions.flatMap(({ value }) => value);
  },
});

function snippetFaults(
  { template, block, blockOptions: initialOptions = {} }: Snippet,
  blocks: ReadonlyMap<string, { readonly options: z.ZodType }>,
  templateIds: ReadonlySet<string>,
): Omit<Problem, 'addon'>[] {
  if ((template === undefined) === (block === undefined))
    return [{ message: 'needs either a template or a block.', remedy: 'Name one of the two.' }];
  if (template !== undefined && !templateIds.has(template)) return [missing('template', template, templateIds)];
  if (block === undefined) return [];
  const definition = blocks.get(block);
  if (!definition) return [missing('block', block, blocks.keys())];
  const values = Object.entries(initialOptions).map(([name, constant]) => ({ name, constant }));
  return valueFaults(definition.options, values, false).map(({ message, remedy }) => ({
    message: `places the block "${block}", which ${message}`,
    remedy,
  }));
}

function missing(kind: string, name: string, names: Iterable<string>): Omit<Problem, 'addon'> {
  return {
    message: `names the ${kind} "${name}", which is not there.`,
    remedy: didYouMean(name, names) || undefined,
  };
}

/**
 * Lets addons add options to all parts of a kind. Their classes must start with the addon's name and be defined in its style sheet.
 *
 * ```ts
 * blockOptions: [{ id: 'dribblo.stripes', label: 'Stripes', for: ['section'], group: 'background', choices: [{ label: 'None', value: '' },
 * { label: 'Narrow', value: 'dribblo-stripes' }] }],
 * ```
 */
export const blockOptions = listPoint('blockOptions');

/**
 * Lets addons add templates to the “New page” dialog, with the thumbnails of their snippets.
 *
 * ```ts
 * pageTemplates: [{ id: 'dribblo.team', label: 'A team', snippets: ['website.title', 'dribblo.team', 'dribblo.standings'] }],
 * ```
 */
export const pageTemplates = contributionPoint('pageTemplates', {
  shape: z.array(z.looseObject({ id, label: text, snippets: z.array(text) })),
  names: { what: 'page template', of: (list) => list.map((page) => page.id) },
  needs: { snippets },
  build({ contributions, addons, needs, report }) {
    const snippetIds = new Set(needs.snippets.map((snippet) => snippet.id));
    const enabled = new Set(addons.map(({ name }) => name));
    for (const { addon, value } of contributions) {
      for (const page of value) {
        // Skips snippets of disabled addons.
        const unknown = page.snippets.filter((name) => !snippetIds.has(name) && enabled.has(name.split('.')[0] ?? ''));
        for (const name of unknown) {
          const fault = missing('snippet', name, snippetIds);
          report({ addon: addon.name, ...fault, message: `page template "${page.id}" ${fault.message}` });
        }
      }
    }
    return contributions.flatMap(({ value }) => value);
  },
});
