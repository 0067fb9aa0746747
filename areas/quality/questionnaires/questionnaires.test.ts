import { asSystem } from '#kit/server/unit/request.ts'
import { ok, reasons, type Caller } from '#tests/university.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countQuestionnaire } from './counting/count.server.ts'
import { ballotKeyFor } from './counting/keys.server.ts'
import { questionnaireClock } from './planning/clock.server.ts'
import { COMMENT, RATING, questionnaireWorld, type QuestionnaireWorld } from './testing.server.ts'

let w: QuestionnaireWorld
beforeAll(async () => {
  w = await questionnaireWorld()
}, 180_000)
afterAll(() => w?.uni.close())

const duesOf = async (who: Caller) => ok(await who('GET', '/questionnaires/user'))
const dueIn = async (who: Caller, questionnaire: number) =>
  (await duesOf(who)).find((one: { questionnaire_id: number }) => one.questionnaire_id === questionnaire)
const send = (who: Caller, set: number, answers: object) => who('PUT', `/questionnaires/submit/${set}`, { answers })
/** A class of an offering answers a questionnaire about courses; null: does not answer. */
async function answered(code: string, given: readonly (number | null)[], more: object = {}) {
  const offering = await w.offering(code)
  const students = await w.classOf(offering, given.length)
  const { id: type, keys } = await w.type('course', [RATING, COMMENT])
  const [rating = '', comment = ''] = keys
  const id = await w.open(type, more)
  let set = 0
  for (const [i, student] of students.entries()) {
    const due = await dueIn(student, id)
    set = due.id
    const value = given[i]
    if (value != null) ok(await send(student, set, { [rating]: value, [comment]: `Said ${i} by one` }))
  }
  return { offering, students, type, id, set, rating, comment }
}
const stats = (who: Caller, id: number, set_id?: number) =>
  who('POST', `/questionnaires/stats/${id}`, set_id === undefined ? {} : { set_id })

