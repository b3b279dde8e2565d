import { createSanitizer, type sanitizeHtml } from '@pergola/content';
import {
  addonMarkup,
  type BuildMemory,
  currentAccount,
  didYouMean,
  PergolaError,
  type Problem,
  reachable,
  shortMemory,
} from '@pergola/core';
import { createFormats, type Formats, sourcePlural } from '@pergola/texts';
import Handlebars from 'handlebars';
import {
  type AddonTemplates,
  type PlannedChange,
  planTemplates,
  type TemplatePlan,
  type TemplatePlans,
  type TemplateUse,
} from './build.ts';
import { checkEdited, type EditedFault, type Vocabulary, vocabularyOf } from './check/edited.ts';
import type { TextCall } from './check/handlebars.ts';
import { type Helpers, helperRules } from './helpers/index.ts';
import type { HelperRules } from './helpers/rules.ts';
import { localizeLinks } from './localize.ts';
import { type Anchor, anchorsOf } from './patch/anchors.ts';
import { annotate, inheritTranslated } from './patch/inherit.ts';
import type { RenderContext } from './render-context.ts';
import { parseSource } from './source/source.ts';
import { PATCH_HELPER, withoutLineBreaks } from './source/whitespace.ts';
import { type SourceTranslator, type TranslationFault, translatable, translateSource } from './translate/translate.ts';

export interface TemplateInput {
  /** In dependency order: later addons change the results of earlier ones. */
  readonly addons: readonly AddonTemplates[];
  readonly helpers: Helpers;
  /** Codes of all page languages; the first is the fallback of the others. */
  readonly languages: readonly string[];
  /** The translation of a text in an addon's own catalogue, or undefined. */
  translate(lang: string, addon: string, source: string): string | undefined;
  /** The plural forms of a text in an addon's own catalogue, or undefined. */
  forms?(lang: string, addon: string, singular: string): readonly string[] | undefined;
  /** Index of the language's plural form for a number. */
  pluralIndex?(lang: string, n: number): number;
  /** Location of a translation, for error messages. */
  place?(lang: string, addon: string, source: string): { readonly file: string; readonly line: number } | undefined;
  /** Called with translations that don't fit their source, when the template is first used; the source text is shown instead. */
  warn?(problem: Problem): void;
  /** Results of earlier builds. */
  readonly memory?: BuildMemory;
}

export interface TemplateResult {
  readonly templates: TemplateSet;
  /** If not empty, the generation can't be served. */
  readonly problems: readonly Problem[];
}

/** An error in a template during rendering. */
export class TemplateError extends PergolaError {}

/** The templates of a generation, each compiled on first use. */
interface TemplateSet {
  has(id: string): boolean;
  readonly ids: readonly string[];
  /**
   * Renders a page to text. `values` are plain objects made for it; throws a TemplateError for a missing or failing template.
   *
   * @param omitted changes of other addons to leave out
   */
  render(id: string, values: object, context: RenderContext, omitted?: ReadonlySet<PlannedChange>): string;
  /** Changes of other addons to a template, and to the templates it includes. */
  changesOf(id: string): readonly PlannedChange[];
  /** Final source of a template in a language, as a starting point for editing; undefined if it can't be parsed. */
  sourceIn(id: string, lang: string): string | undefined;
  /** Names an edited source may use instead of a template's own source. */
  vocabulary(id: string, lang: string): Vocabulary;
  /** Problems of an edited source; it must not be rendered if there are any. */
  checkEdited(source: string, vocabulary: Vocabulary): readonly EditedFault[];
  /** Renders a source that passed `checkEdited`. */
  renderEdited(source: string, values: object, context: RenderContext): string;
  /** The final source with comments naming the addon of each change, for developers. */
  sourceOf(id: string): string | undefined;
  /** Stable places of all templates, for authors of changes. */
  slots(): readonly TemplateSlots[];
  /** References of templates that others provide, checked by the build. */
  readonly uses: readonly TemplateUse[];
}

interface TemplateSlots {
  readonly template: string;
  readonly addon: string;
  readonly file: string;
  readonly anchors: readonly Anchor[];
}

