import { type BuildMemory, didYouMean, type Problem } from '@pergola/core';
import { type Fault, type Origin, problemOf } from './check/fault.ts';
import { checkHandlebars, type HandlebarsReport, type PartialCall, type TextCall } from './check/handlebars.ts';
import { checkMarkup } from './check/markup.ts';
import type { WrittenValues } from './check/written-values.ts';
import type { HelperRules } from './helpers/rules.ts';
import { inherit, type TemplateSource } from './patch/inherit.ts';
import { type Change, type PatchFile, readPatchFile } from './patch/patch-file.ts';
import { SourceError } from './source/mustaches.ts';
import { parseSource } from './source/source.ts';

/** Templates and patches of an addon. */
export interface AddonTemplates {
  readonly name: string;
  readonly templates: readonly TemplateSource[];
  readonly patches: readonly Omit<PatchFile, 'addon'>[];
}

/** A template with all its changes, before translation and assembly. */
export interface TemplatePlan {
  readonly id: string;
  readonly addon: string;
  readonly file: string;
  readonly source: string;
  /** In addon order. */
  readonly changes: readonly PlannedChange[];
  /** Texts the source uses through `{{t}}` and `{{plural}}`. */
  readonly calls: readonly TextCall[];
  /** Whether the source can be parsed. */
  readonly sound: boolean;
  /** The source with all changes applied, in its original language. */
  readonly final: string;
}

/** A change of another addon to a template. */
export interface PlannedChange extends Change {
  readonly calls: readonly TextCall[];
}

/** A reference of a template to an island, fragment, block, group or style sheet, which only the core can check. */
export interface TemplateUse {
  readonly kind: 'island' | 'fragment' | 'block' | 'group' | 'stylesheet';
  readonly id: string;
  readonly values?: WrittenValues;
  readonly template: string;
  readonly addon: string;
  readonly file: string;
  readonly line: number;
}

export interface TemplatePlans {
  readonly plans: ReadonlyMap<string, TemplatePlan>;
  /** Names used as partials by any template. */
  readonly partials: ReadonlySet<string>;
  readonly uses: readonly TemplateUse[];
  readonly problems: readonly Problem[];
}

const idPattern = /^[a-z][a-z0-9_]*(\.[A-Za-z0-9_-]+)+$/;

/**
 * Reads, checks and assembles the templates of a generation, collecting all problems of all sources. Yields after each source, so that
 * requests can be served during the build.
 */
export function* planTemplates(
  addons: readonly AddonTemplates[],
  helpers: HelperRules,
  memory: BuildMemory,
): Generator<void, TemplatePlans> {
  const problems: Problem[] = [];
  const check = sourceChecker(helpers, memory, problems);
  const uses: TemplateUse[] = [];
  const sources = collectSources(addons, problems);
  const drafts = new Map<string, TemplateDraft>();
  for (const [id, { addon, template }] of sources) {
    const origin: Origin = { addon, file: template.file, line: 1 };
    drafts.set(id, {
      origin,
      template,
      changes: [],
      reports: [check(template.source, origin)],
    });
    yield;
  }
  for (const { name, patches } of addons) {
    for (const patch of patches) {
      addPatch({ ...patch, addon: name }, drafts, { check, memory, problems });
      yield;
    }
  }
  const plans = new Map<string, TemplatePlan>();
  const ids: ReadonlySet<string> = new Set(drafts.keys());
  for (const [id, draft] of drafts) {
    const { template, changes, origin } = draft;
    const { sound = false, calls = [] } = draft.reports[0] ?? {};
    const { source: final, problems: patchProblems } =
      sound && changes.length > 0
        ? memory.recall(ruled('changed', helpers), JSON.stringify([template.source, changes]), () =>
            inherit(
              template.source,
              changes,
              helpers,
              new Set(draft.reports.flatMap(({ faults }) => faults.map(({ message }) => message))),
            ),
          )
        : { source: template.source, problems: [] };
    problems.push(...patchProblems, ...partialProblems(draft, ids));
    for (const report of draft.reports) uses.push(...usesOf(report, id));
    plans.set(id, { id, ...origin, source: template.source, changes, final, calls, sound });
    yield;
  }
  const reports = [...drafts.values()].flatMap((draft) => draft.reports);
  const partials = new Set(reports.flatMap((report) => report.partials.map(({ name }) => name)));
  return { plans, partials, uses, problems };
}

interface TemplateDraft {
  readonly origin: Origin;
  readonly template: TemplateSource;
  readonly changes: PlannedChange[];
  /** For the template itself, then for each change. */
  readonly reports: SourceReport[];
}
/** Findings about one source, independent of its place. */
interface SourceFindings extends Pick<HandlebarsReport, 'partials' | 'inlines' | 'named' | 'calls'> {
  /** Problems of the source. */
  readonly faults: readonly Fault[];
  /** Whether it can be parsed. */
  readonly sound: boolean;
}
interface SourceReport extends SourceFindings {
  readonly source: string;
  readonly origin: Origin;
}
type SourceCheck = (source: string, origin: Origin, replaces?: boolean) => SourceReport;

