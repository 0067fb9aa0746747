import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { tagsServer } from '#areas/people/tags/tags.server.ts'
import { readSheet } from '#kit/server/sheets/index.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { studentsServer } from '../students.server.ts'

let u: TestUniversity
let registrar: Caller
let engineering: Caller
let advisor: Caller
let teacher: Caller
let mona: Caller
const id: Record<string, number> = {}
const q = async (text: string, values: unknown[] = []) => (await u.database.pool.query(text, values)).rows
const one = async (name: string, text: string, values: unknown[] = []) => (id[name] = (await q(text, values))[0].id)
const attach = (who: Caller, students: string[], tags: number[]) =>
  who('POST', '/tags/attach', { student_ids: students.map((name) => id[name]), tag_ids: tags })
const take = (who: Caller, students: string[], tags: number[]) =>
  who('POST', '/tags/remove-student/tags', { student_ids: students.map((name) => id[name]), tag_ids: tags })
const tagsOf = async (name: string): Promise<string[]> =>
  (
    await q('select code from student_tags j join tags g on g.id = j.tag_id where student_id = $1 order by 1', [
      id[name],
    ])
  ).map((row) => row.code)

beforeAll(async () => {
  u = await testUniversity([catalogueServer, peopleServer, tagsServer, studentsServer])
  for (const code of ['ENG', 'MED']) {
    await one(code, `insert into faculties (code, name, name_local) values ($1, $1, 'كلية') returning id`, [code])
    await one(
      `${code} bylaw`,
      `insert into bylaws (faculty_id, code, name, name_local, program_type, graduation_hours) values ($1, $2, $2, 'لائحة', 'credit_hours', 120) returning id`,
      [id[code], code],
    )
    await one(
      `${code} program`,
      `insert into programs (bylaw_id, faculty_id, code, name, name_local, min_credit_hours) values ($1, $2, $3, $3, 'برنامج', 120) returning id`,
      [id[`${code} bylaw`], id[code], code],
    )
  }
  await one(
    'guide',
    `insert into instructors (code, name, name_local, faculty_id) values ('G', 'Guide', 'مرشد', $1) returning id`,
    [id.ENG],
  )
  await one(
    'teacher',
    `insert into instructors (code, name, name_local, faculty_id) values ('T', 'Teacher', 'مدرس', $1) returning id`,
    [id.ENG],
  )
  for (const [name, faculty] of [
    ['mona', 'ENG'],
    ['omar', 'ENG'],
    ['far', 'MED'],
    ['gone', 'ENG'],
  ] as const) {
    await one(
      name,
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, advisor_id) values ($1, $1, 'طالب', $2, $3, $4, 1, $5) returning id`,
      [name, id[faculty], id[`${faculty} program`], id[`${faculty} bylaw`], name === 'mona' ? id.guide : null],
    )
  }
  await q('update students set removed_at = now() where id = $1', [id.gone])
  registrar = await u.as('registrar')
  engineering = await u.as('faculty_registrar', ['faculty', id.ENG!])
  const person = async (role: string | null, type: 1 | 3, table: string, row: string): Promise<Caller> => {
    const caller = await u.as(role, undefined, { type, name: row })
    await q(`update ${table} set user_id = $1 where id = $2`, [caller.user_id, id[row]])
    return u.signIn(caller.user_id)
  }
  advisor = await person('academic_advisor', 1, 'instructors', 'guide')
  teacher = await person('instructor', 1, 'instructors', 'teacher')
  mona = await person(null, 3, 'students', 'mona')
})
afterAll(() => u.close())

const made = { name: 'Financial aid', name_local: 'إعانة مالية', colour: 'green' }

describe('a tag', () => {
  test('is added and changed at the paths of the documents, its code once', async () => {
    const aid = ok(await registrar('POST', '/tags/create', { code: 'AID', ...made }))
    expect(aid).toMatchObject({ code: 'AID', colour: 'green', version: 1 })
    id.aid = aid.id
    id.follow = ok(
      await registrar('POST', '/tags/create', { code: 'FOLLOW', ...made, name: 'Follow', colour: 'red' }),
    ).id
    expect(reasons(await registrar('POST', '/tags/create', { code: 'AID', ...made }))).toEqual(['duplicate@code'])
    expect(reasons(await registrar('POST', '/tags/create', { code: 'X', ...made, colour: 'gold' }))).toHaveLength(1)
    expect(ok(await registrar('POST', `/tags/create/${id.aid}`, { colour: 'blue', version: 1 })).colour).toBe('blue')
    expect((await registrar('POST', `/tags/create/${id.aid}`, { colour: 'red', version: 1 })).status).toBe(409)
  })
  test('is for who has the right', async () => {
    for (const who of [advisor, teacher, mona])
      expect((await who('POST', '/tags/create', { code: 'NO', ...made })).status).toBe(403)
    for (const who of [teacher, mona]) {
      expect((await who('POST', '/tags', {})).status).toBe(403)
      expect((await attach(who, ['mona'], [id.aid!])).status).toBe(403)
      expect((await take(who, ['mona'], [id.aid!])).status).toBe(403)
    }
  })
})

describe('tags of students', () => {
  test('are put on many, each with its result: those outside the reach and the removed are not there', async () => {
    const first = ok(await attach(engineering, ['mona', 'omar', 'far', 'gone'], [id.aid!]))
    expect(first.done).toEqual([id.mona, id.omar])
    expect(
      first.failed.map((one: { id: number; errors: { code: string }[] }) => [one.id, one.errors[0]!.code]),
    ).toEqual([
      [id.far, 'not_found'],
      [id.gone, 'not_found'],
    ])
    expect(await tagsOf('far')).toEqual([])
    expect(await tagsOf('gone')).toEqual([])
  })
  test('twice changes nothing, and says so', async () => {
    const again = ok(await attach(engineering, ['mona', 'omar'], [id.aid!, id.follow!]))
    expect(again.changed).toEqual([{ tag_id: id.follow, ids: [id.mona, id.omar] }])
    expect(ok(await take(engineering, ['omar'], [id.follow!])).changed).toEqual([{ tag_id: id.follow, ids: [id.omar] }])
    expect(ok(await take(engineering, ['omar'], [id.follow!])).changed).toEqual([])
    expect([await tagsOf('mona'), await tagsOf('omar')]).toEqual([['AID', 'FOLLOW'], ['AID']])
  })
  test('are not taken off outside the reach', async () => {
    ok(await attach(registrar, ['far'], [id.aid!]))
    expect(ok(await take(engineering, ['far'], [id.aid!])).failed).toHaveLength(1)
    expect(ok(await take(advisor, ['omar'], [id.aid!])).failed).toHaveLength(1)
    expect([await tagsOf('far'), await tagsOf('omar')]).toEqual([['AID'], ['AID']])
  })
  test('filter the list, and stand in it, in the record and in the sheet', async () => {
    const list = (who: Caller, filters: object) => who('POST', '/students', { filters })
    const found = ok(await list(registrar, { tags: [id.follow] }))
    expect(found.map((row: { code: string }) => row.code)).toEqual(['mona'])
    expect(found[0].tags.map((tag: { code: string; colour: string }) => [tag.code, tag.colour])).toEqual([
      ['AID', 'blue'],
      ['FOLLOW', 'red'],
    ])
    expect(ok(await list(engineering, { tags: [id.aid] }))).toHaveLength(2)
    expect(ok(await list(registrar, { tags: null }))).toHaveLength(0)
    expect(ok(await registrar('POST', `/students/dashboard/${id.mona}`, {})).student.tags).toHaveLength(2)
    expect(ok(await registrar('POST', `/students/dashboard/${id.mona}`, {})).abilities).toContain('attach_tag')
    const { bytes } = await registrar('POST', '/students/export', { filters: { tags: [id.follow] }, lang: 'en' })
    const sheet = await readSheet(bytes)
    expect(JSON.stringify(sheet)).toContain('Financial aid, Follow')
  })
  test('are for who may see tags: an advisor of the advised, neither the student nor who teaches', async () => {
    expect(ok(await advisor('GET', `/students/${id.mona}`)).tags).toHaveLength(2)
    expect(ok(await mona('POST', '/students/dashboard', {})).student.tags).toBeNull()
    await one(
      'year',
      `insert into years (code, name, name_local, start_date, end_date) values ('Y', 'Y', 'ع', '2025-09-01', '2026-08-31') returning id`,
    )
    await one(
      'term',
      `insert into terms (year_id, code, name, name_local, term_type, start_date, end_date) values ($1, 'F', 'F', 'فصل', 'fall', '2025-09-20', '2026-01-20') returning id`,
      [id.year],
    )
    await one(
      'course',
      `insert into courses (faculty_id, code, name, name_local, credit_hours) values ($1, 'C1', 'C1', 'مقرر', 3) returning id`,
      [id.ENG],
    )
    await one(
      'offering',
      `insert into offerings (term_id, course_id, faculty_id, code) values ($1, $2, $3, 'C1') returning id`,
      [id.term, id.course, id.ENG],
    )
    await q(`insert into offering_instructors (offering_id, instructor_id, role) values ($1, $2, 'leader')`, [
      id.offering,
      id.teacher,
    ])
    await q(
      `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours) values ($1, $2, $3, $4, 1, 3)`,
      [id.mona, id.offering, id.term, id.course],
    )
    const seen = await teacher('POST', '/students', {})
    expect(seen.body.data.map((row: { code: string; tags: unknown }) => [row.code, row.tags])).toEqual([['mona', null]])
    expect(reasons(await teacher('POST', '/students', { filters: { tags: [id.aid] } }))).toEqual([
      'filter_not_allowed@filters.tags',
    ])
    const trail = await teacher('GET', `/students/${id.mona}/history`)
    expect(JSON.stringify(trail.body)).not.toContain('Financial aid')
  })
  test('stand in the audit trail with who put them on, and in the history of the student', async () => {
    const rows = await q(
      `select action, actor_id, new from audit_log where table_name = 'student_tags' and record_id = $1 order by id`,
      [id.omar],
    )
    expect(rows.map((row) => [row.action, row.actor_id])).toEqual([
      ['insert', engineering.user_id],
      ['insert', engineering.user_id],
      ['delete', engineering.user_id],
    ])
    const history = ok(await registrar('GET', `/students/${id.omar}/history`))
    expect(history[0].changes[0]).toMatchObject({ field: 'tags', old: { name: 'Follow' }, new: null })
  })
  test('keep a tag from being removed; a removed one is put on nobody, also at the same moment', async () => {
    expect(reasons(await registrar('DELETE', `/tags/${id.follow}`))).toEqual(['in_use', 'in_use_by'])
    ok(await take(registrar, ['mona'], [id.follow!]))
    const [removed, attached] = await Promise.all([
      registrar('DELETE', `/tags/${id.follow}`),
      attach(registrar, ['mona'], [id.follow!]),
    ])
    expect([removed.status, attached.status].filter((status) => status === 200)).toHaveLength(1)
    if (removed.status !== 200) {
      ok(await take(registrar, ['mona'], [id.follow!]))
      ok(await registrar('DELETE', `/tags/${id.follow}`))
    }
    expect(reasons(await attach(registrar, ['mona'], [id.follow!]))).toEqual(['reference_missing@tag_ids'])
    expect(await tagsOf('mona')).toEqual(['AID'])
  })
})
