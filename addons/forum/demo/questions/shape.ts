/** Who writes in the demo forum. */
export type Writer = 'camille' | 'jo' | 'jeanne' | 'karim' | 'amelie' | 'paul' | 'ines' | 'lucas' | 'ada' | 'tomas';

/** An answer: who, the text, its votes; `yes` when it was accepted. */
type DemoAnswer = readonly [by: Writer, text: string, votes: number, accepted?: 'yes'];

/** A comment: who said what. */
type DemoComment = readonly [by: Writer, text: string];

/** A question of the demo forum. */
export interface DemoQuestion {
  readonly by: Writer;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly votes: number;
  readonly views: number;
  /** How many days ago it was asked. */
  readonly days: number;
  readonly answers?: readonly DemoAnswer[];
  readonly comments?: readonly DemoComment[];
  readonly state?: 'pending' | 'close' | 'flagged';
}
