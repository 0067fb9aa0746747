/** Theses through HTTP: from the subject to the degree, refusals, and whoever may not gets nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AREA_SERVERS } from '../../../apps/server/areas.server.ts'
import { addDays, addMonths } from '#kit/contract/day.ts'
import { ok, reasons, testUniversity, type Answer, type TestUniversity } from '#tests/university.ts'
import { thesisClock } from './rules/clock.server.ts'
import { thesisWorld, type ThesisWorld } from './testing.server.ts'

let u: TestUniversity
let w: ThesisWorld
const said = (answer: Answer): [number, string[]] => [answer.status, reasons(answer)]
const stateOf = async (id: number) => (await w.q(`select status from theses where id = $1`, [id]))[0]!.status
const whole = async (id: number) => ok(await w.registrar('GET', `/theses/whole/${id}`))

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS)
  w = await thesisWorld(u)
})
afterAll(() => u.close())

describe('a subject', () => {
  test('is offered, wished for in order, and given to as many as it has places for', async () => {
    const leader = await w.instructor()
    const subject = ok(
      await leader.as('PUT', '/thesis-subjects', {
        name: 'Few examples',
        name_local: 'أمثلة قليلة',
        instructor_id: leader.id,
        department_id: w.department,
        places: 1,
      }),
    ).id
    const [a, b] = [await w.student(), await w.student()]
    const offered = async (who = a) =>
      (ok(await who.as('GET', '/thesis-wishes/my')) as { id: number; taken: number; wish: number | null }[]).filter(
        (one) => one.id === subject,
      )
    expect(await offered()).toMatchObject([{ places: 1, taken: 0, wish: null }])
    for (const one of [a, b]) ok(await one.as('PUT', '/thesis-wishes/my', { subject_ids: [subject] }))
    expect(await offered()).toMatchObject([{ wish: 1 }])
    expect(ok(await leader.as('GET', `/thesis-wishes/${subject}`))).toHaveLength(2)
    expect(said(await a.as('PUT', '/thesis-wishes/my', { subject_ids: [subject, subject] }))).toEqual([
      422,
      ['thesis_wish_twice@subject_ids'],
    ])
    const both = await Promise.all(
      [a, b].map((one) => leader.as('POST', `/thesis-wishes/take/${subject}`, { student_id: one.id })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await w.q(`select from theses where subject_id = $1`, [subject])).toHaveLength(1)
    const other = await w.instructor()
    expect((await other.as('POST', `/thesis-wishes/take/${subject}`, { student_id: b.id })).status).toBe(404)
    expect(said(await leader.as('PUT', `/thesis-subjects/${subject}`, { open_until: addDays(w.today, -1) }))[0]).toBe(
      200,
    )
    expect(said(await b.as('PUT', '/thesis-wishes/my', { subject_ids: [subject] }))).toEqual([
      422,
      ['thesis_wish_closed@subject_ids'],
    ])
  })
})

describe('registering', () => {
  test('needs a main supervisor of rank, whole shares, and a student who studies', async () => {
    const { id, student, leader } = await w.draft()
    await w.q(`update thesis_members set share = 60 where thesis_id = $1`, [id])
    expect(said(await student.as('PUT', `/theses/register/${id}`, {}))).toEqual([409, ['thesis_shares']])
    await w.q(`update thesis_members set share = 100 where thesis_id = $1`, [id])
    await w.q(`update instructors set academic_title = 'demonstrator' where id = $1`, [leader.id])
    await w.statusOf(student.id, 'suspended')
    expect(said(await leader.as('PUT', '/theses/register', { id }))).toEqual([
      409,
      ['thesis_leader_rank', 'thesis_not_studying'],
    ])
    await w.q(`update students set status = 'studying', status_decision_id = null where id = $1`, [student.id])
    await w.q(`update instructors set academic_title = 'professor' where id = $1`, [leader.id])
    ok(await leader.as('PUT', '/theses/register', { id }))
    expect(await stateOf(id)).toBe('registered')
    // What a council decides on changes no more by hand.
    expect(said(await w.registrar('PUT', `/theses/${id}`, { title: 'Another' }))).toEqual([
      409,
      ['thesis_by_council@title'],
    ])
    ok(await student.as('PUT', `/theses/undo/${id}`, {}))
    expect(await stateOf(id)).toBe('draft')
  })
  test('holds the load of a supervisor, also when two register at once', async () => {
    const leader = await w.instructor()
    await w.q(`insert into thesis_rules (bylaw_id, max_supervised) values ($1, 1)`, [w.bylaw])
    const two = [await w.draft(leader), await w.draft(leader)]
    const both = await Promise.all(two.map((one) => one.student.as('PUT', `/theses/register/${one.id}`, {})))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(both.flatMap((one) => (one.status === 409 ? reasons(one) : []))).toEqual(['thesis_load'])
    await w.q(`delete from thesis_rules where bylaw_id = $1`, [w.bylaw])
  })
  test('is for the own thesis and those of the own teams', async () => {
    const { id } = await w.draft()
    const [stranger, judge] = [await w.student(), await w.instructor()]
    expect((await stranger.as('PUT', `/theses/register/${id}`, {})).status).toBe(404)
    ok(await w.registrar('PUT', '/theses/members', { thesis_id: id, instructor_id: judge.id, job: 'committee' }))
    // Who judges sees it, and registers nothing.
    expect((await judge.as('GET', `/theses/whole/${id}`)).status).toBe(200)
    expect((await judge.as('PUT', `/theses/register/${id}`, {})).status).toBe(403)
    const elsewhere = await u.as('dean', ['faculty', w.otherFaculty])
    expect((await elsewhere('PUT', `/theses/approve/${id}`, w.decision())).status).toBe(404)
    expect(ok(await judge.as('POST', '/theses/my', {})).map((one: any) => one.job)).toEqual(['committee'])
  })
  test('a student writes one at a time', async () => {
    const { student } = await w.draft()
    const more = {
      student_id: student.id,
      department_id: w.department,
      degree: 'master',
      language: 'ar',
      title: 'B',
      title_local: 'ب',
    }
    expect(said(await student.as('PUT', '/theses', more))).toEqual([422, ['thesis_twice@student_id']])
  })
})

describe('the council', () => {
  test('decides with its data, in time, and not on the own', async () => {
    const { id, student, leader } = await w.draft()
    ok(await student.as('PUT', `/theses/register/${id}`, {}))
    expect(said(await w.dean('PUT', `/theses/approve/${id}`, {}))).toEqual([409, ['thesis_decision_missing']])
    expect(said(await w.dean('PUT', `/theses/approve/${id}`, w.decision({ decided_on: addDays(w.today, 1) })))).toEqual(
      [409, ['thesis_decision_future@decided_on']],
    )
    expect((await student.as('PUT', `/theses/approve/${id}`, w.decision())).status).toBe(403)
    await w.q(
      `insert into role_assignments (user_id, role_id, scope_type, scope_id) select $1, id, 'faculty', $2 from roles where key = 'dean'`,
      [leader.as.user_id, w.faculty],
    )
    expect(said(await leader.as('PUT', `/theses/approve/${id}`, w.decision()))).toEqual([403, ['step_own']])
    expect(await w.q(`select from thesis_decisions where thesis_id = $1`, [id])).toHaveLength(0)
    // Two at once: one decides.
    const both = await Promise.all([
      w.dean('PUT', `/theses/approve/${id}`, w.decision()),
      w.dean('PUT', '/theses/approve', { id, ...w.decision() }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await whole(id)).decisions).toHaveLength(1)
  })
  test('is too late after the latest day until the time is extended, as often as the bylaw allows', async () => {
    const { id, student } = await w.draft()
    ok(await student.as('PUT', `/theses/register/${id}`, {}))
    await w.q(`update theses set registered_on = university_today() - 300 where id = $1`, [id])
    const latest = addMonths(addDays(w.today, -300), 6)
    expect(said(await w.dean('PUT', `/theses/approve/${id}`, w.decision()))).toEqual([
      409,
      ['thesis_too_late@decided_on'],
    ])
    const more = { kind: 'extension', reason: 'The device came late.', decision: '3' }
    ok(await w.dean('POST', `/theses/clock/${id}`, more))
    expect((await whole(id)).latest).toBe(addMonths(latest, 6))
    ok(await w.dean('POST', `/theses/clock/${id}`, more))
    expect(said(await w.dean('POST', `/theses/clock/${id}`, more))).toEqual([409, ['thesis_extensions']])
    ok(await w.dean('PUT', `/theses/approve/${id}`, w.decision()))
    ok(await w.dean('PUT', `/theses/undo/${id}`, {}))
    expect((await whole(id)).decisions[0].undone).toBe(true)
    expect(await stateOf(id)).toBe('registered')
  })
  test('a suspension moves the latest day by its days, and none lies over another', async () => {
    const { id } = await w.approved()
    const before = (await whole(id)).latest
    const pause = {
      kind: 'suspension',
      from_date: w.today,
      until_date: addDays(w.today, 40),
      reason: 'Illness',
      decision: '8',
    }
    ok(await w.dean('POST', `/theses/clock/${id}`, pause))
    expect((await whole(id)).latest).toBe(addDays(before, 40))
    expect(said(await w.dean('POST', `/theses/clock/${id}`, pause))).toEqual([
      422,
      ['thesis_suspended_twice@from_date'],
    ])
  })
  test('a change is approved anew, keeps what was, and is taken back', async () => {
    const { id, student, leader } = await w.approved()
    const second = await w.instructor('lecturer')
    const asked = {
      title: 'Learning from no examples',
      reason: 'Narrower',
      supervisors: [
        { instructor_id: leader.id, job: 'leader', share: 60 },
        { instructor_id: second.id, job: 'member', share: 40 },
      ],
    }
    expect(said(await student.as('PUT', `/theses/change/${id}`, { reason: 'x' }))).toEqual([
      409,
      ['thesis_change_missing'],
    ])
    const wrong = { ...asked, supervisors: [{ instructor_id: second.id, job: 'member', share: 40 }] }
    expect(said(await student.as('PUT', `/theses/change/${id}`, wrong))).toEqual([
      422,
      ['thesis_leader_missing', 'thesis_shares'],
    ])
    const [main] = asked.supervisors
    for (const supervisors of [
      [main, { instructor_id: 99_999_999, job: 'member', share: 40 }],
      [main, { ...main, job: 'member', share: 40 }],
    ])
      expect(said(await student.as('PUT', `/theses/change/${id}`, { ...asked, supervisors }))).toEqual([
        422,
        ['reference_missing@supervisors'],
      ])
    ok(await student.as('PUT', `/theses/change/${id}`, asked))
    expect(await stateOf(id)).toBe('changing')
    ok(await w.dean('PUT', `/theses/undo/${id}`, {}))
    expect([await stateOf(id), (await whole(id)).changes[0].state]).toEqual(['approved', 'taken_back'])
    ok(await student.as('PUT', '/theses/change', { id, ...asked }))
    ok(await w.dean('PUT', `/theses/approve/${id}`, w.decision({ number: '9' })))
    const after = await whole(id)
    expect(after.changes[0]).toMatchObject({ state: 'applied', before: { title: 'Learning from few examples' } })
    expect(after.members.filter((one: any) => !one.until_date).map((one: any) => [one.job, one.share])).toEqual([
      ['leader', 60],
      ['member', 40],
    ])
    expect((await w.q(`select title from theses where id = $1`, [id]))[0]!.title).toBe('Learning from no examples')
    expect(said(await w.dean('PUT', `/theses/undo/${id}`, {}))).toEqual([409, ['thesis_undo_changed']])
  })
  test('of supervisors waits until no discussion is scheduled, and none is scheduled while it waits', async () => {
    const { id, student, leader } = await w.ready()
    const at = { location_id: await w.room('CH1'), day: addDays(w.today, 6), from_time: '10:00', until_time: '11:00' }
    const supervisors = [
      { instructor_id: leader.id, job: 'leader', share: 60 },
      { instructor_id: (await w.instructor()).id, job: 'member', share: 40 },
    ]
    const ask = () => student.as('PUT', `/theses/change/${id}`, { supervisors, reason: 'Another field' })
    ok(await w.registrar('POST', `/theses/discussion/${id}`, at))
    expect(said(await ask())).toEqual([409, ['thesis_team_scheduled@supervisors']])
    // Nothing of what was refused stays.
    expect([await stateOf(id), (await whole(id)).changes]).toEqual(['approved', []])
    ok(await w.registrar('DELETE', `/theses/discussion/${id}`))
    ok(await ask())
    expect(said(await w.registrar('POST', `/theses/discussion/${id}`, at))).toEqual([409, ['thesis_schedule_state']])
    ok(await w.dean('PUT', `/theses/approve/${id}`, w.decision({ number: '9' })))
    ok(await w.registrar('POST', `/theses/discussion/${id}`, at))
  })
  test('a supervisor who left holds up the discussion until there is another', async () => {
    const { id, leader } = await w.ready()
    await w.q(`update instructors set removed_at = now() where id = $1`, [leader.id])
    const hall = await w.room('GONE')
    const at = { location_id: hall, day: addDays(w.today, 3), from_time: '10:00', until_time: '12:00' }
    expect(said(await w.registrar('POST', `/theses/discussion/${id}`, at))).toEqual([409, ['thesis_supervisor_gone']])
  })
  test('ends a registration, with a reason, and takes that back', async () => {
    const { id } = await w.approved()
    expect(said(await w.dean('PUT', `/theses/end/${id}`, {}))).toEqual([422, ['reason_required@reason']])
    ok(await w.dean('PUT', `/theses/end/${id}`, { reason: 'No progress' }))
    ok(await w.dean('PUT', `/theses/undo/${id}`, {}))
    expect(await stateOf(id)).toBe('approved')
  })
})

describe('the discussion', () => {
  test('needs a committee that may judge, a manuscript, and time that has passed', async () => {
    const { id, student, leader } = await w.approved()
    const hall = await w.room('R1')
    const at = { location_id: hall, day: addDays(w.today, 3), from_time: '10:00', until_time: '12:00' }
    expect(said(await w.registrar('POST', `/theses/discussion/${id}`, at))).toEqual([
      409,
      ['thesis_committee_external', 'thesis_committee_small', 'thesis_manuscript_missing', 'thesis_seminars_missing'],
    ])
    const [uncle, author, young] = [await w.instructor(), await w.instructor(), await w.instructor('demonstrator')]
    for (const [one, tie] of [
      [uncle, 'relative'],
      [author, 'coauthor'],
      [young, 'none'],
    ] as const)
      ok(await w.registrar('PUT', '/theses/members', { thesis_id: id, instructor_id: one.id, job: 'committee', tie }))
    ok(
      await w.registrar('PUT', '/theses/members', { thesis_id: id, examiner_id: await w.examiner(), job: 'committee' }),
    )
    expect(
      said(await w.upload(student.as, `/theses/versions/${id}`, { own_work: 'true' }, Buffer.from('no paper'))),
    ).toEqual([422, ['file_type_error@file']])
    expect(said(await w.upload(student.as, `/theses/versions/${id}`, { own_work: 'false' }, w.pdf()))).toEqual([
      422,
      ['thesis_own_work@own_work'],
    ])
    const version = ok(await w.upload(student.as, `/theses/versions/${id}`, { own_work: 'true' }, w.pdf())).id
    ok(await w.upload(leader.as, `/theses/similarity/${id}`, { version_id: version, percent: '31' }, w.pdf()))
    ok(await leader.as('POST', `/theses/seminars/${id}`, { held_on: w.today, title: 'Methods' }))
    expect(said(await w.registrar('POST', `/theses/discussion/${id}`, at))).toEqual([
      409,
      ['thesis_committee_coauthor', 'thesis_committee_rank', 'thesis_committee_relative', 'thesis_similarity'],
    ])
    await w.q(`update theses set approved_on = university_today() - 10 where id = $1`, [id])
    expect(said(await w.registrar('POST', `/theses/discussion/${id}`, at))[1]).toContain('thesis_too_early')
  })
  test('counts publications that are listed, and finds who published with the student', async () => {
    const of = await w.ready()
    await w.q(`insert into thesis_rules (bylaw_id, min_publications) values ($1, 1)`, [w.bylaw])
    const codes = async () => (await whole(of.id)).reasons.map((one: { code: string }) => one.code)
    expect(await codes()).toEqual(['thesis_publications_missing'])
    const paper = await w.one(
      `insert into publications (kind, language, title, year, status) values ('journal_article', 'en', 'Few examples', 2025, 'listed') returning id`,
    )
    await w.q(
      `insert into publication_members (publication_id, position, user_id, name) values ($1, 1, $2, 'A'), ($1, 2, $3, 'B')`,
      [paper, of.student.user_id, of.judges[0]!.as.user_id],
    )
    expect(await codes()).toEqual(['thesis_committee_coauthor'])
    await w.q(`update publications set removed_at = now() where id = $1`, [paper])
    expect(await codes()).toEqual(['thesis_publications_missing'])
    await w.q(`delete from thesis_rules where bylaw_id = $1`, [w.bylaw])
  })
  test('holds room and people against every other, also at the same moment', async () => {
    const [a, b] = [await w.ready(), await w.ready()]
    const hall = await w.room('R2')
    const at = { location_id: hall, day: addDays(w.today, 5), from_time: '10:00', until_time: '12:00' }
    const both = await Promise.all([a, b].map(({ id }) => w.registrar('POST', `/theses/discussion/${id}`, at)))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
    expect(both.flatMap((one) => (one.status === 422 ? reasons(one) : []))).toEqual(['thesis_discussion_room@during'])
    const loser = both[0]!.status === 422 ? a : b
    const winner = loser === a ? b : a
    const elsewhere = await w.room('R3')
    await w.q(`update thesis_members set instructor_id = $2 where thesis_id = $1 and instructor_id = $3`, [
      loser.id,
      winner.judges[0]!.id,
      loser.judges[0]!.id,
    ])
    expect(
      said(await w.registrar('POST', `/theses/discussion/${loser.id}`, { ...at, location_id: elsewhere })),
    ).toEqual([422, ['thesis_discussion_member@during']])
    await w.q(`update thesis_members set instructor_id = $2 where thesis_id = $1 and instructor_id = $3`, [
      loser.id,
      loser.judges[0]!.id,
      winner.judges[0]!.id,
    ])
    await w.q(`update thesis_members set examiner_id = $2 where thesis_id = $1 and examiner_id is not null`, [
      loser.id,
      winner.outside,
    ])
    expect(
      said(await w.registrar('POST', `/theses/discussion/${loser.id}`, { ...at, location_id: elsewhere })),
    ).toEqual([422, ['thesis_discussion_examiner@during']])
    ok(
      await w.registrar('POST', `/theses/discussion/${loser.id}`, {
        ...at,
        location_id: elsewhere,
        from_time: '12:00',
        until_time: '13:00',
      }),
    )
    const ics = await u.app.inject({
      url: `/api/theses/discussion/${winner.id}/calendar`,
      headers: { authorization: `Bearer ${winner.judges[0]!.as.token}` },
    })
    expect(ics.body).toContain('BEGIN:VEVENT')
    // Nothing that the committee has prepared for changes now.
    expect(
      said(
        await w.registrar('PUT', '/theses/members', {
          thesis_id: winner.id,
          examiner_id: await w.examiner(),
          job: 'committee',
        }),
      ),
    ).toEqual([409, ['thesis_team_scheduled']])
    expect(
      said(await w.upload(winner.student.as, `/theses/versions/${winner.id}`, { own_work: 'true' }, w.pdf())),
    ).toEqual([409, ['thesis_manuscript_scheduled']])
    expect(said(await w.dean('PUT', `/theses/undo/${winner.id}`, {}))).toEqual([409, ['thesis_undo_scheduled']])
    expect(said(await w.registrar('PUT', `/theses/discuss/${winner.id}`, { result: 'accepted' }))).toEqual([
      409,
      ['thesis_not_held'],
    ])
    ok(await w.registrar('DELETE', `/theses/discussion/${winner.id}`))
    ok(await w.registrar('POST', `/theses/discussion/${loser.id}`, at))
  })
  test('is not held where something is taught', async () => {
    const { id } = await w.ready()
    const hall = await w.room('R4')
    const { lectures } = await w.offer('PH101', { day: 2, period: 3 })
    await w.q(`update offering_slots set location_id = $2 where id = $1`, [lectures[0], hall])
    const [meeting] = await w.q(
      `select d::date::text as day, to_char(lower(m.held), 'HH24:MI') as begins, to_char(upper(m.held), 'HH24:MI') as ends
       from generate_series(university_today() + 1, university_today() + 9, '1 day') d, weekly_meetings_on(d::date) m where m.meeting_id = $1 limit 1`,
      [lectures[0]],
    )
    const at = { location_id: hall, day: meeting!.day, from_time: meeting!.begins, until_time: meeting!.ends }
    expect(said(await w.registrar('POST', `/theses/discussion/${id}`, at))).toEqual([
      409,
      ['thesis_room_taught@location_id'],
    ])
  })
  test('asks for changes by a day, and the degree waits for them', async () => {
    const of = await w.discussed({ result: 'changes', changes_due: addDays(w.today, 30) })
    expect(said(await w.dean('PUT', `/theses/approve/${of.id}`, w.decision()))).toEqual([409, ['thesis_changes_open']])
    expect((await of.judges[0]!.as('PUT', `/theses/changes/${of.id}`, { done_on: w.today })).status).toBe(404)
    ok(await of.leader.as('PUT', `/theses/changes/${of.id}`, { done_on: w.today }))
    // The title may still change, and is approved anew.
    ok(
      await of.student.as('PUT', `/theses/change/${of.id}`, {
        title: 'After the discussion',
        reason: 'The committee asked for it.',
      }),
    )
    ok(await w.dean('PUT', `/theses/approve/${of.id}`, w.decision({ number: '5' })))
    expect(await stateOf(of.id)).toBe('discussed')
    ok(await w.dean('PUT', `/theses/approve/${of.id}`, w.decision({ number: '6' })))
    expect(await stateOf(of.id)).toBe('granted')
    expect((await w.q(`select status from students where id = $1`, [of.student.id]))[0]!.status).toBe('studying')
  })
  test('that was not passed is followed by another', async () => {
    const of = await w.discussed({ result: 'refused' })
    expect(said(await w.dean('PUT', `/theses/approve/${of.id}`, w.decision()))).toEqual([409, ['thesis_refused']])
    ok(await w.registrar('PUT', `/theses/undo/${of.id}`, {}))
    expect(said(await w.registrar('PUT', `/theses/discuss/${of.id}`, { result: 'accepted' }))).toEqual([
      409,
      ['thesis_not_scheduled'],
    ])
    const at = { location_id: await w.room('R5'), day: addDays(w.today, 60), from_time: '10:00', until_time: '12:00' }
    ok(await w.registrar('POST', `/theses/discussion/${of.id}`, at))
    expect((await whole(of.id)).discussions.map((one: any) => one.result)).toEqual([null, 'refused'])
  })
})

describe('the degree', () => {
  test('is taken back until the student has graduated with it', async () => {
    const { id, student } = await w.granted()
    ok(await w.dean('PUT', `/theses/undo/${id}`, {}))
    ok(await w.dean('PUT', `/theses/approve/${id}`, w.decision({ number: '7' })))
    // Whoever decides on graduation is asked.
    const work = ok(await w.dean('GET', '/users/work'))
    expect(JSON.stringify(work)).toContain('theses.work_graduate')
    await w.statusOf(student.id, 'graduated')
    expect(said(await w.dean('PUT', `/theses/undo/${id}`, {}))).toEqual([409, ['thesis_undo_graduated']])
  })
})

describe('the team', () => {
  test('stands in the order it is put', async () => {
    const { id } = await w.ready()
    const names = async () => (await whole(id)).members.map((one: any) => one.id)
    const [a, b, c, d] = await names()
    ok(await w.registrar('PUT', `/theses/members-reorder/${d}/2`))
    expect(await names()).toEqual([a, d, b, c])
    ok(await w.registrar('PUT', `/theses/members-reorder/${a}/4`))
    expect(await names()).toEqual([d, b, c, a])
    ok(await w.registrar('DELETE', `/theses/member/${d}`))
    expect(await names()).toEqual([b, c, a])
  })
  test('a student names supervisors of a thesis in work, and no committee', async () => {
    const { id, student } = await w.draft()
    const other = await w.instructor()
    expect(
      said(await student.as('PUT', '/theses/members', { thesis_id: id, instructor_id: other.id, job: 'committee' })),
    ).toEqual([409, ['thesis_team_committee']])
    const member = ok(
      await student.as('PUT', '/theses/members', { thesis_id: id, instructor_id: other.id, job: 'member', share: 20 }),
    ).id
    expect(
      said(
        await student.as('PUT', '/theses/members', {
          thesis_id: id,
          instructor_id: other.id,
          job: 'member',
          share: 20,
        }),
      ),
    ).toEqual([422, ['thesis_member_twice@thesis_id']])
    ok(await student.as('PUT', `/theses/members/${member}`, { tie: 'coauthor' }))
    expect(said(await student.as('PUT', `/theses/members/${member}`, { tie: 'none' }))).toEqual([
      409,
      ['thesis_tie_declared@tie'],
    ])
  })
})

describe('on the way', () => {
  test('supervisors report, proofs are accepted, comments are settled', async () => {
    const of = await w.ready()
    const report = { until_date: w.today, progress: 60, satisfied: true, text: 'Two chapters are there.' }
    expect((await of.judges[0]!.as('POST', `/theses/reports/${of.id}`, report)).status).toBe(404)
    ok(await of.leader.as('POST', `/theses/reports/${of.id}`, report))
    expect(said(await of.leader.as('POST', `/theses/reports/${of.id}`, report))).toEqual([
      422,
      ['thesis_report_order@until_date'],
    ])
    const proof = ok(
      await of.student.as('PUT', `/theses/proofs/${of.id}`, { kind: 'publication', text: '10.1000/182' }),
    ).id
    expect((await of.student.as('POST', `/theses/proofs/accept/${proof}`, { accepted: true })).status).toBe(403)
    ok(await of.leader.as('POST', `/theses/proofs/accept/${proof}`, { accepted: true }))
    const remark = ok(
      await of.judges[0]!.as('POST', `/theses/remarks/${of.id}`, {
        version_id: of.version,
        page: 12,
        text: 'The source?',
      }),
    ).id
    const reply = ok(
      await of.student.as('POST', `/theses/remarks/${of.id}`, {
        version_id: of.version,
        reply_to: remark,
        text: 'Added.',
      }),
    ).id
    // What is settled is what was said first, with its answers.
    expect((await of.judges[0]!.as('POST', `/theses/remarks/settle/${reply}`, { settled: true })).status).toBe(404)
    expect(said(await of.student.as('POST', `/theses/remarks/settle/${remark}`, { settled: true }))).toEqual([
      403,
      ['thesis_remark_not_yours'],
    ])
    ok(await of.judges[0]!.as('POST', `/theses/remarks/settle/${remark}`, { settled: true }))
    expect(
      said(
        await of.student.as('POST', `/theses/remarks/${of.id}`, {
          version_id: of.version,
          reply_to: remark,
          text: 'More',
        }),
      ),
    ).toEqual([409, ['thesis_remark_settled_already']])
    expect((await whole(of.id)).remarks).toHaveLength(2)
  })
  test('each day is told once: 90, 30, 7 days before, and when it has passed', async () => {
    const { id, student } = await w.approved()
    const count = async () =>
      (
        await w.q(
          `select key from notifications where user_id = $1 and key like 'theses.notice_%' and key <> 'theses.notice_moved' order by id`,
          [student.user_id],
        )
      ).map((one) => one.key)
    const run = () =>
      thesisClock.run(
        { services: u.services } as never,
        {},
        Object.assign(async () => {}, { signal: new AbortController().signal }),
      )
    for (const [days, most] of [
      [80, 1],
      [20, 2],
      [5, 3],
      [-1, 4],
    ] as const) {
      await w.q(`update theses set due_on = university_today() + $2::int where id = $1`, [id, days])
      await run()
      await run()
      expect(await count()).toHaveLength(most)
    }
    expect((await count()).at(-1)).toBe('theses.notice_late')
  })
})

describe('papers', () => {
  test('the file, the minutes and letters are typeset; the decision can be verified', async () => {
    const { id, student, judges } = await w.granted()
    const get = (path: string, by = student.as) =>
      u.app.inject({ url: `/api${path}`, headers: { authorization: `Bearer ${by.token}` } })
    for (const path of [
      `/theses/printPdf/${id}`,
      '/theses/printPdf',
      `/theses/printPdf?id=${id}&lang=en`,
      `/theses/minutes/${id}`,
    ]) {
      const answer = await get(path)
      expect([path, answer.statusCode, answer.rawPayload.subarray(0, 5).toString()]).toEqual([path, 200, '%PDF-'])
    }
    expect((await get(`/theses/printPdf/${id}`, judges[0]!.as)).statusCode).toBe(200)
    expect((await get(`/theses/printPdf/${id}`, (await w.student()).as)).statusCode).toBe(404)
    const paper = ok(await w.dean('POST', `/theses/${id}/papers`, { kind: 'thesis_decision', lang: 'ar' }))
    expect(paper.serial).toMatch(/^TH-/)
    const { id: other } = await w.ready()
    const at = { location_id: await w.room('R9'), day: addDays(w.today, 9), from_time: '10:00', until_time: '12:00' }
    ok(await w.registrar('POST', `/theses/discussion/${other}`, at))
    expect((await get(`/theses/letters/${other}`, w.registrar)).rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  })
})
