/** Spellings of a new part's name. */
export interface Names {
  /** Name of the addon. */
  readonly addon: string;
  /** `spare_part`, after the addon's name in ids and URLs. */
  readonly id: string;
  /** `spare-part`, for files. */
  readonly file: string;
  /** `SparePart`, for classes and islands. */
  readonly type: string;
  /** `sparePart`, for variables. */
  readonly value: string;
  /** `Spare part`, on screens. */
  readonly label: string;
}

/** Spellings of a name of one or more words, written `spare-part`, `spare_part` or `SparePart`; null if it is invalid. */
export function namesOf(addon: string, name: string): Names | null {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[-_]/);
  if (!words.every((word) => /^[a-z][a-z0-9]*$/.test(word))) return null;
  const type = words.map(upperFirst).join('');
  const [first = ''] = words;
  const value = first + words.slice(1).map(upperFirst).join('');
  return { addon, id: words.join('_'), file: words.join('-'), type, value, label: upperFirst(words.join(' ')) };
}

function upperFirst(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
