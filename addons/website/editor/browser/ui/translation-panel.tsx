import { Check, Icon, useWindowEvent } from '@pergola/web/kit';
import xLgIcon from 'bootstrap-icons/icons/x-lg.svg';
import { t } from 'pergola/browser';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { shortened } from '../../../services/shortened.ts';
import { keyOfPart, type TranslatedPart } from '../calls.ts';
import { textOfHtml } from '../compare.ts';
import { nameOfBlock } from '../dom/block-name.ts';
import { sharedBlockAddress } from '../fields/block-contents.ts';
import type { TermState, TranslatedField, TranslatedTerm } from '../fields/translated-field.ts';
import type { EditSession, SessionView } from '../session.ts';
import { CommitInput } from './commit-input.tsx';
import type { EditForm } from './data-block-options.tsx';

export interface TranslationPanelProps {
  readonly session: EditSession;
  readonly view: SessionView;
  onClose(): void;
  readonly onForm: EditForm;
  /** Opens the dialog for page title and SEO texts. */
  onTexts(record: TranslatedPart): void;
  /** Opens the list of texts that can stay as they are. */
  onSame(): void;
}

/** Translation panel: source of the selected text, and all texts with their state. */
export function TranslationPanel({ session, view, onClose, onForm, onTexts, onSame }: TranslationPanelProps) {
  const [isShort, setShort] = useState(false);
  // Shared blocks are translated in another tab.
  useWindowEvent('focus', () => void session.reloadParts().catch(() => {}));
  const { term } = view;
  const selectedTerm = term?.field.terms[term.at];
  const source = session.languageOf(session.translations[0]?.source);
  return (
    <aside
      className="ed-panel"
      aria-label={t('Translation')}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <div className="ed-panel-head">
        <h2 className="ed-kind" tabIndex={-1}>
          {t('Translation')}
        </h2>
        <button type="button" className="ed-close" aria-label={t('Close')} onClick={onClose}>
          <Icon of={xLgIcon} />
        </button>
      </div>
      <div className="ed-panel-body">
        {term && selectedTerm ? <Chosen field={term.field} term={selectedTerm} language={source?.name ?? ''} /> : null}
        <Check label={t('Only texts to translate')} checked={isShort} onChange={setShort} />
        {session.missing.length > 1 ? (
          <p className="ed-buttons">
            <button type="button" className="btn btn-sm btn-outline-secondary" onClick={onSame}>
              {t('Choose texts to keep as is')}
            </button>
          </p>
        ) : null}
        {session.parts.filter(isOfPage).map((part) => (
          <Part key={keyOfPart(part)} part={part} session={session} onForm={onForm} onTexts={onTexts} />
        ))}
        {session.translations.map((field) =>
          [...Map.groupBy(field.terms, ({ block }) => block)].map(([block, terms], index) => (
            <Block
              // biome-ignore lint/suspicious/noArrayIndexKey: blocks don't move during translation
              key={`${field.key} ${index}`}
              name={block ? nameOfBlock(block) : field.piece.label}
              field={field}
              terms={isShort ? terms.filter(isToDo) : terms}
              chosen={term?.field === field ? term.at : null}
            />
          )),
        )}
        {session.parts
          .filter((part) => !isOfPage(part))
          .map((part) => (
            <Part key={keyOfPart(part)} part={part} session={session} onForm={onForm} onTexts={onTexts} />
          ))}
        {source ? (
          <p className="ed-source-link">
            {t('Blocks, images and their order are the same in all languages.')}{' '}
            <a href={`${source.href}?enable_editor=1`}>{t('Edit them in {language}', { language: source.name })}</a>
          </p>
        ) : null}
      </div>
    </aside>
  );
}

const isOfPage = ({ block }: TranslatedPart): boolean => block === 'website.seo';

/** Translatable part outside the page's texts, with a link to it. */
function Part({
  part,
  session,
  onForm,
  onTexts,
}: Pick<TranslationPanelProps, 'session' | 'onForm' | 'onTexts'> & { readonly part: TranslatedPart }) {
  const { block, id } = part;
  const toDo = part.missing + part.outdated;
  const marks = { 'data-ed-part': keyOfPart(part), 'data-ed-to-do': toDo };
  const texts = {
    'website.seo': [t('Page title and SEO texts.'), t('Translate title and SEO')],
    'website.form': [t('Translate a form once for every page that uses it.'), t('Translate form')],
    'website.saved': [t('Translate a shared block once for every page that uses it.'), t('Translate shared block')],
  }[block];
  const open = (): void => {
    if (block === 'website.seo') onTexts(part);
    else
      onForm(id, () => {
        session.contents.reloadBlocks(document, block);
        void session.reloadParts();
      });
  };
  return (
    <p className="ed-source-link">
      {texts[0]}{' '}
      {block === 'website.saved' ? (
        <a href={sharedBlockAddress(id)} target="_blank" rel="noopener" {...marks}>
          {texts[1]}
        </a>
      ) : (
        <button type="button" className="btn btn-link p-0 align-baseline" onClick={open} {...marks}>
          {texts[1]}
        </button>
      )}{' '}
      <ToDo count={toDo} />
    </p>
  );
}

function ToDo({ count }: { count: number }) {
  return count > 0 ? <span className="badge text-bg-warning">{t('{n} to do', { n: count })}</span> : null;
}

