/** What is put on exam papers and taken off: only spares, with a reason, by two people once marking has begun, and written down. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { accessAndPeopleServer } from '#areas/people/access-and-people/access-and-people.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { offeringsServer } from '#areas/study/offerings/offerings.server.ts'
import { reportsServer } from '#areas/office/reports/reports.server.ts'
import { settingsServer } from '#areas/common/settings/settings.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { gradingServer } from '../grading.server.ts'
import { offerCourse, seed, type Fixture, type TestOffering } from '../testing.server.ts'

const servers = [
  kitServer,
  accessAndPeopleServer,
  catalogueServer,
  offeringsServer,
  reportsServer,
  settingsServer,
  studentsServer,
  gradingServer,
]
let uni: TestUniversity
let f: Fixture
let office: Caller
let second: Caller
let marker: Caller
const query = async <T = any>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await uni.database.pool.query(text, values)).rows

beforeAll(async () => {
  uni = await testUniversity(servers)
  f = await seed(uni.database)
  office = await uni.as('exam_officer', ['faculty', f.faculty])
  second = await uni.as('exam_officer', ['faculty', f.faculty])
  marker = await uni.as('instructor', undefined, { type: 1 })
  await query('update instructors set user_id = $1 where id = $2', [marker.user_id, f.instructor])
})
afterAll(() => uni.close())

let o: TestOffering
let n = 0
/** Barcodes on papers by the code of their students, and the spare ones. */
let of: Map<string, string>
let spares: string[]
beforeEach(async () => {
  await query('delete from registrations; update offerings set removed_at = now()')
  o = await offerCourse(uni.database, f, { code: `m${++n}` })
  ok(await office('POST', `/control/offerings/barcode/generate/${o.id}`, { spare: 4 }))
  const rows: any[] = ok(await office('POST', `/control/offerings/barcode/students/${o.id}`, {}))
  of = new Map(rows.flatMap((row) => (row.student ? [[row.student.code, row.barcode]] : [])))
  spares = rows.flatMap((row) => (row.student ? [] : [row.barcode]))
})
const why = 'The label is torn'
const attach = (i: number, barcode: string, who = office, reason: string | null = why) =>
  who('POST', '/exam-barcodes/attach_backup_barcode', {
    registration_id: o.registrations[i],
    barcode,
    ...(reason !== null && { reason }),
  })
const detach = async (barcode: string, who = office, reason = why) => {
  const [{ id }] = await query('select id from exam_barcodes where code = $1', [barcode])
  return who('POST', `/exam-barcodes/detach_backup_barcode/${id}`, { reason })
}
const mark = (barcode: string, value: string | null, version: number | null = null) =>
  marker('PUT', `/control/students/barcode/update-final-mark/${o.id}`, { barcode, mark: value, version })
const open = (who = office) => who('POST', `/control/offerings/barcode/open/${o.id}`, {})
const history = (who = office) => who('GET', `/control/offerings/barcode/history/${o.id}`)
const waiting = async (who = office): Promise<any[]> => ok(await who('POST', `/exam-barcodes/changes/${o.id}`, {}))
const confirm = (id: number, who = second) => who('POST', `/exam-barcodes/changes/confirm/${id}`, {})
const reject = (id: number, who = second) =>
  who('POST', `/exam-barcodes/changes/reject/${id}`, { reason: 'It can be read' })
const onPaper = async (i: number): Promise<string | null> =>
  (
    await query(
      'select b.code from exam_barcode_owners w join exam_barcodes b on b.id = w.barcode_id where w.registration_id = $1',
      [o.registrations[i]],
    )
  )[0]?.code ?? null

