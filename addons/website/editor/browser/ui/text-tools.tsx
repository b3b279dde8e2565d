import type { Editor } from '@tiptap/core';
import codeIcon from 'bootstrap-icons/icons/code.svg';
import eraserIcon from 'bootstrap-icons/icons/eraser.svg';
import hrIcon from 'bootstrap-icons/icons/hr.svg';
import imageIcon from 'bootstrap-icons/icons/image.svg';
import link45degIcon from 'bootstrap-icons/icons/link-45deg.svg';
import listOlIcon from 'bootstrap-icons/icons/list-ol.svg';
import listUlIcon from 'bootstrap-icons/icons/list-ul.svg';
import textCenterIcon from 'bootstrap-icons/icons/text-center.svg';
import textLeftIcon from 'bootstrap-icons/icons/text-left.svg';
import textRightIcon from 'bootstrap-icons/icons/text-right.svg';
import typeBoldIcon from 'bootstrap-icons/icons/type-bold.svg';
import typeItalicIcon from 'bootstrap-icons/icons/type-italic.svg';
import typeStrikethroughIcon from 'bootstrap-icons/icons/type-strikethrough.svg';
import typeUnderlineIcon from 'bootstrap-icons/icons/type-underline.svg';
import { t } from 'pergola/browser';
import type { SnippetOption } from '../../../snippets/point.ts';
import { chosenValue, setValue } from '../options.ts';
import { selectedText } from '../parts.ts';
import { type Alignment, align, alignmentOf } from '../rich/align.ts';
import { ToolButton } from './tool-button.tsx';

/** Tool sets: `page` has alignment and images, `comment` the tools for visitors. */
export type ToolSet = 'page' | 'comment';

export interface TextToolsProps {
  readonly editor: Editor | null;
  readonly tools: ToolSet;
  /** Whether the text is a single line without paragraphs. */
  readonly isLine: boolean;
  /** Colour and size options of words. */
  readonly looks?: readonly SnippetOption[];
  onLink(): void;
  onPicture(): void;
}

const alignmentIcons = { start: textLeftIcon, center: textCenterIcon, end: textRightIcon } as const;

