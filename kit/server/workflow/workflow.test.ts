import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { area } from '#kit/contract/index.ts'
import { listedCalls, workflow, workflowCalls } from '#kit/contract/workflow.ts'
import type { StepRow, WorkflowCalls } from '#kit/contract/workflow.ts'
import { defineAreaServer } from '../http/area.ts'
import type { Actor } from '../base/context.ts'
import { refuse } from '../base/errors.ts'
import { asActor, asSystem } from '../unit/request.ts'
import { openTestApp, testActor } from '../testing.ts'
import type { TestApp } from '../testing.ts'
import { requestContext } from '../unit/request.ts'
import { serveWorkflow } from './workflow.ts'

// Leaves of staff: asked for, accepted or rejected, taken back; accepting takes the days from the balance.
const leave = workflow<{ days: number; balance: number }>()({
  name: 'leave',
  one: ['Leave', 'إجازة'],
  field: 'status',
  states: [
    { value: 'requested', label: ['Requested', 'مطلوبة'], tone: 'waiting' },
    { value: 'accepted', label: ['Accepted', 'مقبولة'], tone: 'done' },
    { value: 'rejected', label: ['Rejected', 'مرفوضة'], tone: 'refused' },
    { value: 'cancelled', label: ['Cancelled', 'ملغاة'], tone: 'frozen' },
  ],
  actions: {
    accept: {
      label: ['Accept', 'قبول'],
      call: ['POST', '/leaves/accept/{id}'],
      permission: 'edit_location',
      from: { requested: 'accepted' },
      reason: 'optional',
      window: 'leaves',
      notice: 'kit.hello',
      needs: ({ days, balance }) =>
        days > balance ? [{ code: 'leave_balance', data: { days, balance } }, { code: 'leave_ask' }] : [],
    },
    reject: {
      label: ['Reject', 'رفض'],
      call: ['POST', '/leaves/reject/{id}'],
      permission: 'edit_location',
      many: 4,
      from: { requested: 'rejected' },
      reason: 'required',
      notice: 'kit.hello',
      tone: 'refused',
    },
    cancel: {
      label: ['Cancel', 'إلغاء'],
      call: ['DELETE', '/leaves/{id}'],
      permission: 'show_location',
      from: { requested: 'cancelled' },
      byOwner: true,
      single: true,
    },
    undo: {
      label: ['Take back', 'تراجع'],
      call: ['PUT', '/leaves/undo/{id}'],
      permission: 'edit_location',
      from: {
        accepted: { to: 'requested', label: ['Back to requested', 'إعادة إلى مطلوبة'] },
        rejected: { to: 'requested', permission: 'restore_location' },
      },
      reason: 'required',
      tone: 'refused',
    },
  },
  bulk: '/leaves/bulk/{action}',
  history: { path: '/leaves/steps/{id}', permission: 'show_location' },
})
const calls = workflowCalls(leave)
const leaves = serveWorkflow(leave, calls, {
  table: 'leaves',
  scope: (ctx) => ({ faculty: sql`t.faculty_id`, own: sql`t.user_id = ${ctx.actor?.user_id ?? 0}` }),
  nameOf: 't.code',
  own: (people) => sql`t.user_id = any(${people})`,
  facts: async (_ctx, tx, ids) => {
    const { rows } = await sql<{ id: number; days: number; balance: number }>`select t.id, t.days, b.days as balance
      from leaves t join leave_balances b on b.user_id = t.user_id where t.id = any(${[...ids]}::int[])`.execute(tx)
    return new Map(rows.map(({ id, ...row }) => [id, row]))
  },
  closed: async (_ctx, tx, _window, ids) => {
    const { rows } = await sql<{
      id: number
    }>`select id from leaves where id = any(${[...ids]}::int[]) and late`.execute(tx)
    return new Map(rows.map(({ id }) => [id, { code: 'leave_closed' }]))
  },
  effect: async (_ctx, tx, moved) => {
    const taken = moved.filter(({ to, from }) => to === 'accepted' || from === 'accepted')
    await sql`update leave_balances b set days = b.days - x.days from (
        select user_id, sum(case status when 'accepted' then days else -days end) as days from leaves
        where id = any(${taken.map((one) => one.id)}::int[]) group by 1) x where b.user_id = x.user_id`.execute(tx)
    if (moved.some(({ reason }) => reason === 'boom')) throw refuse(409, 'state_not_allowed')
  },
  tells: { users: 'array[t.user_id]', data: `json_build_object('days', t.days)`, link: (id) => `/leaves/${id}` },
})
const server = defineAreaServer({
  area: area({
    name: 'leaves',
    label: ['Leaves', 'الإجازات'],
    calls: listedCalls(leave, calls as unknown as WorkflowCalls),
    errors: {
      leave_balance: ['{days} days are asked for, {balance} are left.', 'المطلوب {days} والمتبقي {balance}.'],
      leave_ask: ['Ask for fewer days.', 'اطلب أيامًا أقل.'],
      leave_closed: ['Too late.', 'فات الموعد.'],
    },
  }),
  handlers: [leaves.handlers],
})