/**
 * Builds the templates of a generation in small steps, because the process serves requests meanwhile.
 *
 *     source ─▶ checked ─▶ translated ─▶ changed by patches ─▶ links localised ─▶ compiled
 *               └ once ┘   └ per language, in addon order, on first use ────────────────┘
 *
 * Translation comes before patching, so that each addon's texts are looked up in its own catalogue.
 */
export function* templateSteps(input: TemplateInput): Generator<void, TemplateResult> {
  const rules = helperRules(input.helpers);
  const planned = yield* planTemplates(input.addons, rules, input.memory ?? shortMemory());
  const tools = { formats: createFormats(), sanitize: createSanitizer() };
  const byLanguage = new Map<string, Language>();
  for (const lang of input.languages) {
    byLanguage.set(lang, createLanguage(lang, planned, input, tools, rules));
    yield;
  }
  return { templates: templateSet(planned, input.languages, byLanguage, rules), problems: planned.problems };
}

/**
 * Final source of a template in one language: translated first, then patched, so that each addon's texts use its own catalogue.
 *
 * @param owner the template's addon: insertions of other addons are marked
 * @param omitted changes to leave out
 */
function sourceIn(
  lang: string,
  plan: TemplatePlan,
  input: TemplateInput,
  { owner, omitted = new Set() }: { owner?: string; omitted?: ReadonlySet<PlannedChange> } = {},
): string {
  const translated = (text: string, calls: readonly TextCall[], addon: string, file: string): string => {
    const texts = translatable(parseSource(text), calls);
    const { source, faults } = translateSource(texts, translatorFor(lang, addon, input));
    for (const fault of faults) input.warn?.(translationWarning(fault, lang, addon, file, input));
    return source;
  };
  const source = translated(plan.source, plan.calls, plan.addon, plan.file);
  const kept = plan.changes.filter((change) => !omitted.has(change));
  const changes = kept.map((change) => ({
    ...change,
    content: translated(change.content, change.calls, change.addon, change.file),
  }));
  const isUnchanged =
    source === plan.source &&
    kept.length === plan.changes.length &&
    changes.every(({ content }, index) => content === plan.changes[index]?.content);
  return isUnchanged && (changes.length === 0 || owner === undefined)
    ? plan.final
    : inheritTranslated(source, changes, owner);
}

function translatorFor(lang: string, addon: string, input: TemplateInput): SourceTranslator {
  return {
    text: (text) => input.translate(lang, addon, text),
    forms: (singular) => input.forms?.(lang, addon, singular),
  };
}

function translationWarning(
  { message, fault }: TranslationFault,
  lang: string,
  addon: string,
  file: string,
  input: TemplateInput,
): Problem {
  const place = input.place?.(lang, addon, message) ?? { file };
  const text = `The translation of "${message}" into ${lang} does not fit: ${fault}.`;
  return { addon, ...place, message: text, remedy: 'The source text is shown until it does.' };
}

interface Language {
  render(id: string, values: object, context: RenderContext, omitted?: ReadonlySet<PlannedChange>): string;
  renderEdited(source: string, values: object, context: RenderContext): string;
  sourceIn(id: string): string | undefined;
}

/** Limit for compiled edited sources per language. */
const MAX_EDITED = 100;

