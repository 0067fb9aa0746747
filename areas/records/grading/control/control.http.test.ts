import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { readSheet } from '#kit/server/sheets/index.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { gradingServer } from '../grading.server.ts'
import { cells, offerCourse, seed, statusOf, type Fixture, type TestOffering } from '../testing.server.ts'

let uni: TestUniversity
let f: Fixture
let head: Caller
let team: Caller
let instructor: Caller
let dean: Caller
let registrar: Caller

beforeAll(async () => {
  uni = await testUniversity([catalogueServer, studentsServer, gradingServer])
  f = await seed(uni.database)
  head = await uni.as('control_head')
  team = await uni.as('control_team', ['faculty', f.faculty])
  dean = await uni.as('dean', ['faculty', f.faculty])
  registrar = await uni.as('registrar')
  instructor = await uni.as('instructor', undefined, { type: 1 })
  await uni.database.pool.query('update instructors set user_id = $1 where id = $2', [instructor.user_id, f.instructor])
  await uni.database.pool.query(
    `insert into current_terms (key, term_id) values ('current_control_term', $1) on conflict do nothing`,
    [f.fall],
  )
})
afterAll(() => uni.close())

let o: TestOffering
let n = 0
beforeEach(async () => {
  await uni.database.pool.query(
    'delete from registrations; delete from notifications; update offerings set removed_at = now()',
  )
  o = await offerCourse(uni.database, f, { code: `c${++n}` })
})

const step = (who: Caller, word: string, body: object = {}, id = o.id) =>
  who('PUT', `/control/offerings/${word}-control-status/${id}`, body)
const enter = (who: Caller, offering: TestOffering, marks: (string | null)[][]) =>
  who('PUT', '/offerings/offering-students-grades/update', {
    offering_id: offering.id,
    cells: marks.flatMap((row, i) => cells(offering, i, row)),
  })
const all = Array.from({ length: 6 }, () => ['15', '15', '45'])
const status = async (id = o.id) =>
  (await uni.database.pool.query('select control_status from offerings where id = $1', [id])).rows[0].control_status

test('where offerings stand is told by term; what waits is the reader’s own next step, within reach', async () => {
  const stagesOf = async (who: Caller) => {
    const terms = ok(await who('GET', '/control/offerings/stages')) as any[]
    return Object.fromEntries(
      terms.flatMap((one) => one.stages.map((x: any) => [`${one.term.id} ${x.control_status}`, [x.count, x.waiting]])),
    )
  }
  expect(await stagesOf(team)).toEqual({ [`${f.fall} Draft`]: [1, 0] })
  ok(await enter(instructor, o, all))
  ok(await step(instructor, 'submit'))
  // The team reviews; the dean, who approves later, sees it and has nothing to do yet.
  expect(await stagesOf(team)).toEqual({ [`${f.fall} Submitted`]: [1, 1] })
  expect(await stagesOf(dean)).toEqual({ [`${f.fall} Submitted`]: [1, 0] })
  ok(await step(team, 'review'))
  expect(await stagesOf(dean)).toEqual({ [`${f.fall} Reviewed`]: [1, 1] })
  expect((await registrar('GET', '/control/offerings/stages')).status).toBe(
    (await registrar('POST', '/control/offerings', {})).status,
  )
  expect((await (await uni.as('student'))('GET', '/control/offerings/stages')).status).toBe(403)
})

