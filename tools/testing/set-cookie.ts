/** A `Set-Cookie` line as far as a test's client needs it. */
export function parseSetCookie(line: string): { name: string; value: string; gone: boolean } {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const at = pair.indexOf('=');
  const maxAge = attributes.find((attribute) => /^max-age=/i.test(attribute))?.slice('max-age='.length);
  return { name: pair.slice(0, at), value: pair.slice(at + 1), gone: maxAge !== undefined && Number(maxAge) <= 0 };
}
