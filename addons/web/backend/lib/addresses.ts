/** Where a model's records are listed. `menu` keeps the way there; `query` what is shown. */
export function listAddress(model: string, menu: string | null = null): string {
  return `/web/m/${model}${menu ? `?menu=${encodeURIComponent(menu)}` : ''}`;
}

/** Where a record is shown. */
export function recordAddress(model: string, id: number | 'new', menu: string | null = null): string {
  return `/web/m/${model}/${id}${menu ? `?menu=${encodeURIComponent(menu)}` : ''}`;
}

/** A place that one came from, as history keeps it beside an address. */
export interface Crumb {
  readonly label: string;
  readonly to: string;
}

/** What history keeps of the way to a screen. */
export interface Trail {
  readonly trail: readonly Crumb[];
}

/** The way that history kept; empty for whoever came by an address. */
export function trailOf(state: unknown): readonly Crumb[] {
  const trail = typeof state === 'object' && state !== null && 'trail' in state ? state.trail : [];
  return Array.isArray(trail) ? (trail as Crumb[]).slice(-6) : [];
}

/**
 * The address behind a backend link of Odoo's shape, `#model=res.partner&id=3&return_label=Website`; null for any other hash. `referrer` is
 * where the way back leads, when it is a page of this site.
 */
export function addressOfHash(hash: string, referrer: string, origin: string): { to: string; state: Trail } | null {
  const about = new URLSearchParams(hash.replace(/^#/, ''));
  const model = about.get('model');
  if (!model || !/^[a-z][a-z0-9_.]{0,63}$/.test(model)) return null;
  const id = Number(about.get('id'));
  const view = about.get('view_type');
  const label = about.get('return_label');
  const hasRecord = Number.isSafeInteger(id) && id > 0;
  const isForm = view === 'form' || view === null || view === '';
  const to =
    hasRecord && isForm ? recordAddress(model, id) : view === 'form' ? recordAddress(model, 'new') : listAddress(model);
  const shown = view === 'kanban' || view === 'calendar' ? `${to}?view=${view}` : to;
  return { to: shown, state: { trail: label ? [{ label: label.slice(0, 80), to: wayBack(referrer, origin) }] : [] } };
}

function wayBack(referrer: string, origin: string): string {
  const from = URL.parse(referrer);
  return from?.origin === origin && !from.pathname.startsWith('/web') ? `${from.pathname}${from.search}` : '/';
}

/** Whether an address is one of the backend's screens; all others are pages of their own. */
export function isScreen(address: string): boolean {
  return /^\/web(\/m\/|\/settings(\/|$|\?)|\/apps(\/|$|\?)|$)/.test(address);
}
