import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Units } from '#access/holders.server.ts'
import { UNITS } from '#access/reach.contract.ts'
import type { Unit } from '#access/reach.contract.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { areaOf } from '#kit/contract/area.ts'
import type { Request } from '#kit/contract/request.ts'
import { awaitedIn, beginsIn } from '#kit/contract/workflow.ts'
import type { Ctx, Handled } from '../base/context.ts'
import { refuse } from '../base/errors.ts'
import { FEE, askFee, takeBackFee, type Price } from './fees.ts'
import { quoted } from '../base/fields.ts'
import { advisorNamed, resourceNamed, scopeNamed } from '../base/registry.ts'
import { workings } from '../resource/resource.ts'
import { isId } from '../base/scope.ts'
import type { ScopeParts, UnitPart } from '../base/scope.ts'
import type { Served, Values } from '../resource/served.ts'
import type { WorkSource } from './work.ts'
import { serveWorkflow } from './workflow.ts'
import type { Moved, ServedWorkflow, WorkflowOptions } from './workflow.ts'

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** How what has a price of its own is booked. */
interface Charged {
  readonly code: string
  readonly type: string
}

/** A request that is served: its handlers, its workflow for others who take its steps, and what waits of it on homes. */
export interface ServedRequest<Facts = unknown> {
  readonly handlers: readonly Handled[]
  /** Answers a call at another path as the request's own is answered. */
  readonly at: Served['at']
  /** Asks for somebody, by the rules of whoever asks: what has begun elsewhere becomes a request. Gives the id. */
  readonly insert: Served['insert']
  readonly flow: ServedWorkflow<string, string, Facts>
  readonly work: WorkSource
}

/**
 * Serves what students (or other people, `holder`) ask for. Its reach is that of the person; people ask for
 * themselves, staff for people within their reach. Call it only if accepting has a rule or an effect; otherwise the
 * area serves the request by itself.
 *
 * @example const leaves = serveRequest(leave, { facts: async (ctx, tx, ids) => …, effect: async (ctx, tx, moved) => … })
 */
