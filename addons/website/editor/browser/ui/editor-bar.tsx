import arrowClockwiseIcon from 'bootstrap-icons/icons/arrow-clockwise.svg';
import arrowCounterclockwiseIcon from 'bootstrap-icons/icons/arrow-counterclockwise.svg';
import listCheckIcon from 'bootstrap-icons/icons/list-check.svg';
import phoneIcon from 'bootstrap-icons/icons/phone.svg';
import plusSquareIcon from 'bootstrap-icons/icons/plus-square.svg';
import xLgIcon from 'bootstrap-icons/icons/x-lg.svg';
import { t } from 'pergola/browser';
import type { SnippetOption } from '../../../snippets/point.ts';
import type { EditSession, SessionView } from '../session.ts';
import { TextTools } from './text-tools.tsx';
import { moveToolFocus, ToolButton } from './tool-button.tsx';
import { LanguageTag, TranslationTools } from './translation-panel.tsx';

export interface EditorBarProps {
  readonly session: EditSession;
  readonly view: SessionView;
  readonly panelOpen: boolean;
  /** Colour and size options of words. */
  readonly looks: readonly SnippetOption[];
  onPanel(): void;
  onNext(): void;
  onLink(): void;
  onPicture(): void;
  onPreview(): void;
  onSave(): void;
  onLeave(): void;
}

/** Toolbar of the edit zone: undo and redo, text tools, blocks, save. */
export function EditorBar({
  session,
  view,
  panelOpen,
  looks,
  onPanel,
  onNext,
  onLink,
  onPicture,
  onPreview,
  onSave,
  onLeave,
}: EditorBarProps) {
  const { region, changed, phase } = view;
  const isSaving = phase === 'saving';
  const isTranslation = session.translations.length > 0;
  const hasBlocks = session.richFields.some((field) => field.hasBlocks);
  return (
    <div className="ed-bar" role="toolbar" aria-label={t('Editing this page')} id="ed-bar" onKeyDown={moveToolFocus}>
      <fieldset className="ed-group" aria-label={t('Steps')}>
        <ToolButton
          icon={arrowCounterclockwiseIcon}
          label={t('Undo')}
          keys="Ctrl+Z"
          disabled={!view.canUndo}
          onPress={() => session.undo()}
        />
        <ToolButton
          icon={arrowClockwiseIcon}
          label={t('Redo')}
          keys="Ctrl+Y"
          disabled={!view.canRedo}
          onPress={() => session.redo()}
        />
      </fieldset>
      <div className="ed-tools">
        <LanguageTag session={session} />
        {isTranslation ? <TranslationTools session={session} onNext={onNext} /> : null}
        <TextTools
          editor={region?.editor ?? null}
          tools="page"
          looks={looks}
          isLine={region?.region.kind === 'line'}
          onLink={onLink}
          onPicture={onPicture}
        />
      </div>
      <div className="ed-end">
        <ToolButton icon={phoneIcon} label={t('Preview')} onPress={onPreview} />
        {hasBlocks || isTranslation ? (
          <ToolButton
            icon={hasBlocks ? plusSquareIcon : listCheckIcon}
            label={hasBlocks ? t('Blocks') : t('Texts')}
            wide
            pressed={panelOpen}
            className="ed-blocks"
            onPress={onPanel}
          />
        ) : null}
        <ToolButton
          icon={xLgIcon}
          label={changed > 0 ? t('Discard') : t('Close')}
          wide
          className="ed-leave"
          onPress={onLeave}
        />
        <button
          type="button"
          className="ed-save"
          disabled={isSaving || changed === 0}
          aria-keyshortcuts="Control+S"
          onClick={onSave}
        >
          {isSaving ? t('Saving…') : t('Save')}
        </button>
      </div>
    </div>
  );
}
