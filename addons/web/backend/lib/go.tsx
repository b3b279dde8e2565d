import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { emptyState, viewIn, writeState } from '../list/list-state.ts';
import type { Chip } from '../search/conditions.ts';
import type { Destination } from '../types.ts';
import { isScreen, recordAddress } from './addresses.ts';

/** Returns the address behind a figure or a row: a list with its filter set. */
export function addressOf(to: Destination): string {
  if ('url' in to) return to.url;
  if ('id' in to) return recordAddress(to.model, to.id, to.menu);
  const chips: Chip[] = [
    ...(to.filter ? [{ kind: 'preset', id: to.filter } as const] : []),
    ...(to.condition ? [{ kind: 'domain', ...to.condition } as const] : []),
  ];
  const query = writeState(new URLSearchParams(to.menu ? { menu: to.menu } : {}), {
    ...emptyState,
    chips,
    view: viewIn(to.view),
  });
  return `/web/m/${to.model}?${query}`;
}

/** Link to the destination of a figure, in the backend or on a separate page. */
export function Go({ to, className, children }: { to: Destination; className?: string; children: ReactNode }) {
  const address = addressOf(to);
  return isScreen(address) ? (
    <Link to={address} className={className}>
      {children}
    </Link>
  ) : (
    <a href={address} className={className}>
      {children}
    </a>
  );
}