let t: TestApp
let head: Actor
let other: Actor
let staff: Actor
const rights = { edit_location: 'all', show_location: 'all', restore_location: 'all' } as const
beforeAll(async () => {
  t = await openTestApp([server])
  await t.database.pool.query(`
    create table leaves (id integer generated always as identity primary key, code text not null, user_id integer not null, faculty_id integer,
      days integer not null, status text not null default 'requested', late boolean not null default false,
      version integer not null default 1, removed_at timestamptz, created_at timestamptz not null default now(), updated_at timestamptz not null default now());
    create table leave_balances (user_id integer primary key, days integer not null);
    select audit_table('leaves'); select ensure_audit_partitions(1)`)
  const person = async (name: string) =>
    (
      await t.database.pool.query<{ id: number }>(
        `insert into users (type, name, name_local) values (2, $1, $1) returning id`,
        [name],
      )
    ).rows[0]!.id
  head = testActor(rights, { user_id: await person('Head') })
  other = testActor({ edit_location: { faculty: [7] } }, { user_id: await person('Other') })
  staff = testActor({ edit_location: 'all', show_location: 'own' }, { user_id: await person('Staff') })
})
afterAll(() => t.close())
beforeEach(async () => {
  await t.database.pool.query(`delete from leaves; delete from notifications; delete from leave_balances`)
  await t.database.pool.query(`insert into leave_balances values ($1, 10)`, [staff.user_id])
})

const ask = async (more: { days?: number; status?: string; faculty_id?: number; late?: boolean } = {}) => {
  const { rows } = await t.database.pool.query<{ id: number }>(
    `insert into leaves (code, user_id, days, status, faculty_id, late) values ('L', $1, $2, $3, $4, $5) returning id`,
    [staff.user_id, more.days ?? 2, more.status ?? 'requested', more.faculty_id ?? null, more.late ?? false],
  )
  return rows[0]!.id
}
const step = (who: Actor, action: keyof typeof calls.steps, id: number, body: object = {}) =>
  t.as(who).send(calls.steps[action], { params: { id }, body })
const history = async (id: number, who = head): Promise<StepRow[]> =>
  (await t.as(who).ask(calls.history, { params: { id } })).data
const codes = (answer: { error: { errors?: { code: string; field: string | null }[] } }) =>
  (answer.error.errors ?? []).map(({ code, field }) => (field ? `${code}@${field}` : code))
const balance = async () =>
  (await t.database.pool.query<{ days: number }>('select days from leave_balances')).rows[0]!.days
const told = async () =>
  (
    await t.database.pool.query('select key, data, link from notifications where user_id = $1 order by id', [
      staff.user_id,
    ])
  ).rows