/** A separate Handlebars with the helpers and partials of one language; templates are compiled on first use. */
function createLanguage(
  lang: string,
  { plans, partials }: TemplatePlans,
  input: TemplateInput,
  shared: { formats: Formats; sanitize: typeof sanitizeHtml },
  rules: HelperRules,
): Language {
  const handlebars = Handlebars.create();
  Object.assign(handlebars, { VM: { ...Handlebars.VM, invokePartial } });
  handlebars.unregisterHelper('log');
  const tools = { ...shared, pluralIndex: (n: number) => input.pluralIndex?.(lang, n) ?? sourcePlural.index(n) };
  for (const [name, definition] of input.helpers) {
    handlebars.registerHelper(name, definition.make(tools));
  }
  handlebars.registerHelper(
    PATCH_HELPER,
    function patched(this: unknown, addon: string, { fn }: Handlebars.HelperOptions) {
      return addonMarkup(addon, () => fn(this));
    },
  );
  const knownHelpers = Object.fromEntries([...rules.keys(), PATCH_HELPER].map((name) => [name, true]));
  const compile = (plan: TemplatePlan, omitted?: ReadonlySet<PlannedChange>): Handlebars.TemplateDelegate => {
    const source = () => sourceIn(lang, plan, input, { owner: plan.addon, omitted });
    const inner = compileLazily(handlebars, plan.id, source, knownHelpers);
    return (values, options) => addonMarkup(plan.addon, () => inner(values, options));
  };
  const compiled = new Map<string, Handlebars.TemplateDelegate>();
  for (const [id, plan] of plans) {
    if (!plan.sound) continue;
    const template = compile(plan);
    compiled.set(id, template);
    // A page that fills parts of another one copies the whole list of partials each time.
    if (partials.has(id)) handlebars.registerPartial(id, template);
  }
  const settings = partialSettings(handlebars);
  const variants = new Map<string, ReadonlyMap<string, Handlebars.TemplateDelegate>>();
  /** Templates without some of their changes, by id; few sets of changes are ever left out. */
  const variantsWithout = (omitted: ReadonlySet<PlannedChange>): ReadonlyMap<string, Handlebars.TemplateDelegate> => {
    const key = JSON.stringify([...omitted].map(({ addon, file, line }) => `${addon} ${file}:${line}`).sort());
    const existing = variants.get(key);
    if (existing) return existing;
    if (variants.size >= MAX_EDITED) variants.clear();
    const made = [...plans.values()]
      .filter(({ changes }) => changes.some((change) => omitted.has(change)))
      .map((plan) => [plan.id, compile(plan, omitted)] as const);
    variants.set(key, new Map(made));
    return new Map(made);
  };
  const edited = new Map<string, Handlebars.TemplateDelegate>();
  return {
    render(id, values, context, omitted) {
      const variants = omitted && omitted.size > 0 ? variantsWithout(omitted) : undefined;
      const template = variants?.get(id) ?? compiled.get(id);
      if (!template) throw new TemplateError(`There is no template "${id}". ${didYouMean(id, compiled.keys())}`.trim());
      const partials = variants ? { partials: { ...settings.partials, ...Object.fromEntries(variants) } } : {};
      return template(values, { ...settings, ...partials, data: { root: values, render: context } });
    },
    renderEdited(source, values, context) {
      let template = edited.get(source);
      if (!template) {
        if (edited.size >= MAX_EDITED) edited.clear();
        template = compileLazily(handlebars, 'edited', () => source, knownHelpers);
        edited.set(source, template);
      }
      return template(values, { ...settings, data: { root: values, render: context } });
    },
    sourceIn(id) {
      const plan = plans.get(id);
      return plan?.sound ? sourceIn(lang, plan, input) : undefined;
    },
  };
}

type InvokePartial = (partial: unknown, values: unknown, options: PartialOptions) => unknown;

interface PartialOptions extends Handlebars.RuntimeOptions {
  /** Content between the tags of the call. */
  readonly fn?: Handlebars.TemplateDelegate & { readonly partials?: Record<string, Handlebars.TemplateDelegate> };
}

const { invokePartial: invokePlain, noop } = Handlebars.VM as unknown as {
  invokePartial: InvokePartial;
  noop: unknown;
};

/**
 * Calls a partial. For one with a block, avoids Handlebars' `data['partial-block'] = function …`: V8 moves a function assigned to a
 * property to its old space, where it would keep the whole page alive until that is collected.
 *
 * The block, and the parts defined in it, see the values of the place where they are written: `title="…"` is only for the partial. An
 * `{{#each}}` of the partial, or arguments of its `{{> @partial-block}}`, give them different values.
 */
function invokePartial(partial: unknown, values: unknown, { fn, ...options }: PartialOptions): unknown {
  if (fn === undefined || fn === noop) return invokePlain(partial, values, options);
  const { partialValues, visibleTo } = withoutAround(values);
  const frame = (data: unknown, block: unknown): object =>
    Object.assign(Handlebars.createFrame(data as object), { 'partial-block': block });
  const outer: unknown = options.data?.['partial-block'];
  // The block is markup of the calling addon, wherever the partial shows it.
  const caller = currentAccount()?.addon ?? '';
  const block = (blockValues: unknown, more: Handlebars.RuntimeOptions = {}): string =>
    addonMarkup(caller, () => fn(visibleTo(blockValues), Object.assign(more, { data: frame(more.data, outer) })));
  const partials = fn.partials
    ? { ...options.partials, ...partsSeeing(caller, visibleTo, fn.partials) }
    : options.partials;
  return invokePlain(partial ?? block, partialValues, { ...options, data: frame(options.data, block), partials });
}