/** Selected text: its source and translation actions. Words of images and links are edited here. */
function Chosen({ field, term, language }: { field: TranslatedField; term: TranslatedTerm; language: string }) {
  const { at: index, kind, source, text, state, was: outdatedSource } = term;
  const sourceText = kind === 'text' ? textOfHtml(source) : source;
  return (
    <section className="ed-source" aria-label={t('Selected text')}>
      <p className="ed-kind">{language}</p>
      <blockquote>{sourceText}</blockquote>
      {outdatedSource === null ? null : (
        <>
          <p className="ed-kind">{t('Text at the time of translation')}</p>
          <blockquote>{kind === 'text' ? textOfHtml(outdatedSource) : outdatedSource}</blockquote>
        </>
      )}
      {kind === 'text' ? null : (
        <CommitInput
          label={nameOfKind(term)}
          value={text ?? ''}
          placeholder={source}
          autoComplete="off"
          onChange={(input) => field.translate(index, input.trim() === '' ? null : input.trim())}
        />
      )}
      <TermButtons
        source={source}
        text={text}
        state={state}
        keys="Alt+Shift+S"
        onTranslate={(translation) => field.translate(index, translation)}
      />
    </section>
  );
}

/** Buttons that set a translation without typing. */
export function TermButtons({
  source,
  text,
  state,
  keys,
  onTranslate,
}: {
  readonly source: string;
  readonly text: string | null;
  readonly state: TermState;
  readonly keys?: string;
  onTranslate(text: string | null): void;
}) {
  const button = (label: string, translation: string | null, keys?: string) => (
    <button
      type="button"
      className="btn btn-sm btn-outline-secondary"
      aria-keyshortcuts={keys}
      title={keys && `${label} (${keys})`}
      onClick={() => onTranslate(translation)}
    >
      {label}
    </button>
  );
  return (
    <p className="ed-buttons">
      {state === 'outdated' ? button(t('Translation is up to date'), text, keys) : null}
      {state === 'missing' ? button(t('Keep as is'), source, keys) : null}
      {text === null ? null : button(t('Remove translation'), null)}
    </p>
  );
}

/** State of a text as an icon with a label. */
export function StateMark({ state }: { state: TermState }) {
  return (
    <span className="ed-state" data-ed-state={state} title={nameOfState(state)}>
      <span className="visually-hidden">{nameOfState(state)}</span>
    </span>
  );
}

interface BlockProps {
  readonly name: string;
  readonly field: TranslatedField;
  readonly terms: readonly TranslatedTerm[];
  readonly chosen: number | null;
}

/** Texts of a block. */
function Block({ name, field, terms, chosen: selectedIndex }: BlockProps) {
  const toDo = terms.filter(isToDo).length;
  if (terms.length === 0) return null;
  return (
    <section className="ed-terms">
      <h3 className="ed-kind">
        {name} <ToDo count={toDo} />
      </h3>
      <ul>
        {terms.map((term) => (
          <li key={term.at}>
            <button
              type="button"
              aria-current={term.at === selectedIndex ? 'true' : undefined}
              onClick={() => goTo(field, term)}
            >
              <StateMark state={term.state} />
              <span>
                {term.kind === 'text' ? null : <small>{t('{name}:', { name: nameOfKind(term) })} </small>}
                {shortened(term.kind === 'text' ? textOfHtml(term.source) : term.source, 90)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Translation progress of the page, with a button to the next open text. */
export function TranslationTools({ session, onNext }: { session: EditSession; onNext(): void }) {
  const { done: translated, all } = session.progress();
  return (
    <>
      <span className="ed-progress" role="status">
        {t('{done} of {all} translated', { done: translated, all })}
      </span>
      <button
        type="button"
        className="ed-tool ed-next"
        disabled={translated === all}
        aria-keyshortcuts="Alt+Shift+N"
        title={`${t('Next untranslated')} (Alt+Shift+N)`}
        onMouseDown={(event) => event.preventDefault()}
        onClick={onNext}
      >
        {t('Next untranslated')}
      </button>
    </>
  );
}

/** Activates a text on the page; words of images and links in the panel. */
export function goTo(field: TranslatedField, { at: index, element, kind }: TranslatedTerm): void {
  element?.closest('details')?.setAttribute('open', '');
  element?.scrollIntoView({ block: 'center' });
  flushSync(() => field.activate(index));
  if (kind !== 'text') document.querySelector<HTMLElement>('.ed-source input')?.focus();
}

function isToDo({ state }: TranslatedTerm): boolean {
  return state === 'missing' || state === 'outdated';
}

function nameOfState(state: TermState): string {
  return {
    done: t('Translated'),
    missing: t('Not translated'),
    outdated: t('Outdated translation'),
    free: t('Same in all languages'),
  }[state];
}

function nameOfKind({ kind, name }: TranslatedTerm): string {
  if (kind === 'link') return t('Link');
  if (name === 'alt') return t('Alternative text');
  if (name === 'place') return t('Place name');
  return name === 'done' ? t('End message') : t('Title');
}

/** Shows the language of the edited text in the toolbar; renders nothing on single-language sites. */
export function LanguageTag({ session }: { session: EditSession }) {
  const currentLanguage = session.languageOf(session.lang)?.name;
  if (!currentLanguage) return null;
  const source = session.languageOf(session.translations[0]?.source)?.name;
  const help = source
    ? t('You’re translating from {source} to {here}.', { here: currentLanguage, source })
    : t('You’re editing the original text in {here}. Other languages translate it.', { here: currentLanguage });
  return (
    <span className="ed-lang" title={help} translate="no">
      {currentLanguage}
      <span className="visually-hidden">{help}</span>
    </span>
  );
}