describe('the ladder', () => {
  test('every step by who may take it, in order; everybody else is refused', async () => {
    ok(await enter(instructor, o, all))
    const ladder = [
      ['submit', instructor, [team, dean, registrar], 'Submitted'],
      ['review', team, [instructor, dean, registrar], 'Reviewed'],
      ['approve', dean, [instructor, team, registrar], 'Approved'],
      ['publish', head, [instructor, team, dean, registrar], 'Published'],
      ['freez', head, [instructor, team, dean, registrar], 'Frozen'],
    ] as const
    for (const [word, who, others, to] of ladder) {
      for (const other of others) expect((await step(other, word)).status, `${word} by ${other.user_id}`).toBe(403)
      const before = await status()
      for (const [wrong] of ladder) {
        if (wrong === word) continue
        const refused = await step(head, wrong)
        expect([refused.status, refused.body.message, refused.body.errors[0].data.control_status]).toEqual([
          409,
          'step_state',
          before,
        ])
      }
      expect(ok(await step(who, word)).control_status).toBe(to)
    }
    const history = ok(await team('GET', `/control/offerings/history/${o.id}`))
    expect(history.map((one: any) => [one.action, one.from, one.to, one.by.name]).toReversed()).toEqual([
      ['submit', 'Draft', 'Submitted', expect.stringMatching(/^instructor/)],
      ['review', 'Submitted', 'Reviewed', expect.stringMatching(/^control_team/)],
      ['approve', 'Reviewed', 'Approved', expect.stringMatching(/^dean/)],
      ['publish', 'Approved', 'Published', expect.stringMatching(/^control_head/)],
      ['freeze', 'Published', 'Frozen', expect.stringMatching(/^control_head/)],
    ])
  })

  test('undo goes back one step at a time, with a reason', async () => {
    ok(await enter(instructor, o, all))
    for (const word of ['submit', 'review', 'approve', 'publish', 'freez']) ok(await step(head, word))
    const refused = await step(head, 'undo')
    expect([refused.status, reasons(refused)]).toEqual([422, ['reason_required@reason']])
    expect((await step(team, 'undo', { reason: 'x' })).status).toBe(403)
    // Undoing a frozen one needs a permission of its own.
    const half = await uni.as(null)
    await uni.database.pool.query(`insert into user_permissions (user_id, permission) values ($1, 'undo_control')`, [
      half.user_id,
    ])
    const without = await uni.signIn(half.user_id)
    expect(reasons(await step(without, 'undo', { reason: 'x' }))).toEqual(['step_permission'])
    for (const to of ['Published', 'Approved', 'Reviewed', 'Submitted', 'Draft']) {
      expect(ok(await step(head, 'undo', { reason: `back to ${to}` })).control_status).toBe(to)
    }
    expect((await step(head, 'undo', { reason: 'x' })).status).toBe(409)
    // The team hears that marks came back to it.
    const told = await uni.database.pool.query(
      `select key, data ->> 'reason' as reason from notifications where user_id = $1 order by id`,
      [instructor.user_id],
    )
    expect(told.rows).toEqual([
      { key: 'grading.notice_published_team', reason: null },
      { key: 'grading.notice_returned', reason: 'back to Draft' },
    ])
  })

  test('submit names the students whose marks are missing; absent and left ones miss nothing', async () => {
    ok(await enter(instructor, o, [...all.slice(0, 2), ['15'], ['15', '15', 'A']]))
    await uni.database.pool.query('update registrations set status = $1 where id = $2', [
      statusOf('Withdrawn'),
      o.registrations[4],
    ])
    const refused = await instructor('POST', `/offerings/submit-student-grades/${o.id}/ar`)
    expect([refused.status, refused.body.message]).toEqual([409, 'control_marks'])
    expect(
      refused.body.errors[0].data.students.map((one: any) => [
        one.student.code,
        one.categories.map((c: any) => c.code),
      ]),
    ).toEqual([
      ['S003', ['MID', 'FIN']],
      ['S006', ['YW', 'MID', 'FIN']],
    ])
    ok(await enter(instructor, { ...o, registrations: [o.registrations[5]!] }, [['1', '1', '1']]))
    ok(
      await enter(
        instructor,
        { ...o, registrations: [o.registrations[2]!], scheme: [o.scheme[1], o.scheme[2], o.scheme[0]] },
        [['1', '1']],
      ),
    )
    const done = await instructor('POST', `/offerings/submit-student-grades/${o.id}/ar`)
    expect([done.body.data.control_status, done.body.message]).toEqual(['Submitted', 'سُلمت درجات CS101'])
    // From here the instructor only looks; control may still correct.
    expect((await enter(instructor, o, [['1']])).body.message).toBe('control_status')
    expect((await enter(team, o, [[null]])).status).toBe(200)
    ok(await step(head, 'review'))
    ok(await step(head, 'approve'))
    expect((await enter(team, o, [[null]])).body.message).toBe('control_status')
  })

  test('submit without scheme, and under a bylaw whose ranges have a hole', async () => {
    await uni.database.pool.query('delete from offering_marks where offering_id = $1', [o.id])
    expect(reasons(await step(instructor, 'submit'))).toEqual(['control_marks', 'control_scheme'])
    const other = await offerCourse(uni.database, f, { code: `h${n}`, course: 1 })
    ok(await enter(instructor, other, all))
    await uni.database.pool.query(
      `update grade_ranges set to_percent = 74 where letter = 'C'; update bylaws set updated_at = now()`,
    )
    const refused = await step(instructor, 'submit', {}, other.id)
    await uni.database.pool.query(
      `update grade_ranges set to_percent = 75 where letter = 'C'; update bylaws set updated_at = now()`,
    )
    expect(refused.body.errors).toMatchObject([{ code: 'grade_ranges_missing', data: { bylaw: 'B1' } }])
  })

  test('two people take the same step at one moment: one of them hears the status found', async () => {
    ok(await enter(instructor, o, all))
    const answers = await Promise.all([step(head, 'submit'), step(head, 'submit'), step(instructor, 'submit')])
    expect(answers.map((one) => one.status).sort()).toEqual([200, 409, 409])
    const { rows } = await uni.database.pool.query(
      `select count(*)::int as n from step_history where workflow = 'offering_control' and record_id = $1`,
      [o.id],
    )
    expect(rows[0].n).toBe(1)
  })

  test('an old screen is told that the offering has changed', async () => {
    ok(await enter(instructor, o, all))
    const { version } = ok(await step(head, 'submit'))
    const answer = await step(head, 'review', { version: version - 1 })
    expect([answer.status, answer.body.message]).toEqual([409, 'changed_meanwhile'])
    ok(await step(head, 'review', { version }))
  })

  test('published: students are told once, and a mark of the others is none of theirs', async () => {
    ok(await enter(instructor, o, all))
    for (const word of ['submit', 'review', 'approve']) ok(await step(head, word))
    const told = async () =>
      (
        await uni.database.pool.query(
          `select count(*)::int as n from notifications where key = 'grading.notice_published'`,
        )
      ).rows[0].n
    expect(await told()).toBe(0)
    ok(await step(head, 'publish'))
    expect(await told()).toBe(6)
  })

  test('a student sees a grade from publication on, and what the bylaw opens only when frozen then', async () => {
    await uni.database.pool.query(
      `update bylaws set grades_visibility = '{"marks":"Frozen","letter":"Published","points":"Frozen","gpa":"Published"}'`,
    )
    ok(await enter(instructor, o, all))
    const { rows } = await uni.database.pool.query('select user_id from students where id = $1', [f.students[0]])
    const student = await uni.signIn(rows[0].user_id)
    const seen = async () => {
      const { terms } = ok(await student('GET', '/students/terms_grades'))
      const { letter, total, points } = terms[0].courses[0]
      return [letter, total, points]
    }
    for (const word of ['submit', 'review', 'approve']) {
      ok(await step(head, word))
      expect(await seen(), word).toEqual([null, null, null])
    }
    ok(await step(head, 'publish'))
    expect(await seen()).toEqual(['B', null, null])
    ok(await step(head, 'freez'))
    expect(await seen()).toEqual(['B', '75.00', '3.00'])
    ok(await step(head, 'undo', { reason: 'a sheet was wrong' }))
    ok(await step(head, 'undo', { reason: 'a sheet was wrong' }))
    expect(await seen()).toEqual([null, null, null])
  })
})