test('papers of two students do not change places, whatever is called in whichever order', async () => {
  const [a, b] = [of.get('S001')!, of.get('S002')!]
  // By a spare one in between, as long as the codes were free then.
  ok(await attach(0, spares[0]!))
  expect(reasons(await attach(1, a))).toEqual(['barcode_of_another@barcode'])
  ok(await attach(1, spares[1]!))
  expect(reasons(await attach(0, b))).toEqual(['barcode_of_another@barcode'])
  // By spares that were on the one and would go to the other.
  ok(await detach(spares[0]!))
  ok(await detach(spares[1]!))
  expect(reasons(await attach(1, spares[0]!))).toEqual(['barcode_of_another@barcode'])
  expect(reasons(await attach(0, spares[1]!))).toEqual(['barcode_of_another@barcode'])
  // Giving out barcodes draws new ones.
  ok(await office('POST', `/control/offerings/barcode/generate/${o.id}`, {}))
  for (const [i, mine] of [a, b].entries()) {
    const now = await onPaper(i)
    expect([a, b, ...spares]).not.toContain(now)
    // What was drawn for a paper goes back to it.
    expect(ok(await attach(i, mine)).barcode.code).toBe(mine)
  }
  // Nor by anything that chance finds: each barcode was on one paper alone.
  const codes = [...of.values(), ...spares]
  let at = 7
  for (let k = 0; k < 60; k++) {
    at = (at * 1103515245 + 12345) % 2147483648
    const code = codes[at % codes.length]!
    const call = at % 3 === 0 ? await detach(code) : await attach(at % 6, code)
    expect([200, 404, 409]).toContain(call.status)
  }
  expect(
    await query(
      `select to_barcode_id from exam_paper_moves where to_barcode_id is not null group by 1 having count(distinct registration_id) > 1`,
    ),
  ).toEqual([])
  // The database says the same to whoever writes past the calls.
  await query(`delete from registrations where id = $1`, [o.registrations[5]])
  for (const statement of [
    `update exam_barcode_owners set registration_id = ${o.registrations[4]} where registration_id = ${o.registrations[3]}`,
    `delete from exam_barcode_owners where registration_id = ${o.registrations[3]}`,
    `update exam_barcode_owners set barcode_id = (select id from exam_barcodes where code = '${of.get('S006')}') where registration_id = ${o.registrations[3]}`,
    `insert into exam_barcode_owners (barcode_id, registration_id) select id, ${o.registrations[3]} from exam_barcodes where code = '${of.get('S006')}'`,
    `update exam_barcodes set code = 'ZZZZZZZZZZZZ' where code = '${of.get('S003')}'`,
    `delete from exam_barcodes where code = '${of.get('S003')}'`,
    'delete from exam_paper_moves',
    `update exam_paper_changes set reason = 'nothing'`,
    'delete from exam_paper_changes',
    'delete from anonymous_offerings',
    'update anonymous_offerings set started_at = now()',
    'delete from exam_name_readers',
  ])
    await expect(query(statement), statement).rejects.toThrow()
  // Also as it was asked for and done: what was on another's paper is put on none.
  await expect(
    query(`insert into exam_paper_changes (offering_id, registration_id, from_barcode_id, to_barcode_id, reason, status, done_at, asked_by)
        select ${o.id}, w.registration_id, w.barcode_id, b.id, 'torn', 'done', now(), ${office.user_id}
        from exam_barcode_owners w, exam_barcodes b where w.registration_id = ${o.registrations[3]} and b.code = '${of.get('S006')}';
      update exam_barcode_owners set barcode_id = (select id from exam_barcodes where code = '${of.get('S006')}')
        where registration_id = ${o.registrations[3]}`),
  ).rejects.toThrow('barcode_of_another')
})

test('a reason is given, and before marking begins one person is enough', async () => {
  expect((await attach(0, spares[0]!, office, null)).status).toBe(422)
  expect((await attach(0, spares[0]!, office, '  ')).status).toBe(422)
  expect((await detach(of.get('S001')!, office, ' a ')).status).toBe(422)
  expect(ok(await attach(0, spares[0]!))).toMatchObject({ barcode: { code: spares[0] }, waits: false })
  expect(await waiting()).toEqual([])
})