/**
 * Values for a partial, and a function that returns the values its block sees: those around the call, unless the partial has changed them.
 */
function withoutAround(values: unknown): { readonly partialValues: unknown; visibleTo(blockValues: unknown): unknown } {
  if (typeof values !== 'object' || values === null || !(AROUND in values))
    return { partialValues: values, visibleTo: (blockValues) => blockValues };
  const { [AROUND]: outerValues, ...partialValues } = values;
  return { partialValues, visibleTo: (blockValues) => (blockValues === partialValues ? outerValues : blockValues) };
}

function partsSeeing(
  caller: string,
  visibleTo: (blockValues: unknown) => unknown,
  parts: Readonly<Record<string, Handlebars.TemplateDelegate>>,
): Record<string, Handlebars.TemplateDelegate> {
  const entries = Object.entries(parts).map(([name, part]): [string, Handlebars.TemplateDelegate] => [
    name,
    (blockValues, options) => addonMarkup(caller, () => part(visibleTo(blockValues), options)),
  ]);
  return Object.fromEntries(entries);
}

/**
 * Handlebars' settings for a partial. A page called like a partial skips wrapping every helper again, which normal calls do each time and
 * which takes a tenth of the rendering time. Helpers stay unwrapped: only `lookup` needs the wrapper.
 */
function partialSettings(handlebars: typeof Handlebars): Handlebars.RuntimeOptions {
  let settings: Handlebars.RuntimeOptions = {};
  const probe = 'probe';
  handlebars.registerPartial(probe, (_values, options = {}) => {
    settings = options;
    return '';
  });
  // set explicitly, so that Handlebars rejects inherited properties without writing to the console
  const ownOnly = { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false };
  handlebars.compile(`{{> ${probe}}}`)({}, ownOnly);
  handlebars.unregisterPartial(probe);
  const wrapped = Object.entries(settings.helpers ?? {});
  const bare = wrapped.map(([name, helper]) => [
    name,
    name === 'lookup' ? helper : (handlebars.helpers[name] ?? helper),
  ]);
  return { ...settings, helpers: Object.fromEntries(bare) };
}

function compileLazily(
  handlebars: typeof Handlebars,
  id: string,
  source: () => string,
  knownHelpers: Record<string, boolean>,
): Handlebars.TemplateDelegate {
  let template: Handlebars.TemplateDelegate | undefined;
  return (values, options) => {
    // srcName ends up in `options.loc` of helpers, which use it in their errors
    const settings = { knownHelpers, knownHelpersOnly: true, preventIndent: true, srcName: id };
    template ??= handlebars.compile(prepare(Handlebars.parse(localizeLinks(source()), settings)), settings);
    return template(values, options);
  };
}

function prepare(program: hbs.AST.Program): hbs.AST.Program {
  new CallRewriter().accept(program);
  return withoutLineBreaks(program);
}

/** Key under which the arguments of a partial with a block pass on the surrounding values; authors can't write this name. */
const AROUND = ' around';

class CallRewriter extends Handlebars.Visitor {
  override MustacheStatement(call: hbs.AST.MustacheStatement): void {
    if (call.params.length > 0 || call.hash) nameHelper(call);
    super.MustacheStatement(call);
  }

  override SubExpression(call: hbs.AST.SubExpression): void {
    nameHelper(call);
    super.SubExpression(call);
  }

  override BlockStatement(call: hbs.AST.BlockStatement): void {
    nameHelper(call);
    super.BlockStatement(call);
  }

  /** A partial called with arguments sees only these, not its caller's values: another page's `name` or `type` isn't meant for it. */
  override PartialStatement(partial: hbs.AST.PartialStatement): void {
    const undefinedLiteral: hbs.AST.UndefinedLiteral = { type: 'UndefinedLiteral', loc: partial.loc };
    if (partial.hash && partial.params.length === 0) partial.params.push(undefinedLiteral);
  }

