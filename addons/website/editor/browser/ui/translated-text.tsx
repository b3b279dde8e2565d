import { TextArea, TextField } from '@pergola/web/kit';
import { t } from 'pergola/browser';
import type { FormText } from '../calls.ts';
import { stateOf } from '../fields/translated-field.ts';
import { StateMark, TermButtons } from './translation-panel.tsx';

/** Plain text in another language, next to its source. */
export function TranslatedText({
  text: { source, term, optional },
  label,
  language,
  edited,
  isFirst,
  isLong,
  maxLength,
  onChange,
}: {
  readonly text: Pick<FormText, 'source' | 'term' | 'optional'>;
  readonly label: string;
  readonly language: string;
  readonly edited: string | null | undefined;
  readonly isFirst: boolean;
  readonly isLong: boolean;
  readonly maxLength: number;
  onChange(text: string | null): void;
}) {
  const [current, previousSource] = typeof term === 'object' && term !== null ? term : [term, null];
  const text = edited === undefined ? current : edited;
  const outdatedSource = edited === undefined ? previousSource : null;
  const state = stateOf(text, outdatedSource, optional);
  const Input = isLong ? TextArea : TextField;
  return (
    <div className="ed-translated">
      <Input
        wrap="mb-2"
        label={label}
        help={
          <>
            <StateMark state={state} /> <span className="ed-kind">{language}</span>
            <q>{source}</q>
            {outdatedSource === null ? null : (
              <>
                <span className="ed-kind">{t('Text at the time of translation')}</span>
                <q>{outdatedSource}</q>
              </>
            )}
          </>
        }
        value={text ?? ''}
        {...(isFirst ? { autoFocus: true } : {})}
        maxLength={maxLength}
        onChange={(input) => onChange(input === '' ? null : input)}
      />
      <TermButtons source={source} text={text} state={state} onTranslate={onChange} />
    </div>
  );
}
