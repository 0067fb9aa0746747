import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Units } from '#access/holders.server.ts'
import { UNITS } from '#access/reach.contract.ts'
import type { Unit } from '#access/reach.contract.ts'
import type { Tx } from '#db/connect.ts'
import { areaOf } from '#kit/contract/area.ts'
import type { Request } from '#kit/contract/request.ts'
import { awaitedFrom, wayFrom } from '#kit/contract/workflow.ts'
import type { Ctx, Handled } from './context.ts'
import { quoted } from './fields.ts'
import { resourceNamed, scopeNamed } from './registry.ts'
import { workings } from './resource.ts'
import { isId, scopeCondition } from './scope.ts'
import type { ScopeParts, UnitPart } from './scope.ts'
import type { Values } from './served.ts'
import type { WorkSource } from './work.ts'
import { serveWorkflow } from './workflow.ts'
import type { ServedWorkflow, WorkflowOptions } from './workflow.ts'

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** A request that is served: its handlers, its workflow for others who take its steps, and what waits of it on homes. */
export interface ServedRequest<Facts = unknown> {
  readonly handlers: readonly Handled[]
  readonly flow: ServedWorkflow<string, string, Facts>
  readonly work: WorkSource
}

/**
 * Serves what students ask for, or other people (`holder`). It is reached as the person is; who asks does so for himself or
 * herself, staff for whom they reach. Needed only where accepting has a rule or an effect: without, the area serves it by itself.
 *
 * @example const leaves = serveRequest(leave, { facts: async (ctx, tx, ids) => …, effect: async (ctx, tx, moved) => … })
 */
export function serveRequest<F extends Request>(
  r: F,
  options: Pick<
    WorkflowOptions<string, string, F extends Request<string, never, string, infer Facts> ? Facts : unknown>,
    'facts' | 'effect' | 'closed' | 'chain' | 'enteredByOfficer'
  > & {
    /** Before one is written: rules of several fields (throw a `Refusal`); may change what is asked for, and give further columns. */
    readonly before?: (ctx: Ctx, tx: Tx, asked: Values) => Promise<Values | void>
    /** After it was written and has begun its way, in the same unit of work. */
    readonly begun?: (ctx: Ctx, tx: Tx, id: number) => Promise<void>
    /** What notices call it, as SQL of its names in English and Arabic, and where they lead. */
    readonly told?: { readonly what: readonly [en: string, ar: string]; readonly link: string }
  } = {},
): ServedRequest {
  const column = r.holder ?? 'student_id'
  const holder = r.fields[column]!.to!
  // Named and bound by the area that has the people, which may be served later.
  const tableName = () => resourceNamed(holder)!.table
  const people = () => sql.table(tableName())
  const holderScope = (ctx: Ctx): ScopeParts => scopeNamed(holder)?.(ctx) ?? {}
  const named = sql.ref(`t.${column}`)
  const of = (condition: RawBuilder<unknown>) => sql`${named} in (select t.id from ${people()} t where ${condition})`
  const unit =
    (level: Unit) =>
    (ctx: Ctx): UnitPart =>
    (ids) => {
      const part = holderScope(ctx)[level]
      return part ? of(typeof part === 'function' ? part(ids) : sql`${part} = any(${[...ids]}::int[])`) : sql`false`
    }
  const all = {
    faculty: unit('faculty'),
    department: unit('department'),
    bylaw: unit('bylaw'),
    program: unit('program'),
    own: (ctx: Ctx) =>
      holder === 'student' ? isId(named, ctx.actor?.student_id) : of(holderScope(ctx).own ?? sql`false`),
    advised: (ctx: Ctx) => of(holderScope(ctx).advised ?? sql`false`),
  }
  const scope = Object.fromEntries(
    Object.entries(all).filter(([kind]) => (r.scope as readonly string[]).includes(kind)),
  )
  const parts = (ctx: Ctx): ScopeParts =>
    Object.fromEntries(Object.entries(scope).map(([kind, part]) => [kind, part(ctx)]))
  /** The person's own columns, told of the request: the inner `t` is the person. */
  const units = (ctx: Ctx): Units =>
    Object.fromEntries(
      UNITS.flatMap((level) => {
        const part = holderScope(ctx)[level]
        return part && typeof part !== 'function'
          ? [[level, sql`select ${part} from (select ${named} as asking) o join ${people()} t on t.id = o.asking`]]
          : []
      }),
    )
  /** SQL of the account of a person `s`: an employee is one. */
  const account = () => (tableName() === 'users' ? 's.id' : 's.user_id')
  const words = ([en, ar]: readonly [string, string]) =>
    `'what', ${text(en)}, 'what_local', ${text(ar)}, 'area', ${text(areaOf(r))}`

  const flow = serveWorkflow(r.flow, r.steps, {
    ...(options as object),
    table: r.table,
    scope: parts,
    units,
    get nameOf() {
      return `(select coalesce(s.code, s.name) from ${quoted(tableName())} s where s.id = t.${column})`
    },
    own: (ids) => sql`${named} in (select s.id from ${people()} s where ${sql.raw(account())} = any(${ids}))`,
    tells: {
      get users() {
        return `array(select ${account()} from ${quoted(tableName())} s where s.id = t.${column} and ${account()} is not null)`
      },
      get data() {
        // Of the one that was decided.
        const what = options.told?.what
        return `json_build_object(${what ? `'what', ${what[0]}, 'what_local', ${what[1]}` : words(r.one)})`
      },
      ...(holder === 'student' && { student: 't.student_id' }),
      link: (id) => options.told?.link ?? `${r.path}?id=${id}`,
    },
  })
  const { handlers } = workings(r, {
    scope,
    flow: flow as unknown as ServedWorkflow,
    ...(options.before && {
      beforeWrite: (ctx: Ctx, tx: Tx, merged: Values, current: Values | null) =>
        current ? Promise.resolve() : options.before!(ctx, tx, merged),
    }),
    afterWrite: async (ctx: Ctx, tx: Tx, id: number, _merged: Values, current: Values | null) => {
      if (current) return
      await flow.begin(ctx, tx, id, r.flow.states[0]!.value)
      await options.begun?.(ctx, tx, id)
    },
  } as never)

  /** States in which somebody is awaited, each with the rights that go on from there. */
  const awaited = r.flow.states.flatMap(({ value }) => {
    const keys = awaitedFrom(r.flow, value).flatMap((action) => wayFrom(r.flow, value, action)!.permission)
    return keys.length ? [{ value, keys }] : []
  })
  const work: WorkSource = {
    permissions: [...new Set(awaited.flatMap(({ keys }) => keys))],
    waiting: (
      ctx,
    ) => sql`select 'kit.work_requests', jsonb_build_object('count', count(*), ${sql.raw(words(r.many))}), ${r.path}::text,
        min(t.created_at), null::timestamptz
      from ${sql.table(r.table)} t where t.removed_at is null and (${sql.join(
        awaited.map(({ value, keys }) => sql`(t.status = ${value} and ${scopeCondition(ctx, keys, parts(ctx))})`),
        sql` or `,
      )}) having count(*) > 0`,
  }
  return { handlers: [...handlers, ...flow.handlers], flow: flow as never, work }
}
