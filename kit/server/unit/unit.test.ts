import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { area, call } from '#kit/contract/index.ts'
import { defineAreaServer } from '../http/area.ts'
import { handle } from '../base/context.ts'
import type { Actor, Ctx } from '../base/context.ts'
import { refuse } from '../base/errors.ts'
import { notify } from '../mail/notifications.ts'
import { asSystem } from './request.ts'
import { openTestApp, testActor } from '../testing.ts'
import type { TestApp } from '../testing.ts'

const summary = ['Test', 'اختبار'] as const
const response = z.object({ values: z.array(z.string()) })
const post = <P extends string>(path: P) => call('POST', path, { permission: 'signed_in', summary, response })
const calls = {
  nest: post('/boxes/nest'),
  cross: post('/boxes/cross/{first}/{second}'),
  swallow: post('/boxes/swallow'),
  attempt: post('/boxes/attempt'),
  reasons: post('/boxes/reasons'),
  fails: post('/boxes/fails'),
  change: post('/boxes/change/{id}'),
  slow: post('/boxes/slow'),
  late: post('/boxes/late'),
}
const boxes = area({ name: 'boxes', label: ['Boxes', 'صناديق'], calls })

const value = async (ctx: Pick<Ctx, 'db'>, id: number): Promise<string> => {
  const { rows } = await sql<{ value: string }>`select value from boxes where id = ${id}`.execute(ctx.db)
  return rows[0]!.value
}
const put = (ctx: Ctx, id: number, text: string, reason?: string) =>
  ctx.write((tx) => sql`update boxes set value = ${text} where id = ${id}`.execute(tx), { reason })
/** A change that refuses when half of it is done. */
const half = (ctx: Ctx, id: number) =>
  ctx.write(async (tx) => {
    await sql`update boxes set value = 'half' where id = ${id}`.execute(tx)
    throw refuse(409, 'state_not_allowed')
  })
let late: Promise<unknown> | undefined

const server = defineAreaServer({
  area: boxes,
  handlers: [
    handle(calls.nest, async (ctx) => {
      const values = await ctx.write(async (tx) => {
        await sql`update boxes set value = 'outer' where id = 1`.execute(tx)
        await put(ctx, 1, `${await value(ctx, 1)}, joined`)
        await put(asSystem(ctx.services, 'the clock'), 2, 'by the system')
        const { rows } = await ctx.pool.query<{ value: string }>('select value from boxes where id = $1', [1])
        return [await value(ctx, 1), rows[0]!.value]
      })
      return { values: [...values, await value(ctx, 2)] }
    }),
    handle(calls.cross, (ctx, { params: { first, second } }) =>
      ctx.write(async (tx) => {
        await notify(tx, [ctx.actor!.user_id], { key: 'kit.hello' })
        await put(ctx, first, `first by ${first}`)
        await sleep(200)
        await put(ctx, second, `second by ${first}`)
        return { values: [] }
      }),
    ),
    handle(calls.swallow, (ctx) =>
      ctx.write(async () => {
        await put(ctx, 1, 'kept')
        await half(ctx, 2).catch(() => {})
        return { values: [] }
      }),
    ),
    handle(calls.attempt, (ctx) =>
      ctx.write(async () => {
        await put(ctx, 1, 'kept')
        await ctx.attempt(() => half(ctx, 2)).catch(() => {})
        await ctx.attempt(() => sql`select 1 / 0`.execute(ctx.db)).catch(() => {})
        return { values: [await value(ctx, 1), await value(ctx, 2)] }
      }),
    ),
    handle(calls.reasons, (ctx) =>
      ctx.write(
        async () => {
          await put(ctx, 1, 'a')
          await put(ctx, 2, 'b', 'inner')
          await put(ctx, 1, 'c')
          return { values: [] }
        },
        { reason: 'outer' },
      ),
    ),
    handle(calls.fails, (ctx) =>
      ctx.write(async (tx) => {
        await put(ctx, 1, 'gone')
        await ctx.write(() => notify(tx, [ctx.actor!.user_id], { key: 'kit.hello' }))
        throw refuse(409, 'state_not_allowed')
      }),
    ),
    handle(calls.change, async (ctx, { params }) => {
      await put(ctx, params.id, 'changed')
      return { values: [] }
    }),
    handle(calls.slow, (ctx) =>
      ctx.write(async (tx) => {
        await sql`set local statement_timeout = '50ms'`.execute(tx)
        await sql`select pg_sleep(2)`.execute(tx)
        return { values: [] }
      }),
    ),
    handle(calls.late, async (ctx) => {
      await ctx.write(async () => {
        // Nobody waits for it: it goes on when the unit has ended.
        late = sleep(50).then(() => put(ctx, 2, ctx.inUnit ? 'in a unit that has ended' : 'by itself'))
      })
      return { values: [] }
    }),
  ],
})

