import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { catalogueServer } from '../catalogue.server.ts'
import type { UnitPast } from './unit.contract.ts'
import { bridgesOf, judgeSuccession, unitNamesOf, toldNames, type Succession, type UnitHistory } from './unit.rules.ts'

const name = (text: string) => ({ name: text, name_local: `${text} ع` })
const line = (from: number, to: number, on: string, kind: Succession['kind'] = 'replaced'): Succession => ({
  from,
  to,
  on,
  kind,
})
const history = (over: Partial<UnitHistory> = {}): UnitHistory => ({
  now: new Map([1, 2, 3, 4].map((id) => [id, { ...name(`Now ${id}`), within: null }])),
  former: new Map(),
  successions: [],
  ...over,
})

describe('names of a time', () => {
  const renamed = history({ former: new Map([[1, [{ ...name('Trade'), until: '2023-03-01', within: null }]]]) })
  const years = { from: '2020-09-01', to: '2025-08-31', one: false }
  it('of one term it is the name of then, of several years the present one with the former ones', () => {
    expect(toldNames(renamed, 1, { from: null, to: '2022-01-31', one: true })?.of_then).toMatchObject(name('Trade'))
    expect(toldNames(renamed, 1, { from: null, to: '2023-03-01', one: true })).toBeNull()
    expect(toldNames(renamed, 1, years)).toMatchObject({
      of_then: null,
      former: [{ ...name('Trade'), until: '2023-03-01' }],
    })
    expect(toldNames(renamed, 1, { ...years, from: '2023-03-01' })).toBeNull()
    expect(toldNames(renamed, 2, years)).toBeNull()
  })
  it('before it began it is called as what it came from was, unless it was there already or came from several', () => {
    const made = (kind: Succession['kind'], more: Succession[] = []) =>
      unitNamesOf(history({ successions: [line(1, 2, '2023-09-01', kind), ...more] }), 2).map((one) => [
        one.name,
        one.until,
      ])
    expect(made('replaced')).toEqual([
      ['Now 1', '2023-09-01'],
      ['Now 2', null],
    ])
    expect(made('split_off')).toHaveLength(2)
    expect(made('merged')).toEqual([['Now 2', null]])
    expect(made('replaced', [line(3, 2, '2023-09-01')])).toEqual([['Now 2', null]])
  })
  it('follows names of what it came from as far as that day, and over several steps', () => {
    const all = history({
      former: new Map([
        [
          1,
          [
            { ...name('Oldest'), until: '2010-01-01', within: null },
            { ...name('Old'), until: '2024-01-01', within: null },
          ],
        ],
      ]),
      successions: [line(1, 2, '2020-01-01'), line(2, 3, '2022-01-01')],
    })
    expect(unitNamesOf(all, 3).map((one) => [one.name, one.until])).toEqual([
      ['Oldest', '2010-01-01'],
      ['Old', '2020-01-01'],
      ['Now 2', '2022-01-01'],
      ['Now 3', null],
    ])
  })
})

