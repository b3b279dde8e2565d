import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { withoutControls } from '@pergola/content';
import { InvalidInput, type PergolaError } from '@pergola/core';
import busboy from 'busboy';
import { Malformed } from '../malformed.ts';
import type { Upload } from '../routes/route.ts';
import { type ReceiveOptions, receive, tooLarge } from './receive.ts';

/** Fields by name, each with all its values in order. Without a prototype, so that no field name has a special meaning. */
export type FormFields = Readonly<Record<string, readonly string[]>>;
export interface FormBody {
  readonly fields: FormFields;
  readonly files: Readonly<Record<string, readonly Upload[]>>;
}

export interface FormLimits extends ReceiveOptions {
  /** Maximum number of fields. */
  readonly fields: number;
  /** Accepted files by field, with the maximum bytes of each. */
  readonly files: Readonly<Record<string, number>>;
}

const MAX_FILES = 20;
const MAX_NAME_LENGTH = 200;

/**
 * Reads a form, urlencoded or multipart, into memory; nothing is written to disk.
 *
 * @throws Malformed for another content type, broken or overlong parts, or too many fields; TooLarge with the limit; InvalidInput for an
 * unexpected file.
 */
export async function readForm(req: IncomingMessage, res: ServerResponse, limits: FormLimits): Promise<FormBody> {
  const form = new FormReader(openParser(req, limits), limits);
  await receive(req, res, limits, (piece) => form.write(piece));
  return form.end();
}

/** Whether the content type is one of a form. */
export function isForm(contentType: string | undefined): boolean {
  return /^\s*(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i.test(contentType ?? '');
}

function openParser(req: IncomingMessage, limits: FormLimits): busboy.Busboy {
  if (!isForm(req.headers['content-type'])) throw notAForm();
  const bounds = {
    fieldNameSize: MAX_NAME_LENGTH,
    fieldSize: limits.limit,
    fields: limits.fields + 1,
    files: MAX_FILES + 1,
  };
  try {
    return busboy({ headers: req.headers, defParamCharset: 'utf8', limits: bounds });
  } catch {
    throw notAForm();
  }
}

function notAForm(): Malformed {
  return new Malformed('This address expects a form (urlencoded or multipart).', { code: 'core.not_a_form' });
}

class FormReader {
  readonly #parser: busboy.Busboy;
  readonly #limits: FormLimits;
  readonly #fields: Record<string, string[]> = Object.create(null);
  readonly #files: Record<string, Upload[]> = Object.create(null);
  readonly #closed: Promise<void>;
  #count = 0;
  #fileCount = 0;
  #failure: unknown = null;

  constructor(parser: busboy.Busboy, limits: FormLimits) {
    this.#parser = parser;
    this.#limits = limits;
    this.#closed = new Promise((resolve) => parser.on('close', resolve).on('error', () => resolve()));
    parser.on('field', (name, value, info) => this.#field(name, value, info));
    parser.on('file', (name, content, info) => this.#file(name, content, info));
    parser.on('error', () => this.#fail(new Malformed('The form data is invalid.', { code: 'core.broken_form' })));
  }

  write(piece: Buffer): void {
    this.#parser.write(piece);
    if (this.#failure) throw this.#failure;
  }

  async end(): Promise<FormBody> {
    this.#parser.end();
    await this.#closed;
    if (this.#failure) throw this.#failure;
    return { fields: this.#fields, files: this.#files };
  }

  #field(name: string | undefined, value: string, info: busboy.FieldInfo): void {
    if (++this.#count > this.#limits.fields) this.#tooMany({ code: 'core.too_many_fields', max: this.#limits.fields });
    if (this.#failure || !this.#isName(name) || info.nameTruncated || info.valueTruncated) return;
    this.#fields[name] ??= [];
    this.#fields[name].push(value);
  }

  #file(name: string | undefined, content: Readable & { truncated?: boolean }, info: busboy.FileInfo): void {
    const maxBytes =
      name !== undefined && Object.hasOwn(this.#limits.files, name) ? this.#limits.files[name] : undefined;
    const pieces: Buffer[] = [];
    let size = 0;
    content.on('error', () => {});
    content.on('data', (piece: Buffer) => {
      size += piece.byteLength;
      // Browsers send an empty part if no file was chosen, whether or not files are accepted.
      if (maxBytes === undefined) this.#fail(noFileHere(name));
      else if (size > maxBytes) this.#fail(tooLarge(maxBytes));
      else pieces.push(piece);
    });
    content.on('end', () => {
      if (this.#failure || size === 0 || name === undefined) return;
      this.#files[name] ??= [];
      this.#files[name].push({
        name: fileName(info.filename),
        mimetype: info.mimeType,
        content: Buffer.concat(pieces),
      });
    });
    if (++this.#fileCount > MAX_FILES) this.#tooMany({ code: 'core.too_many_files', max: MAX_FILES });
    this.#isName(name);
  }

  #isName(name: string | undefined): name is string {
    if (name !== undefined && name.length > 0 && name.length <= MAX_NAME_LENGTH) return name !== '__proto__';
    this.#fail(new Malformed('The form has a part without a usable name.', { code: 'core.broken_form' }));
    return false;
  }

  #tooMany({ code, max }: { readonly code: string; readonly max: number }): void {
    this.#fail(new Malformed('The form has too many parts. The limit is {most}.', { code, params: { most: max } }));
  }

  /** Keeps the first failure and ignores later ones. */
  #fail(error: PergolaError): void {
    this.#failure ??= error;
  }
}

function noFileHere(name: string | undefined): InvalidInput {
  return new InvalidInput('The form doesn’t accept a file in “{name}”.', {
    code: 'core.no_file_here',
    params: { name: (name ?? '').slice(0, MAX_NAME_LENGTH) },
  });
}

/** A file name that is safe to show and store: no path, no control or direction characters, at most 255. */
function fileName(sent: string | undefined): string {
  const name = withoutControls((sent ?? '').replace(/^.*[/\\]/s, ''));
  return [...name.trim()].slice(0, 255).join('') || 'file';
}
