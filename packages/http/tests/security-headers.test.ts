import type { AddonDefinition } from '../../../core/kernel/addon.ts';
import { testGeneration } from '../../../tools/testing/generation.ts';
import { createSecurityHeaders } from '../security/security-headers.ts';
import { type CspSource, cspProblems } from '../security/security-headers-sources.ts';

const cspSources: readonly CspSource[] = [
  { directive: 'frame-src', source: 'https://www.youtube-nocookie.com' },
  { directive: 'form-action', source: 'https://pay.example' },
];
const generation = testGeneration({ addons: [], values: { cspSources } });

const make = (https: boolean) => createSecurityHeaders({ https, inlineScripts: () => ['abc='] });
const directives = (csp: string | undefined): Map<string, string> =>
  new Map((csp ?? '').split('; ').map((part) => [part.split(' ')[0] ?? '', part.split(' ').slice(1).join(' ')]));

describe('Security headers', () => {
  test('of pages allow no script but ours and the import map, and no styles but ours and attributes', () => {
    const csp = directives(make(true)('page', generation)['Content-Security-Policy']);
    expect(csp.get('script-src')).toBe("'self' 'sha256-abc='");
    expect(csp.get('style-src')).toBe("'self'");
    expect(csp.get('style-src-attr')).toBe("'unsafe-inline'");
    expect(csp.get('object-src')).toBe("'none'");
    expect(csp.get('base-uri')).toBe("'none'");
    expect(csp.get('frame-ancestors')).toBe("'self'");
    expect(csp.get('default-src')).toBe("'none'");
    expect(csp.get('frame-src')).toBe("'self' https://www.youtube-nocookie.com");
    expect(csp.get('form-action')).toBe("'self' https://pay.example");
  });

  test('are one object for all pages of a generation', () => {
    const headers = make(false);
    expect(headers('page', generation)).toBe(headers('page', generation));
    expect(headers('page', testGeneration({ addons: [], values: { cspSources } }))).not.toBe(
      headers('page', generation),
    );
  });

  test('tell browsers to stay with https only where the site is https', () => {
    for (const kind of ['page', 'data', 'file', 'asset'] as const) {
      expect(make(true)(kind, null)['Strict-Transport-Security']).toMatch(/^max-age=\d{8}/);
      expect(make(false)(kind, null)).not.toHaveProperty('Strict-Transport-Security');
      expect(make(false)(kind, null)['X-Content-Type-Options']).toBe('nosniff');
      expect(make(false)(kind, null)['Referrer-Policy']).toBe('strict-origin-when-cross-origin');
    }
  });

  test('lock up what came from people', () => {
    const csp = directives(make(true)('file', generation)['Content-Security-Policy']);
    expect(csp.has('sandbox')).toBe(true);
    expect(csp.has('script-src')).toBe(false);
    expect(csp.get('default-src')).toBe("'none'");
  });

  test.each([
    ['https://player.vimeo.com', 0],
    ['https://player.vimeo.com:8443', 0],
    ['http://player.vimeo.com', 1],
    ['https://*.vimeo.com', 1],
    ['https://player.vimeo.com/video', 1],
    ["https://a.example; script-src 'unsafe-inline'", 1],
    ["'unsafe-inline'", 1],
    ['*', 1],
    ['data:', 1],
  ] as const)('take %s from an addon: %d problems', (source, expected) => {
    const definition: AddonDefinition = { name: 'video', title: 'Video', summary: 'Videos', version: '1.0.0' };
    const addon = { name: 'video', definition, folder: '', outside: false, files: {} };
    const problems = cspProblems([{ addon, value: [{ directive: 'frame-src', source }] }]);
    expect(problems).toHaveLength(expected);
    if (expected) expect(problems[0]).toMatchObject({ addon: 'video', message: expect.stringContaining(source) });
  });
});