/** Toolbar for the active text. Disabled without one. */
export function TextTools({ editor, tools, isLine, looks = [], onLink, onPicture }: TextToolsProps) {
  const off = editor === null;
  const run = (command: (chain: ReturnType<Editor['chain']>) => { run(): boolean }) => () => {
    if (editor) command(editor.chain().focus()).run();
  };
  const active = (name: string): boolean => editor?.isActive(name) ?? false;
  const alignment = editor ? alignmentOf(editor) : null;
  return (
    <>
      {isLine ? null : <StyleChoice editor={editor} />}
      <fieldset className="ed-group" aria-label={t('Text style')}>
        <ToolButton
          icon={typeBoldIcon}
          label={t('Bold')}
          keys="Ctrl+B"
          disabled={off}
          pressed={active('bold')}
          onPress={run((c) => c.toggleBold())}
        />
        <ToolButton
          icon={typeItalicIcon}
          label={t('Italic')}
          keys="Ctrl+I"
          disabled={off}
          pressed={active('italic')}
          onPress={run((c) => c.toggleItalic())}
        />
        <ToolButton
          icon={typeUnderlineIcon}
          label={t('Underline')}
          keys="Ctrl+U"
          disabled={off}
          pressed={active('underline')}
          onPress={run((c) => c.toggleUnderline())}
        />
        <ToolButton
          icon={typeStrikethroughIcon}
          label={t('Strikethrough')}
          disabled={off}
          pressed={active('strike')}
          onPress={run((c) => c.toggleStrike())}
        />
        <ToolButton
          icon={codeIcon}
          label={t('Code')}
          keys="Ctrl+E"
          disabled={off}
          pressed={active('code')}
          onPress={run((c) => c.toggleCode())}
        />
      </fieldset>
      {looks.map((option) => (
        <WordsChoice key={option.label} editor={editor} option={option} />
      ))}
      <fieldset className="ed-group" aria-label={t('Insert')}>
        <ToolButton
          icon={link45degIcon}
          label={t('Link')}
          keys="Ctrl+K"
          disabled={off}
          pressed={active('link')}
          onPress={onLink}
        />
        <ToolButton icon={imageIcon} label={t('Image')} disabled={off} onPress={onPicture} />
        {isLine ? null : (
          <ToolButton
            icon={hrIcon}
            label={t('Horizontal line')}
            disabled={off}
            onPress={run((c) => c.setHorizontalRule())}
          />
        )}
        <ToolButton
          icon={eraserIcon}
          label={t('Clear formatting')}
          disabled={off}
          onPress={run((c) => (isLine ? c.unsetAllMarks() : c.unsetAllMarks().clearNodes()))}
        />
      </fieldset>
      {isLine ? null : (
        <fieldset className="ed-group" aria-label={t('Lists')}>
          <ToolButton
            icon={listUlIcon}
            label={t('List')}
            disabled={off}
            pressed={active('bulletList')}
            onPress={run((c) => c.toggleBulletList())}
          />
          <ToolButton
            icon={listOlIcon}
            label={t('Numbered list')}
            disabled={off}
            pressed={active('orderedList')}
            onPress={run((c) => c.toggleOrderedList())}
          />
        </fieldset>
      )}
      {isLine || tools !== 'page' ? null : (
        <fieldset className="ed-group" aria-label={t('Alignment')}>
          {(Object.keys(alignmentIcons) as Alignment[]).map((name) => (
            <ToolButton
              key={name}
              icon={alignmentIcons[name]}
              label={{ start: t('Left'), center: t('Centred'), end: t('Right') }[name]}
              disabled={off}
              pressed={alignment === name}
              onPress={() => editor && align(editor, name)}
            />
          ))}
        </fieldset>
      )}
    </>
  );
}

type Style = 'p' | 'h1' | 'h2' | 'h3' | 'h4' | 'quote' | 'code';

/** Block style: paragraph, heading, quote or code. */
function StyleChoice({ editor }: { editor: Editor | null }) {
  const labels: Record<Style, string> = {
    p: t('Paragraph'),
    h1: t('Heading 1'),
    h2: t('Heading 2'),
    h3: t('Heading 3'),
    h4: t('Heading 4'),
    quote: t('Quote'),
    code: t('Code block'),
  };
  return (
    <select
      className="ed-style"
      aria-label={t('Paragraph style')}
      disabled={editor === null}
      value={styleOf(editor)}
      onChange={(event) => editor && setStyle(editor, event.target.value as Style)}
    >
      {Object.entries(labels).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** Style option of the selected words. */
function WordsChoice({ editor, option }: { editor: Editor | null; option: SnippetOption }) {
  const part = editor ? selectedText(editor) : null;
  return (
    <select
      className="ed-style ed-words"
      aria-label={option.label}
      disabled={part === null}
      value={(part && chosenValue(part.element, option)) ?? ''}
      onChange={({ target: { value } }) => part?.change((element) => setValue(element, option, value))}
    >
      {option.choices.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

function styleOf(editor: Editor | null): Style {
  if (editor?.isActive('codeBlock')) return 'code';
  for (const level of [1, 2, 3, 4] as const) if (editor?.isActive('heading', { level })) return `h${level}`;
  return editor?.isActive('blockquote') ? 'quote' : 'p';
}

function setStyle(editor: Editor, style: Style): void {
  const chain = editor.chain().focus();
  const inQuote = editor.isActive('blockquote');
  if (style === 'quote') (inQuote ? chain : chain.setParagraph().toggleBlockquote()).run();
  else if (style === 'code') chain.setCodeBlock().run();
  else if (style === 'p') (inQuote ? chain.setParagraph().lift('blockquote') : chain.setParagraph()).run();
  else chain.setHeading({ level: Number(style.slice(1)) as 1 | 2 | 3 | 4 }).run();
}
