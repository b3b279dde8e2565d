import { contributionPoint, listPoint, type Problem, type TemplateName, z } from 'pergola';
import { declaredAt, didYouMean, id, namesIn, text } from 'pergola/kernel';
import { models } from 'pergola/orm';
import { blocks, templates, valueFaults } from 'pergola/pages';
import { recordFaults } from './record-options.ts';

/** The drawer's tabs, in their order. `saved` holds what editors kept, `dynamic` what shows records: events, posts, teams. */
export type SnippetTab = 'saved' | 'structure' | 'content' | 'feature' | 'effect' | 'dynamic';

/** What an option is about: each element of a page is one of these for the editor, and what is selected in a text. */
export type PartKind = 'section' | 'column' | 'block' | 'picture' | 'button' | 'table' | 'text';

/** One value of an option. */
export interface OptionChoice {
  readonly label: string;
  /** Class names or the attribute's value; empty for none. */
  readonly value: string;
  /** How older pages say the same; choosing anything takes it away. */
  readonly formerly?: string;
  /** As many of what is changed there are at least: copies of the last one come after it. */
  readonly least?: number;
}

/** Something an editor may change about a part of a page with one choice. */
export interface SnippetOption {
  readonly label: string;
  /** CSS selector of what is changed inside the part; the part itself when left out. All that match are changed; without any the option is not offered. */
  readonly on?: string;
  /** CSS selector that the part has to match for the option to be offered. */
  readonly when?: string;
  /**
   * What a choice sets: one of the classes (the others are taken away), or this attribute. Pages keep no others. What a block is filled with does not
   * follow them: its editors' choices are the fields of its own options, each named by `.meta({ title: … })`.
   */
  readonly attribute?: 'class' | 'role' | `aria-${string}` | `data-opt-${string}`;
  /** A pattern of further classes that a choice takes away. */
  readonly replaces?: string;
  readonly choices: readonly OptionChoice[];
  /** How the choices are shown: a list (the default), patches that look like what they do, or a scale with its choices in their order. */
  readonly look?: 'list' | 'swatches' | 'scale';
}

/** Where an option stands in the panel. */
export type OptionGroup = 'background' | 'space' | 'layout' | 'text' | 'look' | 'devices';

/** An option that every part of a kind has, whatever snippet it came from. */
export interface BlockOption extends SnippetOption {
  /** `addon.thing` */
  readonly id: string;
  readonly for: readonly PartKind[];
  readonly group: OptionGroup;
}

/**
 * A snippet of pages, as the editor's drawer shows it. Its markup is either a template (which becomes part of the page and is edited
 * there) or a block (which the server fills each time the page is shown).
 */
export interface Snippet {
  /** `addon.thing` */
  readonly id: string;
  readonly label: string;
  readonly tab: SnippetTab;
  /** Address of an SVG of 120 × 80, readable on light and dark ground: `/website/static/snippets/banner.svg`. */
  readonly thumbnail: string;
  /** Markup with contents one could keep, in the editor's language; one element at the top, nothing that sanitising would drop. */
  readonly template?: TemplateName;
  /** Id of a block (`block(…)`), with the options it begins with. */
  readonly block?: string;
  readonly blockOptions?: Readonly<Record<string, unknown>>;
  /** What editors may change, beside what all parts of its kind have (`blockOptions`). */
  readonly options?: readonly SnippetOption[];
}

/** What a new page may begin with: snippets one below the other. Those that are not there are left out. */
export interface PageTemplate {
  /** `addon.thing` */
  readonly id: string;
  readonly label: string;
  readonly snippets: readonly string[];
}

declare module 'pergola/contributions' {
  interface Contributions {
    /** What the editor's drawer offers. */
    snippets: readonly Snippet[];
    /** What editors may change about every section, column, picture, button or table. */
    blockOptions: readonly BlockOption[];
    /** What a new page may begin with. */
    pageTemplates: readonly PageTemplate[];
  }
}

/**
 * Where addons put snippets into the editor's drawer.
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
  { template, block, blockOptions: given = {} }: Snippet,
  known: ReadonlyMap<string, { readonly options: z.ZodType }>,
  templateIds: ReadonlySet<string>,
): Omit<Problem, 'addon'>[] {
  if ((template === undefined) === (block === undefined))
    return [{ message: 'needs either a template or a block.', remedy: 'Name one of the two.' }];
  if (template !== undefined && !templateIds.has(template)) return [missing('template', template, templateIds)];
  if (block === undefined) return [];
  const definition = known.get(block);
  if (!definition) return [missing('block', block, known.keys())];
  const values = Object.entries(given).map(([name, constant]) => ({ name, constant }));
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
 * Where addons say what editors may change about all parts of a kind. The classes they set begin with the addon's name, and its style sheet says what
 * they mean.
 *
 * ```ts
 * blockOptions: [{ id: 'dribblo.stripes', label: 'Stripes', for: ['section'], group: 'background', choices: [{ label: 'None', value: '' }, { label: 'Narrow', value: 'dribblo-stripes' }] }],
 * ```
 */
export const blockOptions = listPoint('blockOptions');

/**
 * Where addons put whole pages into the window of new pages; their pictures are those of their snippets.
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
    const known = new Set(needs.snippets.map((snippet) => snippet.id));
    const enabled = new Set(addons.map(({ name }) => name));
    for (const { addon, value } of contributions) {
      for (const page of value) {
        // Snippets of disabled addons are left out.
        const unknown = page.snippets.filter((name) => !known.has(name) && enabled.has(name.split('.')[0] ?? ''));
        for (const name of unknown) {
          const fault = missing('snippet', name, known);
          report({ addon: addon.name, ...fault, message: `page template "${page.id}" ${fault.message}` });
        }
      }
    }
    return contributions.flatMap(({ value }) => value);
  },
});
