/** Returns the available time zones by continent, with the current one marked. */
export function timezoneChoices(
  selected: string,
): readonly { area: string; zones: readonly { zone: string; name: string; chosen: boolean }[] }[] {
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', ...(selected === '' ? [] : [selected])]);
  const areas = new Map<string, { zone: string; name: string; chosen: boolean }[]>();
  for (const zone of [...zones].sort()) {
    const [area = '', ...rest] = zone.split('/');
    const name = (rest.length > 0 ? rest.join(' – ') : area).replaceAll('_', ' ');
    areas.set(area, [...(areas.get(area) ?? []), { zone, name, chosen: zone === selected }]);
  }
  return [...areas].map(([area, list]) => ({ area, zones: list }));
}
