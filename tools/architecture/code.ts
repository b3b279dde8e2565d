import { didYouMean } from '@pergola/core';
import type { SourcePlace } from './parse.ts';
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
      kitElements,
      missingDepends,
      fetches,
      textDomains,
    } = source.facts;
    return [
      ...problems(source, source.isTest || source.isPageOnly ? [] : mutable, 'mutable-module', ({ text }) => [
        `${text}; two applications in the same process would share it.`,
        'Keep it in an object created per application, generation or request. For a constant table, use Object.freeze or create it complete.',
      ]),
      ...problems(source, source.isTest ? [] : secrets, 'secret-compared', ({ text }) => [
        `"${text}" is compared character by character, so the response time reveals how much of a guess is correct.`,
        'Use timingSafeEqualText.',
      ]),
      ...problems(source, source.file.startsWith('packages/pages/') ? [] : safeStrings, 'safe-string', () => [
        'SafeString disables HTML escaping for its content.',
        'Pass plain data to the template, and show HTML fields with {{field}}, which sanitises them. Only packages/pages creates safe strings.',
      ]),
      ...problems(source, destructive, 'destructive-migration', ({ text }) => [
        `.${text}() rebuilds the table on SQLite, which silently deletes the rows that refer to it.`,
        'Change the model’s fields and let the plan alter the table; for changes that a plan can’t detect, use the migration tools.',
      ]),
      ...problems(source, answersRequests(source) ? lasting : [], 'outlives-request', ({ text }) => [
        `${text} stays in memory until V8 collects its old space, along with everything it references: a whole request.`,
        'Assign the function to a constant first (const settle = …) or use a method; pass an object on unchanged, or in a Proxy.',
      ]),
      ...problems(source, isModel(source) ? unlockedCounts : [], 'unlocked-count', () => [
        'This checks other records before refusing a change, without a lock: two concurrent transactions can break the rule together.',
        'Check within this.invariant(model, ids, …), or lock a record they have in common first.',
      ]),
      ...problems(source, isAboutAddresses(source) ? loweredAddresses : [], 'lowered-address', ({ text }) => [
        `“${text}” is only compared in lower case, but the same address can be written in other ways: with an ASCII domain, in full-width letters.`,
        'Compare emailKey() of packages/mailer/address.ts; display the address as typed.',
      ]),
      ...problems(source, source.isTest ? [] : unreadArguments, 'unread-argument', ({ text }) => [
        `Callers can send "${text}", but it is never read: it is accepted without any effect.`,
        'Use it, or remove it from the schema so that it is rejected.',
      ]),
      ...problems(source, source.isTest ? [] : unfilledNames, 'unfilled-name', ({ text }) => {
        const [name = '', valueNames = ''] = text.split(': ');
        return [
          `Readers see “{${name}}” unchanged: the text gets no value with that name.`,
          didYouMean(name, valueNames.split(' ')) || `Pass “${name}” with the text, or remove the placeholder.`,
        ];
      }),
      ...problems(source, inIsland(source) ? lateLinks : [], 'late-link', () => [
        'A script handles this link, but on a tap before the script has loaded, the browser leaves the page.',
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
      ...problems(
        source,
        source.addon && !source.isTest && !isKit(source) ? kitElements : [],
        'raw-element',
        ({ text }) => [
          `A hand-written <${text}> lacks what the UI kit adds to it, such as help and errors, lazy loading, or focus.`,
          `Use ${kitComponents[text]} of @pergola/web/kit.`,
        ],
      ),
      ...problems(source, source.isTest ? [] : missingDepends, 'missing-depends', ({ text }) => {
        const [field, path] = text.split(': ');
        return [
          `“${field}” is stored and computed from “${path}”, which isn't in its depends: it keeps the old value when “${path}” changes.`,
          `Add '${path}' to depends.`,
        ];
      }),
      ...problems(source, source.addon && inIsland(source) ? unstableRenders : [], 'unstable-render', ({ text }) => [
        `${text} is read while rendering: server and browser would render different content, or the server would fail.`,
        'Pass the value as a prop, or read it in an effect or a handler.',
      ]),
      ...problems(source, source.addon && inIsland(source) ? fetches : [], 'bare-fetch', ({ text }) => [
        `${text} doesn't identify the calling page, so the response may be in the language of another tab.`,
        'Call rpc, useAction, sendForm, postForm, useEvents, or request from pergola/browser.',
      ]),
      ...problems(
        source,
        source.addon && !source.isTest ? textDomains.filter(({ text }) => text !== source.addon?.name) : [],
        'foreign-texts',
        ({ text }) => [
          `These are the texts of ${text}, so translations of ${source.addon?.name} may be ignored.`,
          `Write texts('${source.addon?.name}').`,
        ],
      ),
      // Shipped records only; catalogues translate the texts of code.
      ...problems(
        source,
        source.addon && /(^|\/)(data|demo)\//.test(source.inside) ? looseSigns : [],
        'french-plain-space',
        ({ text }) => [
          `“${text.slice(0, 60)}” has a plain space next to « », ?, !, ; or :.`,
          'Use a no-break space (\\u00a0).',
        ],
      ),
    ];
  });
}

const kitComponents: Readonly<Record<string, string>> = {
  label: 'Field, TextField, TextArea, SelectField or Check',
  img: 'Picture',
  dialog: 'Dialog',
};

/** The kit itself; fixtures don't use it. */
function isKit({ inside, addon }: Source): boolean {
  return addon?.name.startsWith('fx_') || (addon?.name === 'web' && inside.startsWith('kit/'));
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
  places: readonly SourcePlace[],
  rule: Rule,
  words: (place: SourcePlace) => [string, string],
): Violation[] {
  const first = places.filter(
    (item, index) => places.findIndex(({ line, text }) => line === item.line && text === item.text) === index,
  );
  return first.map((item) => {
    const [message, remedy] = words(item);
    return { rule, file: source.file, line: item.line, message, remedy };
  });
}
