import { listPoint, type TemplateName } from '#core';

/** The drawer's tabs, in their order. `dynamic` holds what shows records: events, posts, teams. */
export type SnippetTab = 'structure' | 'content' | 'feature' | 'effect' | 'dynamic';

/** Something an editor may change about a snippet with one choice. */
export interface SnippetOption {
  readonly label: string;
  /** CSS selector of what is changed inside the snippet; the snippet itself when left out. All that match are changed. */
  readonly on?: string;
  /**
   * What a choice sets: one of the classes (the others are taken away), or this attribute. Pages keep no others. What a block is filled with does not
   * follow them: its editors' choices are the fields of its own options, each named by `.meta({ title: … })`.
   */
  readonly attribute?: 'class' | 'role' | `aria-${string}` | `data-opt-${string}`;
  readonly choices: readonly {
    readonly label: string;
    /** Class names or the attribute's value; empty for none. */
    readonly value: string;
  }[];
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
  /** What editors may change, beside the background, spacing and width that all snippets have. */
  readonly options?: readonly SnippetOption[];
}

declare module '#core' {
  interface Contributions {
    /** What the editor's drawer offers. */
    snippets: readonly Snippet[];
  }
}

/**
 * Where addons put snippets into the editor's drawer.
 *
 * ```ts
 * snippets: [{ id: 'dribblo.standings', label: 'Standings', tab: 'dynamic', thumbnail: '…', block: 'dribblo.standings' }],
 * ```
 */
export const snippets = listPoint('snippets');
