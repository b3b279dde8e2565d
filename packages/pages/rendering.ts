import type { Ctx, RequestView } from '@pergola/core';
import type { CurrencyFormat } from '@pergola/texts';

/** Addon data for rendering any page. All parts are optional. */
// biome-ignore lint/suspicious/noExplicitAny: each contribution reads only the value it prepared
export interface RenderingRule<S = any> {
  /** Reads the data for the fast functions below, with elevated rights; runs again when the data changes, and pages depend on it. */
  readonly prepare?: (ctx: Ctx) => Promise<S>;
  /** A currency by its record id or ISO code. */
  readonly currency?: (prepared: S, idOrCode: number | string) => CurrencyFormat | undefined;
  /** Whether this page is shown in the editor. Never called for cached pages: those have no undeclared query. */
  readonly editor?: (ctx: Ctx, request: RequestView) => boolean;
  /**
   * Whether pages mark the editable parts (`data-oe-model` etc.) for readers with these groups, so that editing can be offered. Pages are
   * cached by groups, so the result must depend on nothing else.
   */
  readonly marks?: (groups: ReadonlySet<string>) => boolean;
  /**
   * Page sheets required by user-written HTML, derived from its contents. `edited`: the reader may insert anything the editor offers.
   * Called for each such part of a page.
   */
  readonly stylesheets?: (html: string, edited: boolean) => readonly string[];
  /** Whether the reader may edit a field in place, in addition to the row's access rights. */
  readonly editable?: (ctx: Ctx, model: string, id: number, field: string) => boolean;
}
