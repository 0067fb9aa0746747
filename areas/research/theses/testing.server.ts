/** A small university in which theses are written, for the tests of this area. */
import { registrationWorld } from '#tests/registration-world.ts'
import { ok, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'

export async function thesisWorld(u: TestUniversity) {
  const w = await registrationWorld(u)
  // oxlint-disable-next-line no-explicit-any -- rows of any query of a test
  const q = <Row = Record<string, any>>(text: string, values: unknown[] = []) => w.query<Row>(text, values)
  const one = async (text: string, values: unknown[] = []) => (await q<{ id: number }>(text, values))[0]!.id
  await q(`update programs set study_level = 'postgraduate' where id = $1`, [w.program])
  const department = await one(
    `insert into departments (faculty_id, code, name, name_local) values ($1, 'CSD', 'Computing', 'علوم الحاسب') returning id`,
    [w.faculty],
  )
  const building = await one(
    `insert into buildings (code, name, name_local) values ('B', 'Main', 'الرئيسي') returning id`,
  )
  const room = (code: string) =>
    one(
      `insert into locations (building_id, code, name, name_local, capacity) values ($1, $2, $2, $2, 40) returning id`,
      [building, code],
    )
  let count = 0
  const instructor = async (academic_title = 'professor', faculty = w.faculty) => {
    const as = await u.as('instructor', undefined, { type: 1 })
    const id = await one(
      `insert into instructors (user_id, code, name, name_local, faculty_id, academic_title) values ($1, $2, $3, 'منى', $4, $5) returning id`,
      [as.user_id, `P${as.user_id}`, `Professor ${++count}`, faculty, academic_title],
    )
    return { id, as }
  }
  const examiner = (name = 'Examiner') =>
    one(
      `insert into external_examiners (code, name, name_local, university, academic_title) values ($1, $2, 'ممتحن', 'Delta University', 'professor') returning id`,
      [`X${++count}`, name],
    )
  const registrar = await u.as('faculty_registrar', ['faculty', w.faculty])
  const dean = await u.as('dean', ['faculty', w.faculty])
  const today = (await q(`select university_today()::text as day`))[0]!.day as string
  const upload = async (by: Caller, path: string, fields: object, content: Buffer): Promise<Answer> => {
    const form = new FormData()
    for (const [key, value] of Object.entries(fields)) form.set(key, String(value))
    form.set('file', new Blob([new Uint8Array(content)]), 'thesis.pdf')
    const encoded = new Response(form)
    const answer = await u.app.inject({
      method: 'PUT',
      url: `/api${path}`,
      headers: { authorization: `Bearer ${by.token}`, 'content-type': encoded.headers.get('content-type')! },
      payload: Buffer.from(await encoded.arrayBuffer()),
    })
    return { status: answer.statusCode, body: answer.json() } as Answer
  }
  const pdf = () => Buffer.from(`%PDF-1.4\n% ${++count}\n%%EOF\n`)
  const decision = (more: object = {}) => ({
    council: 'Faculty council',
    session: '12',
    number: '4',
    decided_on: today,
    ...more,
  })

  /** A decision on a student, as it stands in the database. */
  const statusOf = (id: number, status: string) =>
    q(
      `with d as (insert into student_status_decisions (student_id, from_status, to_status, decision, decided_on, source)
         values ($1, 'studying', $2, '1', university_today(), 'decision') returning id)
       update students set status = $2, status_decision_id = d.id from d where students.id = $1`,
      [id, status],
    )

  /** A thesis in work, with its main supervisor. */
  const draft = async (leader?: { id: number; as: Caller }) => {
    const student = await w.student()
    const lead = leader ?? (await instructor())
    const { id } = ok(
      await registrar('PUT', '/theses', {
        student_id: student.id,
        department_id: department,
        degree: 'master',
        language: 'en',
        title: 'Learning from few examples',
        title_local: 'التعلم من أمثلة قليلة',
        abstract: 'We learn from few examples.',
        abstract_local: 'نتعلم من أمثلة قليلة في الجامعة.',
      }),
    )
    ok(await registrar('PUT', '/theses/members', { thesis_id: id, instructor_id: lead.id, job: 'leader', share: 100 }))
    return { id: id as number, student, leader: lead }
  }
  /** The same, approved a year ago: it may be discussed. */
  const approved = async (leader?: { id: number; as: Caller }) => {
    const of = await draft(leader)
    ok(await of.student.as('PUT', `/theses/register/${of.id}`, {}))
    ok(await dean('PUT', `/theses/approve/${of.id}`, decision()))
    await q(
      `update theses set registered_on = university_today() - 500, approved_on = university_today() - 400 where id = $1`,
      [of.id],
    )
    return of
  }
  /** The same, with everything that the discussion needs. */
  const ready = async () => {
    const of = await approved()
    const version = ok(await upload(of.student.as, `/theses/versions/${of.id}`, { own_work: 'true' }, pdf())).id
    ok(await upload(of.leader.as, `/theses/similarity/${of.id}`, { version_id: version, percent: '11.5' }, pdf()))
    ok(await of.leader.as('POST', `/theses/seminars/${of.id}`, { held_on: today, title: 'State of the art' }))
    const judges = [await instructor(), await instructor('associate_professor')]
    const outside = await examiner()
    for (const { id } of judges)
      ok(await registrar('PUT', '/theses/members', { thesis_id: of.id, instructor_id: id, job: 'committee' }))
    ok(await registrar('PUT', '/theses/members', { thesis_id: of.id, examiner_id: outside, job: 'committee' }))
    return { ...of, judges, outside, version: version as number }
  }
  /** The same, discussed a moment ago. */
  const discussed = async (result: object = { result: 'accepted' }) => {
    const of = await ready()
    const hall = await room(`H${++count}`)
    ok(
      await registrar('POST', `/theses/discussion/${of.id}`, {
        location_id: hall,
        day: today,
        from_time: '23:00',
        until_time: '23:59',
      }),
    )
    await q(
      `update thesis_discussions set during = tstzrange(now() - interval '2 hours', now() - interval '1 hour') where thesis_id = $1`,
      [of.id],
    )
    ok(await registrar('PUT', `/theses/discuss/${of.id}`, result))
    return of
  }
  /** The same, with the degree granted. */
  const granted = async () => {
    const of = await discussed()
    ok(await dean('PUT', `/theses/approve/${of.id}`, decision()))
    return of
  }
  return {
    ...w,
    q,
    one,
    u,
    department,
    room,
    instructor,
    examiner,
    registrar,
    dean,
    today,
    upload,
    pdf,
    decision,
    statusOf,
    draft,
    approved,
    ready,
    discussed,
    granted,
  }
}
export type ThesisWorld = Awaited<ReturnType<typeof thesisWorld>>
