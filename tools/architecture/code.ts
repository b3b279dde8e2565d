import type { Found } from './parse.ts';
import type { Rule, Violation } from './problem.ts';
import type { Source, Sources } from './sources.ts';

/** What may not be written, wherever it is imported from. Tests, and code that only ever runs in one page, may keep state in their module. */
export function checkCode({ files }: Sources): Violation[] {
  return [...files.values()].flatMap((source) => {
    const {
      mutable,
      secrets,
      safeStrings,
      destructive,
      lasting,
      looseSigns,
      unlockedCounts,
      loweredAddresses,
      unreadArguments,
      lateLinks,
      fetches,
    } = source.facts;
    return [
      ...problems(source, source.isTest || source.isPageOnly ? [] : mutable, 'mutable-module', ({ text }) => [
        `${text}; two applications in one process would share it.`,
        'Keep it in what is made for one application, generation or request; a table that never changes is frozen (Object.freeze) or made full.',
      ]),
      ...problems(source, source.isTest ? [] : secrets, 'secret-compared', ({ text }) => [
        `"${text}" is compared letter by letter, so the time it takes tells how much of a guess is right.`,
        'Compare with timingSafeEqualText.',
      ]),
      ...problems(source, source.file.startsWith('core/page/') ? [] : safeStrings, 'safe-string', () => [
        'SafeString switches off the escaping of HTML, for whatever is in it.',
        'Hand plain data to the template; HTML of a field goes through {{field}}, which sanitises it. Only core/page makes safe strings.',
      ]),
      ...problems(source, destructive, 'destructive-migration', ({ text }) => [
        `.${text}() on SQLite makes the table anew, which silently deletes the rows that refer to it.`,
        'Change the fields of the model and let the plan change the table; for what a plan cannot tell use the migration tools.',
      ]),
      ...problems(source, answersRequests(source) ? lasting : [], 'outlives-request', ({ text }) => [
        `${text} stays until V8 collects its old space, and all it knows of stays with it: a whole request.`,
        'Give the function a name first (const settle = …) or use a method; hand an object on as it is, or in a Proxy.',
      ]),
      ...problems(source, isModel(source) ? unlockedCounts : [], 'unlocked-count', () => [
        'Other records are counted and something is refused by it, without a lock: two transactions at once can break the rule together.',
        'Count within this.invariant(model, ids, …), or lock what the records have in common before.',
      ]),
      ...problems(source, isAboutAddresses(source) ? loweredAddresses : [], 'lowered-address', ({ text }) => [
        `“${text}” is compared in small letters only, but one address can be written in more ways: with a domain in ASCII, in full-width letters.`,
        'Compare emailKey() of core/mail/address.ts; show what was typed.',
      ]),
      ...problems(source, source.isTest ? [] : unreadArguments, 'unread-argument', ({ text }) => [
        `Callers may send "${text}", and nothing reads it: it is accepted and has no effect.`,
        'Use it, or take it out of the schema so that it is refused.',
      ]),
      ...problems(source, inIsland(source) ? lateLinks : [], 'late-link', () => [
        'A script follows this link itself, but the first tap comes before the script: the browser leaves the page.',
        'Add data-in-place to the link, or make it a button.',
      ]),
      ...problems(source, source.addon && inIsland(source) ? fetches : [], 'bare-fetch', ({ text }) => [
        `${text} doesn't say which page asks, so the answer may be in the language of another tab.`,
        'Call rpc, useAction, sendForm, postForm, useEvents, or request from #core/browser.',
      ]),
      // Of shipped records; texts of code are translated in catalogues.
      ...problems(
        source,
        source.addon && /\/(data|demo)\//.test(source.file) ? looseSigns : [],
        'french-plain-space',
        ({ text }) => [
          `“${text.slice(0, 60)}” has a plain space beside « », ?, !, ; or :.`,
          'Write a no-break space (\\u00a0) there.',
        ],
      ),
    ];
  });
}

/** All code but tests and the definition of what makes two addresses the same. */
function isAboutAddresses({ file, isTest }: Source): boolean {
  return !isTest && file !== 'core/mail/address.ts';
}

/** Islands wake late; the backend and the editor are drawn by scripts that are there. */
function inIsland({ file, isBrowser, isPageOnly }: Source): boolean {
  return isBrowser && !isPageOnly && !/\/(backend|editor)\//.test(file);
}

function isModel({ file, isTest, addon }: Source): boolean {
  return addon !== null && !isTest && /\/(models|mixins)\//.test(file);
}

/** Not what runs in browsers, or once in a command. */
function answersRequests({ file, isTest, isBrowser }: Source): boolean {
  return !isTest && !isBrowser && /^(core|addons)\/(?!.*\b(backend|browser)\/)/.test(file);
}

function problems(
  source: Source,
  found: readonly Found[],
  rule: Rule,
  words: (found: Found) => [string, string],
): Violation[] {
  const first = found.filter(
    (item, index) => found.findIndex(({ line, text }) => line === item.line && text === item.text) === index,
  );
  return first.map((item) => {
    const [message, remedy] = words(item);
    return { rule, file: source.file, line: item.line, message, remedy };
  });
}
