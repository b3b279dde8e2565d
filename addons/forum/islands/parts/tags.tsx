import { type ControlProps, Field } from '@pergola/website/kit';
import { TagInput } from '@pergola/website/kit-combobox';
import { notify, request, t } from 'pergola/browser';
import { usePage } from 'pergola/islands';
import { useEffect, useState } from 'react';
import { LOADING_DELAY, TAG, TYPING_DELAY } from '../../constants.ts';
import { tagNames, whyNot } from '../../services/tag-names.ts';
import { karmaText } from './karma.ts';

interface Props {
  readonly forum: number;
  readonly tags: readonly string[];
  readonly onChange: (tags: readonly string[]) => void;
  /** Required karma for new tags if the author has less, else null. */
  readonly needs: number | null;
  readonly error: string | undefined;
}

/** Tag editor of a question. Without JavaScript, tags are typed with commas between them. */
export function Tags({ needs, error, ...editorProps }: Props) {
  const { number } = usePage();
  const [isAlive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  const limitHelp = t('Up to five, separated by commas or spaces.');
  return (
    <Field
      id={isAlive ? 'question-tags-typing' : 'question-tags'}
      label={t('Tags')}
      help={
        needs === null ? limitHelp : `${limitHelp} ${t('Creating a tag requires {n} karma.', { n: number(needs) })}`
      }
      error={error}
    >
      {(control) =>
        isAlive ? (
          <Editor {...editorProps} needs={needs} control={control} />
        ) : (
          <input
            {...control}
            name="question_tags"
            defaultValue={editorProps.tags.join(',')}
            onChange={(event) => editorProps.onChange(tagNames(event.currentTarget.value))}
            maxLength={1000}
            autoComplete="off"
          />
        )
      }
    </Field>
  );
}

function Editor({ forum, tags, onChange, needs, control }: Omit<Props, 'error'> & { control: ControlProps }) {
  const change = async (newTags: readonly string[]): Promise<void> => {
    const validTags: string[] = [];
    for (const tag of newTags)
      if (tags.includes(tag) || (await mayAdd(forum, tag, validTags, needs))) validTags.push(tag);
    onChange(validTags);
  };
  return (
    <TagInput
      {...control}
      name="question_tags"
      label={t('Tags')}
      tags={tags}
      onChange={change}
      suggest={(text) => known(forum, text.trim())}
      split={tagNames}
      separators={TAG.separators}
      delay={TYPING_DELAY}
      loadingDelay={LOADING_DELAY}
      maxLength={200}
      disabled={tags.length >= TAG.most}
    />
  );
}

/** Whether a tag can be added; shows a message if not. */
async function mayAdd(
  forum: number,
  tag: string,
  selectedTags: readonly string[],
  needs: number | null,
): Promise<boolean> {
  const rejection = whyNot(tag, selectedTags);
  if (rejection === 'length') notify(t('Tags must be 2 to 35 characters long.'), 'alert');
  if (rejection === 'many') notify(t('Use up to 5 tags.'), 'alert');
  if (rejection !== null) return false;
  // Without the karma for new tags, authors can only choose existing ones.
  if (needs === null || (await known(forum, tag)).includes(tag)) return true;
  notify(karmaText(needs), 'alert');
  return false;
}

/** Tags of the forum that start with the text. */
async function known(forum: number, text: string): Promise<readonly string[]> {
  if (text === '') return [];
  const query = new URLSearchParams({ q: text, t: 'select2', l: String(TAG.suggestions), forum: String(forum) });
  try {
    const answer = await request(`/forum/get_tags?${query}`);
    if (!answer.ok) throw new Error(`get_tags answered ${answer.status}`);
    return ((await answer.json()) as { name: string }[]).map(({ name }) => name);
  } catch (error) {
    // Tags can be typed without suggestions.
    console.warn(error);
    return [];
  }
}
