import type { Ctx } from '@pergola/core';
import { access, type FieldsOf, f, type Ids, model, NotAllowed, rule, type Values } from 'pergola';
import type { TestDialect } from '../../../tools/testing/databases.ts';
import type { AddonModels } from '../../orm/build-registry.ts';
import type { StartRecording } from '../../orm/recording.ts';
import { createModelKit, type ModelKit, type Viewer } from '../../orm/tests/kit.ts';
import type { UndoOptions } from '../plan.ts';
import { TransactionRecorder } from '../recorder.ts';
import { changeTables } from '../tables.ts';
import { recordAs, type UndoResult, undo } from '../undo.ts';

export class Tag extends model('plan.tag', { name: f.char({ required: true, translate: true }) }) {}

export class Project extends model(
  'plan.project',
  {
    name: f.char({ required: true }),
    active: f.boolean({ default: true }),
    note: f.html({ translate: true }),
    owner_id: f.many2one('plan.person', { ondelete: 'set null', empty: 'none' }),
    tag_ids: f.many2many('plan.tag', { empty: 'none' }),
    task_ids: f.one2many('plan.task', 'project_id'),
    hours: f.decimal({ compute: 'computeHours', store: true, depends: ['task_ids.hours'] }),
  },
  { search: ['name'] },
) {
  async computeHours(ids: readonly number[]): Promise<Map<number, string>> {
    const rows = await this.read(ids, { select: { task_ids: { hours: true } } });
    return new Map(
      rows.map(({ id, task_ids }) => [id, task_ids.reduce((sum, { hours }) => sum + Number(hours ?? 0), 0).toFixed(3)]),
    );
  }
}

export class Task extends model('plan.task', {
  name: f.char({ required: true }),
  project_id: f.many2one('plan.project', { required: true, ondelete: 'cascade' }),
  parent_id: f.many2one('plan.task', { ondelete: 'set null', empty: 'none' }),
  person_id: f.many2one('plan.person', { ondelete: 'restrict' }),
  hours: f.decimal(),
  share: f.float(),
  due: f.datetime(),
  day: f.date(),
  state: f.selection({ open: 'Open', done: 'Done' }, { default: 'open' }),
  done: f.boolean(),
  data: f.json(),
  file: f.binary(),
}) {}

export class Person extends model('plan.person', {
  name: f.char({ required: true }),
  secret: f.char({ secret: true }),
  version: f.integer({ undo: false }),
}) {}

/** A counter, and a trail of what happened to a project. */
export class Counter extends model('plan.counter', { seen: f.integer() }, { volatile: true }) {}
export class Trail extends model(
  'plan.trail',
  { text: f.char(), project_id: f.many2one('plan.project', { ondelete: 'cascade' }) },
  { appendOnly: true },
) {}

export class Payment extends model(
  'plan.payment',
  { name: f.char(), project_id: f.many2one('plan.project', { ondelete: 'cascade' }) },
  { irreversible: 'Payments aren’t refunded.' },
) {}

/** Refuses changes once it is sealed. */
export class Letter extends model('plan.letter', { name: f.char(), sealed: f.boolean() }) {
  override async beforeWrite(ids: Ids, values: Values<FieldsOf<Letter>>): Promise<Values<FieldsOf<Letter>>> {
    const rows = await this.read(ids, { select: { sealed: true } });
    if (rows.some(({ sealed }) => sealed)) throw new NotAllowed('The letter is sealed.', { code: 'plan.sealed' });
    return super.beforeWrite(ids, values);
  }
}

declare module 'pergola' {
  interface Models {
    'plan.tag': Tag;
    'plan.project': Project;
    'plan.task': Task;
    'plan.person': Person;
    'plan.counter': Counter;
    'plan.trail': Trail;
    'plan.payment': Payment;
    'plan.letter': Letter;
  }
}

const models = [Tag, Person, Project, Task, Counter, Trail, Payment, Letter];

const plan: AddonModels = {
  name: 'plan',
  models,
  access: [...models.map((ref) => access(ref, { staff: 'rwcd', '*': 'r' })), access(Task, { clerk: 'rw' })],
  rules: [
    rule('plan.open_tasks', Task, { groups: ['clerk'], operations: 'w', domain: () => [['state', '=', 'open']] }),
    rule('plan.all_tasks', Task, { groups: ['staff'], domain: () => [] }),
  ],
};

/** Switched off to measure writes without it. */
export const recording = { isOn: true };

/** Somebody who may change everything. */
export const staff: Viewer = { id: 7, groups: ['staff'] };

/** Models whose changes are recorded, in a fresh database. */
export interface ChangesKit extends ModelKit {
  /** Runs work in a transaction of a person; returns its change set, or null if it made no changes. */
  change(work: (ctx: Ctx) => Promise<unknown>, viewer?: Viewer): Promise<number | null>;
  undo(setId: number, options?: UndoOptions, viewer?: Viewer): Promise<UndoResult>;
  /** All rows of the models, without who changed them last. */
  digest(): Promise<string>;
}

export async function createChangesKit(dialect: TestDialect): Promise<ChangesKit> {
  const record: StartRecording = ({ user }, transaction) =>
    user.id === null || !recording.isOn
      ? null
      : new TransactionRecorder(transaction, {
          userId: user.id,
          login: `user ${user.id}`,
          source: transaction.label,
          clientKey: null,
        });
  const kit = await createModelKit(
    dialect,
    [plan],
    { groups: ['staff', 'clerk'], languages: ['en_US', 'fr_FR'] },
    { 'change recording': record },
  );
  const { database, registry } = kit;
  const { steps } = database.schema.plan(changeTables, await database.schema.introspect());
  await database.write((transaction) => database.schema.apply(transaction, steps));
  const latest = async (): Promise<number> =>
    Number((await kit.sql('select max(id) as id from core_change_set'))[0]?.id ?? 0);
  const tables = [...registry.models.values()].flatMap(({ table, fields }) => [
    table,
    ...[...fields.values()].flatMap(({ relation }) => (relation?.kind === 'many2many' ? relation.table : [])),
  ]);
  const stamps = new Set(['write_date', 'write_uid']);
  return {
    ...kit,
    async change(work, viewer = staff) {
      const before = await latest();
      await kit.write(work, viewer);
      const after = await latest();
      return after === before ? null : after;
    },
    undo: (setId, options, viewer = staff) =>
      kit.write((ctx) => {
        if (viewer.su) recordAs(ctx, 'command line');
        return undo(ctx, setId, options);
      }, viewer),
    async digest() {
      const lines: string[] = [];
      for (const table of tables) {
        const rows = await kit.sql(`select * from "${table}"`);
        const texts = rows.map((row) => JSON.stringify(Object.entries(row).filter(([column]) => !stamps.has(column))));
        lines.push(table, ...texts.sort());
      }
      return lines.join('\n');
    },
  };
}
