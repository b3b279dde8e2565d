/** Authors in the demo forum. */
export type Writer = 'camille' | 'jo' | 'jeanne' | 'karim' | 'amelie' | 'paul' | 'ines' | 'lucas' | 'ada' | 'tomas';

/** An answer: author, text, votes, and `yes` if it was accepted. */
type DemoAnswer = readonly [by: Writer, text: string, votes: number, accepted?: 'yes'];

/** A comment: author and text. */
type DemoComment = readonly [by: Writer, text: string];

/** A question of the demo forum. */
export interface DemoQuestion {
  readonly by: Writer;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly votes: number;
  readonly views: number;
  /** Age of the question in days. */
  readonly days: number;
  readonly answers?: readonly DemoAnswer[];
  readonly comments?: readonly DemoComment[];
  readonly state?: 'pending' | 'close' | 'flagged';
}
