import { t } from 'pergola/browser';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useFormState } from 'react-hook-form';
import type { FormSectionInfo } from '../types.ts';
import { FieldRow } from './field-row.tsx';
import { useRecordFormContext } from './form-context.tsx';
import { shownSections, tabOfField } from './view.ts';

/** Sections and tabs of a form. */
export function FormBody({ hiddenFields }: { hiddenFields: ReadonlySet<string> }) {
  const { info, live } = useRecordFormContext();
  const sections = withoutFields(shownSections(info, info.form.sections, live), hiddenFields);
  const tabs = info.form.tabs
    .map((tab, index) => ({
      ...tab,
      index,
      sections: withoutFields(shownSections(info, tab.sections, live), hiddenFields),
    }))
    .filter((tab) => tab.sections.length > 0);
  return (
    <>
      {sections.length > 0 && <Sections sections={sections} />}
      {tabs.length > 0 && <Tabs tabs={tabs} />}
    </>
  );
}

/** Removes fields that the head of the form already shows. */
function withoutFields(
  sections: readonly FormSectionInfo[],
  hiddenFields: ReadonlySet<string>,
): readonly FormSectionInfo[] {
  return sections
    .map((section) => ({ ...section, items: section.items.filter(({ field }) => !hiddenFields.has(field)) }))
    .filter(({ items }) => items.length > 0);
}

/**
 * Returns whether each section takes the full row. Narrow sections are paired side by side; a narrow section without a partner takes a full
 * row, too.
 */
function widths(sections: readonly FormSectionInfo[]): readonly boolean[] {
  const wide = sections.map(({ items, totals }) => totals || items.some((item) => item.wide));
  let open = -1;
  for (const [index, isWide] of [...wide, true].entries()) {
    if (isWide && open >= 0) wide[open] = true;
    open = isWide || open >= 0 ? -1 : index;
  }
  return wide;
}

/** `heading` is the visible heading above; a field of the same name gets no second label. */
function Sections({ sections, heading }: { sections: readonly FormSectionInfo[]; heading?: string }) {
  const wide = widths(sections);
  return (
    <div className="form-sections">
      {sections.map((section, index) => {
        const key = `${section.label} ${section.items[0]?.field}`;
        const rows = section.items.map((item) => <FieldRow key={item.field} item={item} heading={heading} />);
        const className = `form-section${section.totals ? ' form-totals' : wide[index] ? ' form-section-wide' : ''}`;
        return section.label ? (
          <fieldset key={key} className={className}>
            <legend>{section.label}</legend>
            <div className="form-rows">{rows}</div>
          </fieldset>
        ) : (
          <div key={key} className={className}>
            <div className="form-rows">{rows}</div>
          </div>
        );
      })}
    </div>
  );
}

interface ShownTab {
  readonly label: string;
  readonly index: number;
  readonly sections: readonly FormSectionInfo[];
}

/** Tabs, operated by click or arrow keys. A tab is marked if it contains an error, which may be hidden from view. */
function Tabs({ tabs }: { tabs: readonly ShownTab[] }) {
  const { control, info } = useRecordFormContext();
  const { errors, submitCount } = useFormState({ control });
  const [selectedIndex, setSelectedIndex] = useState(tabs[0]?.index ?? 0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const faulty = new Set(Object.keys(errors).map((field) => tabOfField(info, field)));
  const [lastSubmitCount, setLastSubmitCount] = useState(0);
  // After an attempt to save, selects the first tab with an error.
  if (submitCount !== lastSubmitCount) {
    setLastSubmitCount(submitCount);
    const first = tabs.find(({ index }) => faulty.has(index));
    if (first && !faulty.has(selectedIndex)) setSelectedIndex(first.index);
  }
  const activeTab = tabs.find(({ index }) => index === selectedIndex) ?? tabs[0];
  const walk = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const position = tabs.findIndex(({ index }) => index === activeTab?.index);
    const next = tabs[(position + step + tabs.length) % tabs.length];
    if (!next) return;
    setSelectedIndex(next.index);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.index}"]`)?.focus();
  };
  return (
    <div className="form-tabs">
      <div className="nav nav-tabs" role="tablist" ref={list} onKeyDown={walk} aria-label={t('Form sections')}>
        {tabs.map(({ label, index }) => (
          <button
            key={index}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            data-tab={index}
            className={`nav-link${index === activeTab?.index ? ' active' : ''}`}
            aria-selected={index === activeTab?.index}
            aria-controls={`${id}-panel-${index}`}
            tabIndex={index === activeTab?.index ? 0 : -1}
            onClick={() => setSelectedIndex(index)}
          >
            {label}
            {faulty.has(index) && (
              <span className="form-tab-fault" title={t('Something here needs your attention')}>
                <span className="visually-hidden">{t('Something here needs your attention')}</span>
              </span>
            )}
          </button>
        ))}
      </div>
      {tabs.map(({ label, index, sections }) => (
        // Hidden tabs stay mounted, so their fields keep unsaved input.
        <div
          key={index}
          role="tabpanel"
          id={`${id}-panel-${index}`}
          aria-labelledby={`${id}-tab-${index}`}
          className="form-panel"
          hidden={index !== activeTab?.index}
        >
          <Sections sections={sections} heading={label} />
        </div>
      ))}
    </div>
  );
}