test('once a paper was marked a second person confirms, who is not the one that asked', async () => {
  ok(await mark(of.get('S003')!, '40'))
  expect(ok(await attach(0, spares[0]!))).toMatchObject({ barcode: { code: of.get('S001') }, waits: true })
  expect(await onPaper(0)).toBe(of.get('S001'))
  expect(reasons(await attach(0, spares[1]!))).toEqual(['paper_change_waits'])
  expect(reasons(await attach(1, spares[0]!))).toEqual(['paper_change_waits'])
  expect(reasons(await open())).toEqual(['paper_changes_wait'])
  const [asked] = await waiting()
  expect(asked).toMatchObject({
    student: { code: 'S001' },
    from: { code: of.get('S001') },
    to: { code: spares[0] },
    reason: why,
    own: true,
  })
  expect((await waiting(second))[0].own).toBe(false)
  expect(reasons(await confirm(asked.id, office))).toEqual(['own_paper_change'])
  expect((await confirm(asked.id, marker)).status).toBe(403)
  expect((await confirm(asked.id, await uni.as('exam_officer', ['faculty', f.otherFaculty]))).status).toBe(404)
  // Whoever marks papers here decides nothing about them.
  const both = await uni.as('control_head')
  ok(
    await both('PUT', `/control/students/barcode/update-final-mark/${o.id}`, {
      barcode: of.get('S004'),
      mark: '1',
      version: null,
    }),
  )
  expect(reasons(await confirm(asked.id, both))).toEqual(['barcodes_marked'])
  expect(reasons(await reject(asked.id, both))).toEqual(['barcodes_marked'])
  // It waits on the home of the second person, and not on that of who asked.
  const home = async (who: Caller) => ok(await who('GET', '/users/work'))
  expect(JSON.stringify(await home(second))).toContain('work_paper_changes')
  expect(JSON.stringify(await home(office))).not.toContain('work_paper_changes')
  const answers = await Promise.all([confirm(asked.id), reject(asked.id)])
  expect(answers.map((one) => one.status).toSorted()).toEqual([200, 409])
  // Marks that were taken away again: marking has begun all the same, and the own request can be taken back.
  ok(await mark(of.get('S003')!, null, 2))
  ok(await attach(4, spares[2]!))
  const [mine] = await waiting()
  expect(ok(await reject(mine.id, office))).toMatchObject({ barcode: { code: of.get('S005') }, waits: false })
  expect(reasons(await confirm(mine.id))).toEqual(['paper_change_decided'])
  // What changed in the meantime is not confirmed over.
  ok(await attach(4, spares[2]!))
  const [late] = await waiting()
  ok(await mark(of.get('S005')!, '11'))
  expect(reasons(await confirm(late.id))).toEqual(['barcode_paper_marked'])
  await expect(
    query(
      `with k as (update exam_paper_changes set status = 'done', done_at = now(), decided_by = asked_by where id = $1 returning *) select 1`,
      [late.id],
    ),
  ).rejects.toThrow('exam_paper_change_second')
  // Past the calls as well: nobody's confirmation, no change.
  await expect(
    query(`with k as (insert into exam_paper_changes (offering_id, registration_id, from_barcode_id, reason, status, done_at, asked_by)
        select ${o.id}, registration_id, barcode_id, 'By myself', 'done', now(), ${office.user_id} from exam_barcode_owners
        where registration_id = ${o.registrations[1]}) delete from exam_barcode_owners where registration_id = ${o.registrations[1]}`),
  ).rejects.toThrow()
})

