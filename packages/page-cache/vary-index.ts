import type { IncomingHttpHeaders } from 'node:http';
import type { Cookies } from '@pergola/core';

/** Headers and cookies whose values determine the meaning of a request. */
export interface VaryOn {
  readonly headers: readonly string[];
  readonly cookies: readonly string[];
}

interface Shape {
  readonly varyOn: VaryOn;
  /** Meanings by the values of those headers and cookies. */
  readonly meanings: Map<string, string>;
}

/** Limits: meanings in total and per address, and characters of an address. */
const maxMeanings = 20_000;
const maxPerAddress = 500;
const maxAddressLength = 1_000;

/**
 * Remembers the meaning of requests. Locating a request reads headers and cookies one after the other, depending on the values read before.
 * So requests for the same address that agree in all values read have the same meaning, and few sets of names occur.
 */
export class VaryIndex {
  /** Shapes by origin, then by address. */
  readonly #known = new Map<string, Map<string, Shape[]>>();
  #size = 0;

  recall(origin: string, address: string, headers: IncomingHttpHeaders, cookies: Cookies): string | undefined {
    const shapes = this.#known.get(origin)?.get(address);
    if (!shapes) return undefined;
    for (const { varyOn, meanings } of shapes) {
      const values = valuesOf(varyOn, headers, cookies);
      const meaning = values === null ? undefined : meanings.get(values);
      if (meaning !== undefined) return meaning;
    }
    return undefined;
  }

  remember(
    origin: string,
    address: string,
    request: { headers: IncomingHttpHeaders; cookies: Cookies },
    varyOn: VaryOn,
    meaning: string,
  ): void {
    const values = valuesOf(varyOn, request.headers, request.cookies);
    if (address.length > maxAddressLength || values === null) return;
    if (this.#size >= maxMeanings) this.forget();
    const shapes = this.#shapesOf(origin, address);
    let shape = shapes.find((candidate) => isSame(candidate.varyOn, varyOn));
    if (!shape) {
      shape = { varyOn, meanings: new Map() };
      shapes.push(shape);
    }
    if (shape.meanings.size >= maxPerAddress) {
      this.#size -= shape.meanings.size;
      shape.meanings.clear();
    }
    shape.meanings.set(values, meaning);
    this.#size += 1;
  }

  forget(): void {
    this.#known.clear();
    this.#size = 0;
  }

  #shapesOf(origin: string, address: string): Shape[] {
    let addresses = this.#known.get(origin);
    if (!addresses) {
      addresses = new Map();
      this.#known.set(origin, addresses);
    }
    let shapes = addresses.get(address);
    if (!shapes) {
      shapes = [];
      addresses.set(address, shapes);
    }
    return shapes;
  }
}

/** Values of those headers and cookies as one unambiguous text, or null if a value isn't text. */
function valuesOf(varyOn: VaryOn, headers: IncomingHttpHeaders, cookies: Cookies): string | null {
  let text = '';
  for (const name of varyOn.headers) {
    const value = headers[name];
    if (Array.isArray(value)) return null;
    text += asPart(value);
  }
  for (const name of varyOn.cookies) text += asPart(cookies[name]);
  return text;
}

function asPart(value: string | undefined): string {
  return value === undefined ? '-' : `${value.length}:${value}`;
}

function isSame(a: VaryOn, b: VaryOn): boolean {
  return a.headers.join('\n') === b.headers.join('\n') && a.cookies.join('\n') === b.cookies.join('\n');
}