  override PartialBlockStatement(partial: hbs.AST.PartialBlockStatement): void {
    super.PartialBlockStatement(partial);
    const { hash, params, loc } = partial;
    const currentValues = {
      type: 'PathExpression',
      original: 'this',
      this: true,
      data: false,
      depth: 0,
      parts: [],
      loc,
    };
    hash?.pairs.push({
      type: 'HashPair',
      key: AROUND,
      value: params[0] ?? (currentValues as hbs.AST.PathExpression),
      loc,
    });
  }
}

/** Makes Handlebars read `library.stars` in a call as the name of a helper, not as a path. */
function nameHelper({ path }: { readonly path: hbs.AST.Expression }): void {
  if ('parts' in path) Object.assign(path, { parts: [(path as hbs.AST.PathExpression).original] });
}

function templateSet(
  { plans, uses }: TemplatePlans,
  languages: readonly string[],
  byLanguage: ReadonlyMap<string, Language>,
  rules: HelperRules,
): TemplateSet {
  const languageFor = (lang: string): Language | undefined => {
    const fallback = languages.find((code) => code.split('_')[0] === lang.split('_')[0]) ?? languages[0] ?? '';
    return byLanguage.get(lang) ?? byLanguage.get(fallback);
  };
  const changesById = new Map<string, readonly PlannedChange[]>();
  return {
    has: (id) => typeof id === 'string' && plans.has(id),
    ids: [...plans.keys()],
    uses,
    render(id, values, context, omitted) {
      // names from a request may be any value; only strings are passed to Handlebars
      if (typeof id !== 'string') throw new TemplateError('A template is named by a text.');
      try {
        const language = languageFor(context.lang);
        if (!language) throw new TemplateError('There is no language to render in.');
        return language.render(id, values, context, omitted);
      } catch (error) {
        if (error instanceof PergolaError) throw error;
        const text = error instanceof Error ? error.message : String(error);
        throw new TemplateError(`The template "${id}" failed: ${text}`, { cause: error });
      }
    },
    changesOf(id) {
      const changes =
        changesById.get(id) ?? [...includedIn(id, plans)].flatMap((part) => plans.get(part)?.changes ?? []);
      changesById.set(id, changes);
      return changes;
    },
    sourceIn: (id, lang) => languageFor(lang)?.sourceIn(id),
    vocabulary(id, lang) {
      const language = languageFor(lang);
      const sources = new Map<string, string>();
      const add = (template: string): void => {
        const source = sources.has(template) ? undefined : language?.sourceIn(template);
        if (source === undefined) return;
        sources.set(template, source);
        // Parts shown with all values of the template require their own values too.
        for (const [, part = ''] of source.matchAll(/\{\{>\s*([\w.]+)\s*\}\}/g)) add(part);
      };
      add(id);
      return vocabularyOf([...sources.values()], rules);
    },
    checkEdited: (source, vocabulary) => checkEdited(source, vocabulary, rules),
    renderEdited(source, values, context) {
      const language = languageFor(context.lang);
      if (!language) throw new TemplateError('There is no language to render in.');
      try {
        return language.renderEdited(source, values, context);
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        throw new TemplateError(`What was edited failed: ${text}`, { cause: error });
      }
    },
    sourceOf(id) {
      const plan = plans.get(id);
      return plan?.sound ? annotate(plan.source, plan.changes) : plan?.source;
    },
    slots: () => [...plans.values()].filter(({ sound }) => sound).map(slotsOf),
  };
}

/** A template, and the templates it includes, directly or not. */
function includedIn(id: string, plans: ReadonlyMap<string, TemplatePlan>): Set<string> {
  const calls = /\{\{#?>\s*([\w.-]+)/g;
  return reachable([id], (name) => [...(plans.get(name)?.final.matchAll(calls) ?? [])].map(([, part = '']) => part));
}

function slotsOf({ id, addon, file, final }: TemplatePlan): TemplateSlots {
  return { template: id, addon, file, anchors: anchorsOf(parseSource(final)) };
}
