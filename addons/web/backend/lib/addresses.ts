/** Returns the address of a model's list. `menu` keeps the menu entry, `query` the state of the list. */
export function listAddress(model: string, menu: string | null = null): string {
  return `/web/m/${model}${menu ? `?menu=${encodeURIComponent(menu)}` : ''}`;
}

/** Returns the address of a record. */
export function recordAddress(model: string, id: number | 'new', menu: string | null = null): string {
  return `/web/m/${model}/${id}${menu ? `?menu=${encodeURIComponent(menu)}` : ''}`;
}

/** A place visited before, kept in the history state of an address. */
export interface Crumb {
  readonly label: string;
  readonly to: string;
}

/** History state of a screen: the places that led to it. */
export interface Trail {
  readonly trail: readonly Crumb[];
}

/** Returns the trail from the history state; empty if the address was opened directly. */
export function trailOf(state: unknown): readonly Crumb[] {
  const trail = typeof state === 'object' && state !== null && 'trail' in state ? state.trail : [];
  return Array.isArray(trail) ? (trail as Crumb[]).slice(-6) : [];
}

/**
 * Returns the address for a backend link in Odoo's format, `#model=res.partner&id=3&return_label=Website`, or null for any other hash. The
 * way back leads to `referrer` if it is a page of this site.
 */
export function addressOfHash(hash: string, referrer: string, origin: string): { to: string; state: Trail } | null {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const model = params.get('model');
  if (!model || !/^[a-z][a-z0-9_.]{0,63}$/.test(model)) return null;
  const id = Number(params.get('id'));
  const view = params.get('view_type');
  const label = params.get('return_label');
  const hasRecord = Number.isSafeInteger(id) && id > 0;
  const isForm = view === 'form' || view === null || view === '';
  const to =
    hasRecord && isForm ? recordAddress(model, id) : view === 'form' ? recordAddress(model, 'new') : listAddress(model);
  const address = view === 'kanban' || view === 'calendar' ? `${to}?view=${view}` : to;
  return { to: address, state: { trail: label ? [{ label: label.slice(0, 80), to: wayBack(referrer, origin) }] : [] } };
}

function wayBack(referrer: string, origin: string): string {
  const from = URL.parse(referrer);
  return from?.origin === origin && !from.pathname.startsWith('/web') ? `${from.pathname}${from.search}` : '/';
}

/** Whether an address is a backend screen rather than a separate page. */
export function isScreen(address: string): boolean {
  return /^\/web(\/m\/|\/settings(\/|$|\?)|\/apps(\/|$|\?)|$)/.test(address);
}