test('a paper that was given a barcode while a change of it waits keeps that one, and the change is turned down', async () => {
  // Somebody who registered once barcodes were given out has none, and asks for a spare one.
  const [late] = await query<{ student_id: number }>('delete from registrations where id = $1 returning *', [
    o.registrations[5],
  ])
  const [{ id }] = await query(
    `insert into registrations (student_id, offering_id, term_id, course_id, credit_hours, status)
      select $1, offering_id, term_id, course_id, credit_hours, status from registrations where id = $2 returning id`,
    [late!.student_id, o.registrations[0]],
  )
  o.registrations[5] = id
  ok(await mark(of.get('S003')!, '40'))
  expect(ok(await attach(5, spares[0]!))).toMatchObject({ barcode: null, waits: true })
  const [asked] = await waiting(second)
  ok(await office('POST', `/control/offerings/barcode/generate/${o.id}`, {}))
  const given = await onPaper(5)
  expect(given).not.toBeNull()
  const refused = await confirm(asked.id)
  expect([refused.status, refused.body.errors[0]]).toMatchObject([
    409,
    { code: 'paper_change_stale', data: { student: expect.stringContaining('S006') } },
  ])
  expect(await onPaper(5)).toBe(given)
  ok(await reject(asked.id))
  expect(await onPaper(5)).toBe(given)
})

test('every change can be read once the names are open, and not before; the wrong person reads none', async () => {
  ok(await attach(0, spares[0]!, office, 'S001 lost the label'))
  ok(await mark(of.get('S003')!, '40'))
  ok(await detach(of.get('S002')!, office, 'Wrong sheet'))
  ok(await confirm((await waiting())[0].id))
  ok(await attach(3, spares[1]!, second, 'Torn'))
  ok(await reject((await waiting())[0].id, office))
  await query('delete from registrations where id = $1', [o.registrations[5]])
  for (const who of [office, second, await uni.as('control_head')])
    expect(reasons(await history(who))).toEqual(['names_closed'])
  expect((await history(marker)).status).toBe(403)
  // Nothing else tells until then: no trail, no log, no step, no reason.
  const students = await query('select id, code, name from students')
  const trail = await query(
    `select table_name, coalesce(reason, '') || coalesce(old::text, '') || coalesce(new::text, '') as text from audit_log
      where table_name like 'exam_%' or table_name = 'anonymous_offerings' or reason is not null`,
  )
  expect(new Set(trail.map((row) => row.table_name))).toEqual(
    new Set(['exam_barcodes', 'anonymous_offerings', 'exam_name_readers']),
  )
  for (const { text } of trail) {
    expect(text).not.toMatch(/registration_id|student/)
    for (const student of students) expect(text).not.toContain(student.code)
  }
  const root = await uni.as('root')
  const log = await root('POST', '/logs', {})
  expect(log.bytes.toString()).not.toContain('exam_paper')
  ok(await open())
  const told = ok(await history(second))
  const by = { id: office.user_id }
  expect(told[0]).toMatchObject({ what: 'closed', by })
  expect(
    told
      .filter((one: any) => one.what === 'printed')
      .map((one: any) => [one.student?.code ?? 'gone', one.to])
      .toSorted(),
  ).toEqual([...of].toSorted())
  const [printed] = told.filter((one: any) => one.what === 'printed')
  expect(printed).toMatchObject({ by, from: null, reason: null, decided_by: null })
  expect(told.slice(7)).toMatchObject([
    {
      what: 'replaced',
      student: { code: 'S001' },
      from: of.get('S001'),
      to: spares[0],
      reason: 'S001 lost the label',
      by,
      decided_by: null,
    },
    {
      what: 'detached',
      student: { code: 'S002' },
      from: of.get('S002'),
      to: null,
      reason: 'Wrong sheet',
      by,
      decided_by: { id: second.user_id },
    },
    {
      what: 'rejected',
      student: { code: 'S004' },
      from: of.get('S004'),
      to: spares[1],
      reason: 'Torn',
      by: { id: second.user_id },
      decided_by: by,
      decided_reason: 'It can be read',
    },
    { what: 'gone', student: { code: 'S006' }, from: of.get('S006'), to: null },
    { what: 'opened', by },
  ])
  for (const one of told) expect(one.at).toMatch(/^\d{4}-\d\d-\d\dT/)
  expect((await history(await uni.as('exam_officer', ['faculty', f.otherFaculty]))).status).toBe(404)
  for (const role of ['instructor', 'student', 'registrar'])
    expect((await history(await uni.as(role))).status, role).toBe(403)
})