describe('as it is today', () => {
  const today = '2026-01-01'
  it('one that ended goes on in the one that it became, over several steps', () => {
    const { to, splits } = bridgesOf([line(1, 2, '2020-01-01'), line(2, 3, '2022-01-01', 'merged')], today)
    expect([[...to], splits]).toEqual([
      [
        [1, 3],
        [2, 3],
      ],
      [],
    ])
  })
  it('several cannot be told apart: they stay, also where the old one goes on', () => {
    expect(bridgesOf([line(1, 2, '2020-01-01'), line(1, 3, '2020-01-01')], today)).toEqual({
      to: new Map(),
      splits: [{ from: 1, on: '2020-01-01', into: [2, 3], goes_on: false }],
    })
    expect(bridgesOf([line(1, 2, '2020-01-01', 'split_off')], today).splits).toEqual([
      { from: 1, on: '2020-01-01', into: [2], goes_on: true },
    ])
  })
  it('what is still to come bridges nothing yet, and parts that came together again are one', () => {
    expect(bridgesOf([line(1, 2, '2026-01-02')], today).to.size).toBe(0)
    const again = bridgesOf(
      [line(1, 2, '2020-01-01'), line(1, 3, '2020-01-01'), line(2, 4, '2022-01-01'), line(3, 4, '2022-01-01')],
      today,
    )
    expect([again.to.get(1), again.splits]).toEqual([4, []])
  })
  it('says every reason against a succession', () => {
    const had = [{ to: 2, on: '2020-01-01', kind: 'replaced' as const }]
    const given = { from: 1, to: [1, 2], on: '2026-01-02', kind: 'replaced' as const }
    expect(judgeSuccession(had, given, today).map(({ code }) => code)).toEqual([
      'unit_day_ahead',
      'unit_follows_itself',
      'unit_successions_pair',
      'unit_ended',
    ])
    const codes = (kind: Succession['kind'], on: string) =>
      judgeSuccession(had, { from: 1, to: [3], on, kind }, today).map(({ code }) => code)
    expect([
      codes('split_off', '2020-01-02'),
      codes('split_off', '2019-01-01'),
      codes('replaced', '2020-01-01'),
    ]).toEqual([['unit_ended'], [], []])
  })
})