function collectSources(
  addons: readonly AddonTemplates[],
  problems: Problem[],
): Map<string, { addon: string; template: TemplateSource }> {
  const sources = new Map<string, { addon: string; template: TemplateSource }>();
  for (const { name, templates } of addons) {
    for (const template of templates) {
      const { id, file } = template;
      const existing = sources.get(id);
      if (!idPattern.test(id) || !id.startsWith(`${name}.`)) {
        const message = `The template "${id}" is not named after its addon.`;
        problems.push({
          addon: name,
          file,
          message,
          remedy: `Call the file ${name}.something.hbs, in letters, digits, - and _.`,
        });
      } else if (existing) {
        const message = `There is a template "${id}" already, in ${existing.addon} ${existing.template.file}.`;
        problems.push({
          addon: name,
          file,
          message,
          remedy: 'Give one of them another name, or change it by a patch.',
        });
      } else sources.set(id, { addon: name, template });
    }
  }
  return sources;
}

function sourceChecker(helpers: HelperRules, memory: BuildMemory, problems: Problem[]): SourceCheck {
  const kinds = { source: ruled('source', helpers), replacement: ruled('replacement', helpers) };
  return (source, origin, replaces = false) => {
    const kind = kinds[replaces ? 'replacement' : 'source'];
    const findings = memory.recall(kind, source, () => checkSource(source, helpers, replaces));
    problems.push(...findings.faults.map((fault) => problemOf(fault, source, origin)));
    return { ...findings, source, origin };
  };
}

/** Findings also depend on the available helpers. */
function ruled(kind: string, helpers: HelperRules): string {
  return `${kind} ${JSON.stringify([...helpers])}`;
}

function checkSource(source: string, helpers: HelperRules, replaces: boolean): SourceFindings {
  const {
    readable,
    partials,
    inlines,
    named: references,
    calls,
    faults: handlebarsFaults,
  } = checkHandlebars(source, helpers, replaces);
  const faults = [...handlebarsFaults];
  let sound = false;
  try {
    faults.push(...checkMarkup(parseSource(source), helpers));
    sound = readable;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    // Handlebars has reported it already, unless it is a raw block
    if (readable) faults.push({ offset: error.offset, message: `${error.message}.`, remedy: 'Close it.' });
  }
  return { faults, sound, partials, inlines, named: references, calls };
}

function addPatch(
  patch: PatchFile,
  drafts: ReadonlyMap<string, TemplateDraft>,
  { check, memory, problems }: { check: SourceCheck; memory: BuildMemory; problems: Problem[] },
): void {
  const { addon, file, target } = patch;
  const draft = drafts.get(target);
  if (!draft) {
    problems.push({
      addon,
      file,
      message: `It changes "${target}", and there is no such template.`,
      remedy: didYouMean(target, drafts.keys()) || undefined,
    });
    return;
  }
  const { changes, problems: fileProblems } = memory.recall('patch', JSON.stringify(patch), () => readPatchFile(patch));
  problems.push(...fileProblems);
  for (const change of changes) {
    const origin: Origin = { addon, file, line: change.contentLine };
    const report = check(change.content, origin, change.position === 'replace');
    draft.reports.push(report);
    if (report.sound) draft.changes.push({ ...change, calls: report.calls });
  }
}

function partialProblems({ reports }: TemplateDraft, templates: ReadonlySet<string>): Problem[] {
  const parts = new Set(reports.flatMap(({ inlines }) => inlines));
  return reports.flatMap(({ partials, source, origin }) =>
    partials
      .filter(({ name, fallback }) => !fallback && !templates.has(name) && !parts.has(name))
      .map((call) => problemOf(partialFault(call, [...templates, ...parts]), source, origin)),
  );
}

function partialFault({ name, offset }: PartialCall, templateIds: readonly string[]) {
  if (name.includes('.'))
    return { offset, message: `There is no template "${name}".`, remedy: didYouMean(name, templateIds) || undefined };
  const remedy = `Write {{#> ${name}}}…{{/${name}}} with what to show where no caller defines it.`;
  return { offset, message: `There is no part "${name}" in this template.`, remedy };
}

function usesOf({ named: references, source, origin }: SourceReport, template: string): TemplateUse[] {
  return references.map(({ kind, id, offset, values }) => {
    const { addon, file = origin.file, line = 1 } = problemOf({ offset, message: '' }, source, origin);
    return { kind, id, values, template, addon, file, line };
  });
}