export function serveRequest<F extends Request>(
  r: F,
  options: Pick<
    WorkflowOptions<string, string, F extends Request<string, never, string, infer Facts> ? Facts : unknown>,
    'facts' | 'effect' | 'closed' | 'enteredByOfficer' | 'holders' | 'state'
  > & {
    /** How the account `t` of who asks beside those whom the request names first (`otherHolder`) is bound to the university. */
    readonly others?: (ctx: Ctx) => ScopeParts
    /** Before one is written: rules of several fields (throw a `Refusal`); may change what is asked for, and give further columns. */
    readonly before?: (ctx: Ctx, tx: Tx, asked: Values) => Promise<Values | void>
    /** After it was written and before it begins its way, in the same unit of work: what says who has it first. */
    readonly written?: (ctx: Ctx, tx: Tx, id: number) => Promise<void>
    /** After it was written and has begun its way, in the same unit of work. */
    readonly begun?: (ctx: Ctx, tx: Tx, id: number) => Promise<void>
    /** What it costs, where it is not one of the university's prices; null: nothing. */
    readonly price?: (ctx: Ctx, tx: Tx, id: number) => Promise<(Price & Pick<Charged, 'code' | 'type'>) | null>
    /** SQL of the requests `t` that wait for this reader, among those for whose step the reader has the right. */
    readonly waits?: (ctx: Ctx) => RawBuilder<unknown>
    /** SQL of fields that are no columns of its table; the row is `t`. */
    readonly computed?: Readonly<Record<string, string>>
    /** What notices call it, as SQL of its names in English and Arabic, and where they lead. */
    readonly told?: {
      readonly what: readonly [en: string, ar: string]
      readonly link: string | ((id: number) => string)
    }
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
  const { others } = options
  const { otherHolder } = r
  const other = otherHolder === undefined ? undefined : sql.ref(`t.${otherHolder}`)
  /** The same of others who ask, where there are any; never null, though one of the two is. */
  const orOthers = (condition: RawBuilder<unknown>, theirs: RawBuilder<unknown> | undefined) =>
    other ? sql`(${named} is not null and ${condition} or ${theirs ?? sql`false`})` : condition
  const accounts = (condition: RawBuilder<unknown> | undefined) =>
    condition && sql`${other} is not null and ${other} in (select t.id from users t where ${condition})`
  const unit =
    (level: Unit) =>
    (ctx: Ctx): UnitPart =>
    (ids) => {
      const within = (part: UnitPart | undefined) =>
        part && (typeof part === 'function' ? part(ids) : sql`coalesce(${part} = any(${[...ids]}::int[]), false)`)
      const part = within(holderScope(ctx)[level])
      return orOthers(part ? of(part) : sql`false`, accounts(within(others?.(ctx)[level])))
    }
  const all = {
    faculty: unit('faculty'),
    department: unit('department'),
    bylaw: unit('bylaw'),
    program: unit('program'),
    own: (ctx: Ctx) =>
      orOthers(
        holder === 'student' ? isId(named, ctx.actor?.student_id) : of(holderScope(ctx).own ?? sql`false`),
        other && isId(other, ctx.actor?.user_id),
      ),
    advised: (ctx: Ctx) => orOthers(of(holderScope(ctx).advised ?? sql`false`), undefined),
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
        const theirs = others?.(ctx)[level]
        const first =
          part && typeof part !== 'function'
            ? sql`select ${part} from (select ${named} as asking) o join ${people()} t on t.id = o.asking`
            : undefined
        const second =
          theirs && typeof theirs !== 'function'
            ? sql`select ${theirs} from (select ${other} as asking) o join users t on t.id = o.asking`
            : undefined
        const both = first && second ? sql`${first} union all ${second}` : (first ?? second)
        return both ? [[level, both]] : []
      }),
    )
  /** The same of who advises the person. */
  const advisor = (): RawBuilder<unknown> | undefined => {
    const account_id = advisorNamed(holder)
    return account_id === undefined || !(r.scope as readonly string[]).includes('advised')
      ? undefined
      : sql`select ${sql.raw(account_id)} from (select ${named} as asking) o join ${people()} t on t.id = o.asking`
  }
  /** SQL of the account of a person `s`: an employee is one. */
  const account = () => (tableName() === 'users' ? 's.id' : 's.user_id')
  const words = ([en, ar]: readonly [string, string]) =>
    `'what', ${text(en)}, 'what_local', ${text(ar)}, 'area', ${text(areaOf(r))}`

  const { fee } = r
  const costs = fee !== undefined || options.price !== undefined
  /** Charges for a request, and tells who asks where it is paid; false: nothing is to be paid. */
  const charged = async (ctx: Ctx, tx: Tx, id: number): Promise<string | null> => {
    const theirs = other
      ? sql`union all select null, ${other}, ${other} from ${sql.table(r.table)} t where t.id = ${id} and ${other} is not null`
      : sql``
    const { rows } = await sql<{
      asking: number | null
      other: number | null
      user_id: number | null
    }>`select s.id as asking, null::int as other, ${sql.raw(account())} as user_id from ${sql.table(r.table)} t
        join ${people()} s on s.id = ${named} where t.id = ${id} ${theirs}`.execute(tx)
    const { asking, other: other_id, user_id } = firstRow(rows)
    const price = options.price && (await options.price(ctx, tx, id))
    if (options.price && !price) return null
    return askFee(ctx, tx, {
      workflow: r.flow.name,
      id,
      ...(asking === null ? { staff_id: other_id ?? 0 } : { student_id: asking }),
      fee: price?.code ?? fee!,
      ...(price && { price, type: price.type }),
      what: r.one,
      area: areaOf(r),
      user_id,
      concerns: holder === 'student',
    })
  }
  const effect = async (ctx: Ctx, tx: Tx, moved: readonly Moved[]): Promise<void> => {
    for (const { id, action, reason } of moved) {
      // What was paid, or is paid no more, is known where it was charged.
      if (action === FEE.charge && ctx.system === null && (await charged(ctx, tx, id)) === null)
        throw refuse(409, 'fee_nothing', { fee: fee ?? '' })
      if (action === 'cancel' || (action === FEE.waive && ctx.system === null))
        await takeBackFee(ctx, tx, { workflow: r.flow.name, id }, reason ?? r.flow.actions[action]!.label[0])
    }
    await options.effect?.(ctx, tx, moved)
  }

  const flow = serveWorkflow(r.flow, r.steps, {
    ...(options as object),
    ...(costs && { effect }),
    table: r.table,
    scope: parts,
    units,
    get advisor() {
      return advisor()
    },
    get nameOf() {
      const named = (table: string, by: string) =>
        `(select coalesce(s.code, s.name) from ${quoted(table)} s where s.id = t.${by})`
      const first = named(tableName(), column)
      return otherHolder === undefined ? first : `coalesce(${first}, ${named('users', otherHolder)})`
    },
    own: (ids) => {
      const first = sql`${named} in (select s.id from ${people()} s where ${sql.raw(account())} = any(${ids}))`
      return other ? sql`(${first} or ${other} = any(${ids}))` : first
    },
    tells: {
      get users() {
        const first = `select ${account()} from ${quoted(tableName())} s where s.id = t.${column} and ${account()} is not null`
        return `array(${first}${otherHolder === undefined ? '' : ` union all select t.${otherHolder} where t.${otherHolder} is not null`})`
      },
      get data() {
        // Of the one that was decided.
        const what = options.told?.what
        return `json_build_object(${what ? `'what', ${what[0]}, 'what_local', ${what[1]}` : words(r.one)})`
      },
      waiting: { data: `json_build_object(${words(r.many)})`, link: r.path },
      ...(holder === 'student' && { student: 't.student_id' }),
      link: (id) => {
        const link = options.told?.link
        return typeof link === 'function' ? link(id) : (link ?? `${r.path}?id=${id}`)
      },
    },
  })
  /** What waits for this reader: for whose step the reader has the right, and nobody else's turn. */
  const waiting = (ctx: Ctx) =>
    options.waits ? sql`(${flow.waiting(ctx)} and ${options.waits(ctx)})` : flow.waiting(ctx)
  const { handlers, at, insert } = workings(r, {
    scope,
    flow: flow as unknown as ServedWorkflow,
    ...(options.computed && { computed: options.computed }),
    // The inbox asks for what the reader may decide now.
    filters: {
      waiting: (value: unknown, ctx: Ctx) => (value === false ? sql`not ${waiting(ctx)}` : waiting(ctx)),
      // Who decides and asks as well tells the own ones from those of others.
      mine: (value: unknown, ctx: Ctx) => (value === false ? sql`not ${all.own(ctx)}` : all.own(ctx)),
    },
    ...(options.before && {
      beforeWrite: (ctx: Ctx, tx: Tx, merged: Values, current: Values | null) =>
        current ? Promise.resolve() : options.before!(ctx, tx, merged),
    }),
    afterWrite: async (ctx: Ctx, tx: Tx, id: number, _merged: Values, current: Values | null) => {
      if (current) return
      await options.written?.(ctx, tx, id)
      const number = costs ? await charged(ctx, tx, id) : null
      if (number !== null) await sql`update ${sql.table(r.table)} set status = ${FEE.due} where id = ${id}`.execute(tx)
      await flow.begin(ctx, tx, id, number === null ? beginsIn(r.flow) : FEE.due, { reason: number })
      await options.begun?.(ctx, tx, id)
    },
  } as never)

  const work: WorkSource = {
    permissions: [...new Set(awaitedIn(r.flow).flatMap(({ keys }) => keys))],
    waiting: (
      ctx,
    ) => sql`select 'kit.work_requests', jsonb_build_object('count', count(*), ${sql.raw(words(r.many))}), ${r.path}::text,
        min(t.created_at), null::timestamptz
      from ${sql.table(r.table)} t where ${waiting(ctx)} having count(*) > 0`,
  }
  return { handlers: [...handlers, ...flow.handlers], at, insert, flow: flow as never, work }
}
