import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kitServer } from '#kit/server/kit.server.ts'
import { readSheet, writeSheet } from '#kit/server/sheets/index.ts'
import { textOfPdf } from '#tests/journeys/pdf.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { BYLAWS } from '../../../apps/demo/bylaws.ts'
import { bylawSettings } from './bylaws/read-settings.server.ts'
import { catalogueServer } from './catalogue.server.ts'
import { programPlan } from './programs/read-plan.server.ts'

let u: TestUniversity
let registrar: Caller
let engineer: Caller
let outsider: Caller
const id = { engineering: 0, commerce: 0, department: 0, bylaw: 0, program: 0 }
const courses: Record<string, number> = {}

const [{ levels, grade_ranges, special_grades, gpa_ranges, load_ranges }] = BYLAWS as [(typeof BYLAWS)[number]]
const wholeBylaw = {
  levels,
  grade_types: [{ kind: 'letter', name: 'Letters', name_local: 'تقديرات', ranges: grade_ranges }],
  special_grades,
  gpa_ranges,
  load_ranges,
}
const addCourse = async (code: string, more: object = {}) => {
  const row = ok(
    await registrar('PUT', '/courses', {
      code,
      name: `Course ${code}`,
      name_local: `مقرر ${code}`,
      credit_hours: 3,
      faculty_id: id.engineering,
      ...more,
    }),
  )
  courses[code] = row.id
  return row
}

beforeAll(async () => {
  u = await testUniversity([kitServer, catalogueServer])
  registrar = await u.as('registrar')
  id.engineering = ok(
    await registrar('PUT', '/faculties', {
      code: 'FEC',
      short_name: 'Eng',
      name: 'Engineering',
      name_local: 'كلية الهندسة',
    }),
  ).id
  id.commerce = ok(
    await registrar('PUT', '/faculties', {
      code: 'FCO',
      short_name: 'Com',
      name: 'Commerce',
      name_local: 'كلية التجارة',
    }),
  ).id
  id.department = ok(
    await registrar('PUT', '/departments', {
      faculty_id: id.engineering,
      code: 'CSC',
      name: 'Computer Science',
      name_local: 'علوم الحاسب',
    }),
  ).id
  id.bylaw = ok(
    await registrar('PUT', '/bylaws', {
      code: 'B23',
      name: 'Bylaw',
      name_local: 'لائحة',
      faculty_id: id.engineering,
      program_type: 'credit_hours',
    }),
  ).id
  id.program = ok(
    await registrar('PUT', '/programs', {
      code: 'CS',
      name: 'Computer Science',
      name_local: 'علوم الحاسب',
      faculty_id: id.engineering,
      bylaw_id: id.bylaw,
      department_id: id.department,
      min_credit_hours: 9,
      semesters: 4,
    }),
  ).id
  for (const code of ['A', 'B', 'C', 'D']) await addCourse(code)
  engineer = await u.as('registrar', ['faculty', id.engineering])
  outsider = await u.as('registrar', ['faculty', id.commerce])
})
afterAll(() => u.close())

test('a faculty has a short name, and a name that no other has; two who add it at once make one', async () => {
  const faculty = { code: 'DUP', name: 'Pharmacy', name_local: 'كلية الصيدلة', short_name: 'Pha' }
  const { short_name: _none, ...without } = faculty
  expect(reasons(await registrar('PUT', '/faculties', without))).toEqual(['required@short_name'])
  const both = await Promise.all(['D1', 'D2'].map((code) => registrar('PUT', '/faculties', { ...faculty, code })))
  expect(both.map((one) => one.status).toSorted()).toEqual([200, 422])
  expect(both.flatMap(reasons)).toEqual(['faculties_name_taken@name'])
  const made = both.find((one) => one.status === 200)!.body.data
  ok(await registrar('DELETE', `/faculties/${made.id}`))
  const again = ok(await registrar('PUT', '/faculties', { ...faculty, code: 'D3' }))
  // What was removed does not come back beside its namesake.
  expect(reasons(await registrar('POST', `/faculties/restore/${made.id}`))).toEqual(['faculties_name_taken@name'])
  ok(await registrar('DELETE', `/faculties/${again.id}`))
})