let t: TestApp
let actor: Actor
beforeAll(async () => {
  t = await openTestApp([server])
  await t.database.pool.query(`create table boxes (id integer primary key, value text not null);
    select audit_table('boxes')`)
  await t.database.pool.query('select ensure_audit_partitions(1)')
  const { rows } = await t.database.pool.query<{ id: number }>(
    `insert into users (type, name, name_local) values (2, 'Amal', 'أمل') returning id`,
  )
  actor = testActor({}, { user_id: rows[0]!.id })
})
afterAll(() => t.close())
beforeEach(async () => {
  await t.database.pool.query(`delete from boxes; insert into boxes values (1, 'one'), (2, 'two'), (3, 'three');
    delete from notifications`)
})
const values = async () =>
  (await t.database.pool.query<{ value: string }>('select value from boxes order by id')).rows.map((row) => row.value)
const told = async () => (await t.database.pool.query('select from notifications')).rowCount
const ms = async <T>(work: Promise<T>): Promise<[T, number]> => {
  const begun = performance.now()
  const result = await work
  return [result, performance.now() - begun]
}

describe('a unit of work', () => {
  test('a write inside a write joins it, whoever acts, and sees what it has written', async () => {
    const [answer, took] = await ms(t.as(actor).ask(calls.nest))
    expect(answer.values).toEqual(['outer, joined', 'outer, joined', 'by the system'])
    expect(took).toBeLessThan(6000)
    const { rows } = await t.database.pool.query(`select record_id, actor_id, reason, new ->> 'value' as value
      from audit_log where table_name = 'boxes' and action = 'update' order by id desc limit 3`)
    expect(rows.toReversed()).toEqual([
      { record_id: 1, actor_id: actor.user_id, reason: null, value: 'outer' },
      { record_id: 1, actor_id: actor.user_id, reason: null, value: 'outer, joined' },
      { record_id: 2, actor_id: null, reason: 'the clock', value: 'by the system' },
    ])
  })

  test('is nothing when its outermost fails: nothing changed, nobody told', async () => {
    expect((await t.as(actor).send(calls.fails)).status).toBe(409)
    expect([await values(), await told()]).toEqual([['one', 'two', 'three'], 0])
  })

  test('keeps nothing of what failed half-way, also where the failure was swallowed', async () => {
    const answer = await t.as(actor).send(calls.swallow)
    expect([answer.status, answer.error.message]).toEqual([409, 'state_not_allowed'])
    expect(await values()).toEqual(['one', 'two', 'three'])
  })

  test('goes on after an attempt that failed, without what it had written', async () => {
    expect((await t.as(actor).ask(calls.attempt)).values).toEqual(['kept', 'two'])
    expect(await values()).toEqual(['kept', 'two', 'three'])
  })

  test('each part is kept with its own reason', async () => {
    await t.as(actor).ask(calls.reasons)
    const { rows } = await t.database.pool.query<{ reason: string }>(
      `select reason from audit_log where table_name = 'boxes' order by id desc limit 3`,
    )
    expect(rows.map((row) => row.reason)).toEqual(['outer', 'inner', 'outer'])
  })

  test('ends with its outermost: what outlives it is no part of it', async () => {
    await t.as(actor).ask(calls.late)
    await late
    expect((await values())[1]).toBe('by itself')
  })
})

describe('others at the same moment', () => {
  test('two requests that lock each other out: one does its work again, both end within 5 s, everybody is told once', async () => {
    const client = t.as(actor)
    const [answers, took] = await ms(
      Promise.all([
        client.send(calls.cross, { params: { first: 1, second: 2 } }),
        client.send(calls.cross, { params: { first: 2, second: 1 } }),
      ]),
    )
    expect(answers.map((one) => one.status)).toEqual([200, 200])
    expect(took).toBeLessThan(15_000)
    expect(await told()).toBe(2)
    const [one, two] = await values()
    expect([`second by 2 first by 2`, `first by 1 second by 1`]).toContain(`${one} ${two}`)
  })

  test('a row that somebody does not let go: 503 within 5 s, in words that say what to do', async () => {
    const holder: pg.PoolClient = await t.database.pool.connect()
    try {
      await holder.query(`begin; update boxes set value = 'held' where id = 3`)
      const [answer, took] = await ms(t.as(actor).send(calls.change, { params: { id: 3 } }))
      expect([answer.status, answer.error.message]).toEqual([503, 'data_busy'])
      expect(answer.error.error.en).toMatch(/^Nothing was saved: somebody else is changing/)
      expect(took).toBeGreaterThan(2000)
      expect(took).toBeLessThan(15_000)
    } finally {
      await holder.query('rollback')
      holder.release()
    }
  })

  test('a statement that takes too long is told as that', async () => {
    const answer = await t.as(actor).send(calls.slow)
    expect([answer.status, answer.error.message]).toEqual([503, 'took_too_long'])
  })
})
