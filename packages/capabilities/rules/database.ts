import { type Sentence, sentence } from '@pergola/core';
import type { Node } from 'oxc-parser';
import { constantText, knownText, memberKey } from '../constants.ts';
import { runsAtLoad } from '../origins.ts';
import { type CallNode, isCall, keyOf, propertyOf } from '../syntax.ts';
import { modelsIn, type Rule, type RuleInput } from './rule.ts';

/** Uses of models and of the database, and lifted rights. */
export const database: Rule = (node, input) => {
  if (input.code.runsOn === 'browser') return;
  if (node.type === 'Identifier' || node.type === 'MemberExpression') liftedRights(node, input);
  if (isCall(node)) {
    modelUse(node, input);
    tableUse(node, input);
  }
};

/** Models whose records decide who may do what. */
const sensitiveModels = /^(res\.users|res\.groups|auth\..*|.*(token|passkey|session|api_?key).*)$/;

function liftedRights(node: Node, { code, origins, report }: RuleInput): void {
  const parent = code.parentOf(node);
  if (parent?.type === 'MemberExpression' && parent.object === node) return;
  for (const origin of origins.of(node)) {
    const isLift = origin === 'ctx:sudo' || /^(pergola\/orm|@pergola\/orm)#bindSudo$/.test(origin);
    if (isLift && !isDeclaration(node, code)) {
      const getter = getterAround(node, code);
      const what =
        getter === null
          ? sentence('Works without access rights')
          : sentence('Works without access rights when {property} is read', { property: getter });
      report(
        node,
        'sudo',
        what,
        (getter !== null && !getter.startsWith('#')) || runsAtLoad(code, node) ? 'high' : 'medium',
      );
    }
    if (origin === 'ctx:as' && isCall(parent) && propertyOf(parent.arguments[0] as Node, 'user'))
      report(node, 'sudo', sentence('Acts as another user'), 'medium');
  }
}

/** Whether an identifier only declares or imports a name. */
function isDeclaration(node: Node, code: RuleInput['code']): boolean {
  const parent = code.parentOf(node);
  return (
    parent !== null &&
    /^(Import\w*Specifier|Property|MethodDefinition|PropertyDefinition|TS\w+)$/.test(parent.type) &&
    node.type === 'Identifier'
  );
}

/** Name of the getter that contains a node. */
function getterAround(node: Node, code: RuleInput['code']): string | null {
  for (let at: Node | null = node; at; at = code.parentOf(at)) {
    if ((at.type === 'MethodDefinition' || at.type === 'Property') && at.kind === 'get')
      return at.key.type === 'PrivateIdentifier' ? `#${at.key.name}` : (keyOf(at) ?? 'a property');
  }
  return null;
}

const changing =
  /^(create|write|unlink|archive|unarchive|copy|import|merge|restore|set|add|remove|delete|update|insert|confirm|cancel)/;

function modelUse(node: CallNode, input: RuleInput): void {
  const { code, addon, origins, report } = input;
  for (const origin of origins.of(node.callee)) {
    const [, way = '', call] = /^(ctx|lifted):(model|modelNamed)$/.exec(origin) ?? [];
    if (!call) continue;
    const isLifted = way === 'lifted';
    const name = modelsIn(node.arguments[0] as Node, input)[0];
    const methods = methodsOn(node, code);
    const use = methods.length === 0 ? 'uses' : methods.some((method) => changing.test(method)) ? 'changes' : 'reads';
    const isOwn = typeof name === 'string' && addon.models.has(name);
    const isSensitive = name ? sensitiveModels.test(name) && !isOwn : false;
    const risk =
      isSensitive && use !== 'reads' && isLifted ? 'high' : isOwn || (use === 'reads' && !isLifted) ? 'low' : 'medium';
    report(node, 'model', modelSentence(use, name ?? null, isLifted), risk);
  }
}

function modelSentence(use: 'uses' | 'changes' | 'reads', name: string | null, isLifted: boolean): Sentence {
  if (name === null) return isLifted ? sentence('Uses any model without access rights') : sentence('Uses any model');
  const model = { model: name };
  if (use === 'reads')
    return isLifted ? sentence('Reads {model} without access rights', model) : sentence('Reads {model}', model);
  if (use === 'changes')
    return isLifted ? sentence('Changes {model} without access rights', model) : sentence('Changes {model}', model);
  return isLifted ? sentence('Uses {model} without access rights', model) : sentence('Uses {model}', model);
}