describe('through the calls', () => {
  let u: TestUniversity
  let registrar: Caller
  let dean: Caller
  const ids: number[] = []
  beforeAll(async () => {
    u = await testUniversity([catalogueServer])
    registrar = await u.as('registrar')
    for (const code of ['A', 'B', 'C'])
      ids.push(
        ok(
          await registrar('PUT', '/faculties', {
            code,
            short_name: code,
            name: `Faculty ${code}`,
            name_local: `كلية ${code}`,
          }),
        ).id as number,
      )
    const { rows } = await u.database.pool.query<{ key: string }>(`with r as (insert into roles (key, name, name_local)
        values ('unit-editor', 'Unit editor', 'محرر') returning id, key)
      , p as (insert into role_permissions (role_id, permission, reach)
        select id, unnest(array['show_faculty', 'edit_faculty']), 'scope' from r) select key from r`)
    dean = await u.as(rows[0]!.key, ['faculty', ids[0]!])
  }, 180_000)
  afterAll(() => u?.close())
  const past = async (id: number, who = registrar): Promise<UnitPast> => ok(await who('GET', `/faculties/${id}/past`))
  const rename = async (id: number, to: string) =>
    ok(await registrar('PUT', `/faculties/${id}`, { name: to, name_local: `كلية ${to}` }))

  it('a name is kept when it changes: the first of a day, and none where it comes back', async () => {
    await rename(ids[1]!, 'Beta')
    await rename(ids[1]!, 'Gamma')
    const { rows } = await u.database.pool.query<{ today: string }>('select university_today()::text as today')
    expect((await past(ids[1]!)).names).toMatchObject([{ name: 'Faculty B', until_day: rows[0]!.today, within: null }])
    ok(await registrar('PUT', `/faculties/${ids[1]}`, { name: 'Faculty B', name_local: 'كلية B' }))
    expect((await past(ids[1]!)).names).toEqual([])
  })
  it('a department that moves is told with the faculty of before', async () => {
    const department = ok(
      await registrar('PUT', '/departments', { faculty_id: ids[0], code: 'D', name: 'Dep', name_local: 'قسم' }),
    ).id as number
    ok(await registrar('PUT', `/departments/${department}`, { faculty_id: ids[2] }))
    const seen: UnitPast = ok(await registrar('GET', `/departments/${department}/past`))
    expect(seen.names).toMatchObject([{ name: 'Dep', within: { id: ids[0] } }])
  })
  it('a former name is noted, corrected and removed; not twice for a day, nor for one that is to come', async () => {
    const body = { name: 'Old', name_local: 'قديم', until_day: '2015-09-01' }
    const added: UnitPast = ok(await registrar('POST', `/faculties/${ids[2]}/former-names`, body))
    expect(reasons(await registrar('POST', `/faculties/${ids[2]}/former-names`, body))).toEqual([
      'unit_names_day@until_day',
    ])
    const ahead = await registrar('POST', `/faculties/${ids[2]}/former-names`, { ...body, until_day: '2099-01-01' })
    expect([ahead.status, reasons(ahead)]).toEqual([422, ['unit_day_ahead@until_day']])
    const at = `/faculties/${ids[2]}/former-names/${added.names[0]!.id}`
    const edited: UnitPast = ok(await registrar('PUT', at, { ...body, until_day: '2016-09-01' }))
    expect(edited.names).toMatchObject([{ until_day: '2016-09-01' }])
    // By the address of another faculty it is not found.
    expect((await registrar('DELETE', at.replace(`/${ids[2]}/`, `/${ids[1]}/`))).status).toBe(404)
    expect((ok(await registrar('DELETE', at)) as UnitPast).names).toEqual([])
  })
  it('what follows is noted with every reason against it, never in a circle, and taken back', async () => {
    const body = { unit_ids: [ids[1]], on_day: '2020-09-01', kind: 'replaced' }
    const made: UnitPast = ok(await registrar('POST', `/faculties/${ids[0]}/successors`, body))
    expect(made.became).toMatchObject([{ of: { id: ids[1] }, on_day: '2020-09-01', kind: 'replaced' }])
    expect((await past(ids[1]!)).came_from).toMatchObject([{ of: { id: ids[0] } }])
    const circle = await registrar('POST', `/faculties/${ids[1]}/successors`, { ...body, unit_ids: [ids[0]] })
    expect(reasons(circle)).toEqual(['unit_succession_circle'])
    const twice = await registrar('POST', `/faculties/${ids[0]}/successors`, { ...body, on_day: '2021-01-01' })
    expect(reasons(twice)).toEqual(['unit_ended@on_day', 'unit_successions_pair@unit_ids'])
    const line = `/faculties/${ids[0]}/successors/${made.became[0]!.id}`
    expect((ok(await registrar('DELETE', line)) as UnitPast).became).toEqual([])
  })
  it('two that would close a circle at once: one of them is refused', async () => {
    const send = (from: number, to: number) =>
      registrar('POST', `/faculties/${from}/successors`, { unit_ids: [to], on_day: '2020-09-01', kind: 'merged' })
    const answers = await Promise.all([send(ids[0]!, ids[2]!), send(ids[2]!, ids[0]!)])
    expect(answers.map(({ status }) => status).filter((status) => status < 300)).toHaveLength(1)
    await u.database.pool.query('delete from unit_successions')
  })
  it('nobody changes a unit out of reach, neither as what was nor as what follows, nor without the right', async () => {
    const body = { unit_ids: [ids[1]], on_day: '2020-09-01', kind: 'replaced' }
    expect((await dean('POST', `/faculties/${ids[0]}/successors`, body)).status).toBe(404)
    expect((await dean('POST', `/faculties/${ids[1]}/successors`, { ...body, unit_ids: [ids[0]] })).status).toBe(404)
    expect((await past(ids[0]!, dean)).changes).toBe(true)
    expect((await dean('GET', `/faculties/${ids[1]}/past`)).status).toBe(404)
    const former = { name: 'Old', name_local: 'قديم', until_day: '2015-09-01' }
    expect((await dean('POST', `/faculties/${ids[1]}/former-names`, former)).status).toBe(404)
    expect((await u.nobody('GET', `/faculties/${ids[0]}/past`)).status).toBe(401)
    const student = await u.as('student')
    expect((await student('POST', `/faculties/${ids[0]}/former-names`, former)).status).toBe(403)
  })
})
