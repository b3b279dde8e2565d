import { CalendarSequence } from '@pergola/website';
import { type Domain, type FieldsOf, f, type Id, type Ids, InvalidInput, model, type Values } from 'pergola';
import { mark } from '../texts.ts';

/** A match between two teams. `mnbr` is its number, as used in its URL. */
export class Match extends model(
  'club.match',
  {
    mnbr: f.integer({ required: true, unique: true, min: 1, max: 999_999_999, label: 'Number', copy: false }),
    compet_phase: f.char({ size: 80, translate: true, label: 'Phase', help: 'Matchday 7, quarter-final' }),
    competition_id: f.many2one('club.competition', { ondelete: 'restrict', index: true }),
    start_datetime: f.datetime({ timezone: '@site', required: true, index: true, label: 'Kick-off' }),
    receiver_id: f.many2one('club.team', { required: true, ondelete: 'restrict', index: true, label: 'Home team' }),
    visitor_id: f.many2one('club.team', { required: true, ondelete: 'restrict', index: true, label: 'Away team' }),
    venue_id: f.many2one('club.venue', { ondelete: 'restrict', label: 'Ground' }),
    state: f.selection(
      { planned: 'Scheduled', played: 'Played', postponed: 'Postponed', cancelled: 'Cancelled', forfeit: 'Forfeit' },
      {
        default: 'planned',
        index: true,
        tracked: true,
        label: 'Status',
        colors: { played: 'success', postponed: 'warning', cancelled: 'danger', forfeit: 'danger' },
      },
    ),
    forfeit_by: f.selection({ receiver: 'Home team', visitor: 'Away team' }, { label: 'Forfeited by' }),
    receiver_res: f.integer({ min: 0, max: 99, label: 'Home team goals', tracked: true, copy: false }),
    visitor_res: f.integer({ min: 0, max: 99, label: 'Away team goals', tracked: true, copy: false }),
    is_res: f.boolean({ label: 'Has a result', copy: false }),
    is_shot: f.boolean({ label: 'Decided by a shoot-out', copy: false }),
    receiver_shot: f.integer({ min: 0, max: 99, label: 'Home team shoot-out goals', copy: false }),
    visitor_shot: f.integer({ min: 0, max: 99, label: 'Away team shoot-out goals', copy: false }),
    convocation_ids: f.one2many('club.convocation', 'match_id', { label: 'Call-ups' }),
    website_url: f.char({ compute: 'websiteUrls', label: 'Address on the website' }),
  },
  {
    order: 'start_datetime, mnbr',
    label: 'Match',
    nameSearch: ['receiver_id', 'visitor_id'],
    mixins: [CalendarSequence],
    indexes: [
      ['receiver_id', 'start_datetime'],
      ['visitor_id', 'start_datetime'],
    ],
  },
) {
  override async beforeCreate(values: readonly Values<FieldsOf<Match>>[]): Promise<readonly Values<FieldsOf<Match>>[]> {
    let next = values.every(({ mnbr }) => mnbr) ? 0 : await this.#lastNumber();
    return super.beforeCreate(values.map((value) => withResult(value.mnbr ? value : { ...value, mnbr: ++next })));
  }

  override calendarFields(): readonly string[] {
    return ['start_datetime', 'venue_id', 'state'];
  }

  override async beforeWrite(ids: Ids, values: Values<FieldsOf<Match>>): Promise<Values<FieldsOf<Match>>> {
    return super.beforeWrite(ids, withResult(values));
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    const rows = await this.read(ids, { select: matchFacts });
    for (const row of rows) {
      const problem = problemOf(row);
      if (problem)
        throw new InvalidInput(problem[1], { code: 'dribblo.bad_match', fields: { [problem[0]]: problem[1] } });
    }
  }

  /** `AS Val-Fleuri – US Pont`. */
  override async displayNames(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, {
      select: { mnbr: true, receiver_id: { name: true }, visitor_id: { name: true } },
    });
    return new Map(
      rows.map(({ id, mnbr, receiver_id, visitor_id }) => [
        id,
        receiver_id && visitor_id ? `${receiver_id.name} – ${visitor_id.name}` : `#${mnbr}`,
      ]),
    );
  }

  async websiteUrls(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { mnbr: true } });
    return new Map(rows.map(({ id, mnbr }) => [id, `/matchs/${mnbr}`]));
  }

  async #lastNumber(): Promise<number> {
    // Numbers are unique across all matches, including those the caller can't see.
    const last = await this.ctx
      .sudo()
      .model(Match)
      .first([], { select: { mnbr: true }, order: 'mnbr desc' });
    return last?.mnbr ?? 0;
  }
}