describe('bylaw', () => {
  const settings = async () => ok(await registrar('GET', `/bylaws/settings/${id.bylaw}`))
  const set = (body: object, who = registrar) => who('PUT', `/bylaws/set/Settings/${id.bylaw}`, body)

  test('a new bylaw tells what it lacks', async () => {
    const { problems, grade_types } = await settings()
    expect(grade_types).toEqual([])
    expect(problems.map((p: { code: string }) => p.code)).toContain('ranges_missing')
  })

  test('ranges with holes and overlaps, bad points and levels are refused, all reasons at once', async () => {
    const broken = structuredClone(wholeBylaw)
    broken.grade_types[0]!.ranges[1]!.to_percent = '96'
    broken.grade_types[0]!.ranges[3]!.from_percent = '83'
    broken.grade_types[0]!.ranges[2]!.points = '2'
    broken.levels[0]!.passed_hours = 5
    const answer = await set(broken)
    expect(answer.status).toBe(422)
    expect(reasons(answer)).toEqual(
      [
        'grade_points_order@grade_types.0.ranges.2.points',
        'level_start@levels.0.passed_hours',
        'range_hole@grade_types.0.ranges.0.from_percent',
        'range_overlap@grade_types.0.ranges.3.from_percent',
      ].toSorted(),
    )
    expect((await settings()).grade_types).toEqual([])
  })

  test('a whole bylaw is saved, and keeps its ids when it is saved again', async () => {
    const saved = ok(await set(wholeBylaw))
    expect(saved.problems).toEqual([])
    expect(saved.grade_types[0].ranges.map((r: { letter: string }) => r.letter)).toEqual(
      grade_ranges.map((r) => r.letter),
    )
    const { levels: l, grade_types, special_grades: s, gpa_ranges: g, load_ranges: d } = saved
    const again = ok(await set({ levels: l, grade_types, special_grades: s, gpa_ranges: g, load_ranges: d }))
    expect(again.version).toBe(saved.version + 1)
    expect({ ...again, version: 0 }).toEqual({ ...saved, version: 0 })
  })

  test('two boundaries and two letters change places in one save', async () => {
    const { grade_types } = await settings()
    const [type] = grade_types
    const ranges = type.ranges.map((r: { letter: string }, i: number, all: { letter: string }[]) => ({
      ...r,
      letter: i === 0 ? all[1]!.letter : i === 1 ? all[0]!.letter : r.letter,
    }))
    ranges[0].from_percent = '96'
    ranges[1].to_percent = '96'
    const saved = ok(await set({ grade_types: [{ ...type, ranges }] }))
    expect(
      saved.grade_types[0].ranges
        .slice(0, 2)
        .map((r: { letter: string; from_percent: string }) => [r.letter, r.from_percent]),
    ).toEqual([
      ['A', '96.00'],
      ['A+', '93.00'],
    ])
    ok(await set({ grade_types }))
  })

  test('a single range takes its neighbours with it', async () => {
    const before = (await settings()).grade_types[0].ranges
    const b = before.find((r: { letter: string }) => r.letter === 'B')
    const moved = ok(
      await registrar('PUT', `/bylaw/setting/grade/range/${b.id}`, { from_percent: '79', to_percent: '83.5' }),
    ).grade_types[0].ranges
    const bounds = (ranges: { letter: string; from_percent: string; to_percent: string }[], letter: string) => {
      const r = ranges.find((one) => one.letter === letter)!
      return [Number(r.from_percent), Number(r.to_percent)]
    }
    expect([bounds(moved, 'B+'), bounds(moved, 'B'), bounds(moved, 'B-')]).toEqual([
      [83.5, 89],
      [79, 83.5],
      [76, 79],
    ])
    const removed = ok(await registrar('DELETE', `/bylaw/setting/grade/range?id=${b.id}`)).grade_types[0].ranges
    expect(bounds(removed, 'B-')).toEqual([76, 83.5])
    const type = (await settings()).grade_types[0].id
    const { id: _, ...back } = b
    const added = ok(
      await registrar('PUT', '/bylaw/setting/grade/range', {
        grade_type_id: type,
        ...back,
        from_percent: '80',
        to_percent: '84',
      }),
    ).grade_types[0].ranges
    expect([bounds(added, 'B+'), bounds(added, 'B'), bounds(added, 'B-')]).toEqual([
      [84, 89],
      [80, 84],
      [76, 80],
    ])
  })

  test('success grades', async () => {
    const refused = await registrar('POST', `/bylaws/remove-success-grades/${id.bylaw}`, { letters: ['C'] })
    expect(refused.status).toBe(422)
    expect(refused.body.errors.map((e: { code: string }) => e.code)).toContain('grade_success_order')
    const off = ok(await registrar('POST', `/bylaws/remove-success-grades/${id.bylaw}`, { letters: ['D'] }))
    expect(off.grade_types[0].ranges.find((r: { letter: string }) => r.letter === 'D').success).toBe(false)
    ok(await registrar('POST', `/bylaws/success-grades/${id.bylaw}`, { letters: ['D'] }))
    expect(reasons(await registrar('POST', `/bylaws/success-grades/${id.bylaw}`, { letters: ['D', 'Z'] }))).toEqual([
      'grade_letter_unknown@letters.1',
    ])
  })

  test('single settings', async () => {
    expect(
      ok(await registrar('PUT', `/bylaws/add/training-weeks/${id.bylaw}`, { min_training_weeks: 8 }))
        .min_training_weeks,
    ).toBe(8)
    expect(
      ok(
        await registrar('PUT', `/bylaws/add/min-Percentage-final-exam/${id.bylaw}`, {
          min_percentage_final_exam: '30',
        }),
      ).min_percentage_final_exam,
    ).toBe('30.00')
    expect(
      reasons(
        await registrar('PUT', `/bylaws/add/min-Percentage-final-exam/${id.bylaw}`, {
          min_percentage_final_exam: '31',
        }),
      ),
    ).toEqual(['out_of_range@min_percentage_final_exam'])
    expect(ok(await registrar('PUT', `/bylaws/add/warning-type/${id.bylaw}`, { max_warnings: 0 })).max_warnings).toBe(0)
    expect(ok(await registrar('PUT', `/bylaws/add/to/admission/${id.bylaw}`, {})).in_admission).toBe(true)
    expect(reasons(await registrar('PUT', `/bylaws/grades_visibility/${id.bylaw}`, { letter: 'Draft' }))).toEqual([
      'visibility_early@grades_visibility.letter',
    ])
    expect(
      ok(await registrar('PUT', `/bylaws/grades_visibility/${id.bylaw}`, { marks: null })).grades_visibility,
    ).toMatchObject({ marks: null, gpa: 'Published' })
    const step = { summer: false, days: 14, percent: '25' }
    expect(reasons(await set({ withdrawal_steps: [step, { ...step, percent: '30' }] }))).toEqual([
      'withdrawal_step_twice@withdrawal_steps.1.days',
    ])
    expect(reasons(await set({ withdrawal_steps: [step], withdrawal_charge: '20' }))).toEqual([
      'withdrawal_step_falls@withdrawal_charge',
    ])
    const stepped = ok(await set({ withdrawal_steps: [{ ...step, days: 35, percent: '50' }, step] }))
    expect(stepped.withdrawal_steps).toMatchObject([
      { days: 14, percent: '25.00' },
      { days: 35, percent: '50.00' },
    ])
    // What the steps ask holds also when only the share after them changes.
    expect(reasons(await set({ withdrawal_charge: '40' }))).toEqual(['withdrawal_step_falls@withdrawal_charge'])
    expect(ok(await set({ withdrawal_steps: [] })).withdrawal_steps).toEqual([])
    expect(reasons(await set({ improve_letters: ['Q'] }))).toEqual(['repeat_grade@improve_letters.0'])
    expect(
      ok(await set({ repeat_max_points: '3.30', total_places: 0, warning_max_ch_value: 12 })).repeat_max_points,
    ).toBe('3.30')
  })

  test('levels, classifications and loads one by one', async () => {
    const added = ok(
      await registrar('PUT', '/bylaws/bylaw/level', {
        bylaw_id: id.bylaw,
        level: 5,
        name: 'Fifth',
        name_local: 'الخامس',
        passed_hours: 130,
      }),
    )
    const level = added.levels.find((l: { level: number }) => l.level === 5)
    expect(reasons(await registrar('PUT', `/bylaws/bylaw/level/${level.id}`, { passed_hours: 10 }))).toEqual([
      'level_hours_order@levels.4.passed_hours',
    ])
    expect(ok(await registrar('DELETE', `/bylaws/bylaw/level/${level.id}`)).levels).toHaveLength(4)
    expect((await registrar('DELETE', `/bylaws/bylaw/level/${level.id}`)).status).toBe(404)
    const loads = ok(
      await registrar('POST', '/bylaws/gpa-range', {
        bylaw_id: id.bylaw,
        type: 'load',
        from_gpa: '3.5',
        to_gpa: '4',
        max_ch_value: 23,
        max_summer_ch_value: 9,
        max_courses: 9,
      }),
    ).load_ranges
    expect(loads.map((r: { from_gpa: string }) => r.from_gpa)).toEqual(['3.50', '3.00', '2.00', '0.00'])
    expect(
      ok(await registrar('POST', `/bylaws/delete-gpa-range/${loads[0].id}`, { type: 'load' })).load_ranges[0],
    ).toMatchObject({ from_gpa: '3.00', to_gpa: '4.00' })
    const before = (await settings()).gpa_ranges
    const [top, below] = before
    const removed = await registrar('POST', `/bylaws/delete-gpa-range/${top.id}`, { type: 'classification' })
    expect(ok(removed).gpa_ranges.map((one: { name: string }) => one.name)).toEqual(
      before.slice(1).map((one: { name: string }) => one.name),
    )
    expect(ok(removed).gpa_ranges[0]).toMatchObject({ id: below.id, from_gpa: below.from_gpa, to_gpa: top.to_gpa })
    expect((await registrar('POST', `/bylaws/delete-gpa-range/${top.id}`, { type: 'classification' })).status).toBe(404)
    expect(
      (
        await registrar('POST', '/bylaws/edit-gpa-range', {
          bylaw_id: id.bylaw,
          type: 'classification',
          ranges: [{ from_gpa: '0', to_gpa: '3', name: 'x', name_local: 'س' }],
        })
      ).status,
    ).toBe(422)
  })

  test('what others read follows every change and costs nothing in between', async () => {
    const one = await bylawSettings(u.services.db, id.bylaw)
    expect(one).toMatchObject({
      repeat: { counts: 'last', max_grade: 'B+' },
      min_percentage_final_exam: 3000,
      graduation: { training_weeks: 8 },
    })
    expect(await bylawSettings(u.services.db, id.bylaw)).toBe(one)
    ok(await set({ repeat_rule: 'best' }))
    const other = await bylawSettings(u.services.db, id.bylaw)
    expect(other.repeat.counts).toBe('best')
    expect(await bylawSettings(u.services.db, id.bylaw, other.version)).toBe(other)
  })

  test('somebody who saves what another changed meanwhile is told', async () => {
    const { version } = await settings()
    ok(await set({ graduation_hours: 136, version }))
    const late = await set({ graduation_hours: 140, version })
    expect([late.status, late.body.message]).toEqual([409, 'changed_meanwhile'])
  })

  test('what is removed has no settings to change until it is restored', async () => {
    const bylaw = { code: 'GONE', name: 'Gone', name_local: 'ملغاة', faculty_id: id.engineering }
    const { id: gone } = ok(await registrar('PUT', '/bylaws', { ...bylaw, program_type: 'credit_hours' }))
    ok(await registrar('DELETE', `/bylaws/${gone}`))
    const change = () => registrar('PUT', `/bylaws/set/Settings/${gone}`, { graduation_hours: 120 })
    const refused = await change()
    expect([refused.status, reasons(refused)]).toEqual([409, ['removed_record']])
    ok(await registrar('POST', `/bylaws/restore/${gone}`))
    expect(reasons(await change())).not.toContain('removed_record')
    ok(await registrar('DELETE', `/bylaws/${gone}`))
  })

  test('only within reach', async () => {
    expect((await set({ graduation_hours: 1 }, outsider)).status).toBe(404)
    expect((await outsider('GET', `/bylaws/settings/${id.bylaw}`)).status).toBe(404)
    const dean = await u.as('dean', ['faculty', id.engineering])
    expect(ok(await dean('GET', `/bylaws/settings/${id.bylaw}`)).abilities).toEqual([])
    expect((await set({ graduation_hours: 1 }, dean)).status).toBe(403)
    expect(ok(await engineer('GET', `/bylaws/settings/${id.bylaw}`)).abilities).toEqual(['edit_settings'])
    expect(ok(await outsider('POST', '/bylaws', {}))).toEqual([])
    expect((await u.nobody('GET', `/bylaws/settings/${id.bylaw}`)).status).toBe(401)
    // Reading it here and changing bylaws elsewhere is not changing it here.
    const both = await u.as('dean', ['faculty', id.engineering])
    await u.database.pool.query(
      `insert into role_assignments (user_id, role_id, scope_type, scope_id)
       select $1, id, 'faculty', $2 from roles where key = 'registrar'`,
      [both.user_id, id.commerce],
    )
    expect(ok(await both('GET', `/bylaws/settings/${id.bylaw}`)).abilities).toEqual([])
    expect((await set({ graduation_hours: 1 }, both)).status).toBe(404)
    // Who works for one bylaw reaches it alone.
    const other = ok(
      await registrar('PUT', '/bylaws', {
        code: 'B99',
        name: 'Other bylaw',
        name_local: 'لائحة أخرى',
        faculty_id: id.engineering,
        program_type: 'credit_hours',
      }),
    )
    const own = await u.as('registrar', ['bylaw', id.bylaw])
    expect(ok(await own('POST', '/bylaws', {})).map((row: { id: number }) => row.id)).toEqual([id.bylaw])
    expect((await own('GET', `/bylaws/${other.id}`)).status).toBe(404)
  })

  test('an entry of another bylaw is not taken over', async () => {
    const { levels: current } = await settings()
    const strange = current.map((level: object, i: number) => (i === 0 ? { ...level, id: 999_999 } : level))
    expect(reasons(await set({ levels: strange }))).toContain('set_entry_unknown@levels.0.id')
    expect((await settings()).levels).toEqual(current)
  })

  test('a bylaw that students study under stays in its faculty', async () => {
    const move = (faculty_id: number) => registrar('PUT', `/bylaws/${id.bylaw}`, { faculty_id })
    await u.database.pool.query(
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level)
       values ('S1', 'Student', 'طالب', $1, $2, $3, 1)`,
      [id.engineering, id.program, id.bylaw],
    )
    try {
      expect(reasons(await move(id.commerce))).toContain('bylaw_has_students@faculty_id')
    } finally {
      await u.database.pool.query(`delete from students where code = 'S1'`)
    }
  })

  test('both exports give bylaws.xlsx', async () => {
    for (const path of ['/bylaws/export', '/bylaws/export-excel']) {
      const answer = await registrar('POST', path, {})
      expect(answer.status).toBe(200)
      expect(answer.headers['content-disposition']).toContain('bylaws.xlsx')
    }
  })
})

describe('course', () => {
  const edit = (code: string, body: object, who = registrar) => who('PUT', `/courses/${courses[code]}`, body)
  const c = (code: string) => ({ course: courses[code] })

  test('prerequisites follow the expression, and a cycle is refused by name', async () => {
    ok(await edit('B', { prerequisites: { all: [c('A'), { any: [{ ...c('C'), min_grade: 'C+' }, c('D')] }] } }))
    const { edges } = ok(await registrar('GET', `/courses/connections/${courses.B}`))
    expect(edges.map((e: { required_course_id: number }) => e.required_course_id).toSorted()).toEqual(
      [courses.A, courses.C, courses.D].toSorted(),
    )
    const refused = await edit('A', { prerequisites: c('B') })
    expect(refused.status).toBe(422)
    expect(refused.body.errors[0]).toMatchObject({ code: 'requisite_cycle', data: { courses: 'A → B → A' } })
    expect(refused.body.errors[0].ar).toContain('A → B → A')
    ok(await edit('B', { prerequisites: c('A') }))
    const after = ok(await registrar('GET', `/courses/connections/${courses.A}`))
    expect(after.edges).toEqual([{ course_id: courses.B, required_course_id: courses.A }])
  })

  test('every reason at once', async () => {
    const answer = await registrar('POST', `/courses/sync/${courses.C}`, {
      prerequisites: { all: [{ any: [] }, { course: courses.A, min_points: '2', min_grade: 'C' }] },
    })
    expect(reasons(answer)).toEqual([
      'requisite_any_empty@prerequisites.all.0',
      'requisite_minimum@prerequisites.all.1',
    ])
    expect(
      reasons(
        await registrar('POST', `/courses/sync/${courses.C}`, { prerequisites: { all: [{ course: 999999 }, c('C')] } }),
      ),
    ).toEqual(['requisite_self@prerequisites', 'requisite_unknown@prerequisites'])
    expect(reasons(await edit('C', { corequisite_ids: [courses.C] }))).toEqual(['course_corequisites_check'])
    const own = await registrar('POST', `/courses/sync/${courses.C}`, {
      prerequisites: null,
      corequisite_ids: [courses.C],
    })
    expect([own.status, reasons(own)]).toEqual([422, ['course_corequisites_check']])
    expect((await edit('C', { faculty_id: id.commerce, department_id: id.department })).body.errors[0].code).toBe(
      'department_other_faculty',
    )
  })

  test('two changes that close a cycle only together: one is refused', async () => {
    const answers = await Promise.all([edit('C', { prerequisites: c('D') }), edit('D', { prerequisites: c('C') })])
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 422])
    ok(await edit('C', { prerequisites: null }))
    ok(await edit('D', { prerequisites: null }))
  })

  test('what is emptied takes its usual value', async () => {
    expect(ok(await edit('D', { lecture_hours: null, grade_kind: null }))).toMatchObject({
      lecture_hours: 0,
      grade_kind: 'letter',
    })
  })

  test('everybody in the catalogue sees every course, and changes those of his or her faculty', async () => {
    expect(ok(await outsider('POST', '/courses', {}))).toHaveLength(4)
    expect((await edit('A', { credit_hours: 4 }, outsider)).status).toBeGreaterThanOrEqual(403)
    ok(await edit('A', { credit_hours: 3 }, engineer))
    expect((await edit('A', { faculty_id: id.commerce }, engineer)).status).toBe(403)
    expect(ok(await engineer('POST', '/courses', {}))[0].abilities).toContain('edit')
    expect(ok(await outsider('POST', '/courses', {}))[0].abilities).not.toContain('edit')
    expect((await (await u.as('student'))('POST', '/courses', {})).status).toBe(403)
  })

  test('a course that others need cannot be removed', async () => {
    const answer = await registrar('DELETE', `/courses/${courses.A}`)
    expect([answer.status, answer.body.message]).toEqual([409, 'in_use'])
    const used = answer.body.errors.slice(1)
    expect(used.length).toBeGreaterThan(0)
    expect(used.map((one: { code: string }) => one.code).join()).toMatch(/^in_use_by/)
  })

  test('what a faculty is used by is named, counted and linked; to whom may not see it only counted', async () => {
    const remover = await u.as(null)
    await u.database.pool.query(
      `insert into user_permissions (user_id, permission) select $1, unnest(array['access_faculty', 'remove_faculty'])`,
      [remover.user_id],
    )
    const all = (await (await u.as('super_admin'))('DELETE', `/faculties/${id.engineering}`)).body.errors
    // Of many the first are named, and all counted.
    expect(all.find(({ code }: { code: string }) => code === 'in_use_by_more')?.data).toMatchObject({
      names: expect.stringMatching(/^[^,]+, [^,]+, [^,]+$/),
    })
    const told = async (by: Caller) =>
      ((await by('DELETE', `/faculties/${id.engineering}`)).body.errors as { code: string; data: any }[])
        .filter(({ data }) => data?.what === 'Bylaws')
        .map(({ code, data }) => ({ code, names: data.names ?? null, link: data.link ?? null, count: data.count }))
    const [seen] = await told(await u.as('super_admin'))
    expect(seen!.names).toBeTruthy()
    expect(seen!.link).toMatch(/bylaws.filters/)
    expect(await told(await u.signIn(remover.user_id))).toEqual([
      { code: 'in_use_by_hidden', names: null, link: null, count: seen!.count },
    ])
  })

  test('exports', async () => {
    const answer = await registrar('POST', '/courses/export', { lang: 'ar' })
    expect(answer.headers['content-disposition']).toContain('Courses.xlsx')
    const { sheets } = await readSheet(answer.bytes)
    expect(sheets[0]!.rows.length).toBeGreaterThanOrEqual(4)
    ok(
      await registrar('POST', `/bylaws/sync/requirements/${id.bylaw}`, {
        university: [courses.A, courses.D],
        faculty: [courses.B],
      }),
    )
    const lists = await registrar('POST', '/courses/export-university-requirements', { bylaw_id: id.bylaw })
    expect(lists.status).toBe(200)
    expect((await readSheet(lists.bytes)).sheets[0]!.rows.length).toBeGreaterThanOrEqual(2)
    expect((await outsider('POST', '/courses/export-university-requirements', {})).body.message).toBe('no_rows')
    expect((await registrar('POST', '/programs/export', {})).headers['content-disposition']).toContain('Programs.xlsx')
    expect((await registrar('POST', '/departments/export', {})).headers['content-disposition']).toContain(
      'Departments.xlsx',
    )
    expect((await registrar('POST', '/faculties/export', {})).headers['content-disposition']).toContain(
      'faculties.xlsx',
    )
  })
})

describe('one requirement of a bylaw', () => {
  const lists = async () =>
    (ok(await registrar('GET', `/bylaws/settings/${id.bylaw}`)) as { requirements: Record<string, { id: number }[]> })
      .requirements
  const university = async () => (await lists()).university!.map((course) => course.id).toSorted()
  const set = (course_id: number, required: boolean) =>
    registrar('POST', `/bylaws/requirement/${id.bylaw}`, { type: 'university', course_id, required })
  const ofPrograms = async (course: number) =>
    (
      await u.database.pool.query<{ program_id: number }>(
        `select q.program_id from program_requirements q join programs p on p.id = q.program_id
         where p.bylaw_id = $1 and q.type = 'university' and q.course_id = $2 order by 1`,
        [id.bylaw, course],
      )
    ).rows.map((row) => row.program_id)
  const clear = () => registrar('POST', `/bylaws/sync/requirements/${id.bylaw}`, { university: [], faculty: [] })

  const programs: number[] = []
  afterAll(async () => {
    for (const one of programs) ok(await registrar('DELETE', `/programs/${one}`))
    ok(
      await registrar('POST', `/bylaws/sync/requirements/${id.bylaw}`, {
        university: [courses.A, courses.D],
        faculty: [courses.B],
      }),
    )
  })
  test('Undo puts back what was taken off, and what somebody changed meanwhile stays', async () => {
    ok(await clear())
    for (const code of ['RQ1', 'RQ2'])
      programs.push(
        ok(
          await registrar('PUT', '/programs', {
            code,
            name: code,
            name_local: 'برنامج',
            faculty_id: id.engineering,
            bylaw_id: id.bylaw,
            department_id: id.department,
            min_credit_hours: 9,
            semesters: 4,
          }),
        ).id,
      )
    for (const course of [courses.A!, courses.D!]) ok(await set(course, true))
    // A program that did without it goes on without it.
    const [without, ...others] = await ofPrograms(courses.A!)
    expect(others.length).toBeGreaterThan(1)
    await u.database.pool.query('delete from program_requirements where program_id = $1 and course_id = $2', [
      without,
      courses.A,
    ])
    const off = ok(await set(courses.A!, false))
    expect(off.programs).toBe(others.length)
    expect(await university()).toEqual([courses.D])
    // Meanwhile somebody else takes off one and adds another.
    ok(await set(courses.D!, false))
    ok(await set(courses.B!, true))
    ok(await registrar('POST', `/operations/${off.operation_id}/undo`))
    expect(await university()).toEqual([courses.A!, courses.B!].toSorted())
    expect(await ofPrograms(courses.A!)).toEqual(others)
    ok(await clear())
  })
  test('Undo that comes too late says so', async () => {
    ok(await set(courses.A!, true))
    const off = ok(await set(courses.A!, false))
    ok(await set(courses.A!, true))
    const late = await registrar('POST', `/operations/${off.operation_id}/undo`)
    expect([late.status, late.body.message]).toEqual([409, 'undo_nothing'])
    expect(await university()).toEqual([courses.A])
    ok(await clear())
  })
  test('of two at once one does it, the other is told that it stands so; the bylaw has another version', async () => {
    const version = async () =>
      (await u.database.pool.query<{ version: number }>('select version from bylaws where id = $1', [id.bylaw]))
        .rows[0]!.version
    const before = await version()
    const answers = await Promise.all([set(courses.A!, true), set(courses.A!, true)])
    expect(answers.map((answer) => ok(answer).programs === null).toSorted()).toEqual([false, true])
    expect(await version()).toBe(before + 1)
    ok(await clear())
  })
  test('who may not change the settings changes nothing; a course that is not there is refused', async () => {
    expect(reasons(await set(99_999, true))).toEqual(['reference_missing@course_id'])
    const body = { type: 'university', course_id: courses.A, required: true }
    expect((await (await u.as('student'))('POST', `/bylaws/requirement/${id.bylaw}`, body)).status).toBe(403)
    expect([403, 404]).toContain((await outsider('POST', `/bylaws/requirement/${id.bylaw}`, body)).status)
  })
})

test('courses from a sheet: every mistake with its cell, then all or nothing', async () => {
  const sheet = (rows: Record<string, string | number>[]) =>
    writeSheet({
      sheets: [
        {
          name: 'x',
          direction: 'ltr',
          columns: Object.keys(rows[0]!).map((key) => ({ key, header: key, type: 'text' as const })),
          rows,
        },
      ],
    })
  const upload = async (rows: Record<string, string | number>[]) => {
    const form = new FormData()
    form.append('file', new Blob([(await sheet(rows)) as never]), 'courses.xlsx')
    const answer = await u.app.inject({
      method: 'POST',
      url: '/api/courses/import/preview',
      headers: { authorization: `Bearer ${registrar.token}` },
      payload: form,
    })
    expect([answer.statusCode, answer.body]).toEqual([200, expect.anything()])
    return answer.json().data
  }
  const row = { Code: 'IMP1', 'English name': 'Imported', 'Arabic name': 'مستورد', 'Credit hours': '٣', Faculty: 'FEC' }
  const bad = await upload([
    { ...row, 'Credit hours': 'many' },
    { ...row, Code: 'IMP2', Faculty: 'NONE' },
  ])
  expect(bad.errors.map((e: { row: number; code: string }) => `${e.row} ${e.code}`)).toEqual([
    '2 format_not_valid',
    '3 lookup_not_found',
  ])
  const good = await upload([row, { ...row, Code: 'A', 'English name': 'Course A again' }])
  expect([good.creates, good.updates, good.errors]).toEqual([1, 1, []])
  expect(ok(await registrar('POST', `/courses/import/save/${good.import_id}`))).toMatchObject({
    created: 1,
    updated: 1,
  })
  const [found] = ok(await registrar('POST', '/courses', { search: 'imp1' }))
  expect(found).toMatchObject({ credit_hours: 3, faculty: { code: 'FEC' } })

  // Hours have up to two decimals, however they are written.
  const finer = await upload([
    { ...row, 'Credit hours': '٧٫٥' },
    { ...row, Code: 'IMP2', 'Credit hours': '1,25' },
    { ...row, Code: 'IMP3', 'Credit hours': 2.5 },
  ])
  expect(finer.errors).toEqual([])
  ok(await registrar('POST', `/courses/import/save/${finer.import_id}`))
  const hours = async (wanted: object) =>
    ok(
      await registrar('POST', '/courses', {
        search: 'imp',
        filters: { credit_hours: wanted },
        order_by: 'credit_hours',
      }),
    ).map((one: { credit_hours: number }) => one.credit_hours)
  expect(await hours({ from: 1.25, to: 7.5 })).toEqual([1.25, 2.5, 7.5])
  expect(await hours({ from: 1.26, to: 7.49 })).toEqual([2.5])
  const exported = await registrar('POST', '/courses/export', {
    search: 'imp',
    columns: ['code', 'credit_hours'],
    lang: 'en',
  })
  const [book] = (await readSheet(exported.bytes)).sheets
  expect(book!.rows.map((cells) => cells.slice(0, 2).map((cell) => cell.text))).toEqual([
    ['Code', 'Credit hours'],
    ['IMP1', '7.5'],
    ['IMP2', '1.25'],
    ['IMP3', '2.5'],
  ])
  const tooFine = await registrar('PUT', `/courses/${found.id}`, { credit_hours: 1.555, version: found.version + 1 })
  expect([tooFine.status, tooFine.body.errors[0]]).toMatchObject([
    422,
    { field: 'credit_hours', code: 'too_many_places', en: 'At most 2 digits after the decimal point.' },
  ])
  const [stored] = ok(await registrar('POST', '/courses', { search: 'imp1' }))
  expect(
    ok(await registrar('PUT', `/courses/${found.id}`, { credit_hours: 1.5, version: stored.version })),
  ).toMatchObject({
    credit_hours: 1.5,
  })
})

describe('program', () => {
  const plan = async () => ok(await registrar('GET', `/programs/study-plan/${id.program}`))
  const sync = (list: object[], mode = 'merge', who = registrar) =>
    who('PUT', `/programs/sync/${id.program}`, { mode, courses: list })
  const at = (code: string, semester: number, more: object = {}) => ({
    course_id: courses[code],
    semester,
    level: Math.ceil(semester / 2),
    kind: 'mandatory',
    ...more,
  })
  const codes = (answer: { problems: { code: string }[] }) => answer.problems.map((p) => p.code).toSorted()

  test('the lists of the bylaw were taken over, and what is missing is reported', async () => {
    const { requirements, problems, abilities } = await plan()
    expect(requirements.university.map((r: { code: string }) => r.code)).toEqual(['A', 'D'])
    expect(problems.map((p: { code: string; severity: string }) => `${p.severity} ${p.code}`).toSorted()).toEqual([
      'error plan_hours',
      'warning plan_requirement_missing',
      'warning plan_requirement_missing',
      'warning plan_requirement_missing',
    ])
    expect(abilities).toEqual(['edit_plan', 'edit', 'make_general'])
  })

  test('a plan grows course by course; what can never stand is refused', async () => {
    const one = ok(await sync([at('A', 2), at('B', 1)]))
    expect(codes(one)).toEqual(['plan_hours', 'plan_prerequisite', 'plan_requirement_missing'])
    expect(one.problems.find((p: { code: string }) => p.code === 'plan_prerequisite')).toMatchObject({
      course_id: courses.B,
      data: { course: 'B', courses: 'A' },
    })
    expect(reasons(await sync([at('C', 5), at('C', 1)]))).toEqual([
      'plan_course_twice@courses.1',
      'plan_semester_beyond@courses.0.semester',
    ])
    expect(reasons(await sync([at('C', 1, { kind: 'elective' })]))).toEqual([
      'plan_group_unknown@courses.0',
      'plan_kind_pool@courses.0.pool_id',
    ])
  })

  test('pools, moves, and a complete plan that is not taken apart', async () => {
    const pool = ok(
      await registrar('PUT', '/programs/program/pool', {
        program_id: id.program,
        name: 'Electives',
        name_local: 'اختياري',
        min_credit_hours: 3,
      }),
    ).pools[0]
    const placed = ok(
      await sync([
        at('C', 3, { kind: 'elective', pool_id: pool.id }),
        at('D', 3, { kind: 'elective', pool_id: pool.id }),
      ]),
    )
    expect(placed.pools[0]).toMatchObject({ credit_hours: 6, min_credit_hours: 3 })
    expect([placed.credit_hours, codes(placed)]).toEqual([9, ['plan_prerequisite']])
    const b = placed.courses.find((c: { code: string }) => c.code === 'B')
    expect(
      codes(ok(await registrar('PUT', `/programs/program/course/semester/${b.id}`, { semester: 3, level: 2 }))),
    ).toEqual([])
    const refused = await registrar('DELETE', `/programs/program/course/${b.id}`)
    expect(reasons(refused)).toEqual(['plan_hours@min_credit_hours'])
    expect(refused.body.errors[0].data).toEqual({ hours: '6', minimum: '9' })
    expect(reasons(await registrar('DELETE', `/programs/program/pool/${pool.id}`))).toEqual([
      'plan_hours@min_credit_hours',
    ])
    const c = placed.courses.find((one: { code: string }) => one.code === 'C')
    ok(await registrar('DELETE', `/programs/program/course/${c.id}`))
    expect(
      reasons(
        await registrar(
          'DELETE',
          `/programs/program/delete-program-course/${id.program}?course_ids=${courses.D},${courses.A}`,
        ),
      ),
    ).toContain('plan_group_short@groups.1.min_credit_hours')
    expect(
      ok(await registrar('PUT', `/programs/program/course/${b.id}`, { kind: 'faculty' })).courses.find(
        (one: { id: number }) => one.id === b.id,
      ).kind,
    ).toBe('faculty')
    // Out of how many marks a course is, here; placing it anew leaves that.
    const marked = (plan: any) => {
      const found = plan.courses.find((one: { id: number }) => one.id === b.id)
      return [found.max_mark, found.own_max_mark]
    }
    expect(marked(ok(await registrar('PUT', `/programs/program/course/${b.id}`, { max_mark: 150 })))).toEqual([
      150,
      true,
    ])
    expect(marked(ok(await registrar('PUT', `/programs/program/course/${b.id}`, { kind: 'faculty' })))).toEqual([
      150,
      true,
    ])
    expect(marked(ok(await registrar('PUT', `/programs/program/course/${b.id}`, { max_mark: null })))).toEqual([
      100,
      false,
    ])
  })

  test('a whole plan is saved only when it is complete', async () => {
    const refused = await sync([at('A', 1), at('B', 1)], 'replace')
    expect(reasons(refused)).toEqual(['plan_group_short@groups.1.min_credit_hours'])
    const whole = ok(await sync([at('A', 1), at('B', 2), at('C', 3)], 'merge'))
    expect(whole.courses).toHaveLength(4)
  })

  test('courses that are not there are not placed, required nor taken out; a program that is gone has no plan to change', async () => {
    const before = ok(await registrar('GET', `/programs/${id.program}`)).version
    const refused = async (answer: Promise<Answer>) => {
      const { status, ...rest } = await answer
      return [status, ...reasons({ status, ...rest })]
    }
    expect(await refused(sync([{ ...at('A', 1), course_id: 999_999 }]))).toEqual([
      422,
      expect.stringMatching(/^reference_missing@courses\.\d+\.course_id$/),
    ])
    const required = (course: number) =>
      registrar('PUT', `/programs/university_faculty_requirements/${id.program}/faculty/${course}`, { required: true })
    expect(await refused(required(999_999))).toEqual([422, 'reference_missing@id'])
    expect(
      await refused(registrar('DELETE', `/programs/program/delete-program-course/${id.program}?course_ids=999999`)),
    ).toEqual([422, 'plan_not_in_plan@course_ids'])
    await u.database.pool.query('update programs set removed_at = now() where id = $1', [id.program])
    expect(await refused(sync([at('A', 1)]))).toEqual([409, 'removed_record'])
    await u.database.pool.query('update programs set removed_at = null where id = $1', [id.program])
    expect(
      await refused(registrar('POST', `/bylaws/sync/requirements/${id.bylaw}`, { faculty: [courses.A, 999_999] })),
    ).toEqual([422, 'reference_missing@faculty.1'])
    expect(ok(await registrar('GET', `/programs/${id.program}`)).version).toBeGreaterThanOrEqual(before)
  })

  test('prerequisites of the program in place of the course', async () => {
    const path = `/programs/sync/prerequisite_courses/${id.program}`
    const own = ok(await registrar('POST', path, { courses: [{ course_id: courses.B, prerequisites: { all: [] } }] }))
    expect(own.courses.find((one: { code: string }) => one.code === 'B')).toMatchObject({
      own_prerequisites: true,
      prerequisites: { all: [] },
    })
    const refused = await registrar('POST', path, {
      courses: [
        { course_id: courses.A, prerequisites: { course: courses.C } },
        { course_id: courses.C, prerequisites: { course: courses.A } },
      ],
    })
    expect(refused.body.errors).toMatchObject([{ code: 'requisite_cycle', data: { courses: 'A → C → A' } }])
    const { id: elsewhere } = await addCourse('Z1')
    expect(
      reasons(await registrar('POST', path, { courses: [{ course_id: elsewhere, prerequisites: { all: [] } }] })),
    ).toEqual(['plan_not_in_plan@courses.0.course_id'])
    const back = ok(await registrar('POST', path, { courses: [{ course_id: courses.B, prerequisites: null }] }))
    expect(back.courses.find((one: { code: string }) => one.code === 'B')).toMatchObject({
      own_prerequisites: false,
      prerequisites: { course: courses.A },
    })
  })

  test('requirement lists, general program and the tree of a bylaw', async () => {
    const put = (type: string, required: boolean) =>
      registrar('PUT', `/programs/university_faculty_requirements/${id.program}/${type}/${courses.C}`, { required })
    expect(ok(await put('faculty', true)).requirements.faculty.map((r: { code: string }) => r.code)).toEqual(['B', 'C'])
    expect(
      ok(await registrar('POST', `/programs/university_faculty_requirements/${id.program}`)).faculty,
    ).toMatchObject([{ code: 'B', in_plan: true }, { code: 'C' }])
    ok(await put('faculty', false))
    expect((await put('nothing', true)).status).toBe(404)
    expect(
      (await registrar('POST', '/programs/university_faculty_requirements', { type: 'university' })).body.meta.count,
    ).toBe(2)
    const child = ok(
      await registrar('PUT', '/programs', {
        code: 'AI',
        name: 'AI',
        name_local: 'ذكاء',
        faculty_id: id.engineering,
        bylaw_id: id.bylaw,
      }),
    ).id
    const tree = [{ program_id: id.program, children: [{ program_id: child, children: [] }] }]
    expect(reasons(await registrar('POST', `/bylaws/bylaw_programs_tree/save/${id.bylaw}`, { tree }))).toEqual([
      'tree_not_general@tree.0',
    ])
    expect(ok(await registrar('POST', `/programs/make-general/${id.program}`, {})).program.is_general).toBe(true)
    expect(ok(await registrar('POST', `/bylaws/bylaw_programs_tree/save/${id.bylaw}`, { tree })).tree).toEqual(tree)
    const leaf = (program_id: number) => ({ program_id, children: [] })
    expect(
      reasons(
        await registrar('POST', `/bylaws/bylaw_programs_tree/save/${id.bylaw}`, {
          tree: [leaf(999_999), leaf(child), leaf(child)],
        }),
      ),
    ).toEqual(['tree_program_twice@tree.2', 'tree_program_unknown@tree.0'])
    const same = { code: 'AI2', name: 'ai', name_local: 'ذكاء آخر', faculty_id: id.engineering, bylaw_id: id.bylaw }
    expect(reasons(await registrar('PUT', '/programs', same))).toEqual(['programs_name_taken@name'])
    expect(ok(await registrar('POST', `/bylaws/bylaw_programs_tree/${id.bylaw}`)).programs).toHaveLength(2)
  })

  test('a semester beyond the load of good standing is told and stands; electives are chosen from, and count for nothing', async () => {
    const { id: heavy } = ok(
      await registrar('PUT', '/programs', {
        code: 'HV',
        name: 'Heavy',
        name_local: 'ثقيل',
        faculty_id: id.engineering,
        bylaw_id: id.bylaw,
        semesters: 4,
        min_credit_hours: 300,
      }),
    )
    const put = async (courses: object[]) =>
      ok(await registrar('PUT', `/programs/sync/${heavy}`, { mode: 'merge', courses }))
    const loads = (answer: any) =>
      answer.problems
        .filter((p: { code: string }) => p.code === 'plan_load')
        .map(({ severity, field, data }: any) => [severity, field, data])
    const { max_hours } = ok(await registrar('GET', `/programs/study-plan/${heavy}`))
    await addCourse('HV1', { credit_hours: max_hours })
    expect(loads(await put([at('HV1', 2)]))).toEqual([])
    const { pools } = ok(
      await registrar('PUT', '/programs/program/pool', {
        program_id: heavy,
        name: 'Electives',
        name_local: 'اختياري',
        min_credit_hours: 3,
      }),
    )
    expect(loads(await put([at('C', 2, { kind: 'elective', pool_id: pools[0].id })]))).toEqual([])
    const placed = await put([at('D', 2)])
    expect(loads(placed)).toEqual([
      ['warning', 'semesters.2', { semester: 2, hours: max_hours + 3, maximum: max_hours }],
    ])
    expect(placed.courses).toHaveLength(3)
  })

  test('what other areas read', async () => {
    const { plan: study, courses: facts, program } = await programPlan(u.services.db, id.program)
    expect(program.bylaw.code).toBe('B23')
    expect(study.groups.map((g) => g.kind)).toEqual(['mandatory', 'elective'])
    expect(study.courses.every((c) => facts.has(c.course_id))).toBe(true)
  })

  test('only within reach; a coordinator of the program may plan, a dean may look', async () => {
    expect((await sync([at('A', 1)], 'merge', outsider)).status).toBe(404)
    expect((await outsider('GET', `/programs/study-plan/${id.program}`)).status).toBe(404)
    const coordinator = await u.as('program_coordinator', ['program', id.program])
    expect(ok(await coordinator('GET', `/programs/study-plan/${id.program}`)).abilities).toEqual(['edit_plan'])
    ok(await sync([at('A', 1)], 'merge', coordinator))
    expect((await coordinator('POST', `/programs/make-general/${id.program}`, {})).status).toBe(403)
    const dean = await u.as('dean', ['faculty', id.engineering])
    expect(ok(await dean('GET', `/programs/study-plan/${id.program}`)).abilities).toEqual([])
  })

  test('two people change a plan at once: nothing is lost, and who saw an older plan is told', async () => {
    const { program, courses: placed } = await plan()
    const [first, second] = placed
    const move = (course: { id: number }, semester: number, version?: number) =>
      registrar('PUT', `/programs/program/course/semester/${course.id}`, {
        semester,
        level: 1,
        ...(version && { version }),
      })
    const answers = await Promise.all([move(first, 2, program.version), move(second, 2, program.version)])
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409])
    await Promise.all([move(first, 1), move(second, 1)])
    expect((await plan()).courses.filter((c: { semester: number }) => c.semester === 1).length).toBeGreaterThanOrEqual(
      2,
    )
  })

  test('the research plan of a postgraduate program: set, changed, refused with every reason, in history and export', async () => {
    const master = ok(
      await registrar('PUT', '/programs', {
        code: 'MSC',
        name: 'Master of Engineering',
        name_local: 'ماجستير الهندسة',
        faculty_id: id.engineering,
        bylaw_id: id.bylaw,
        study_level: 'postgraduate',
        semesters: 4,
      }),
    )
    expect(master.research_plan).toEqual([])
    const line = (stage: string, from: number | null = null, to: number | null = null) => ({
      stage,
      times: 1,
      earliest_semester: from,
      latest_semester: to,
    })
    const bad = await registrar('POST', '/programs/research-plan', {
      program_id: master.id,
      research_plan: [line('proposal', 3), line('coursework', 1, 2), line('defence', 5)],
    })
    expect([bad.status, reasons(bad)]).toEqual([
      422,
      [
        'research_beyond@research_plan.2.earliest_semester',
        'research_order@research_plan.1.stage',
        'research_too_early@research_plan.1.latest_semester',
      ],
    ])
    const set = ok(
      await registrar('POST', '/programs/research-plan', {
        program_id: master.id,
        research_plan: [line('coursework', 1, 2), line('proposal', 2, 3), line('defence', 4)],
        version: master.version,
      }),
    )
    expect(set.research_plan.map((one: { stage: string }) => one.stage)).toEqual(['coursework', 'proposal', 'defence'])
    const [coursework, proposal, defence] = set.research_plan
    const changed = { research_plan: [coursework, proposal, { ...line('seminar', 3), times: 2 }, defence] }
    const late = await registrar('POST', `/programs/research-plan/${master.id}`, {
      ...changed,
      version: master.version,
    })
    expect([late.status, reasons(late)]).toEqual([409, ['changed_meanwhile']])
    const now = ok(
      await registrar('POST', `/programs/research-plan/${master.id}`, { ...changed, version: set.version }),
    )
    expect(now.research_plan).toMatchObject([coursework, proposal, { stage: 'seminar', times: 2 }, defence])

    // What the plan stands on is not taken from under it.
    const shorter = await registrar('PUT', `/programs/${master.id}`, { semesters: 3, version: now.version })
    expect(reasons(shorter)).toEqual(['research_beyond@research_plan.3.earliest_semester'])
    const lower = await registrar('PUT', `/programs/${master.id}`, { study_level: 'undergraduate' })
    expect(reasons(lower)).toEqual(['research_undergraduate@research_plan'])
    const bachelor = await registrar('POST', `/programs/research-plan/${id.program}`, changed)
    expect(reasons(bachelor)).toContain('research_undergraduate@research_plan')
    expect((await outsider('POST', `/programs/research-plan/${master.id}`, changed)).status).toBe(404)

    const history = ok(await registrar('GET', `/programs/${master.id}/history`))
    expect(JSON.stringify(history)).toContain('seminar')
    const file = await registrar('POST', '/programs/export', {
      search: 'MSC',
      columns: ['code', 'research_plan'],
      lang: 'ar',
    })
    const [, cells] = (await readSheet(file.bytes)).sheets[0]!.rows
    expect(cells!.slice(0, 2).map((cell) => cell.text)).toEqual([
      'MSC',
      'المقررات الدراسية · 1 · 1 · 2؛ المقترح البحثي · 1 · 2 · 3؛ حلقات النقاش (سيمنار) · 2 · 3؛ المناقشة والحكم · 1 · 4',
    ])
    ok(await registrar('DELETE', `/programs/${master.id}`))
  })

  test('the whole bylaw on paper, in both languages, with programs and plans', async () => {
    for (const lang of ['en', 'ar'] as const) {
      const paper = await registrar('POST', `/bylaws/export/pdf/${id.bylaw}`, { lang })
      expect([paper.status, paper.headers['content-type']]).toEqual([200, 'application/pdf'])
      if (process.env.KEEP) await (await import('node:fs/promises')).writeFile(`/tmp/lead_${lang}.pdf`, paper.bytes)
      const text = await textOfPdf(paper.bytes)
      // Without pdftotext only that it is made is known.
      if (text === null) continue
      const { programs, grade_types, levels } = ok(await registrar('GET', `/bylaws/settings/${id.bylaw}`))
      const { courses: placed } = await plan()
      for (const said of [
        programs[0].code,
        ...placed.map((c: { code: string }) => c.code),
        ...grade_types[0].ranges.map((r: { letter: string }) => r.letter),
        ...(lang === 'en' ? ['Academic warnings', levels[0].name] : []),
      ])
        expect(text).toContain(said)
    }
    expect((await outsider('POST', `/bylaws/export/pdf/${id.bylaw}`, {})).status).toBe(404)
  })

  test('a program stays in its faculty and under its bylaw', async () => {
    expect(reasons(await registrar('PUT', `/programs/${id.program}`, { faculty_id: id.commerce }))).toEqual([
      'bylaw_other_faculty@bylaw_id',
      'department_other_faculty@department_id',
    ])
    const bylaw = { code: 'B24', name: 'New bylaw', name_local: 'لائحة جديدة', faculty_id: id.engineering }
    const { id: other } = ok(await registrar('PUT', '/bylaws', { ...bylaw, program_type: 'credit_hours' }))
    await u.database.pool.query(
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level)
       values ('S2', 'Student', 'طالب', $1, $2, $3, 1)`,
      [id.engineering, id.program, id.bylaw],
    )
    expect(reasons(await registrar('PUT', `/programs/${id.program}`, { bylaw_id: other }))).toContain(
      'program_has_students@bylaw_id',
    )
    await u.database.pool.query(`delete from students where code = 'S2'`)
  })
})