describe('a step', () => {
  test('moves the record, changes what hangs on it, is told and kept: who, when, from where to where, why', async () => {
    const id = await ask()
    const answer = await step(head, 'accept', id, { reason: 'enjoy' })
    expect(answer.body).toEqual({ data: { id, version: 2, state: 'accepted', status: 'accepted' } })
    expect(await balance()).toBe(8)
    expect(await told()).toEqual([
      {
        key: 'kit.hello',
        data: { name: 'L', state: 'Accepted', state_local: 'مقبولة', reason: 'enjoy', days: 2 },
        link: `/leaves/${id}`,
      },
    ])
    expect(await history(id)).toEqual([
      {
        id: expect.any(Number),
        at: expect.any(String),
        action: 'accept',
        from: 'requested',
        to: 'accepted',
        reason: 'enjoy',
        by: { name: 'Head', name_local: 'Head' },
        acting_for: null,
      },
    ])
    const { rows } = await t.database.pool.query(
      `select actor_id, reason from audit_log where table_name = 'leaves' and record_id = $1 and action = 'update'`,
      [id],
    )
    expect(rows).toEqual([{ actor_id: head.user_id, reason: 'enjoy' }])
    expect((await step(head, 'undo', id, { reason: 'wrong person' })).status).toBe(200)
    expect(await balance()).toBe(10)
  })

  test('from a wrong state is refused, naming the state, and says nothing else', async () => {
    const id = await ask({ status: 'rejected', days: 99 })
    const answer = await step(head, 'accept', id)
    expect([answer.status, codes(answer), answer.error.errors?.[0]?.data]).toEqual([
      409,
      ['step_state'],
      { state: 'Rejected', state_local: 'مرفوضة', status: 'rejected' },
    ])
    expect(answer.error.error.en).toBe('Not possible while it is Rejected.')
  })

  test('is refused for every reason at once', async () => {
    const id = await ask({ days: 11, late: true })
    const answer = await step(head, 'accept', id)
    expect([answer.status, codes(answer)]).toEqual([409, ['leave_closed', 'leave_balance', 'leave_ask']])
    expect(answer.error.errors?.[1]?.en).toBe('11 days are asked for, 10 are left.')
    expect(await history(id)).toEqual([])
  })

  test('without the reason it needs is refused at that field', async () => {
    const id = await ask()
    for (const reason of [undefined, '  ']) {
      const answer = await step(head, 'reject', id, reason === undefined ? {} : { reason })
      expect([answer.status, codes(answer)]).toEqual([422, ['reason_required@reason']])
    }
  })

  test('is nothing to who does not reach the record, and refused to who sees it but may not', async () => {
    const id = await ask()
    expect((await step(other, 'accept', id)).status).toBe(404)
    expect((await step(testActor({}), 'accept', id)).status).toBe(403)
    // May take back an acceptance, not a rejection: a permission of its own.
    const half = testActor({ edit_location: 'all' }, { user_id: other.user_id })
    const rejected = await ask({ status: 'rejected' })
    const answer = await step(half, 'undo', rejected, { reason: 'again' })
    expect([answer.status, codes(answer)]).toEqual([403, ['step_permission']])
    expect((await step(half, 'undo', await ask({ status: 'accepted' }), { reason: 'again' })).status).toBe(200)
  })

  test('is never decided by whom it concerns, nor by who entered it, nor by who acts for them', async () => {
    const id = await ask()
    expect(codes(await step(staff, 'accept', id))).toEqual(['step_own'])
    const acting = testActor(rights, { user_id: head.user_id, impersonator_id: staff.user_id })
    expect(codes(await step(acting, 'accept', id))).toEqual(['step_own'])
    const ctx = asActor(t.services, head)
    await ctx.write((tx) => leaves.begin(ctx, tx, id, 'requested', { action: 'enter' }))
    expect(codes(await step(head, 'accept', id))).toEqual(['step_own'])
    expect(await history(id)).toMatchObject([{ action: 'enter', from: null, to: 'requested' }])
    // What is for the owner is possible.
    expect((await step(staff, 'cancel', id)).status).toBe(200)
  })

  test('taken for another person stands in the history with both names', async () => {
    const id = await ask()
    const acting = testActor(rights, { user_id: head.user_id, impersonator_id: other.user_id })
    expect((await step(acting, 'accept', id)).status).toBe(200)
    expect(await history(id)).toMatchObject([{ by: { name: 'Other' }, acting_for: { name: 'Head' } }])
  })

  test('at two places at one moment: one takes it, the others hear the state found', async () => {
    const id = await ask()
    const answers = await Promise.all([
      step(head, 'accept', id),
      step(head, 'accept', id),
      step(head, 'reject', id, { reason: 'no' }),
    ])
    expect(answers.map((one) => one.status).toSorted()).toEqual([200, 409, 409])
    expect((await history(id)).length).toBe(1)
  })

  test('from an old screen is told that the record has changed', async () => {
    const id = await ask()
    await t.database.pool.query('update leaves set days = 3 where id = $1', [id])
    const answer = await step(head, 'accept', id, { version: 1 })
    expect([answer.status, answer.error.message]).toEqual([409, 'changed_meanwhile'])
  })

  test('that something else refuses changes nothing at all', async () => {
    const id = await ask()
    expect((await step(head, 'accept', id, { reason: 'boom' })).status).toBe(409)
    expect([await balance(), await told(), await history(id)]).toEqual([10, [], []])
  })

  test('the history cannot be changed', async () => {
    const id = await ask()
    await step(head, 'accept', id)
    for (const change of ['update step_history set reason = null', 'delete from step_history', 'truncate step_history'])
      await expect(t.database.pool.query(change), change).rejects.toThrow('append-only')
  })
})

