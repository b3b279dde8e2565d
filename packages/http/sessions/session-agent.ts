const browsers: readonly (readonly [name: string, pattern: RegExp])[] = [
  // Each also names the ones below it.
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
];
const systems: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** Summary of a `User-Agent` that lets owners recognise a device: "Firefox, Linux"; otherwise its first word, at most 40 characters. */
export function summarizeAgent(userAgent: string): string {
  const names = [browsers, systems].map((list) => list.find(([, pattern]) => pattern.test(userAgent))?.[0]);
  const summary = names.filter(Boolean).join(', ');
  return summary || (/^[\w.-]{1,40}/.exec(userAgent)?.[0] ?? '');
}
