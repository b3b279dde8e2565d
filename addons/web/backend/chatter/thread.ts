/** What stands beside a record, as the server tells it. Types only: both sides import them. */

/** A file on a record or message. */
export interface ShownFile {
  readonly id: number;
  readonly name: string;
  readonly mimetype: string | null;
  readonly size: number;
}

/** Something said on a record. */
interface ShownMessage {
  readonly id: number;
  readonly date: Date;
  readonly author: string | null;
  readonly authorId: number | null;
  readonly mine: boolean;
  readonly subject: string | null;
  /** Sanitised HTML. */
  readonly body: string;
  /** For employees only. */
  readonly internal: boolean;
  readonly type: string;
  /** Emails it was sent by, with what became of each. */
  readonly mails: readonly ShownMail[];
  readonly files: readonly ShownFile[];
}

/** An email to one recipient. */
export interface ShownMail {
  readonly id: number;
  readonly name: string | null;
  /** Empty for followers: their addresses are their own affair. */
  readonly email: string;
  readonly state: 'queued' | 'held' | 'handed_over' | 'delivered' | 'refused' | 'bounced' | 'withdrawn';
  /** What the mail server answered, if it refused the email. */
  readonly error: string | null;
}

/** A recipient that the record proposes for messages: the customer of an order. */
export interface ProposedRecipient {
  readonly email: string;
  readonly name: string;
  readonly ticked: boolean;
}

/** A change of a tracked field, as people read it. */
export interface ShownChange {
  readonly id: number;
  readonly date: Date;
  readonly by: string | null;
  readonly field: string;
  readonly label: string;
  readonly type: string;
  /** datetime: the zone that the field declares, or null for the reader's. */
  readonly timezone: string | null;
  /** Empty for nothing. */
  readonly before: string;
  readonly after: string;
  /** Whether the caller may put the value back. */
  readonly restorable: boolean;
}

/** All that stands beside a record: what was said, its files, who follows it, what was changed. */
export interface ThreadView {
  readonly messages: readonly ShownMessage[];
  readonly messageCount: number;
  readonly changes: readonly ShownChange[];
  readonly files: readonly ShownFile[];
  readonly followers: readonly { readonly partnerId: number; readonly name: string; readonly me: boolean }[];
  readonly following: boolean;
  readonly recipients: readonly ProposedRecipient[];
  readonly may: { readonly write: boolean };
}

/** Which record a thread is of. */
export interface ThreadOf {
  readonly model: string;
  readonly id: number;
}