describe('many at once', () => {
  test('each succeeds or fails by itself, with its name and reasons', async () => {
    const [fine, second, dear, gone] = [await ask(), await ask(), await ask({ days: 11 }), await ask()]
    await t.database.pool.query('update leaves set removed_at = now() where id = $1', [gone])
    const rejected = await ask({ status: 'rejected' })
    const answer = await t.as(head).ask(calls.bulk!, {
      params: { action: 'accept' },
      body: { ids: [fine, dear, second, rejected, gone, 9999999, fine] },
    })
    expect(answer.done).toEqual([fine, second])
    expect(answer.failed.map(({ id, name, errors }) => [id, name, errors.map((one) => one.code)])).toEqual([
      [dear, 'L', ['leave_balance', 'leave_ask']],
      [rejected, 'L', ['step_state']],
      [gone, 'L', ['removed_record']],
      [9999999, undefined, ['not_found']],
    ])
    expect(await balance()).toBe(6)
    expect((await told()).length).toBe(2)
  })

  test('what the database refuses for one holds up no other', async () => {
    await t.database.pool.query('alter table leave_balances add constraint enough check (days >= 0) not valid')
    // Facts say that each is possible; together they are not.
    const ids = [await ask({ days: 4 }), await ask({ days: 4 }), await ask({ days: 4 })]
    const answer = await t.as(head).ask(calls.bulk!, { params: { action: 'accept' }, body: { ids } })
    await t.database.pool.query('alter table leave_balances drop constraint enough')
    expect(answer.done).toEqual(ids.slice(0, 2))
    expect(answer.failed.map(({ id, errors }) => [id, errors[0]!.code])).toEqual([[ids[2], 'leave_balance']])
    expect(await balance()).toBe(2)
  })

  test('asks for the reason too, and offers only what is for many', async () => {
    const id = await ask()
    const bulk = (action: string) => t.as(head).send(calls.bulk!, { params: { action }, body: { ids: [id] } })
    expect((await bulk('reject')).body.failed[0]!.errors[0]!.code).toBe('reason_required')
    expect((await bulk('cancel')).status).toBe(404)
  })
})