describe('types and questions', () => {
  test('are checked, ordered, and counted by versions', async () => {
    const { id, keys } = await w.type('course', [RATING, { ...RATING, question: 'Second' }, COMMENT])
    const ids = keys.map((key) => Number(key.slice(1)))
    const [first = 0, second = 0, third = 0] = ids
    const edit = (question: number, body: object) => w.quality('PUT', `/questionnaires/questions/${question}`, body)
    expect(reasons(await edit(third, { points: 5 }))).toEqual(['question_points_needless@points'])
    expect(reasons(await edit(first, { points: null }))).toEqual(['question_points_missing@points'])
    ok(await edit(third, { condition_id: second, condition_is: 'below', condition_value: 3 }))
    expect(reasons(await edit(first, { condition_id: second, condition_is: 'below', condition_value: 3 }))).toEqual([
      'question_condition_later@condition_id',
    ])
    expect(reasons(await w.quality('DELETE', `/questionnaires/questions/${second}`))).toEqual([
      'question_condition_stands',
    ])
    expect(reasons(await w.quality('PUT', `/questionnaires/questions/reorder/${third}/1`))).toEqual([
      'question_condition_later@order',
    ])
    expect(
      ok(await w.quality('PUT', `/questionnaires/questions/reorder/${second}/1`)).map((one: { id: number }) => one.id),
    ).toEqual([second, first, third])
    expect(ok(await edit(first, { question: 'Clearer?' })).revision).toBe(2)
    expect(ok(await edit(first, { required: false })).revision).toBe(2)
    const shown = ok(await w.quality('GET', `/questionnaires/types/show/${id}`))
    expect(shown.questions.map((one: { key: string }) => one.key)).toEqual([`q${second}`, `q${first}`, `q${third}`])
    expect(shown.questions[2].condition).toEqual({ key: `q${second}`, is: 'below', value: 3 })
  })

  test('of the bank are copied with their version', async () => {
    const made = ok(await w.quality('PUT', '/questionnaires/questions', { ...RATING, question: 'Of the bank' }))
    expect(reasons(await w.quality('PUT', `/questionnaires/questions/reorder/${made.id}/1`))).toEqual([
      'question_in_bank',
    ])
    const { id } = await w.type('course', [])
    ok(await w.quality('POST', '/questionnaires/questions/copy', { type_id: id, ids: [made.id] }))
    expect(
      await w.q(`select from_id, from_revision, question from questionnaire_questions where type_id = $1`, [id]),
    ).toEqual([{ from_id: made.id, from_revision: 1, question: 'Of the bank' }])
  })

  test('a type that asks others than students asks about the university', async () => {
    const type = { code: 'STAFF', name: 'Staff', name_local: 'العاملون', kind: 'faculty' }
    expect(reasons(await w.quality('PUT', '/questionnaires/types', { ...type, about: 'course' }))).toEqual([
      'questionnaire_type_about@about',
    ])
    ok(await w.quality('PUT', '/questionnaires/types', { ...type, about: 'university' }))
  })

  test('a whole section is moved among the sections, unless a condition would come first', async () => {
    const { id, keys } = await w.type('university', [
      { ...RATING, section: 'A', section_local: 'أ' },
      { ...RATING, question: 'Two?', question_local: 'اثنان؟', section: 'A', section_local: 'أ' },
      { ...RATING, question: 'Three?', question_local: 'ثلاثة؟' },
      { ...RATING, question: 'Four?', question_local: 'أربعة؟', section: 'B', section_local: 'ب' },
    ])
    const ids = keys.map((key) => Number(key.slice(1)))
    const order = async (): Promise<string[]> =>
      ok(await w.quality('GET', `/questionnaires/types/show/${id}`)).questions.map(({ key }: { key: string }) => key)
    // By any of its questions.
    ok(await w.quality('PUT', `/questionnaires/sections/reorder/${ids[1]}/3`))
    expect(await order()).toEqual([keys[2], keys[3], keys[0], keys[1]])
    ok(await w.quality('PUT', `/questionnaires/sections/reorder/${ids[0]}/1`))
    expect(await order()).toEqual(keys)
    await w.q(
      `update questionnaire_questions set condition_id = $1, condition_is = 'below', condition_value = 3 where id = $2`,
      [ids[0], ids[3]],
    )
    expect(reasons(await w.quality('PUT', `/questionnaires/sections/reorder/${ids[3]}/1`))).toEqual([
      'question_condition_later@order',
    ])
    const student = await w.uni.as('student', undefined, { type: 3 })
    expect((await student('PUT', `/questionnaires/sections/reorder/${ids[3]}/1`)).status).toBe(403)
    expect((await w.quality('PUT', `/questionnaires/sections/reorder/999999/1`)).status).toBe(404)
  })
})

