import { type Element, isTag, type ParentNode } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import type { Ctx, Id } from 'pergola';
import { t } from '../texts.ts';
import { type FaultCount, type FaultRule, faultRules } from './checks.ts';
import { untranslated } from './untranslated.ts';
import { revisionOf } from './values.ts';

/**
 * Returns known issues of a page without rendering it: results of the latest browser check if the text is unchanged since, missing
 * alternative texts and skipped heading levels in the HTML, and untranslated languages.
 */
export async function findingsOf(ctx: Ctx, page: Id): Promise<FaultCount[]> {
  // Check results are readable for editors only, but publishers without that right are warned, too.
  const [row] = await ctx
    .sudo()
    .model('website.page')
    .read([page], { select: { content: true, check_faults: true, check_revision: true } });
  const content = row?.content ?? '';
  const checked = row?.check_revision === revisionOf(row?.content) ? (row?.check_faults as readonly FaultCount[]) : [];
  const languages = new Set((await untranslated(ctx, page)).map(({ lang }) => lang));
  const counts = new Map<FaultRule, number>([
    ...(checked ?? []).map(({ rule, count }) => [rule, count] as const),
    ...writtenFaults(content),
    ['languages', languages.size],
  ]);
  return faultRules.flatMap((rule) => {
    const count = counts.get(rule) ?? 0;
    return count > 0 ? [{ rule, count }] : [];
  });
}

/** Findings as text, for the confirmation before publishing. */
export function findingsText(ctx: Ctx, findings: readonly FaultCount[]): string {
  const texts: Readonly<Record<FaultRule, (n: { n: number }) => string>> = {
    alt: (n) => t(ctx, 'images without alternative text ({n})', n),
    contrast: (n) => t(ctx, 'texts with too little contrast ({n})', n),
    headings: (n) => t(ctx, 'headings out of order ({n})', n),
    names: (n) => t(ctx, 'links or fields without a name ({n})', n),
    links: (n) => t(ctx, 'broken links ({n})', n),
    pictures: (n) => t(ctx, 'large images ({n})', n),
    languages: (n) => t(ctx, 'incomplete translations ({n})', n),
    other: (n) => t(ctx, 'invalid lists or tables ({n})', n),
  };
  return findings.map(({ rule, count }) => texts[rule]({ n: count })).join(', ');
}

function writtenFaults(html: string): (readonly [FaultRule, number])[] {
  const elements = elementsOf(parseDocument(html));
  const plain = elements.filter(
    ({ name, attribs }) => name === 'img' && !attribs.alt?.trim() && attribs.role !== 'presentation',
  );
  let level = 0;
  const skipped = elements.filter(({ name }) => {
    const headingLevel = Number(/^h([1-6])$/.exec(name)?.[1] ?? 0);
    const isSkipped = level > 0 && headingLevel > level + 1;
    if (headingLevel > 0) level = headingLevel;
    return isSkipped;
  });
  return [
    ['alt', plain.length],
    ['headings', skipped.length],
  ];
}

function elementsOf(node: ParentNode): Element[] {
  return node.children.flatMap((child) => (isTag(child) ? [child, ...elementsOf(child)] : []));
}
