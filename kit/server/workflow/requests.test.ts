import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { crud } from '#access/permissions.contract.ts'
import { ACCEPT, area, f, request, resource, resourceCalls } from '#kit/contract/index.ts'
import { endsFrom, roadOf, wayFrom } from '#kit/contract/workflow.ts'
import type { Workflow } from '#kit/contract/workflow.ts'
import { workCalls } from '#kit/contract/work.contract.ts'
import { defineAreaServer } from '../http/area.ts'
import type { Actor, Ctx } from '../base/context.ts'
import { chargeFee, feeSettled, takeBackFee } from './fees.ts'
import { hear } from '../base/hears.ts'
import { kitServer } from '../kit.server.ts'
import { asSystem } from '../unit/request.ts'
import { workings } from '../resource/resource.ts'
import { isId } from '../base/scope.ts'
import { openTestApp, testActor } from '../testing.ts'
import type { TestApp } from '../testing.ts'

/** Pupils ask for a journey: their advisor recommends it, the office endorses it, the head accepts. It costs something in spring. */
const pupil = resource({
  name: 'student',
  path: '/pupils',
  table: 'pupils',
  one: ['Pupil', 'تلميذ'],
  many: ['Pupils', 'تلاميذ'],
  adding: ['Add', 'إضافة'],
  editing: ['Edit', 'تعديل'],
  permissions: { ...crud('students'), import: null },
  scope: ['faculty', 'own', 'advised'],
  fields: {
    code: f.code(['Code', 'الكود'], { required: true }),
    name: f.text(['English name', 'الاسم بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
  },
  list: { columns: ['code'], search: [], sort: ['code'], filters: [], order: ['code', 'asc'] },
  exportName: 'pupils',
  softDelete: true,
  screens: {},
})
// The rights of excuses stand for those of journeys, and two others for the steps before the last.
const journey = request('excuse', {
  path: '/journeys',
  one: ['Journey', 'رحلة'],
  many: ['Journeys', 'رحلات'],
  adding: ['Ask for a journey', 'طلب رحلة'],
  fee: 'JOURNEY',
  steps: [
    {
      action: 'recommend',
      label: ['Recommend', 'توصية'],
      to: ['recommended', 'Recommended', 'موصى به'],
      by: 'access_location',
    },
    { action: 'endorse', label: ['Endorse', 'تأييد'], to: ['endorsed', 'Endorsed', 'مؤيَّد'], by: 'edit_location' },
    ACCEPT,
  ],
})
const flow: Workflow = journey.flow
const calls = resourceCalls(journey)
const charged: string[] = []
const servers = [
  kitServer,
  defineAreaServer({
    area: area({ name: 'pupils', label: ['Pupils', 'تلاميذ'], resources: [pupil] }),
    handlers: [
      workings(pupil, {
        scope: {
          faculty: () => sql`t.faculty_id`,
          own: (ctx: Ctx) => isId(sql`t.id`, ctx.actor?.student_id),
          advised: (ctx: Ctx) => isId(sql`t.advisor_id`, ctx.actor?.user_id),
        },
        advisor: 't.advisor_id',
      }).handlers,
    ],
    hears: [
      hear(chargeFee, (_ctx, _tx, { id, fee, workflow }) => {
        if (!spring) return null
        charged.push(`${workflow} ${fee}`)
        return { number: `INV-${id}`, sum: '300.00 EGP', link: `/pay/${id}` }
      }),
      hear(takeBackFee, (_ctx, _tx, { id }, reason) => void charged.push(`back ${id}: ${reason}`)),
    ],
  }),
  defineAreaServer({
    area: area({ name: 'journeys', label: ['Journeys', 'رحلات'], resources: [journey] }),
    handlers: [],
  }),
]
let spring = false
let t: TestApp
const [FACULTY, OTHER] = [7, 8]
let who: Record<'pupil' | 'advisor' | 'colleague' | 'office' | 'elsewhere' | 'head', Actor>
const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await t.database.pool.query(text, values)).rows as Row[]

beforeAll(async () => {
  t = await openTestApp(servers)
  await query(`
    create table pupils (id integer primary key, user_id integer, code text not null, name text not null, name_local text not null,
      faculty_id integer, advisor_id integer, version integer not null default 1, removed_at timestamptz,
      created_at timestamptz not null default now(), updated_at timestamptz not null default now());
    create table journeys (id integer generated always as identity primary key, student_id integer not null references pupils,
      why text not null, status text not null default 'requested', version integer not null default 1, removed_at timestamptz,
      created_at timestamptz not null default now(), updated_at timestamptz not null default now());
    select audit_table('journeys'), ensure_audit_partitions(1)`)
  const person = async (name: string, role?: { right: string; reach?: string; faculty?: number }): Promise<number> => {
    const [{ id }] = (await query<{ id: number }>(
      'insert into users (type, name, name_local) values (2, $1, $1) returning id',
      [name],
    )) as [{ id: number }]
    if (role)
      await query(
        `with r as (insert into roles (key, name, name_local) values ($1, $1, $1) returning id),
          p as (insert into role_permissions (role_id, permission, reach) select id, $2, $3 from r)
         insert into role_assignments (user_id, role_id, scope_type, scope_id)
         select $4, id, case when $5::int is not null then 'faculty' end, $5::int from r`,
        [`role of ${name}`, role.right, role.reach ?? 'scope', id, role.faculty ?? null],
      )
    return id
  }
  const see = { access_excuse: 'all', show_excuse: 'all' } as const
  const within = { faculty: [FACULTY] }
  const ids = {
    pupil: await person('Pupil'),
    advisor: await person('Advisor', { right: 'access_location', reach: 'advised' }),
    colleague: await person('Colleague', { right: 'access_location', reach: 'advised' }),
    office: await person('Office', { right: 'edit_location', faculty: FACULTY }),
    elsewhere: await person('Elsewhere', { right: 'edit_location', faculty: OTHER }),
    head: await person('Head', { right: 'decide_excuse' }),
  }
  await query(
    `insert into pupils (id, user_id, code, name, name_local, faculty_id, advisor_id) values (1, $1, 'P1', 'Pupil', 'تلميذ', $2, $3)`,
    [ids.pupil, FACULTY, ids.advisor],
  )
  const own = { access_excuse: 'own', show_excuse: 'own', add_excuse: 'own' } as const
  who = {
    pupil: testActor(own, { user_id: ids.pupil, student_id: 1 }),
    advisor: testActor({ ...see, access_location: 'advised' }, { user_id: ids.advisor }),
    colleague: testActor({ ...see, access_location: 'advised' }, { user_id: ids.colleague }),
    office: testActor({ ...see, edit_location: within }, { user_id: ids.office }),
    elsewhere: testActor({ ...see, edit_location: { faculty: [OTHER] } }, { user_id: ids.elsewhere }),
    head: testActor({ ...see, decide_excuse: 'all', add_excuse: 'all' }, { user_id: ids.head }),
  }
})
afterAll(() => t.close())
beforeEach(async () => {
  spring = false
  charged.length = 0
  await query('delete from journeys; delete from notifications')
})

type Who = keyof typeof who
const ask = async (by: Who = 'pupil'): Promise<number> =>
  ((await t.as(who[by]).ask(calls.create, { body: { student_id: 1, why: 'To see the sea.' } as never })) as any).data.id
const step = (by: Who, action: string, id: number, reason?: string) =>
  t.as(who[by]).send(journey.steps.steps[action]!, { params: { id }, body: reason === undefined ? {} : { reason } })
const done = async (by: Who, action: string, id: number, reason?: string) =>
  (await step(by, action, id, reason)).body?.data?.state ?? null
const rowOf = async (by: Who, id: number) => ((await t.as(who[by]).ask(calls.get, { params: { id } })) as any).data
/** The ids in somebody's inbox, and how many the own home counts. */
const waiting = async (by: Who): Promise<[inbox: number[], home: number]> => {
  const { data } = (await t.as(who[by]).ask(calls.list, { body: { filters: { waiting: true } } as never })) as any
  const { waiting: lines } = (await t.as(who[by]).ask(workCalls.work)).data
  return [data.map((row: any) => row.id), Number(lines.find(({ link }) => link === '/journeys')?.data.count ?? 0)]
}
const waitsFor = async (...all: Who[]) => {
  const found = await Promise.all((Object.keys(who) as Who[]).map(async (by) => [by, await waiting(by)] as const))
  for (const [by, [inbox, home]] of found) expect(inbox.length, `${by} is told the same in both places`).toBe(home)
  expect(found.flatMap(([by, [inbox]]) => (inbox.length ? [by] : []))).toEqual(all)
}
const told = async (by: Who) =>
  query<{ key: string; data: any; link: string }>(
    'select key, data, link from notifications where user_id = $1 order by id',
    [who[by].user_id],
  )

describe('a request of several steps', () => {
  it('has its states in the order of its steps, what ends it beside them', () => {
    expect(flow.states.map(({ value, tone }) => `${value} ${tone}`)).toEqual([
      'fee_due draft',
      'requested waiting',
      'recommended waiting',
      'endorsed waiting',
      'accepted done',
      'rejected refused',
      'cancelled frozen',
    ])
    const drawn = (state: string, ...passed: string[]) =>
      roadOf(
        flow,
        state,
        passed.map((to) => ({ to })),
      ).map(({ value, passed: been }) => (been ? `(${value})` : value))
    expect(drawn('recommended', 'requested', 'recommended')).toEqual([
      '(requested)',
      'recommended',
      'endorsed',
      'accepted',
    ])
    expect(drawn('requested', 'fee_due', 'requested')[0]).toBe('(fee_due)')
    // Rejected at the second step: nothing comes any more. Led back, what was passed in between is to come again.
    expect(drawn('rejected', 'requested', 'recommended', 'rejected')).toEqual([
      '(requested)',
      '(recommended)',
      'rejected',
    ])
    expect(drawn('rejected', 'requested', 'recommended', 'requested', 'rejected')).toEqual(['(requested)', 'rejected'])
    expect(drawn('recommended', 'requested', 'recommended', 'rejected', 'recommended')).toEqual([
      '(requested)',
      'recommended',
      'endorsed',
      'accepted',
    ])
  })

  it('waits for whose step it is and for nobody else: in the inbox, on the home, by name and in a notice', async () => {
    const id = await ask()
    const holder = async () =>
      (await t.as(who.head).ask(journey.steps.history, { params: { id } })).waits_for?.named.map(({ name }) => name)
    await waitsFor('advisor')
    expect(await holder()).toEqual(['Advisor'])
    expect((await rowOf('advisor', id)).abilities).toEqual(['recommend', 'reject'])
    for (const by of ['office', 'head'] as const)
      expect((await rowOf(by, id)).abilities).toEqual(by === 'head' ? ['cancel', 'charge_fee'] : [])

    expect(await done('advisor', 'recommend', id)).toBe('recommended')
    await waitsFor('office')
    expect(await holder()).toEqual(['Office'])
    expect(await done('office', 'endorse', id)).toBe('endorsed')
    await waitsFor('head')
    expect(await done('head', 'accept', id)).toBe('accepted')
    await waitsFor()
    expect(await holder()).toBeUndefined()

    const next = { key: 'kit.notice_waits', link: '/journeys' }
    expect(await told('advisor')).toMatchObject([{ ...next, data: { what: 'Journeys', state: 'Requested' } }])
    expect(await told('office')).toMatchObject([{ ...next, data: { what: 'Journeys', state: 'Recommended' } }])
    expect(await told('head')).toMatchObject([{ ...next, data: { what: 'Journeys', state: 'Endorsed' } }])
    for (const nobody of ['colleague', 'elsewhere'] as const) expect(await told(nobody)).toEqual([])
    expect((await told('pupil')).map(({ key, data }) => `${key} ${data.state}`)).toEqual([
      'kit.notice_request Recommended',
      'kit.notice_request Endorsed',
      'kit.notice_request Accepted',
    ])
  })

  it('tells who goes on once, however many come, and again when he or she has looked', async () => {
    await ask()
    await ask()
    expect((await told('advisor')).length).toBe(1)
    await query('update notifications set read_at = now() where user_id = $1', [who.advisor.user_id])
    await ask()
    expect((await told('advisor')).length).toBe(2)
  })

  it('is not told to who hands it on to himself', async () => {
    await query(
      `insert into role_assignments (user_id, role_id, scope_type, scope_id)
       select $1, id, 'faculty', $2 from roles where key = 'role of Office'`,
      [who.advisor.user_id, FACULTY],
    )
    const id = await ask()
    await query('delete from notifications')
    await done('advisor', 'recommend', id)
    expect([(await told('advisor')).length, (await told('office')).length]).toEqual([0, 1])
    await query(
      `delete from role_assignments a using roles r where r.id = a.role_id and r.key = 'role of Office' and a.user_id = $1`,
      [who.advisor.user_id],
    )
  })

  it('skips no step, and lets nobody take another’s', async () => {
    const id = await ask()
    for (const [by, action] of [
      ['office', 'endorse'],
      ['head', 'accept'],
    ] as const)
      expect((await step(by, action, id)).error.errors?.[0]).toMatchObject({
        code: 'step_state',
        data: { status: 'requested' },
      })
    for (const by of ['head', 'office', 'colleague'] as const)
      expect([403, 404], by).toContain((await step(by, 'recommend', id)).status)
    expect(await done('advisor', 'recommend', id)).toBe('recommended')
    for (const by of ['advisor', 'head', 'elsewhere'] as const)
      expect([403, 404], by).toContain((await step(by, 'endorse', id)).status)
    // Whose step it is may reject; those before and after may not.
    for (const by of ['advisor', 'head'] as const)
      expect([403, 404], by).toContain((await step(by, 'reject', id, 'No.')).status)
    expect(await done('office', 'reject', id, 'Too far.')).toBe('rejected')
  })

  it('is one step back when it is opened again, by whose step that was', async () => {
    const id = await ask()
    await done('advisor', 'recommend', id)
    await done('office', 'endorse', id)
    await done('head', 'accept', id)
    for (const by of ['advisor', 'office'] as const)
      expect((await step(by, 'reopen', id, 'Wrong.')).status, by).toBe(403)
    expect(await done('head', 'reopen', id, 'Wrong.')).toBe('endorsed')
    await waitsFor('head')
    expect(await done('office', 'reopen', id, 'Wrong.')).toBe('recommended')
    await waitsFor('office')
    expect(await done('advisor', 'reopen', id, 'Wrong.')).toBe('requested')
    await waitsFor('advisor')
  })

  it('waits again where it was rejected, for who rejected it', async () => {
    const id = await ask()
    await done('advisor', 'recommend', id)
    await done('office', 'reject', id, 'Too far.')
    expect((await rowOf('office', id)).abilities).toEqual(['reopen'])
    expect((await rowOf('advisor', id)).abilities).toEqual([])
    expect((await step('advisor', 'reopen', id, 'Please.')).status).toBe(403)
    expect(await done('office', 'reopen', id, 'It is near.')).toBe('recommended')
    // Rejected at the first step it is at the first step again.
    await done('advisor', 'reopen', id, 'Once more.')
    await done('advisor', 'reject', id, 'No.')
    expect((await step('office', 'reopen', id, 'Please.')).status).toBe(403)
    expect(await done('advisor', 'reopen', id, 'Yes.')).toBe('requested')
    expect(endsFrom(flow, 'rejected', 'reopen')).toEqual(['requested', 'recommended', 'endorsed'])
    expect(wayFrom(flow, 'rejected', 'reopen', 'accepted')?.to).toBe('requested')
  })

  it('is taken back until the last step, and counts on no home of who entered it', async () => {
    for (const steps of [[], ['advisor recommend'], ['advisor recommend', 'office endorse']]) {
      const id = await ask()
      for (const one of steps) await done(...(one.split(' ') as [Who, string]), id)
      expect(await done('pupil', 'cancel', id)).toBe('cancelled')
    }
    const entered = await ask('head')
    await done('advisor', 'recommend', entered)
    await done('office', 'endorse', entered)
    await waitsFor()
    expect((await step('head', 'accept', entered)).error.errors?.[0]?.code).toBe('step_own')
  })

  it('is not defined with two steps to one state', () => {
    const step = { action: 'look', label: ['Look', 'نظر'], to: ['accepted', 'Seen', 'تمت رؤيته'] } as const
    expect(() =>
      request('excuse', { path: '/x', one: ['X', 'س'], many: ['X', 'س'], adding: ['X', 'س'], steps: [step, ACCEPT] }),
    ).toThrow('two steps lead to one state')
  })
})

describe('a request that costs something', () => {
  const settle = (id: number, paid: boolean) => {
    const ctx = asSystem(t.services, 'paid')
    return ctx.write((tx) => feeSettled(ctx, tx, { workflow: 'excuse', id }, paid))
  }
  beforeEach(() => {
    spring = true
  })

  it('waits for its fee before the first who decides sees it, and goes on when that is paid', async () => {
    const id = await ask()
    expect((await rowOf('pupil', id)).status).toBe('fee_due')
    expect(charged).toEqual(['excuse JOURNEY'])
    await waitsFor()
    expect(await told('advisor')).toEqual([])
    expect(await told('pupil')).toMatchObject([
      { key: 'kit.notice_fee', data: { what: 'Journey', sum: '300.00 EGP', number: `INV-${id}` }, link: `/pay/${id}` },
    ])
    expect((await step('advisor', 'recommend', id)).error.errors?.[0]?.code).toBe('step_state')
    expect(await settle(id, true)).toBe(true)
    await waitsFor('advisor')
    expect((await told('advisor')).length).toBe(1)
    expect(charged).toEqual(['excuse JOURNEY'])
    const { data } = await t.as(who.pupil).ask(journey.steps.history, { params: { id } })
    expect(data.map(({ to, reason, by }) => [to, reason, by?.name ?? null])).toEqual([
      ['requested', 'The fee is settled', null],
      ['fee_due', `INV-${id}`, 'Pupil'],
    ])
  })

  it('waits for its fee again when the payment is cancelled before anybody took a step, and not afterwards', async () => {
    const id = await ask()
    await settle(id, true)
    expect(await settle(id, true)).toBe(false)
    expect(await settle(id, false)).toBe(true)
    await waitsFor()
    await settle(id, true)
    await done('advisor', 'recommend', id)
    expect(await settle(id, false)).toBe(false)
    await waitsFor('office')
    expect(charged).toEqual(['excuse JOURNEY'])
  })

  it('gives back what was charged when it is taken back, paid or not', async () => {
    const [unpaid, paid, far] = [await ask(), await ask(), await ask()]
    for (const id of [paid, far]) await settle(id, true)
    await done('advisor', 'recommend', far)
    charged.length = 0
    for (const id of [unpaid, paid, far]) expect(await done('pupil', 'cancel', id)).toBe('cancelled')
    expect(charged).toEqual([unpaid, paid, far].map((id) => `back ${id}: Take back`))
    charged.length = 0
    const rejected = await ask()
    await settle(rejected, true)
    await done('advisor', 'reject', rejected, 'No.')
    expect(charged).toEqual(['excuse JOURNEY'])
  })

  it('goes on without its fee when who decides says why, and is charged anew when that was wrong', async () => {
    const id = await ask()
    expect((await step('head', 'waive_fee', id)).error.errors?.[0]?.code).toBe('reason_required')
    expect([403, 404]).toContain((await step('advisor', 'waive_fee', id, 'Poor.')).status)
    expect(await done('head', 'waive_fee', id, 'Poor.')).toBe('requested')
    expect(charged).toEqual(['excuse JOURNEY', `back ${id}: Poor.`])
    expect(await done('head', 'charge_fee', id, 'Not so poor.')).toBe('fee_due')
    expect(charged.at(-1)).toBe('excuse JOURNEY')
  })

  it('costs nothing where the university has no price for it', async () => {
    spring = false
    const id = await ask()
    expect((await rowOf('pupil', id)).status).toBe('requested')
    expect((await step('head', 'charge_fee', id, 'It should.')).error.errors?.[0]).toMatchObject({
      code: 'fee_nothing',
    })
    expect((await rowOf('pupil', id)).status).toBe('requested')
  })
})
