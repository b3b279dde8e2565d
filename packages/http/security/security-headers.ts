import type { Generation } from '@pergola/core';
import { cspSources } from '../points.ts';
import type { CspSource } from './security-headers-sources.ts';

/** `page`: our HTML; `data`: JSON and plain text; `file`: uploaded content; `asset`: scripts, styles, fonts, images of addons. */
export type ReplyKind = 'page' | 'data' | 'file' | 'asset';

type Headers = Readonly<Record<string, string>>;

export interface SecurityHeadersOptions {
  /** Whether visitors use https; if so, browsers are required to (HSTS). */
  readonly https: boolean;
  /** Base64 SHA-256 of every inline script on a generation's pages: only the import map. */
  readonly inlineScripts: (generation: Generation) => readonly string[];
}

/** Creates the headers of every reply (C36), once per generation, so that cached pages can include them. */
export function createSecurityHeaders(
  options: SecurityHeadersOptions,
): (kind: ReplyKind, generation: Generation | null) => Headers {
  const common: Headers = Object.freeze({
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    ...(options.https ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
  });
  const still: Readonly<Record<Exclude<ReplyKind, 'page'>, Headers>> = Object.freeze({
    data: { ...common, ...sameOriginOnly, 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" },
    // Opened directly, a file may show images and inline styles, but can't use the site's privileges: no scripts, forms or storage.
    file: {
      ...common,
      ...shared,
      'Content-Security-Policy': "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; sandbox",
    },
    asset: { ...common, ...shared },
  });
  const pages = new WeakMap<Generation, Headers>();
  const bare = Object.freeze({
    ...common,
    ...sameOriginOnly,
    ...pageOnly,
    'Content-Security-Policy': policy(options, null),
  });

  return (kind, generation) => {
    if (kind !== 'page') return still[kind];
    if (generation === null) return bare;
    const cachedHeaders = pages.get(generation);
    if (cachedHeaders) return cachedHeaders;
    const headers = Object.freeze({ ...bare, 'Content-Security-Policy': policy(options, generation) });
    pages.set(generation, headers);
    return headers;
  };
}

const sameOriginOnly: Headers = { 'Cross-Origin-Resource-Policy': 'same-origin' };
/** Mails shown in webmail contain images from here; scripts are used only on this site. Neither reveals anything about the visitor. */
const shared: Headers = { 'Cross-Origin-Resource-Policy': 'cross-origin' };
const unused = ['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'magnetometer', 'microphone'];
const pageOnly: Headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': [...unused, 'midi', 'payment', 'usb', 'browsing-topics'].map((name) => `${name}=()`).join(', '),
};

function policy(options: SecurityHeadersOptions, generation: Generation | null): string {
  const added = generation?.get(cspSources) ?? [];
  const sourcesFor = (directive: CspSource['directive']): string[] => [
    ...new Set(added.filter((item) => item.directive === directive).map(({ source }) => source)),
  ];
  const hashes = generation === null ? [] : options.inlineScripts(generation).map((hash) => `'sha256-${hash}'`);
  const directives: readonly (readonly string[])[] = [
    ['default-src', "'none'"],
    ['script-src', "'self'", ...hashes],
    ['style-src', "'self'"],
    // The only exception: colours and sizes set by editors, as style attributes of their content.
    ['style-src-attr', "'unsafe-inline'"],
    // blob: images that a visitor has selected but not uploaded yet.
    ['img-src', "'self'", 'data:', 'blob:', ...sourcesFor('img-src')],
    ['font-src', "'self'"],
    ['media-src', "'self'", ...sourcesFor('media-src')],
    ['connect-src', "'self'", ...sourcesFor('connect-src')],
    ['frame-src', "'self'", ...sourcesFor('frame-src')],
    ['worker-src', "'self'"],
    ['manifest-src', "'self'"],
    ['object-src', "'none'"],
    ['base-uri', "'none'"],
    ['form-action', "'self'", ...sourcesFor('form-action')],
    ['frame-ancestors', "'self'"],
    ...(options.https ? [['upgrade-insecure-requests']] : []),
  ];
  return directives.map((directive) => directive.join(' ')).join('; ');
}
