import { f, type Ids, InvalidInput, model } from 'pergola';
import { mark } from '../texts.ts';

/** Points a league deducts from a team or awards it, in addition to its match points. The reason is shown below the table. */
export class CompetitionAdjustment extends model(
  'club.competition.adjustment',
  {
    competition_id: f.many2one('club.competition', { required: true, ondelete: 'cascade', index: true }),
    team_id: f.many2one('club.team', { required: true, ondelete: 'cascade', index: true, label: 'Team' }),
    points: f.integer({ required: true, min: -99, max: 99, help: 'Use a negative number to deduct points' }),
    reason: f.char({ required: true, size: 200, translate: true, help: 'Shown under the table' }),
    date: f.date({ label: 'Decided on' }),
  },
  { order: 'competition_id, date, id', label: 'Points adjustments', nameField: 'reason' },
) {
  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    const rows = await this.read(ids, { select: { points: true, team_id: true, competition_id: { team_ids: true } } });
    for (const { points, team_id, competition_id } of rows) {
      if (points === 0) throw fieldError('points', mark('Enter how many points to add or deduct.'));
      if (competition_id && !competition_id.team_ids.includes(team_id)) {
        throw fieldError('team_id', mark('Choose a team that plays in this competition.'));
      }
    }
  }
}

function fieldError(field: string, message: string): InvalidInput {
  return new InvalidInput(message, { code: 'dribblo.bad_adjustment', fields: { [field]: message } });
}

declare module 'pergola' {
  interface Models {
    'club.competition.adjustment': CompetitionAdjustment;
  }
}
