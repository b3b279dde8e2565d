const degrees = String.raw`(-?\d{1,3}(?:\.\d+)?)`;

/** Patterns for coordinates in map links, most precise first: the place itself, then the centre of the map. */
const patterns = [
  `!3d${degrees}!4d${degrees}`,
  `[?&]mlat=${degrees}&mlon=${degrees}`,
  String.raw`[?&](?:q|query|ll|center|destination)=(?:loc:)?${degrees},[\s+]*${degrees}`,
  String.raw`#map=[\d.]+/${degrees}/${degrees}`,
  `@${degrees},${degrees}`,
  `^geo:${degrees},${degrees}`,
  String.raw`/${degrees},[\s+]*${degrees}`,
  String.raw`^${degrees}°?\s*[,;\s]\s*${degrees}°?$`,
  // Decimal commas.
  String.raw`^(-?\d{1,3},\d+)°?\s*[,;\s]\s*(-?\d{1,3},\d+)°?$`,
].map((way) => new RegExp(way));

/** Latitude and longitude from an OpenStreetMap or Google Maps link, a `geo:` URL, or “47.25, 6.03”; null without coordinates. */
export function positionIn(text: string): { readonly latitude: number; readonly longitude: number } | null {
  const plain = text.trim().replaceAll('%2C', ',').replaceAll('%20', ' ');
  for (const way of patterns) {
    const [, north, east] = way.exec(plain) ?? [];
    if (!north || !east) continue;
    const [latitude, longitude] = [north, east].map((text) => Number(text.replace(',', '.'))) as [number, number];
    if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude };
  }
  return null;
}

/** Returns whether a link is a short link, which only its own site can resolve. */
export function isShortLink(text: string): boolean {
  return /^(?:https?:\/\/)?(?:maps\.app\.goo\.gl|goo\.gl|g\.co|osm\.org\/go)\//.test(text.trim());
}
