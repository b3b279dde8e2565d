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

/** How open pages show what was saved: by new style sheets or islands in their places, or by being loaded again. */
export type Swap = 'styles' | 'islands' | 'page';

const styles = /(^|[\\/])styles[\\/].*\.s?css$/;
const components = /(^|[\\/])islands[\\/].*\.tsx?$/;
/** Schemas of props and components for slots of other islands, which have no names of their own. */
const notSwapped = /\.(props|slots)\.tsx?$/;

/** The least that shows all of these files, which are as seen from their addons. */
export function swapOf(files: readonly string[]): Swap {
  if (files.every((file) => styles.test(file))) return 'styles';
  return files.every((file) => styles.test(file) || (components.test(file) && !notSwapped.test(file)))
    ? 'islands'
    : 'page';
}
