/** A description: its first line as a name, and the others. */
export function textOf(name: string): { readonly name: string; readonly more: readonly string[] } {
  const [first = '', ...more] = name.split(/\r?\n/);
  return { name: first, more: more.filter((line) => line.trim() !== '') };
}
