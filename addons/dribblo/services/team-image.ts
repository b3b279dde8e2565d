import type { FileRef, Id } from '#core';

/** What stands for a team without a crest. */
const NO_CREST = '/dribblo/static/crest.svg';

/** The address of a team's crest, in a box of `side` pixels. */
export function teamImage(team: { readonly id: Id; readonly image: FileRef | null } | null, side = 128): string {
  if (!team?.image) return NO_CREST;
  const size = String(side);
  const query = new URLSearchParams({
    model: 'club.team',
    field: 'image',
    id: String(team.id),
    width: size,
    height: size,
    unique: team.image.hash.slice(0, 12),
  });
  return `/web/binary/image?${query}`;
}
