/** Adds a query to a path; omits empty values. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) params.set(name, value);
  return params.size === 0 ? path : `${path}?${params}`;
}
