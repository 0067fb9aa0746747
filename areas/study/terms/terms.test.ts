import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { termsServer } from './terms.server.ts'

let u: TestUniversity
let registrar: Caller
let year = 0
let fall = 0

const stageCode = async (code: string): Promise<number> =>
  (await u.database.pool.query<{ id: number }>('select id from stage_codes where code = $1', [code])).rows[0]!.id
const named = (code: string) => ({ code, name: code, name_local: `الفترة ${code}` })

beforeAll(async () => {
  u = await testUniversity([kitServer, catalogueServer, termsServer])
  registrar = await u.as('registrar')
  year = ok(
    await registrar('PUT', '/years', {
      ...named('Y26'),
      code: '2026',
      start_date: '2026-09-01',
      end_date: '2027-08-31',
    }),
  ).id
  fall = ok(
    await registrar('PUT', '/terms', {
      ...named('F26'),
      year_id: year,
      term_type: 'fall',
      start_date: '2026-09-12',
      end_date: '2027-01-20',
    }),
  ).id
})
afterAll(() => u.close())

describe('years and terms', () => {
  test('a term lies within its year: both ends are told at once', async () => {
    const answer = await registrar('PUT', '/terms', {
      ...named('X'),
      year_id: year,
      term_type: 'spring',
      start_date: '2026-01-01',
      end_date: '2028-01-01',
    })
    expect(answer.status).toBe(422)
    expect(reasons(answer)).toEqual(['term_outside_year@end_date', 'term_outside_year@start_date'])
  })
  test('other terms in the same days are told before a term is saved; none is refused for it', async () => {
    const beside = (body: object, who = registrar) => who('POST', '/terms/beside', body)
    const codes = async (body: object) => (ok(await beside(body)) as { code: string }[]).map((one) => one.code)
    expect(await codes({ start_date: '2027-01-20', end_date: '2027-03-01' })).toEqual(['F26'])
    expect(await codes({ start_date: '2027-01-21', end_date: '2027-03-01' })).toEqual([])
    expect(await codes({ id: fall, start_date: '2026-09-12', end_date: '2027-01-20' })).toEqual([])
    const medical = ok(
      await registrar('PUT', '/terms', {
        ...named('MED'),
        year_id: year,
        term_type: 'fall',
        start_date: '2026-10-01',
        end_date: '2027-02-20',
      }),
    )
    expect(await codes({ start_date: '2026-12-01', end_date: '2026-12-02' })).toEqual(['F26', 'MED'])
    ok(await registrar('DELETE', `/terms/${medical.id}`))
    expect(await codes({ start_date: '2026-12-01', end_date: '2026-12-02' })).toEqual(['F26'])
    const student = await u.as('student', undefined, { type: 3 })
    expect((await beside({ start_date: '2026-12-01', end_date: '2026-12-02' }, student)).status).toBe(403)
  })
  test('a term ends after it begins, and so does a year', async () => {
    const term = await registrar('PUT', '/terms', {
      ...named('X'),
      year_id: year,
      term_type: 'fall',
      start_date: '2026-12-01',
      end_date: '2026-12-01',
    })
    expect(reasons(term)).toEqual(['terms_order'])
    const other = await registrar('PUT', '/years', {
      ...named('Z'),
      code: '2030',
      start_date: '2027-01-01',
      end_date: '2026-01-01',
    })
    expect(reasons(other)).toEqual(['years_order'])
  })
  test('a year is written as one, follows the others, and has a name of its own', async () => {
    const add = (code: string, name: string, from: string, to: string) =>
      registrar('PUT', '/years', { code, name, name_local: 'العام التالي', start_date: from, end_date: to })
    expect(reasons(await add('2028X', 'Next', '2031-09-01', '2032-08-31'))).toEqual(['year_not_valid@code'])
    expect(reasons(await add('2026/2027', 'Next', '2027-06-01', '2028-08-31'))).toEqual(['years_overlap@start_date'])
    expect(reasons(await add('2031/2032', 'y26', '2031-09-01', '2032-08-31'))).toEqual(['years_name_taken@name'])
    const both = await Promise.all(
      ['2033/2034', '2033-2034'].map((code) => add(code, `Year ${code}`, '2033-09-01', '2034-08-31')),
    )
    expect(both.map((one) => one.status).toSorted()).toEqual([200, 422])
  })
  test('stages of all students are read by who reaches a part, and changed by who reaches all', async () => {
    const made = ok(
      await registrar('PUT', '/stages', {
        term_id: fall,
        stage_code_id: await stageCode('recheck'),
        starts_at: '2026-12-01T08:00:00Z',
        ends_at: '2026-12-02T08:00:00Z',
      }),
    )
    const part = await u.as('registrar', ['faculty', 900_001])
    expect(ok(await part('GET', `/stages/${made.id}`)).abilities).toEqual([])
    expect((await part('PUT', `/stages/${made.id}`, { ends_at: '2026-12-03T08:00:00Z' })).status).toBe(404)
    expect(
      (
        await part('PUT', '/stages', {
          term_id: fall,
          stage_code_id: await stageCode('exam'),
          starts_at: '2026-12-05T08:00:00Z',
          ends_at: '2026-12-06T08:00:00Z',
        })
      ).status,
    ).toBe(403)
    ok(await registrar('DELETE', `/stages/${made.id}`))
  })
  test('who studies chooses among terms without a screen of the academic settings', async () => {
    const student = await u.as('student', undefined, { type: 3 })
    await u.database.pool.query(
      `insert into terms (code, name, name_local, term_type, year_id, start_date, end_date)
       select 'ZZ', 'Zenith', 'ياء', term_type, year_id, start_date + 1, end_date from terms where removed_at is null order by id limit 1`,
    )
    const offered = ok(await student('POST', '/lookups/get', { name: 'term' })) as { id: number }[]
    // The newest first, as in their list: nobody looks for a term by the alphabet.
    const { rows } = await u.database.pool.query<{ id: number }>(
      'select id from terms where removed_at is null order by start_date desc, id desc',
    )
    expect(offered.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
    expect(offered.length).toBeGreaterThan(1)
    await u.database.pool.query(`delete from terms where code = 'ZZ'`)
    expect((await student('POST', '/terms', {})).status).toBe(403)
    expect((await student('POST', '/years', {})).status).toBe(403)
  })
  test('a year keeps its terms inside', async () => {
    const answer = await registrar('PUT', `/years/${year}`, { end_date: '2026-12-31' })
    expect(reasons(answer)).toEqual(['year_cuts_term@end_date'])
    expect(answer.body.errors[0].data.term).toBe('F26')
  })
  test('days that do not exist are refused', async () => {
    const answer = await registrar('PUT', '/years', {
      ...named('Z'),
      code: '2030',
      start_date: '2026-02-30',
      end_date: '2026-12-31',
    })
    expect(reasons(answer)).toEqual(['date_not_valid@start_date'])
  })
})

describe('stages', () => {
  const window = async (from: string, to: string, more: object = {}) => ({
    term_id: fall,
    stage_code_id: await stageCode('register'),
    starts_at: `${from}T08:00:00+02:00`,
    ends_at: `${to}T08:00:00+02:00`,
    ...more,
  })
  test('one window of a kind at a time for the same students', async () => {
    ok(await registrar('PUT', '/stages', await window('2026-09-01', '2026-09-20')))
    const again = await registrar('PUT', '/stages', await window('2026-09-10', '2026-09-25'))
    expect(again.status).toBe(422)
    expect(reasons(again).map((r) => r.split('@')[0])).toEqual(['term_stages_overlap'])
    // One that begins when the other ends, or is for another group, is welcome.
    ok(await registrar('PUT', '/stages', await window('2026-09-20', '2026-09-22')))
    const group = ok(
      await registrar('PUT', '/stage-groups', { code: 'L1', name: 'Level 1', name_local: 'المستوى الأول', level: 1 }),
    ).id
    ok(await registrar('PUT', '/stages', await window('2026-09-10', '2026-09-25', { stage_group_id: group })))
  })
  test('two people who add the same window at one moment: one of them', async () => {
    const body = await window('2026-11-01', '2026-11-20')
    const answers = await Promise.all([1, 2, 3, 4].map(() => registrar('PUT', '/stages', body)))
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 422, 422, 422])
  })
  test('a window closes after it opens', async () => {
    expect(reasons(await registrar('PUT', '/stages', await window('2026-12-20', '2026-12-01')))).toEqual([
      'term_stages_order',
    ])
  })
})

