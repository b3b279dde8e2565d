import { AsyncLocalStorage } from 'node:async_hooks';
import {
  createNumberParser,
  type Digits,
  fillText,
  type NumberInput,
  numberFault,
  type TextParams,
} from '@pergola/browser';

/** Services available to an island during server rendering. */
export interface Rendering {
  readonly lang: string;
  /** Prefix of page paths in this language. */
  readonly prefix: string;
  readonly t: (addon: string, text: string, params: TextParams) => string;
  readonly plural: (addon: string, one: string, other: string, n: number, params: TextParams) => string;
  readonly numbers: (digits: Digits) => Intl.NumberFormat;
  /** The hidden token field of forms, or a placeholder until the page is sent. */
  readonly csrf: () => string;
}

/** The current rendering. Keeps nothing between renderings. */
export const rendering = new AsyncLocalStorage<Rendering>();

/** `pergola/browser` as islands see it on the server: texts and the language are available, anything that needs a browser waits for hydration. */
export function tOf(addon: string) {
  return (text: string, params: TextParams = {}): string =>
    rendering.getStore()?.t(addon, text, params) ?? fillText(text, params);
}

export function pluralOf(addon: string) {
  return (one: string, other: string, n: number, params: TextParams = {}): string =>
    rendering.getStore()?.plural(addon, one, other, n, params) ?? fillText(n === 1 ? one : other, { n, ...params });
}

export const t = tOf('core');
export const plural = pluralOf('core');

export function pageLanguage(): string {
  return (rendering.getStore()?.lang ?? 'en_US').replace('_', '-');
}

export function url(path: string): string {
  return (rendering.getStore()?.prefix ?? '') + path;
}

export function formatNumber(value: number, digits: Digits = {}): string {
  const format = rendering.getStore()?.numbers(digits) ?? new Intl.NumberFormat(`${pageLanguage()}-u-nu-latn`, digits);
  return format.format(value);
}

export function parseNumber(text: string, input: NumberInput = {}) {
  const reading = createNumberParser(pageLanguage())(text, input);
  return reading.problem ? { value: null, fault: numberFault(reading, t) } : { value: reading.value, fault: null };
}

export function csrfField(): string {
  return rendering.getStore()?.csrf() ?? '';
}

export const pageSession = (): null => null;
export const ready: Promise<void> = Promise.resolve();

function onlyInBrowser(name: string): () => never {
  return () => {
    throw new Error(
      `${name} is only there in the browser: call it in an effect or an event handler, not while rendering.`,
    );
  };
}
export const rpc = onlyInBrowser('rpc');
export const sendForm = onlyInBrowser('sendForm');
export const openStream = onlyInBrowser('openStream');
export const request = onlyInBrowser('request');
export const postForm = onlyInBrowser('postForm');
export const emit = onlyInBrowser('emit');
export const on = onlyInBrowser('on');
export const csrfToken = onlyInBrowser('csrfToken');
export const notify = onlyInBrowser('notify');
export const confirmDialog = onlyInBrowser('confirmDialog');
export const reducedMotion = (): boolean => false;
export const isPlainClick = onlyInBrowser('isPlainClick');
export class RpcError extends Error {}