const matchFacts = {
  receiver_id: true,
  visitor_id: true,
  state: true,
  forfeit_by: true,
  receiver_res: true,
  visitor_res: true,
  is_res: true,
  is_shot: true,
  receiver_shot: true,
  visitor_shot: true,
} as const;

interface MatchFacts {
  readonly receiver_id: Id;
  readonly visitor_id: Id;
  readonly state: string;
  readonly forfeit_by: string | null;
  readonly receiver_res: number | null;
  readonly visitor_res: number | null;
  readonly is_res: boolean;
  readonly is_shot: boolean;
  readonly receiver_shot: number | null;
  readonly visitor_shot: number | null;
}

/** Returns the invalid field with the reason, or null if the match is valid. */
function problemOf(match: MatchFacts): readonly [string, string] | null {
  const { receiver_id, visitor_id, state, forfeit_by, receiver_res, visitor_res, is_res } = match;
  const hasGoals = receiver_res !== null && visitor_res !== null;
  if (receiver_id === visitor_id) return ['visitor_id', mark('A team can’t play against itself.')];
  if ((receiver_res === null) !== (visitor_res === null)) {
    return [receiver_res === null ? 'receiver_res' : 'visitor_res', mark('Enter the goals of both teams.')];
  }
  if (is_res !== hasGoals) return ['is_res', mark('Enter the goals of both teams.')];
  if (state === 'played' && !hasGoals) return ['receiver_res', mark('Enter the result of a match marked as played.')];
  if (state === 'forfeit' && (!hasGoals || forfeit_by === null))
    return ['forfeit_by', mark('Choose the team that forfeited.')];
  if (state !== 'forfeit' && forfeit_by !== null)
    return ['state', mark('Set the status to Forfeit, or remove the team that forfeited.')];
  if (hasGoals && state !== 'played' && state !== 'forfeit')
    return ['state', mark('Set the status to Played for a match with a result.')];
  return shootOutProblemOf(match);
}

function shootOutProblemOf(match: MatchFacts): readonly [string, string] | null {
  const { is_shot, receiver_res, visitor_res, receiver_shot, visitor_shot } = match;
  const shots = receiver_shot !== null && visitor_shot !== null;
  if (!is_shot) {
    return receiver_shot === null && visitor_shot === null
      ? null
      : ['is_shot', mark('Mark the match as decided by a shoot-out, or remove the shoot-out goals.')];
  }
  if (receiver_res === null || receiver_res !== visitor_res) {
    return ['is_shot', mark('Only a draw can be decided by a shoot-out.')];
  }
  if (!shots || receiver_shot === visitor_shot) return ['receiver_shot', mark('A shoot-out must have a winner.')];
  return null;
}

interface Scored {
  readonly state?: unknown;
  readonly receiver_res?: number | null | undefined;
  readonly visitor_res?: number | null | undefined;
}

/**
 * Derives match values from a changed result: with goals of both teams, the match has a result and is played unless another state is given;
 * without them, it has no result. Other values are unchanged.
 */
function withResult<V extends Scored>(values: V): V {
  const { receiver_res, visitor_res } = values;
  if (typeof receiver_res === 'number' && typeof visitor_res === 'number') {
    return { state: 'played', is_res: true, ...values };
  }
  if (receiver_res !== null || visitor_res !== null) return values;
  const noResult = { is_res: false, is_shot: false, receiver_shot: null, visitor_shot: null, forfeit_by: null };
  return { state: 'planned', ...noResult, ...values };
}

/** Domain of matches in which one of the teams plays. */
export function playedBy(teams: Ids): Domain<FieldsOf<Match>> {
  return ['|', ['receiver_id', 'in', teams], ['visitor_id', 'in', teams]];
}

declare module 'pergola' {
  interface Models {
    'club.match': Match;
  }
}