describe('stages of an earlier term', () => {
  let before = 0
  let count = 0
  const q = async <T>(text: string, values: unknown[] = []) => (await u.database.pool.query(text, values)).rows as T[]
  const termNamed = async (code: string, from: string, until: string, term_type = 'spring') =>
    ok(
      await registrar('PUT', '/terms', { ...named(code), year_id: year, term_type, start_date: from, end_date: until }),
    ).id as number
  const stagesOf = async (term: number) =>
    (
      await q<{ n: number }>('select count(*)::int as n from term_stages where term_id = $1 and removed_at is null', [
        term,
      ])
    )[0]!.n

  beforeAll(async () => {
    before = await termNamed('TS1', '2026-10-03', '2026-11-30')
    for (const [code, from, until] of [
      ['register', '2026-10-04T08:00:00+03:00', '2026-10-10T20:00:00+03:00'],
      ['exam', '2026-11-20T08:00:00+02:00', '2026-11-29T20:00:00+02:00'],
    ] as const) {
      ok(
        await registrar('PUT', '/stages', {
          term_id: before,
          stage_code_id: await stageCode(code),
          starts_at: from,
          ends_at: until,
        }),
      )
      count += 1
    }
  })

  test('are taken over in one call, said beforehand, and taken back as one', async () => {
    const term = await termNamed('TS2', '2027-02-06', '2027-06-10')
    const told = ok(await registrar('GET', `/stages/take-over/${term}`))
    expect(told).toMatchObject({ from: { id: before, code: 'TS1' }, days: 126, left: 0 })
    expect(told.stages.map((one: any) => [one.name, one.group, one.after])).toEqual([
      [expect.any(String), null, false],
      [expect.any(String), null, false],
    ])
    const { taken, operation_id } = ok(await registrar('POST', `/stages/take-over/${term}`, { from_id: before }))
    expect(taken).toBe(count)
    const [first] = await q<{ starts_at: string }>(
      'select starts_at from term_stages where term_id = $1 order by starts_at',
      [term],
    )
    expect(new Date(first!.starts_at).toISOString()).toBe(new Date(told.stages[0].starts_at).toISOString())
    ok(await registrar('POST', `/operations/${operation_id}/undo`))
    expect(await stagesOf(term)).toBe(0)
    // What somebody moved since stays, and is told.
    const again = ok(await registrar('POST', `/stages/take-over/${term}`, { from_id: before }))
    const [one] = await q<{ id: number }>(
      'select id from term_stages where term_id = $1 and removed_at is null limit 1',
      [term],
    )
    ok(await registrar('PUT', `/stages/${one!.id}`, { ends_at: '2027-06-30T20:00:00Z' }))
    expect(ok(await registrar('POST', `/operations/${again.operation_id}/undo`)).kept_count).toBe(1)
    expect(await stagesOf(term)).toBe(1)
    await q('delete from term_stages where term_id = $1', [term])
  })
  test('one that the database refuses leaves the term without any', async () => {
    const term = await termNamed('TS3', '2027-02-07', '2027-06-11')
    await q(`create function no_exams() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = '23514',
      constraint = 'term_stages_order'; end $$`)
    await q(`create trigger no_exams before insert on term_stages for each row
      when (new.term_id = ${term} and new.starts_at > '2027-03-01') execute function no_exams()`)
    const answer = await registrar('POST', `/stages/take-over/${term}`, { from_id: before })
    expect(reasons(answer)).toEqual(['term_stages_order'])
    expect(await stagesOf(term)).toBe(0)
    await q('drop function no_exams cascade')
  })
  test('of two at once one wins, and the other is told', async () => {
    const term = await termNamed('TS4', '2027-02-08', '2027-06-12')
    const answers = await Promise.all(
      [1, 2, 3].map(() => registrar('POST', `/stages/take-over/${term}`, { from_id: before })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const lost = answers.find(({ status }) => status === 409)!
    expect(lost.body.errors[0]).toMatchObject({ code: 'term_has_stages', data: { term: 'TS4', count } })
    expect(await stagesOf(term)).toBe(count)
    await q('delete from term_stages where term_id = $1', [term])
  })
  test('every reason at once: a later term, and one without stages', async () => {
    const empty = await termNamed('TS5', '2027-06-15', '2027-08-20', 'summer')
    expect(reasons(await registrar('POST', `/stages/take-over/${before}`, { from_id: empty })).toSorted()).toEqual([
      'term_has_stages',
      'term_not_earlier@from_id',
      'term_without_stages@from_id',
    ])
    expect(reasons(await registrar('POST', `/stages/take-over/${empty}`, { from_id: 99_999 }))).toEqual([
      'not_found@from_id',
    ])
    expect((await registrar('POST', '/stages/take-over/99999', { from_id: before })).status).toBe(404)
  })
  test('who reaches a part takes over those of its groups; the others are counted', async () => {
    const term = await termNamed('TS6', '2027-02-09', '2027-06-13')
    const [f] = await q<{ id: number }>(
      `insert into faculties (code, name, name_local) values ('TSF', 'TSF', 'كلية') returning id`,
    )
    const [g] = await q<{ id: number }>(
      `insert into stage_groups (code, name, name_local, faculty_id) values ('TSG', 'TSG', 'مجموعة', $1) returning id`,
      [f!.id],
    )
    const gone = await q<{ id: number }>(
      `insert into stage_groups (code, name, name_local, faculty_id, removed_at) values ('TSX', 'TSX', 'مجموعة', $1, now()) returning id`,
      [f!.id],
    )
    await q(
      `insert into term_stages (term_id, stage_code_id, stage_group_id, starts_at, ends_at)
      select $1, id, x, '2026-10-05', '2026-10-09' from (select min(id) as id from stage_codes) c, unnest($2::int[]) x`,
      [before, [g!.id, gone[0]!.id]],
    )
    const part = await u.as('registrar', ['faculty', f!.id])
    expect(ok(await part('GET', `/stages/take-over/${term}`))).toMatchObject({
      stages: [{ group: { id: g!.id } }],
      left: count + 1,
    })
    expect(ok(await part('POST', `/stages/take-over/${term}`, { from_id: before })).taken).toBe(1)
    const student = await u.as('student', undefined, { type: 3 })
    expect((await student('GET', `/stages/take-over/${term}`)).status).toBe(403)
    expect((await student('POST', `/stages/take-over/${term}`, { from_id: before })).status).toBe(403)
  })
})

describe('current terms', () => {
  test('chosen by who may, read by anybody signed in', async () => {
    const student = await u.as('student', undefined, { type: 3 })
    expect((await student('PUT', '/system/current-terms', { current_term: fall })).status).toBe(403)
    expect((await u.nobody('GET', '/system/current-terms')).status).toBe(401)
    expect(ok(await student('GET', '/system/current-terms')).current_term).toBeNull()
    ok(await registrar('PUT', '/system/current-terms', { current_term: fall, current_control_term: fall }))
    const now = ok(await student('GET', '/system/current-terms'))
    expect(now.current_term).toMatchObject({ id: fall, code: 'F26', term_type: 'fall', year: { id: year } })
    expect(now.current_exam_term).toBeNull()
  })
  test('a current term cannot be removed, an unknown one not chosen', async () => {
    expect(reasons(await registrar('DELETE', `/terms/${fall}`))).toEqual(['term_is_current'])
    expect((await registrar('PUT', '/system/current-terms', { current_term: 99_999 })).status).toBe(422)
  })
})

test('the wrong person changes nothing', async () => {
  for (const who of [await u.as('student', undefined, { type: 3 }), await u.as('instructor'), await u.as(null)]) {
    for (const path of ['/years', '/terms', '/stages', '/stage-groups']) {
      expect((await who('PUT', path, {})).status).toBe(403)
      expect((await who('DELETE', `${path}/1`)).status).toBe(403)
    }
  }
})

describe('the timeline', () => {
  const see = async (by: Caller, query = `?term_id=${fall}`) =>
    ok(await by('GET', `/timeline${query}`)) as {
      term: { id: number } | null
      spells: { group: { id: number } | null; opens: boolean }[]
    }

  test('tells everybody what is for all, students what is for their groups, staff what they reach', async () => {
    const q = async (text: string, values: unknown[] = []) => (await u.database.pool.query(text, values)).rows
    const [own, other] = await Promise.all(
      ['TLA', 'TLB'].map(async (code) => {
        const [f] = await q(`insert into faculties (code, name, name_local) values ($1, $1, 'كلية') returning id`, [
          code,
        ])
        const [b] = await q(
          `insert into bylaws (faculty_id, code, name, name_local, program_type) values ($1, $2, 'B', 'ل', 'credit_hours') returning id`,
          [f.id, `B${code}`],
        )
        const [p] = await q(
          `insert into programs (bylaw_id, faculty_id, code, name, name_local, program_type) values ($1, $2, $3, 'P', 'ب', 'credit_hours') returning id`,
          [b.id, f.id, `P${code}`],
        )
        const [g] = await q(
          `insert into stage_groups (code, name, name_local, faculty_id) values ($1, $1, 'مجموعة', $2) returning id`,
          [code, f.id],
        )
        await q(
          `insert into term_stages (term_id, stage_code_id, stage_group_id, starts_at, ends_at)
           select $1, id, $2, '2026-09-20', '2026-10-01' from stage_codes order by id limit 1`,
          [fall, g.id],
        )
        return { faculty: f.id as number, bylaw: b.id as number, program: p.id as number, group: g.id as number }
      }),
    )
    const who = await u.as(null, undefined, { type: 3 })
    await q(
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, national_id, gender, user_id)
       values ('TL1', 'Mona', 'منى', $1, $2, $3, 1, '30001010100077', 2, $4)`,
      [own!.faculty, own!.program, own!.bylaw, who.user_id],
    )
    const student = await u.signIn(who.user_id)
    const groupsOf = async (by: Caller) =>
      (await see(by)).spells
        .flatMap((spell) => (spell.group ? [spell.group.id] : []))
        .filter((id) => id === own!.group || id === other!.group)
    expect(await groupsOf(student)).toEqual([own!.group])
    expect((await see(student)).spells.every((spell) => !spell.opens)).toBe(true)
    expect((await groupsOf(registrar)).toSorted()).toEqual([own!.group, other!.group].toSorted())
    expect(await groupsOf(await u.as('faculty_registrar', ['faculty', other!.faculty]))).toEqual([other!.group])
    expect(await groupsOf(await u.as(null))).toEqual([])
    expect((await registrar('GET', '/timeline?term_id=99999')).status).toBe(404)
    expect((await u.nobody('GET', '/timeline')).status).toBe(401)
  })
})
