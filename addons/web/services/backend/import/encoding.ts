import { analyse } from 'chardet';
import type { Encoding } from './table.ts';

const SAMPLE_BYTES = 200_000;

/**
 * Detects the encoding of a text file: by its byte order mark; UTF-8 if all of it is valid; UTF-16 if it contains zero bytes; otherwise the
 * most plausible encoding used by spreadsheets.
 */
export function detectEncoding(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const wide = sample.includes(0) ? (['utf-16le', 'utf-16be'] as const) : [];
  const [best] = wide
    .filter((encoding) => isLines(bytes, encoding))
    .sort((a, b) => oddness(sample, a) - oddness(sample, b));
  if (best !== undefined) return best;
  return decoded(bytes, 'utf-8') === null ? detectByPlausibility(sample) : 'utf-8';
}

/** Decodes the bytes, or returns null if they aren't valid in the encoding. */
function decoded(bytes: Uint8Array, encoding: Encoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function isLines(bytes: Uint8Array, encoding: Encoding): boolean {
  const text = decoded(bytes, encoding);
  return text !== null && !text.includes('\0') && /[\r\n]/.test(text);
}

/** Detector's names of Western and Central European encodings. */
const names: Readonly<Record<string, Encoding>> = {
  'ISO-8859-1': 'windows-1252',
  'windows-1252': 'windows-1252',
  'ISO-8859-2': 'windows-1250',
  'windows-1250': 'windows-1250',
  Shift_JIS: 'shift_jis',
};

/** Compares the words produced by each encoding. Language statistics break ties. */
function detectByPlausibility(sample: Uint8Array): Encoding {
  const confidence = new Map<Encoding, number>();
  for (const match of analyse(sample)) {
    const encoding = names[match.name];
    if (encoding) confidence.set(encoding, Math.max(match.confidence, confidence.get(encoding) ?? 0));
  }
  const candidates = (['windows-1252', 'windows-1250', 'macintosh', 'shift_jis'] as const).map((encoding) => ({
    encoding,
    odd: oddness(sample, encoding),
    confidence: confidence.get(encoding) ?? 0,
  }));
  if (decoded(sample, 'windows-1252') === decoded(sample, 'windows-1250')) candidates.splice(1, 1);
  return candidates.toSorted((a, b) => a.odd - b.odd || b.confidence - a.confidence)[0]?.encoding ?? 'windows-1252';
}

/**
 * Signs of a wrong encoding, as regular expressions with weights: meaningless characters, characters that no one writes, punctuation within
 * words, capitals after lowercase letters, Polish letters among Czech ones, and words in two scripts.
 */
const oddities: readonly (readonly [RegExp, number])[] = [
  [/[\u0080-\u009f\ufffd\p{Co}\p{Cn}]/gu, 5],
  [/[\uff61-\uff9f]|[ƒ‡†∂∑∏π∫◊Ω√≈∆ˇ˘˙˚˝˛ˆ˜¯¸¨¬¦¤‰]/gu, 1],
  [/(?<=\p{L})(?![\p{L}\p{M}\p{Nd}\s’·\u00ad])\P{ASCII}(?=\p{L})/gu, 2],
  [/[\p{Sc}¹²³ºª](?=\p{L})/gu, 1],
  [/\p{Ll}(?![A-Z])\p{Lu}|(?![a-z])\p{Ll}\p{Lu}/gu, 2],
  [/(?<=\p{L})(?![A-Z])\p{Lu}(?=\p{Ll})|(?<=\p{L})[‘„](?!\p{L})|õ(?!e)/gu, 1],
  [/^(?=[\s\S]*[ąęłńśźż])(?=[\s\S]*[čďěňřšťůž])/giu, 2],
  [/\p{Script=Latin}[\p{Script=Han}\p{Script=Hangul}]|[\p{Script=Han}\p{Script=Hangul}]\p{Script=Latin}/gu, 2],
];

function oddness(bytes: Uint8Array, encoding: Encoding): number {
  // The sample may end in the middle of a character.
  const text =
    decoded(bytes, encoding) ?? (bytes.length === SAMPLE_BYTES ? decoded(bytes.subarray(0, -1), encoding) : null);
  if (text === null) return Number.POSITIVE_INFINITY;
  return oddities.reduce((sum, [pattern, weight]) => sum + weight * (text.match(pattern)?.length ?? 0), 0);
}
