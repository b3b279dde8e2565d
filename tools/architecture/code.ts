import { didYouMean } from '@pergola/core';
import type { Found } from './parse.ts';
import type { Rule, Violation } from './problem.ts';
import type { Source, Sources } from './sources.ts';

/** Checks for forbidden code, regardless of imports. Tests, and code that only runs in one page, may keep module state. */
export function checkCode({ checked }: Sources): Violation[] {
  return checked.flatMap((source) => {
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
      unfilledNames,
      lateLinks,
      unstableRenders,
      jsxTexts,
      missingDepends,
      fetches,
      textDomains,
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
      ...problems(source, source.file.startsWith('packages/pages/') ? [] : safeStrings, 'safe-string', () => [
        'SafeString switches off the escaping of HTML, for whatever is in it.',
        'Hand plain data to the template; HTML of a field goes through {{field}}, which sanitises it. Only packages/pages makes safe strings.',
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
        'Other records are looked at and something is refused because of them, without a lock: two transactions at once can break the rule together.',
        'Look within this.invariant(model, ids, …), or lock what the records have in common before.',
      ]),
      ...problems(source, isAboutAddresses(source) ? loweredAddresses : [], 'lowered-address', ({ text }) => [
        `“${text}” is compared in small letters only, but one address can be written in more ways: with a domain in ASCII, in full-width letters.`,
        'Compare emailKey() of packages/mailer/address.ts; show what was typed.',
      ]),
      ...problems(source, source.isTest ? [] : unreadArguments, 'unread-argument', ({ text }) => [
        `Callers may send "${text}", and nothing reads it: it is accepted and has no effect.`,
        'Use it, or take it out of the schema so that it is refused.',
      ]),
      ...problems(source, source.isTest ? [] : unfilledNames, 'unfilled-name', ({ text }) => {
        const [name = '', valueNames = ''] = text.split(': ');
        return [
          `Readers see “{${name}}” as it is: no value of that name is given beside the text.`,
          didYouMean(name, valueNames.split(' ')) || `Give “${name}” with the text, or take it out of it.`,
        ];
      }),
      ...problems(source, inIsland(source) ? lateLinks : [], 'late-link', () => [
        'A script follows this link itself, but the first tap comes before the script: the browser leaves the page.',
        'Add data-in-place to the link, or make it a button.',
      ]),
      ...problems(
        source,
        source.addon && !source.isTest && !source.addon.name.startsWith('fx_') ? jsxTexts : [],
        'untranslated-text',
        ({ text }) => [
          `“${text.slice(0, 60)}” is shown in English to readers of every language.`,
          'Write {t(\'…\')}, or translate="no" on an element around a name.',
        ],
      ),
      ...problems(source, source.isTest ? [] : missingDepends, 'missing-depends', ({ text }) => {
        const [field, path] = text.split(': ');
        return [
          `“${field}” is stored and read from “${path}”, which its depends lack: it keeps the old value when that changes.`,
          `Add '${path}' to depends.`,
        ];
      }),
      ...problems(source, source.addon && inIsland(source) ? unstableRenders : [], 'unstable-render', ({ text }) => [
        `${text} is read while rendering: the server and the browser render something different, or the server fails.`,
        'Hand the value over as a prop, or read it in an effect or a handler.',
      ]),
      ...problems(source, source.addon && inIsland(source) ? fetches : [], 'bare-fetch', ({ text }) => [
        `${text} doesn't say which page asks, so the answer may be in the language of another tab.`,
        'Call rpc, useAction, sendForm, postForm, useEvents, or request from pergola/browser.',
      ]),
      ...problems(
        source,
        source.addon && !source.isTest ? textDomains.filter(({ text }) => text !== source.addon?.name) : [],
        'foreign-texts',
        ({ text }) => [
          `These are the texts of ${text}, so translations of ${source.addon?.name} may be passed over.`,
          `Write texts('${source.addon?.name}').`,
        ],
      ),
      // Shipped records only; catalogues translate the texts of code.
      ...problems(
        source,
        source.addon && /(^|\/)(data|demo)\//.test(source.inside) ? looseSigns : [],
        'french-plain-space',
        ({ text }) => [
          `“${text.slice(0, 60)}” has a plain space beside « », ?, !, ; or :.`,
          'Write a no-break space (\\u00a0) there.',
        ],
      ),
    ];
  });
}

/** All code except tests and the module that defines when two addresses are equal. */
function isAboutAddresses({ file, isTest }: Source): boolean {
  return !isTest && file !== 'packages/mailer/address.ts';
}

/** Islands hydrate late; scripts that are already loaded render the backend and the editor. */
function inIsland({ inside, isBrowser, isPageOnly }: Source): boolean {
  return isBrowser && !isPageOnly && !/(^|\/)(backend|editor)\//.test(inside);
}

function isModel({ inside, isTest, addon, facts }: Source): boolean {
  return addon !== null && !isTest && (facts.hasModels || /(^|\/)(models|mixins)\//.test(inside));
}

/** Excludes browser code and code that runs once in a command. */
function answersRequests({ file, inside, addon, isTest, isBrowser }: Source): boolean {
  const isServed = addon !== null || /^(core|packages)\//.test(file);
  return isServed && !isTest && !isBrowser && !/(^|\/)(backend|browser)\//.test(inside);
}

function problems(
  source: Source,
  places: readonly Found[],
  rule: Rule,
  words: (place: Found) => [string, string],
): Violation[] {
  const first = places.filter(
    (item, index) => places.findIndex(({ line, text }) => line === item.line && text === item.text) === index,
  );
  return first.map((item) => {
    const [message, remedy] = words(item);
    return { rule, file: source.file, line: item.line, message, remedy };
  });
}
