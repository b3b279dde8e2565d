import path from 'node:path';

/**
 * Consequence of saving a file: `rebuild` the assets in the running process, `restart` because a process can't reload server code, or
 * nothing.
 */
export type Consequence = 'rebuild' | 'restart' | 'nothing';

const unwatched = /(^|\/)(node_modules|tests|testing|\.[^/]+)(\/|$)|\.part$|~$/;
const forPages = /(^|\/)((templates|islands|behaviours|browser|styles|i18n|static)\/|browser\.[jt]s$)/;
/** The server loads props schemas. */
const props = /\.props\.[jt]s$/;
const code = /\.([cm]?[jt]sx?|json)$/;

/** @param file path relative to the watched folder */
export function consequenceOf(file: string): Consequence {
  const posixPath = file.split(path.sep).join('/');
  if (unwatched.test(posixPath)) return 'nothing';
  if (forPages.test(posixPath) && !props.test(posixPath)) return posixPath.endsWith('.pot') ? 'nothing' : 'rebuild';
  return code.test(posixPath) ? 'restart' : 'nothing';
}

/** Whether to watch this folder or file, relative to a watched folder. */
export function isWatched(file: string): boolean {
  return !unwatched.test(file.split(path.sep).join('/'));
}

/** How open pages show a change: by replacing style sheets or islands in place, or by reloading. */
export type Swap = 'styles' | 'islands' | 'page';

const styles = /(^|[\\/])styles[\\/].*\.s?css$/;
const components = /(^|[\\/])islands[\\/].*\.tsx?$/;
/** Props schemas, and components for slots of other islands, which have no names of their own. */
const notSwapped = /\.(props|slots)\.tsx?$/;

/** The smallest swap that shows all of these files, given relative to their addons. */
export function swapOf(files: readonly string[]): Swap {
  if (files.every((file) => styles.test(file))) return 'styles';
  return files.every((file) => styles.test(file) || (components.test(file) && !notSwapped.test(file)))
    ? 'islands'
    : 'page';
}
