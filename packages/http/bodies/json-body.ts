import { Malformed } from '../malformed.ts';

/**
 * Parses JSON into a value that is safe to pass on: valid UTF-8, nested no deeper than `depth`, without keys that reach prototypes. The
 * last of duplicate keys wins, as everywhere in JavaScript.
 *
 * @throws Malformed
 */
export function parseJson(bytes: Buffer, depth: number): unknown {
  const text = decodeUtf8(bytes);
  if (deeperThan(text, depth)) {
    throw new Malformed('The request is nested too deeply. The limit is {depth} levels.', {
      code: 'core.too_deep',
      params: { depth },
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Malformed('The request isn’t valid JSON.', { code: 'core.not_json' });
  }
  // The key may be written out, or with escaped letters.
  return /__proto__|prototype|\\u00/.test(text) ? withoutPrototypes(value) : value;
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Malformed('The request isn’t valid UTF-8.', { code: 'core.not_utf8' });
  }
}

const QUOTE = 34;
const BACKSLASH = 92;

/** Whether brackets and braces outside strings nest deeper; checked before parsing, which would build the whole value first. */
function deeperThan(text: string, maxDepth: number): boolean {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inText) {
      if (code === BACKSLASH) index++;
      else if (code === QUOTE) inText = false;
    } else if (code === QUOTE) inText = true;
    else if (code === 123 || code === 91) {
      if (++depth > maxDepth) return true;
    } else if (code === 125 || code === 93) depth--;
  }
  return false;
}

/** Removes `__proto__`, and `constructor` if it leads to a prototype, everywhere in a parsed value. */
function withoutPrototypes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (const item of value) withoutPrototypes(item);
    return value;
  }
  const record = value as Record<string, unknown>;
  for (const key of Object.keys(record)) {
    if (key === '__proto__' || (key === 'constructor' && leadsToPrototype(record[key]))) delete record[key];
    else withoutPrototypes(record[key]);
  }
  return value;
}

function leadsToPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}

/** Whether the content type of the request is JSON. */
export function isJson(contentType: string | undefined): boolean {
  return /^\s*application\/json(-rpc)?\s*(;|$)/i.test(contentType ?? '');
}