/** Stands for a method chosen at run time. */
const ANY_METHOD = 'write';

/**
 * Methods called on the result of a call, directly or through a constant: `write` in `ctx.model(Partner).write(…)`. Empty if the result is
 * passed on.
 */
function methodsOn(node: Node, code: RuleInput['code']): readonly string[] {
  const parent = code.parentOf(node);
  if (parent?.type === 'MemberExpression' && parent.object === node) return [memberKey(code, parent) ?? ANY_METHOD];
  if (parent?.type !== 'VariableDeclarator' || parent.id.type !== 'Identifier') return [];
  const { name } = parent.id;
  const uses = code.nodes.flatMap((each) => {
    const declaration =
      each.type === 'Identifier' && each.name === name && each !== parent.id ? code.declarationOf(each) : null;
    return declaration?.type === 'Variable' && declaration.variableNode.declarations.includes(parent)
      ? [code.parentOf(each)]
      : [];
  });
  return uses.every((use) => use?.type === 'MemberExpression')
    ? uses.flatMap((use) => (use?.type === 'MemberExpression' ? (memberKey(code, use) ?? ANY_METHOD) : []))
    : [];
}

const sqlWords =
  /\b(from|join|into|update|table|delete\s+from|truncate)\s+(?:if\s+(?:not\s+)?exists\s+)?["'`]?([a-z_][\w.]*)/gi;
const changingSql = /\b(insert|update|delete|drop|alter|create|truncate|grant|attach|pragma|replace)\b/i;
const tableMethods = /^(ctx|lifted):db(\.(from|into|table|join|innerJoin|leftJoin|rightJoin|fullOuterJoin|with))?$/;

function tableUse(node: CallNode, input: RuleInput): void {
  const { code, origins } = input;
  for (const origin of origins.of(node.callee)) {
    if (!/^(ctx|lifted):db(\.|$)/.test(origin)) {
      const driver = /^(pg|knex|sqlite3|better-sqlite3|mysql2?|node:sqlite)(#|$)/.exec(origin)?.[1];
      if (driver)
        input.report(node, 'sql', sentence('Connects to databases with {package}', { package: driver }), 'high');
      continue;
    }
    const [first] = node.arguments as Node[];
    if (origin.endsWith('.raw')) {
      const sql = knownText(code, first);
      const tables = sql ? [...sql.text.matchAll(sqlWords)].map(([, , table = '']) => table) : [];
      if (!sql || tables.length === 0)
        input.report(
          node,
          'sql',
          sql?.isWhole ? sentence('Runs SQL') : sentence('Runs SQL built at run time'),
          sql?.isWhole ? 'medium' : 'high',
        );
      for (const table of tables) tableFound(node, table, changingSql.test(sql?.text ?? ''), input);
    } else if (/\.schema/.test(origin)) input.report(node, 'sql', sentence('Changes tables of the database'), 'high');
    else if (tableMethods.test(origin) && first) {
      const table = constantText(code, first);
      if (table === undefined) {
        const isModelTable =
          first.type === 'MemberExpression' || first.type === 'CallExpression' || first.type === 'Identifier';
        input.report(node, 'sql', sentence('Uses tables chosen at run time'), isModelTable ? 'medium' : 'high');
      } else tableFound(node, table.replace(/\s+as\s.*$/i, ''), isChanged(node, code), input);
    }
  }
}

/** Whether a chain of knex methods on a call changes the table. */
function isChanged(node: Node, code: RuleInput['code']): boolean {
  for (
    let at: Node | null = code.parentOf(node);
    at && ['MemberExpression', 'CallExpression', 'AwaitExpression', 'ChainExpression'].includes(at.type);
    at = code.parentOf(at)
  ) {
    const method = at.type === 'MemberExpression' ? memberKey(code, at) : undefined;
    if (method && /^(insert|update|del|delete|truncate|increment|decrement|upsert)$/.test(method)) return true;
  }
  return false;
}

function tableFound(node: Node, table: string, changes: boolean, { addon, report }: RuleInput): void {
  const isOwn =
    [...addon.models].some((model) => table === model.replaceAll('.', '_')) || table.startsWith(`${addon.name}_`);
  const risk = isOwn ? 'low' : changes || /^(core_|res_users|res_groups)|session|token/.test(table) ? 'high' : 'medium';
  const what = changes
    ? sentence('Changes the table {table} by SQL', { table })
    : sentence('Reads the table {table} by SQL', { table });
  report(node, 'sql', what, risk);
}
