import {
  type CommentDisplayPart,
  CommentTag,
  type DeclarationReflection,
  Comment as DocComment,
  type DocumentReflection,
  type ProjectReflection,
  type Reflection,
} from 'typedoc';

/** Lowercase variable names used in guides, with their interfaces. */
const objects: Readonly<Record<string, string>> = { ctx: 'Ctx', app: 'TestApp' };

/**
 * Links names in code, such as `ctx.lock(…)`, to the reference, and from there back to the pages that mention them. `reference.md#<name>`
 * becomes a link to the generated page of that name.
 */
export function linkNames(
  project: ProjectReflection,
  modules: readonly string[],
  tables: ReadonlyMap<string, string>,
): void {
  const find = finder(project, modules);
  project.readme = project.readme?.map((part) => linked(part, find) ?? part);
  const mentions = new Map<Reflection, DocumentReflection[]>();
  for (const document of project.documents ?? []) {
    const inside = document.frontmatter.group === 'Inside';
    document.content = document.content.map((part): CommentDisplayPart => {
      const table = part.kind === 'relative-link' && tables.get(/\breference\.md#(.+)/.exec(part.text)?.[1] ?? '');
      if (table) {
        const { target } = project.files.registerAbsolute(table as never);
        return { ...part, target, targetAnchor: undefined };
      }
      const link = linked(part, find);
      if (!link) return part;
      const mentioning = mentions.get(link.target) ?? [];
      if (!inside && !mentioning.includes(document)) mentions.set(link.target, [...mentioning, document]);
      return link;
    });
  }
  for (const [reflection, documents] of mentions) addMentions(reflection, documents);
}

/** Turns a code fragment into a link if it names something. */
function linked(part: CommentDisplayPart, find: (code: string) => Reflection | undefined) {
  const target = part.kind === 'code' ? find(part.text) : undefined;
  return (
    target && { kind: 'inline-tag' as const, tag: '@linkcode' as const, text: part.text.replace(/^`|`$/g, ''), target }
  );
}

/** Returns a function that finds the export, or member of an export, named by an inline code fragment. */
function finder(project: ProjectReflection, modules: readonly string[]): (code: string) => Reflection | undefined {
  const exported = new Map<string, DeclarationReflection>();
  for (const name of modules) {
    const module = project.children?.find((child) => child.name === name);
    for (const child of module?.children ?? []) if (!exported.has(child.name)) exported.set(child.name, child);
  }
  const model = exported.get('Model');
  return (code) => {
    const [, path = ''] = /^`([\w$]+(?:\.[\w$]+)?)(?:\(.*\))?`$/s.exec(code) ?? [];
    const [first = '', second] = path.split('.');
    const owner = exported.get(objects[first] ?? first) ?? (second === undefined ? memberOf(model, first) : undefined);
    return second === undefined ? (first in objects ? undefined : owner) : (memberOf(owner, second) ?? owner);
  };
}

function memberOf(owner: DeclarationReflection | undefined, name: string): DeclarationReflection | undefined {
  const type = owner?.type;
  const members = owner?.children ?? (type?.type === 'reflection' ? type.declaration.children : undefined);
  return members?.find((child) => child.name === name);
}

function addMentions(reflection: Reflection, documents: readonly DocumentReflection[]): void {
  const declaration = reflection as DeclarationReflection;
  const owners: Reflection[] = declaration.signatures?.slice(0, 1) ?? [reflection];
  for (const owner of owners) {
    owner.comment ??= new DocComment();
    owner.comment.blockTags.push(
      new CommentTag(
        '@see',
        documents.flatMap((document, index): CommentDisplayPart[] => [
          { kind: 'text', text: index === 0 ? '' : ', ' },
          { kind: 'inline-tag', tag: '@link', text: document.name, target: document },
        ]),
      ),
    );
  }
}