describe('list and bulk', () => {
  test('shows status, missing marks and the steps open to the reader', async () => {
    const other = await offerCourse(uni.database, f, { code: `d${n}`, course: 1, control_status: 'Submitted' })
    ok(await enter(instructor, o, all.slice(0, 4)))
    const { data, meta } = (await team('POST', '/control/offerings', {})).body
    expect(meta).toMatchObject({ count: 2, details: { term_id: f.fall } })
    expect(
      data.map((row: any) => [
        row.id,
        row.course.code,
        row.control_status,
        row.students,
        row.missing_marks,
        row.scheme_sound,
        row.abilities,
      ]),
    ).toEqual([
      [o.id, 'CS101', 'Draft', 6, 2, true, ['enter_marks', 'export', 'barcodes']],
      [other.id, 'CS102', 'Submitted', 6, 6, true, ['review', 'enter_marks', 'export', 'barcodes']],
    ])
    expect((await head('POST', '/control/offerings', {})).body.data[0].abilities).toEqual([
      'submit',
      'enter_marks',
      'export',
      'barcodes',
    ])
    const filtered = async (filters: object) =>
      (await head('POST', '/control/offerings', { filters })).body.data?.map((row: any) => row.id)
    expect(await filtered({ control_status: ['Submitted', 'Reviewed'] })).toEqual([other.id])
    expect(await filtered({ term_id: f.spring })).toEqual([])
    expect(await filtered({ missing: false })).toEqual([])
    expect(
      (
        await head('POST', '/control/offerings', {
          search: 'cs١٠١',
          order_by: 'missing_marks',
          order_direction: 'desc',
        })
      ).body.data,
    ).toHaveLength(1)
    expect((await head('POST', '/control/offerings', { filters: { secret: 1 } })).status).toBe(422)
  })

  test('outside its faculty control sees nothing and changes nothing', async () => {
    const outside = await uni.as('control_head', ['faculty', f.otherFaculty])
    expect((await outside('POST', '/control/offerings', {})).body.data).toEqual([])
    ok(await enter(instructor, o, all))
    expect((await step(outside, 'submit')).status).toBe(404)
    expect((await outside('GET', `/control/offerings/history/${o.id}`)).status).toBe(404)
    expect((await outside('POST', '/control/offerings/bulk/submit', { ids: [o.id] })).body).toMatchObject({
      done: [],
      failed: [{ id: o.id, errors: [{ code: 'not_found' }] }],
    })
    expect(ok(await outside('GET', '/control/offerings/reports/control-results')).offerings).toEqual([])
  })

  test('bulk: each succeeds or fails by itself, with its reasons', async () => {
    const other = await offerCourse(uni.database, f, { code: `e${n}`, course: 1 })
    const reviewed = await offerCourse(uni.database, f, { code: `r${n}`, course: 2, control_status: 'Reviewed' })
    ok(await enter(instructor, o, all))
    const answer = await head('POST', '/control/offerings/bulk/submit', { ids: [o.id, other.id, reviewed.id, o.id] })
    expect(answer.body.done).toEqual([o.id])
    expect(answer.body.failed.map((one: any) => [one.id, one.name, one.errors[0].code])).toEqual([
      [other.id, `CS102 (e${n})`, 'control_marks'],
      [reviewed.id, `CS103 (r${n})`, 'step_state'],
    ])
    expect([await status(), await status(other.id)]).toEqual(['Submitted', 'Draft'])
    expect((await head('POST', '/control/offerings/bulk/undo', { ids: [o.id] })).body.failed[0].errors[0].code).toBe(
      'reason_required',
    )
    expect((await head('POST', '/control/offerings/bulk/finish', { ids: [o.id] })).status).toBe(404)
  })

  test('bulk: what follows is done once for many, and each has its own history and its own news', async () => {
    const others = [
      await offerCourse(uni.database, f, { code: `f${n}`, course: 1 }),
      await offerCourse(uni.database, f, { code: `g${n}`, course: 2, students: f.students.slice(0, 2) }),
    ]
    ok(await enter(instructor, o, all))
    ok(await enter(instructor, others[0]!, all))
    ok(await enter(instructor, others[1]!, all.slice(0, 2)))
    const ids = [others[1]!.id, o.id, others[0]!.id]
    for (const action of ['submit', 'review', 'approve', 'publish'])
      expect((await head('POST', `/control/offerings/bulk/${action}`, { ids })).body).toEqual({ done: ids, failed: [] })
    const { rows: history } = await uni.database.pool.query(
      `select action, array_agg(record_id order by record_id) as ids, count(distinct at)::int as transactions
       from step_history where workflow = 'offering_control' and record_id = any($1) group by 1 order by min(id)`,
      [ids],
    )
    expect(history).toEqual(
      ['submit', 'review', 'approve', 'publish'].map((action) => ({
        action,
        ids: ids.toSorted((a, b) => a - b),
        transactions: 1,
      })),
    )
    const { rows: told } = await uni.database.pool.query(
      `select link, data ->> 'course' as course, count(*)::int as n from notifications group by 1, 2 order by 1, 2`,
    )
    const courses = ['CS103', 'CS101', 'CS102']
    expect(told).toEqual(
      ids
        .flatMap((id, i) => [
          { link: `/myCourses/${id}`, course: courses[i], n: i === 0 ? 2 : 6 },
          { link: `/offerings/grades/${id}`, course: courses[i], n: 1 },
        ])
        .toSorted((a, b) => (a.link < b.link ? -1 : 1)),
    )
  })

  test('who has finished no term keeps the figures that were loaded, and nothing is computed from terms', async () => {
    const figures = async () =>
      (await uni.database.pool.query('select gpa, passed_hours, level, version from students order by id')).rows
    await uni.database.pool.query('update students set gpa = 3.1, passed_hours = 40, level = 3')
    const before = await figures()
    ok(await enter(instructor, o, all))
    for (const word of ['submit', 'review', 'approve', 'publish']) ok(await step(head, word))
    ok(await step(head, 'undo', { reason: 'a sheet was wrong' }))
    expect(await figures()).toEqual(before)
    await uni.database.pool.query('update students set gpa = null, passed_hours = 0, level = 1')
  })

  test('whether figures are out is asked for nobody whose last term does not dismiss', async () => {
    const client = await uni.database.pool.connect()
    try {
      await client.query('begin')
      await client.query(`set local track_functions = 'all'`)
      await client.query('select settle_standing($1::int[])', [f.students])
      const { rows } = await client.query(
        `select funcname, calls::int from pg_stat_xact_user_functions where funcname in ('settle_standing', 'figures_out')`,
      )
      expect(rows).toEqual([{ funcname: 'settle_standing', calls: 1 }])
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})

describe('reports', () => {
  test('results: distribution, rates of passing, means', async () => {
    ok(
      await enter(instructor, o, [
        ['20', '20', '60'],
        ['15', '15', '45'],
        ['15', '15', '45'],
        ['5', '5', '10'],
        ['5', '5', 'A'],
      ]),
    )
    const data = ok(await head('GET', `/control/offerings/reports/control-results?faculty_id=${f.faculty}`))
    const figures = {
      results: 5,
      passed: 3,
      failed: 2,
      absent: 1,
      missing: 1,
      mean: '67.50',
      letters: [
        { letter: 'A', count: 1 },
        { letter: 'B', count: 2 },
        { letter: 'F', count: 1 },
        { letter: 'Abs', count: 1 },
      ],
    }
    expect(data.totals).toEqual({ offerings: 1, students: 6, ...figures })
    expect(data.faculties).toMatchObject([{ code: 'FEC', offerings: 1, ...figures }])
    expect(data.offerings).toMatchObject([{ id: o.id, students: 6, ...figures }])
    // One scale of letters: one chart.
    expect(data.scales).toEqual([
      {
        kind: 'letter',
        gives: ['A', 'B', 'C', 'D', 'F'],
        bylaws: [expect.objectContaining({ code: 'B1' })],
        results: 5,
        letters: figures.letters,
      },
    ])
    expect(data.statuses[0]).toEqual({ control_status: 'Draft', count: 1 })
    const lookup = ok(await head('POST', '/control/offerings/reports/lookup', {}))
    expect([lookup.current_term_id, lookup.faculties.length, lookup.terms.length]).toEqual([f.fall, 1, 2])
  })

  test('a grade that approved results stand on is neither removed nor renamed; its name is', async () => {
    const query = async (text: string, values: unknown[] = []) => (await uni.database.pool.query(text, values)).rows
    ok(await enter(instructor, o, all))
    const read = async () => ok(await registrar('GET', `/bylaws/settings/${f.bylaw}`)).grade_types[0]
    const type = await read()
    const given: string = (await query('select distinct letter from registrations where letter is not null'))[0].letter
    const range = type.ranges.find((one: any) => one.letter === given)
    const rename = (letter: string) => registrar('PUT', `/bylaw/setting/grade/range/${range.id}`, { letter })
    const remove = () => registrar('DELETE', `/bylaw/setting/grade/range/${range.id}`)
    // Until control approves, results are computed anew at each step: nothing stands on it.
    ok(await rename('X'))
    ok(await rename(given))
    for (const [word, who] of [
      ['submit', instructor],
      ['review', team],
    ] as const)
      ok(await step(who, word))
    // Whoever approves while somebody renames it waits, and approves by what is then.
    const renaming = await uni.database.pool.connect()
    await renaming.query('begin')
    await renaming.query('select from bylaws where id = $1 for update', [f.bylaw])
    await renaming.query(`update grade_ranges set letter = 'X' where id = $1`, [range.id])
    await renaming.query('update bylaws set updated_at = now() where id = $1', [f.bylaw])
    const approved = step(dean, 'approve')
    const waits = () =>
      query(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
    try {
      await expect.poll(async () => (await waits()).length).toBe(1)
    } finally {
      await renaming.query('commit')
      renaming.release()
    }
    ok(await approved)
    const letters = await query('select distinct letter from registrations where letter is not null')
    expect(letters).toEqual([{ letter: 'X' }])
    for (const answer of [
      await remove(),
      await rename(given),
      await registrar('DELETE', `/bylaw/setting/grade/type/${type.id}`),
    ]) {
      expect(answer.status).toBe(422)
      expect(answer.body.errors).toContainEqual(
        expect.objectContaining({ code: 'grade_in_use', data: { letter: 'X', count: o.registrations.length } }),
      )
    }
    // Whoever writes.
    for (const text of [
      `delete from grade_ranges where id = ${range.id}`,
      `update grade_ranges set letter = '${given}' where id = ${range.id}`,
      `delete from grade_types where id = ${type.id}`,
    ])
      await expect(query(text)).rejects.toMatchObject({ constraint: 'grade_with_results' })
    expect((await read()).ranges.map((one: any) => one.letter)).toEqual(
      type.ranges.map((one: any) => (one === range ? 'X' : one.letter)),
    )
    // Its name is nobody's transcript; other grades go from a later term on.
    ok(await registrar('PUT', `/bylaw/setting/grade/range/${range.id}`, { name: 'Renamed', letter: 'X' }))
    const unused = type.ranges.find((one: any) => one.letter !== given && one.success)
    expect((await registrar('DELETE', `/bylaw/setting/grade/range/${unused.id}`)).status).toBe(409)
    ok(await registrar('DELETE', `/bylaw/setting/grade/range/${unused.id}?from_term_id=${f.spring}`))
    await query(`delete from registrations`)
    await query(`delete from bylaw_editions`)
    ok(
      await registrar('PUT', '/bylaw/setting/grade/range', {
        grade_type_id: type.id,
        ...Object.fromEntries(Object.entries(unused).filter(([key]) => key !== 'id')),
      }),
    )
    ok(await registrar('PUT', `/bylaw/setting/grade/range/${range.id}`, { name: range.name, letter: given }))
  })

  test('letters of bylaws that grade differently are counted apart, those of bylaws that grade alike together', async () => {
    const query = async (text: string, values: unknown[]) => (await uni.database.pool.query(text, values)).rows
    ok(
      await enter(instructor, o, [
        ['20', '20', '60'],
        ['15', '15', '45'],
        ['5', '5', '10'],
      ]),
    )
    const bylaw = async (code: string, best: string): Promise<number> => {
      const [row] = await query(
        `with b as (insert into bylaws (faculty_id, code, name, name_local, program_type)
            values ($1, $2, $2, 'لائحة', 'credit_hours') returning id),
          g as (insert into grade_types (bylaw_id, kind, name, name_local) select id, 'letter', 'L', 'ت' from b returning id),
          r as (insert into grade_ranges (grade_type_id, from_percent, to_percent, letter, name, name_local, points, success)
            select g.id, v.low, v.high, v.letter, v.letter, v.letter, v.points, v.points > 0 from g,
              (values (85, 100, $3, 4), (75, 85, 'B', 3), (65, 75, 'C', 2.3), (50, 65, 'D', 2), (0, 50, 'F', 0)) v (low, high, letter, points))
          select id from b`,
        [f.faculty, code, best],
      )
      return row.id
    }
    const [alike, other] = [await bylaw('B7', 'A'), await bylaw('B8', 'Excellent')]
    await query('update students set bylaw_id = $1 where id = $2', [alike, f.students[1]])
    await query('update students set bylaw_id = $1 where id = $2', [other, f.students[0]])
    await query(`update registrations set letter = 'Excellent' where offering_id = $1 and student_id = $2`, [
      o.id,
      f.students[0],
    ])
    const { scales } = ok(await head('GET', `/control/offerings/reports/control-results?faculty_id=${f.faculty}`))
    expect(
      scales.map((one: any) => [one.gives[0], one.bylaws.map((known: any) => known.code), one.results, one.letters]),
    ).toEqual([
      [
        'A',
        ['B1', 'B7'],
        2,
        [
          { letter: 'B', count: 1 },
          { letter: 'F', count: 1 },
        ],
      ],
      ['Excellent', ['B8'], 1, [{ letter: 'Excellent', count: 1 }]],
    ])

    // Who moves to another program leaves the results of a past term where they were earned.
    await query(
      `with gone as (insert into former_studies (student_id, faculty_id, program_id, bylaw_id, level, gpa, passed_hours, warnings, last_term_id)
         select s.id, s.faculty_id, s.program_id, s.bylaw_id, s.level, s.gpa, s.passed_hours, s.warnings, r.term_id
         from students s join registrations r on r.student_id = s.id and r.offering_id = $3 where s.id = $2 returning last_term_id)
       update students set bylaw_id = $1, study_after_term_id = (select last_term_id from gone) where id = $2`,
      [other, f.students[1], o.id],
    )
    expect(ok(await head('GET', `/control/offerings/reports/control-results?faculty_id=${f.faculty}`)).scales).toEqual(
      scales,
    )
    await query('update students set bylaw_id = $1 where id = any($2)', [f.bylaw, f.students])
  })

  test('a workbook for an earlier system', async () => {
    const answer = await head('POST', '/control/offerings/export_migrated_offerings_and_registrations_template', {
      term_id: f.fall,
      lang: 'en',
    })
    const { sheets } = await readSheet(answer.bytes)
    expect(sheets.map((one) => one.name)).toEqual(['Offerings', 'Registrations'])
    expect(sheets[0]!.rows[1]!.map((one) => one.text).slice(0, 3)).toEqual(['2025-1', 'CS101', `c${n}`])
  })
})
