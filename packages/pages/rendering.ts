import type { Ctx, RequestView } from '@pergola/core';
import type { CurrencyFormat } from '@pergola/texts';

/** What an addon knows that every page may need while it is rendered. All parts are optional. */
// biome-ignore lint/suspicious/noExplicitAny: what one contribution prepares, only it reads
export interface RenderingRule<S = any> {
  /** Reads with lifted rights what the quick parts below need; read again when that changes, and pages follow it. */
  readonly prepare?: (ctx: Ctx) => Promise<S>;
  /** A currency by its record id or ISO code. */
  readonly currency?: (prepared: S, idOrCode: number | string) => CurrencyFormat | undefined;
  /** Whether this page is shown to be edited. Never asked for pages that are kept: those have no undeclared query. */
  readonly editor?: (ctx: Ctx, request: RequestView) => boolean;
  /**
   * Whether readers of these groups find on every page which parts they may edit (`data-oe-model` and its like), so that an edit zone can be
   * offered. Pages are kept by groups, so this may depend on nothing else.
   */
  readonly marks?: (groups: ReadonlySet<string>) => boolean;
  /**
   * The page sheets that HTML which people wrote needs, by what is in it. `edited`: its reader may put in anything that the editor offers. Asked
   * for each such part of a page.
   */
  readonly stylesheets?: (html: string, edited: boolean) => readonly string[];
  /** Whether the reader may edit a field in place, on top of the row's own rights. */
  readonly editable?: (ctx: Ctx, model: string, id: number, field: string) => boolean;
}