test('courses an instructor teaches: own ones, and others within reach', async () => {
  const teacher = await u.as('instructor', undefined, { type: 1 })
  const { rows } = await u.database.pool.query(
    `insert into instructors (user_id, code, name, name_local, faculty_id) values ($1, 'I1', 'Nour', 'نور', $2) returning id`,
    [teacher.user_id, id.engineering],
  )
  await u.database.pool.query(
    `with y as (insert into years (code, name, name_local, start_date, end_date) values ('25', '2025', '2025', '2025-09-01', '2026-08-31') returning id),
      t as (insert into terms (year_id, code, name, name_local, term_type, start_date, end_date) select id, 'F25', 'Fall', 'خريف', 'fall', '2025-09-20', '2026-01-20' from y returning id),
      o as (insert into offerings (term_id, course_id, code) select id, $1, '1' from t returning id)
    insert into offering_instructors (offering_id, instructor_id, role) select id, $2, 'leader' from o`,
    [courses.A, rows[0].id],
  )
  const mine = await teacher('POST', '/staff/instructor-courses', {})
  expect(ok(mine)).toMatchObject([{ code: 'A', offerings: [{ role: 'leader' }] }])
  expect(mine.body.meta.lookup.terms).toHaveLength(1)
  expect(ok(await registrar('POST', '/staff/instructor-courses', { instructor_id: rows[0].id }))).toHaveLength(1)
  expect((await outsider('POST', '/staff/instructor-courses', { instructor_id: rows[0].id })).status).toBe(404)
  expect(reasons(await registrar('POST', '/staff/instructor-courses', {}))).toEqual(['no_instructor@instructor_id'])
  expect(ok(await registrar('GET', `/courses/connections/${courses.A}`)).offerings).toMatchObject([
    { code: '1', instructors: [{ name: 'Nour' }], registered: 0 },
  ])
})