describe('from opening to counting', () => {
  test('whoever is asked answers once; others not at all; and everybody is counted once', async () => {
    const one = await answered('A1', [5, 4, 4, 3, 5, null])
    const [student] = one.students
    const [, , , , , late] = one.students
    expect(reasons(await send(student!, one.set, { [one.rating]: 1 }))).toEqual(['questionnaire_answered'])
    const stranger = await w.uni.as('student', undefined, { type: 3 })
    expect(reasons(await send(stranger, one.set, { [one.rating]: 1 }))).toEqual(['questionnaire_not_asked'])
    expect(reasons(await stranger('GET', `/questionnaires/get_questions/${one.set}`))).toEqual([
      'questionnaire_not_asked',
    ])
    const put = await stranger('PUT', `/questionnaires/postpone/${one.id}`)
    expect([put.status, reasons(put)]).toEqual([409, ['questionnaire_not_asked']])
    expect(await w.q('select from questionnaire_postponements where user_id = $1', [stranger.user_id])).toEqual([])
    expect(reasons(await send(late!, one.set, {}))).toEqual([`answer_missing@${one.rating}`])
    expect(reasons(await send(late!, one.set, { [one.rating]: 9 }))).toEqual([`answer_not_valid@${one.rating}`])
    expect(reasons(await send(late!, one.set, { [one.rating]: 1, x: 1 }))).toEqual(['answer_unknown@x'])
    expect(reasons(await send(late!, one.set, { [one.rating]: 1, [one.comment]: '😀'.repeat(501) }))).toEqual([
      `answer_long@${one.comment}`,
    ])
    // What is asked stands as it was opened; who is not asked sees none of it.
    const asked = ok(await late!('GET', `/questionnaires/get_questions/${one.set}`))
    expect([asked.questionnaire_id, JSON.stringify(asked.questions)]).toEqual([
      one.id,
      expect.stringContaining(RATING.question),
    ])
    expect(reasons(await w.quality('GET', `/questionnaires/get_questions/${one.set}`))).toEqual([
      'questionnaire_not_asked',
    ])
    // The rate is live, results are not.
    expect(ok(await w.quality('GET', `/questionnaires/show/${one.id}`))).toMatchObject({
      asked: 6,
      answered: 5,
      status: 'open',
    })
    expect(ok(await stats(w.quality, one.id, one.set))).toMatchObject({ withheld: 'results_not_counted', figures: [] })
    const people = (await w.quality('GET', `/questionnaires/participants/${one.id}`)).body
    expect([people.total, people.asked, people.answered, people.data[0].answered]).toEqual([6, 6, 5, false])

    await w.close(one.id)
    expect(await w.q('select from questionnaire_participations where set_id = $1', [one.set])).toEqual([])
    expect((await w.quality('GET', `/questionnaires/participants/${one.id}`)).body).toEqual({
      data: [],
      total: 0,
      asked: 6,
      answered: 5,
      counted: true,
    })
    const result = ok(await stats(w.quality, one.id, one.set))
    expect(result).toMatchObject({ withheld: null, asked: 6, answered: 5 })
    expect(result.figures).toMatchObject([
      { question: one.rating, n: 5, counts: { 3: 1, 4: 2, 5: 2 }, moments: { mean: 4.2 } },
    ])
    expect(reasons(await send(late!, one.set, { [one.rating]: 1 }))).toEqual(['questionnaire_not_asked'])
    expect(reasons(await w.quality('GET', `/questionnaires/survey/status/${one.id}`))).toEqual(['questionnaire_closed'])
    // Counted again, nothing changes.
    expect(await countQuestionnaire(asSystem(w.uni.services, 'again'), one.id)).toBe(0)
    expect(ok(await stats(w.quality, one.id, one.set)).answered).toBe(5)
  })

  test('two windows at once: one of them counts', async () => {
    const one = await answered('A2', [null])
    const [student] = one.students
    const both = await Promise.all([1, 2].map((value) => send(student!, one.set, { [one.rating]: value })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await w.q(`select count(*)::int as n from questionnaire_ballots where set_id = $1`, [one.set])).toEqual([
      { n: 1 },
    ])
  })

  test('a window that waits for the other sees that it has answered', async () => {
    const one = await answered('A2B', [null])
    const [student] = one.students
    const other = await w.uni.database.pool.connect()
    await other.query('begin')
    await other.query('insert into questionnaire_participations (set_id, user_id) values ($1, $2)', [
      one.set,
      student!.user_id,
    ])
    const late = send(student!, one.set, { [one.rating]: 1 })
    await expect
      .poll(
        async () =>
          (
            await w.q(
              `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%questionnaire_participations%'`,
            )
          ).length,
        { timeout: 20_000, interval: 50 },
      )
      .toBe(1)
    await other.query('commit')
    other.release()
    expect(reasons(await late)).toEqual(['questionnaire_answered'])
    expect(await w.q(`select from questionnaire_ballots where set_id = $1`, [one.set])).toEqual([])
  })

  test('paused, nobody answers; who dropped the course after answering is counted', async () => {
    const one = await answered('A3', [1, 2, 3, 4, 5, null])
    const [first, , , , , last] = one.students
    ok(await w.quality('GET', `/questionnaires/survey/status/${one.id}`))
    expect(reasons(await send(last!, one.set, { [one.rating]: 1 }))).toEqual(['questionnaire_not_asked'])
    expect(ok(await w.quality('GET', `/questionnaires/survey/status/${one.id}`)).status).toBe('open')
    await w.q(`delete from registrations where student_id = (select id from students where user_id = $1)`, [
      first!.user_id,
    ])
    await w.close(one.id)
    expect(ok(await stats(w.quality, one.id, one.set))).toMatchObject({ answered: 5, asked: 6 })
  })

  test('a set of four is not counted by itself; small ones together are', async () => {
    const { id: type, keys } = await w.type('course', [RATING, COMMENT])
    const sets = []
    const classes = []
    for (const code of ['S1', 'S2']) classes.push(await w.classOf(await w.offering(code), 4))
    const id = await w.open(type)
    for (const students of classes)
      for (const [i, student] of students.entries()) {
        const due = await dueIn(student, id)
        sets.push(due.id)
        ok(await send(student, due.id, { [keys[0]!]: i + 1 }))
      }
    await w.close(id)
    for (const set of new Set(sets))
      expect(ok(await stats(w.quality, id, set))).toMatchObject({ withheld: 'results_small', figures: [], answered: 0 })
    expect(ok(await stats(w.quality, id)).figures).toMatchObject([{ n: 8, counts: { 1: 2, 2: 2, 3: 2, 4: 2 } }])
    expect(await w.q(`select answered from questionnaire_sets where questionnaire_id = $1 and pooled`, [id])).toEqual([
      { answered: 8 },
    ])
  })

  test('fewer than five in all: deleted unread', async () => {
    const one = await answered('S3', [1, 2, 3, 4])
    await w.close(one.id)
    expect(ok(await stats(w.quality, one.id)).figures).toEqual([])
    expect(await w.q(`select count(*)::int as n from questionnaire_ballots where set_id = $1`, [one.set])).toEqual([
      { n: 0 },
    ])
  })

  test('everybody said the same: how many, not what', async () => {
    const one = await answered('S4', [1, 1, 1, 1, 1, 1])
    await w.close(one.id)
    expect(ok(await stats(w.quality, one.id, one.set)).figures).toMatchObject([{ n: 6, counts: null, moments: null }])
  })

  test('a question that is changed after opening is asked as it was', async () => {
    const one = await answered('S5', [1, 2, 3, 4, 5])
    ok(
      await w.quality('PUT', `/questionnaires/questions/${one.rating.slice(1)}`, {
        question: 'Other words',
        points: 3,
      }),
    )
    await w.close(one.id)
    const { questions, figures } = ok(await stats(w.quality, one.id, one.set))
    expect(questions[0]).toMatchObject({ text: { name: RATING.question }, points: 5, revision: 1 })
    expect(figures[0].counts).toEqual({ 1: 1, 2: 1, 3: 1, 4: 1, 5: 1 })
  })

  test('a process that dies while it counts loses nothing: what was not counted is counted next time', async () => {
    const one = await answered('S6', [1, 2, 3, 4, 5])
    ok(await w.quality('PUT', `/questionnaires/close/${one.id}`))
    await w.q(`create function fail_count() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$;
      create trigger fail before insert on questionnaire_comments for each row execute function fail_count()`)
    await expect(countQuestionnaire(asSystem(w.uni.services, 'test'), one.id)).rejects.toThrow('killed')
    await w.q(`drop trigger fail on questionnaire_comments; drop function fail_count()`)
    expect(await w.q(`select count(*)::int as n from questionnaire_ballots where set_id = $1`, [one.set])).toEqual([
      { n: 5 },
    ])
    await countQuestionnaire(asSystem(w.uni.services, 'test'), one.id)
    expect(ok(await stats(w.quality, one.id, one.set))).toMatchObject({ answered: 5 })
  })

  test('the clock closes and counts what is over, and reminds who has not answered, once a day', async () => {
    const one = await answered('S7', [1, 2, 3, 4, 5, null], { remind_days: 5 })
    const run = () => questionnaireClock.run(asSystem(w.uni.services, 'clock'), {}, (async () => undefined) as never)
    expect((await run()).reminded).toBeGreaterThan(0)
    expect((await run()).reminded).toBe(0)
    expect(
      await w.q(`select count(*)::int as n from notifications where user_id = $1`, [one.students[5]!.user_id]),
    ).toEqual([{ n: 1 }])
    await w.q(`alter table questionnaires disable trigger kept`)
    await w.q(
      `update questionnaires set opens_on = university_today() - 2, closes_on = university_today() - 1 where id = $1`,
      [one.id],
    )
    await w.q(`alter table questionnaires enable trigger kept`)
    expect((await run()).closed).toBe(1)
    expect(ok(await stats(w.quality, one.id, one.set))).toMatchObject({ answered: 5 })
  })

  test('an obligatory one is put off as often as it may be', async () => {
    const one = await answered('S8', [null], { obligatory: true, postponements: 1 })
    const [student] = one.students
    expect(await dueIn(student!, one.id)).toMatchObject({ obligatory: true, postponements_left: 1 })
    expect((await student!('PUT', `/questionnaires/postpone/${one.id}`)).body).toEqual({ postponements_left: 0 })
    expect(reasons(await student!('PUT', `/questionnaires/postpone/${one.id}`))).toEqual(['questionnaire_postponed'])
    expect((await student!('GET', '/questionnaires/user')).body.must).toBe(true)
  })

  test('what was opened stays: what it asks, and whom', async () => {
    const one = await answered('S9', [null])
    const edit = (body: object) => w.quality('PUT', `/questionnaires/${one.id}`, body)
    expect(reasons(await edit({ faculty_id: w.faculty[0] }))).toEqual(['questionnaire_begun@faculty_id'])
    expect(reasons(await w.quality('DELETE', `/questionnaires/${one.id}`))).toEqual(['questionnaire_begun'])
    await expect(w.q(`update questionnaires set form = '[]' where id = $1`, [one.id])).rejects.toThrow(
      'as it was opened',
    )
    await w.close(one.id)
    await expect(w.q(`update questionnaires set status = 'open' where id = $1`, [one.id])).rejects.toThrow(
      'not opened again',
    )
    await expect(w.q(`insert into questionnaire_ballots (set_id, sealed) values ($1, '')`, [one.set])).rejects.toThrow(
      'not open',
    )
  })

  test('what has no questions, or is not begun, goes no further', async () => {
    const { id: type } = await w.type('course', [])
    const [{ today }] = await w.q(`select university_today()::text as today`)
    const made = ok(
      await w.quality('PUT', '/questionnaires', {
        type_id: type,
        term_id: w.term,
        opens_on: today,
        closes_on: today,
        obligatory: false,
        postponements: 0,
      }),
    )
    expect(reasons(await w.quality('GET', `/questionnaires/survey/status/${made.id}`))).toEqual(['questionnaire_empty'])
    expect(reasons(await w.quality('PUT', `/questionnaires/close/${made.id}`))).toEqual(['questionnaire_not_begun'])
  })
})

describe('whoever writes, the database keeps', () => {
  let type: number
  let other: number
  let question: number
  beforeAll(async () => {
    const made = await w.type('course', [RATING])
    type = made.id
    question = Number(made.keys[0]?.slice(1))
    other = (await w.type('university', [])).id
  })
  const NEW = `insert into questionnaire_questions (question, question_local, kind, points`
  test.each([
    ['question_points', () => `${NEW}) values ('a', 'a', 'text', 5)`],
    ['question_range', () => `${NEW}, minimum) values ('a', 'a', 'rating', 5, 1)`],
    ['question_range_order', () => `${NEW}, minimum, maximum) values ('a', 'a', 'number', null, 2, 1)`],
    ['question_condition', () => `${NEW}, condition_is) values ('a', 'a', 'rating', 5, 'below')`],
    [
      'question_of_itself',
      () =>
        `update questionnaire_questions set condition_id = id, condition_is = 'below', condition_value = 1 where id = ${question}`,
    ],
    ['question_copied', () => `${NEW}, from_revision) values ('a', 'a', 'rating', 5, 1)`],
    [
      'question_option_twice',
      () =>
        `insert into questionnaire_options (question_id, position, name, name_local) values (${question}, 1, 'a', 'a'), (${question}, 2, 'a', 'b')`,
    ],
    [
      'question_row_twice',
      () =>
        `insert into questionnaire_grid_rows (question_id, position, name, name_local) values (${question}, 1, 'a', 'a'), (${question}, 2, 'a', 'b')`,
    ],
    ['questionnaire_type_about', () => `update questionnaire_types set kind = 'graduate' where id = ${type}`],
    [
      'questionnaire_days',
      () =>
        `insert into questionnaires (type_id, opens_on, closes_on) values (${other}, university_today(), university_today() - 1)`,
    ],
    [
      'questionnaire_form',
      () =>
        `insert into questionnaires (type_id, opens_on, closes_on, status) values (${other}, university_today(), university_today(), 'open')`,
    ],
    [
      'questionnaire_counted',
      () =>
        `insert into questionnaires (type_id, opens_on, closes_on, counted_on) values (${other}, university_today(), university_today(), university_today())`,
    ],
  ])('%s', async (constraint, statement) => {
    await expect(w.q(statement())).rejects.toMatchObject({ constraint })
  })

  test('questionnaire_not_open: no answer to what is paused, whoever writes it', async () => {
    const one = await answered('D1', [null])
    ok(await w.quality('GET', `/questionnaires/survey/status/${one.id}`))
    await expect(
      w.q(`insert into questionnaire_participations (set_id, user_id) values ($1, $2)`, [
        one.set,
        one.students[0]!.user_id,
      ]),
    ).rejects.toMatchObject({
      constraint: 'questionnaire_not_open',
    })
  })
  test('questionnaire_type_used: whom a type asks stays once it was used', async () => {
    const one = await answered('D2', [null])
    expect(reasons(await w.quality('PUT', `/questionnaires/types/${one.type}`, { about: 'university' }))).toEqual([
      'questionnaire_type_used@kind',
    ])
  })
})

describe('who sees what', () => {
  test('an instructor does not see what was said of a colleague', async () => {
    const offering = await w.offering('I1')
    const students = await w.classOf(offering, 5)
    const mine = await w.teacher(offering, 'Mona Adel')
    const colleague = await w.teacher(offering, 'Karim Adel')
    await w.q(`update offerings set control_status = 'Published' where id = $1`, [offering])
    const { id: type, keys } = await w.type('instructor', [RATING])
    const id = await w.open(type)
    for (const [i, student] of students.entries())
      for (const due of (await duesOf(student)).filter(
        (one: { questionnaire_id: number }) => one.questionnaire_id === id,
      ))
        ok(await send(student, due.id, { [keys[0] ?? '']: i + 1 }))
    await w.close(id)
    const [set] = await w.q(`select id from questionnaire_sets where questionnaire_id = $1 and instructor_id = $2`, [
      id,
      colleague.instructor,
    ])
    expect(ok(await stats(mine, id, set.id)).withheld).toBe('results_others')
    expect(ok(await stats(colleague, id, set.id))).toMatchObject({ withheld: null, answered: 5 })
    // The own ones alone also where all are asked for together.
    expect(ok(await stats(mine, id)).answered).toBe(5)
  })

  test('an instructor sees the own results once the marks are published, also as a quality officer', async () => {
    const one = await answered('R1', [1, 2, 3, 4, 5])
    const teacher = await w.teacher(one.offering, 'Mona El Sayed')
    await w.close(one.id)
    expect(ok(await stats(teacher, one.id, one.set)).withheld).toBe('results_marks_first')
    expect((await teacher('GET', '/questionnaires/taught')).body).toEqual({ data: [], total: 0 })
    await w.q(`insert into role_assignments (user_id, role_id) select $1, id from roles where key = 'quality_staff'`, [
      teacher.user_id,
    ])
    const both = await w.uni.signIn(teacher.user_id)
    expect(ok(await stats(both, one.id, one.set)).withheld).toBe('results_marks_first')
    expect(
      ok(
        await both('POST', `/questionnaires/comments/${one.id}`, {}).then((answer) => ({
          ...answer,
          body: { data: answer.body.data },
        })),
      ),
    ).toEqual([])
    const [comment] = await w.q(`select id from questionnaire_comments where set_id = $1 limit 1`, [one.set])
    expect(
      reasons(await both('PUT', `/questionnaires/comments/mask/${comment.id}`, { text: 'x', show: true })),
    ).toEqual(['comment_own'])
    await w.q(`update offerings set control_status = 'Published' where id = $1`, [one.offering])
    expect(ok(await stats(both, one.id, one.set))).toMatchObject({ withheld: null, answered: 5 })
    expect(ok(await teacher('GET', '/questionnaires/taught'))).toMatchObject([
      { id: one.set, questionnaire_id: one.id, answered: 5, small: false },
    ])
    const other = await w.teacher(await w.offering('R1B'), 'Somebody Else')
    expect((await other('GET', '/questionnaires/taught')).body.total).toBe(0)
  })

  test('comments are read once somebody masked the names', async () => {
    const one = await answered('R2', [1, 2, 3, 4, 5])
    const teacher = await w.teacher(one.offering, 'Mona El Sayed')
    await w.q(`update offerings set control_status = 'Published' where id = $1`, [one.offering])
    await w.close(one.id)
    await w.q(`update questionnaire_comments set text = 'Thanks to Mona' where set_id = $1 and text like 'Said 0%'`, [
      one.set,
    ])
    const read = async (who: Caller) => (await who('POST', `/questionnaires/comments/${one.id}`, {})).body.data
    expect(await read(teacher)).toEqual([])
    const waiting = await read(w.quality)
    expect(waiting).toHaveLength(5)
    const named = waiting.find((comment: { text: string }) => comment.text.startsWith('Thanks'))
    expect(named.proposed).toBe('Thanks to █████')
    const mask = (body: object) => w.quality('PUT', `/questionnaires/comments/mask/${named.id}`, body)
    expect(ok(await mask({ text: named.proposed, show: true })).state).toBe('shown')
    expect(reasons(await mask({ text: 'x', show: false }))).toEqual(['comment_decided'])
    expect((await read(teacher)).map((comment: { text: string }) => comment.text)).toEqual(['Thanks to █████'])
    const [none] = await w.q(`select gen_random_uuid() as id`)
    expect(
      reasons(await w.quality('PUT', `/questionnaires/comments/mask/${none.id}`, { text: 'x', show: true })),
    ).toEqual(['comment_none'])
  })

  test('the wrong person gets nothing', async () => {
    const one = await answered('R3', [1, 2, 3, 4, 5])
    await w.close(one.id)
    const other = await w.teacher(await w.offering('R4'), 'Karim Nabil')
    expect(reasons(await stats(other, one.id, one.set))).toEqual(['results_none'])
    expect((await other('GET', `/questionnaires/sets/${one.id}`)).body.data).toEqual([])
    expect(
      (await other('POST', '/questionnaires/offering/questionnaires', { offering_id: one.offering })).body.data,
    ).toEqual([])
    const medicine = await w.uni.as('quality_staff', ['faculty', w.faculty[1]])
    expect(reasons(await stats(medicine, one.id, one.set))).toEqual(['results_none'])
    for (const [method, path, body] of [
      ['GET', `/questionnaires/show/${one.id}`],
      ['GET', `/questionnaires/participants/${one.id}`],
      ['GET', `/questionnaires/survey/status/${one.id}`],
      ['POST', `/questionnaires/stats/${one.id}`, {}],
      ['POST', `/questionnaires/comments/${one.id}`, {}],
    ] as const)
      expect((await one.students[0]!(method, path, body)).status, path).toBe(403)
    expect((await w.uni.nobody('GET', '/questionnaires/user')).status).toBe(401)
  })

  test('nobody answers for somebody else', async () => {
    const one = await answered('R5', [null])
    const root = await w.uni.as('super_admin')
    const acted = await w.uni.actAs(one.students[0]!.user_id, root)
    expect((await send(acted, one.set, { [one.rating]: 1 })).status).toBe(403)
    expect(
      await w.q(`select count(*)::int as n from questionnaire_participations where set_id = $1`, [one.set]),
    ).toEqual([{ n: 0 }])
  })
})

test('without a key that is not in the database, no questionnaire is opened', async () => {
  const other = await questionnaireWorld({})
  try {
    const { id: type } = await other.type('university', [RATING])
    await expect(other.open(type)).rejects.toThrow('questionnaire_no_key')
    // Nor is an answer taken of one that was opened before the key went.
    const system = asSystem(other.uni.services, 'test')
    await expect(system.write((tx) => ballotKeyFor(system, tx, 1))).rejects.toMatchObject({
      status: 409,
      reasons: [{ code: 'questionnaire_no_key' }],
    })
  } finally {
    await other.uni.close()
  }
}, 180_000)