test('more than the action says are taken by a job, which goes on where it was killed', async () => {
  const ids = [await ask(), await ask(), await ask(), await ask(), await ask()]
  const sent: { job: unknown; payload: Parameters<typeof leaves.manyJob.run>[1] }[] = []
  const jobs = {
    send: async (_tx: unknown, job: unknown, payload: unknown) => {
      sent.push({ job, payload: payload as (typeof sent)[number]['payload'] })
      return 'the job'
    },
  }
  Object.assign(t.services, { jobs })
  const reject = (some: readonly number[]) =>
    t.as(head).ask(calls.bulk!, { params: { action: 'reject' }, body: { ids: [...some], reason: 'Too late' } })
  expect((await reject(ids.slice(0, 4))).done).toEqual(ids.slice(0, 4))
  expect(sent).toEqual([])
  const more = [ids[4]!, await ask(), await ask(), await ask(), await ask()]
  expect(await reject(more)).toEqual({ done: [], failed: [], job_id: 'the job' })
  const [{ job, payload }] = sent as [(typeof sent)[number]]
  expect(job).toBe(leaves.manyJob)
  const ctxOf = (actor: Actor) => requestContext(t.services, actor, 'en', null, 'test', null)
  // Somebody else was there before, and the process died after two.
  await leaves.takeEach(ctxOf(testActor(rights, { user_id: other.user_id })), more.slice(0, 1), 'reject', {
    reason: 'No',
  })
  await leaves.takeEach(ctxOf(head), more.slice(1, 3), 'reject', { reason: 'Too late' })
  const told: number[] = []
  const progress = Object.assign(async (percent: number) => void told.push(percent), {
    signal: new AbortController().signal,
  })
  const result = await leaves.manyJob.run(ctxOf(head), payload, progress)
  expect(result.done).toEqual(more.slice(1))
  expect(result.failed.map(({ id, errors }) => [id, errors[0]!.code])).toEqual([[more[0], 'step_state']])
  expect(told).toEqual([100])
  const { rows } = await t.database.pool.query(
    `select record_id, count(*)::int as n from step_history where record_id = any($1) and action = 'reject' group by 1 having count(*) > 1`,
    [more],
  )
  expect(rows).toEqual([])
})

describe('buttons', () => {
  test('are what the reader may do with the row, and why not what else would be its turn', async () => {
    const id = await ask()
    const open = async (who: Actor, facts?: { days: number; balance: number }) => {
      const ctx = asActor(t.services, who)
      const { rows } = await sql<{
        column: never
      }>`select ${leaves.column(ctx)} as column from leaves t where t.id = ${id}`.execute(ctx.db)
      return leaves.open(ctx, 'requested', rows[0]!.column, facts)
    }
    expect(await open(head)).toEqual({ abilities: ['accept', 'reject', 'cancel'], refused: {} })
    expect(await open(other)).toEqual({ abilities: [], refused: {} })
    expect(await open(staff)).toMatchObject({
      abilities: ['cancel'],
      refused: { accept: { code: 'step_own' }, reject: { code: 'step_own' } },
    })
    expect(await open(head, { days: 4, balance: 1 })).toMatchObject({
      abilities: ['reject', 'cancel'],
      refused: { accept: { code: 'leave_balance', en: '4 days are asked for, 1 are left.' } },
    })
  })
})

test('a workflow takes steps of another inside its own unit of work, all or nothing', async () => {
  const id = await ask()
  const ctx = asSystem(t.services, 'an excuse')
  await expect(
    ctx.write(async () => {
      await leaves.take(ctx, id, 'accept')
      throw refuse(409, 'state_not_allowed')
    }),
  ).rejects.toThrow('state_not_allowed')
  expect([await balance(), await history(id)]).toEqual([10, []])
  await ctx.write(() => leaves.take(ctx, id, 'accept'))
  expect(await history(id)).toMatchObject([{ action: 'accept', by: null }])
})

test('a workflow whose steps lead nowhere is no workflow', () => {
  expect(() =>
    workflow()({
      ...leave,
      actions: { ...leave.actions, accept: { ...leave.actions.accept, from: { requested: 'nowhere' } } },
    } as never),
  ).toThrow(`leave.accept goes from 'requested' to 'nowhere'`)
})
