import path from 'node:path';

/**
 * What a saved file asks for: `rebuild` what pages are made of, in the process that runs; `restart`, since a process cannot load the server's
 * code anew; or nothing.
 */
export type Consequence = 'rebuild' | 'restart' | 'nothing';

const unwatched = /(^|\/)(node_modules|tests|testing|\.[^/]+)(\/|$)|\.part$|~$/;
const forPages = /(^|\/)((templates|islands|behaviours|browser|styles|i18n|static)\/|browser\.[jt]s$)/;
/** Schemas of props are loaded by the server. */
const props = /\.props\.[jt]s$/;
const code = /\.([cm]?[jt]sx?|json)$/;

/** `file` is the path below the folder that is watched. */
export function consequenceOf(file: string): Consequence {
  const below = file.split(path.sep).join('/');
  if (unwatched.test(below)) return 'nothing';
  if (forPages.test(below) && !props.test(below)) return below.endsWith('.pot') ? 'nothing' : 'rebuild';
  return code.test(below) ? 'restart' : 'nothing';
}

/** Whether a folder or file below a watched folder is looked at. */
export function isWatched(file: string): boolean {
  return !unwatched.test(file.split(path.sep).join('/'));
}
