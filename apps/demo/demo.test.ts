import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ROLE_KEYS } from '#access/roles.contract.ts'
import { checkRequisite } from '#areas/study/catalogue/requisites.rules.ts'
import { buildDemo, DEMO_PASSWORD, demoAccounts, type DemoUniversity } from './index.ts'
import { COURSES, parseRequisite } from './courses.ts'
import type { CourseRequisite } from './model.ts'
import { COMMON, COPTIC } from './names.ts'
import { checkDigit } from './people.ts'

const today = '2026-11-20'
const demo = buildDemo({ today })

const offeringOf = (id: number) => demo.offerings[id - 1]!
const courseOf = (id: number) => demo.courses[id - 1]!
const leavesOf = (tree: CourseRequisite): number[] =>
  'course' in tree ? [tree.course] : ('all' in tree ? tree.all : tree.any).flatMap(leavesOf)
const repeats = <T>(list: T[]): T[] => list.filter((value, i) => list.indexOf(value) !== i)

describe('building', () => {
  test('the same options give the same university, other seeds another one', () => {
    expect(JSON.stringify(buildDemo({ today }))).toBe(JSON.stringify(demo))
    expect(buildDemo({ today, seed: 7 }).students[0]!.name).not.toBe(demo.students[0]!.name)
  })

  test('takes less than two seconds of a processor', () => {
    const begun = process.cpuUsage()
    buildDemo({ today })
    const { user, system } = process.cpuUsage(begun)
    expect((user + system) / 1e6).toBeLessThan(2)
  })

  test('refuses what is no date', () => {
    expect(() => buildDemo({ today: '2026-13-40' })).toThrow(RangeError)
    expect(() => buildDemo({ today: '20.11.2026' })).toThrow(RangeError)
  })

  test('ids count from one in every list, and every reference finds its row', () => {
    const lists = Object.entries(demo).filter(([key, value]) => Array.isArray(value) && key !== 'nationalities')
    for (const [key, value] of lists as [keyof DemoUniversity, { id?: number }[]][])
      if (value[0]?.id !== undefined)
        expect({ key, ok: value.every((row, i) => row.id === i + 1) }).toEqual({ key, ok: true })
    const targets: Record<string, { length: number }> = {
      student_id: demo.students,
      offering_id: demo.offerings,
      course_id: demo.courses,
      program_id: demo.programs,
      faculty_id: demo.faculties,
      department_id: demo.departments,
      bylaw_id: demo.bylaws,
      term_id: demo.terms,
      year_id: demo.years,
      slot_id: demo.slots,
      location_id: demo.locations,
      building_id: demo.buildings,
      advisor_id: demo.users,
      user_id: demo.users,
      mark_id: demo.marks,
      pool_id: demo.program_pools,
      mark_category_id: demo.mark_categories,
      registration_id: demo.registrations,
      offering_slot_id: demo.offering_slots,
      stage_code_id: demo.stage_codes,
      stage_group_id: demo.stage_groups,
    }
    for (const [, rows] of lists)
      for (const row of rows as Record<string, unknown>[])
        for (const [field, list] of Object.entries(targets)) {
          const value = row[field]
          if (value === undefined || value === null) continue
          if (!((value as number) >= 1 && (value as number) <= list.length)) expect.fail(`${field} ${String(value)}`)
        }
  })

  test('any load date and size', { timeout: 180_000 }, () => {
    const date = fc.date({ min: new Date('2026-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(date, fc.integer({ min: 60, max: 1800 }), fc.integer({ min: 40, max: 90 }), (at, students, staff) => {
        const day = at.toISOString().slice(0, 10)
        const made = buildDemo({ today: day, students, staff, seed: students })
        checkCalendar(made, day)
        checkTimetable(made)
      }),
      { numRuns: 12 },
    )
  })
})

function checkCalendar(made: DemoUniversity, day: string): void {
  for (const [i, term] of made.terms.entries()) {
    expect(term.start_date < term.end_date).toBe(true)
    if (i > 0) expect(made.terms[i - 1]!.end_date < term.start_date).toBe(true)
    const year = made.years[term.year_id - 1]!
    expect(term.start_date >= year.start_date && term.end_date <= year.end_date).toBe(true)
  }
  const current = made.terms.find((term) => term.state === 'current')!
  expect(current.id).toBe(made.current_terms.current_term)
  expect(current.start_date <= day && day <= current.end_date).toBe(true)
  for (const code of ['register', 'add_drop']) {
    const stage = made.stage_codes.find((entry) => entry.code === code)!
    for (const group of made.stage_groups) {
      const window = made.term_stages.find(
        (entry) =>
          entry.term_id === current.id && entry.stage_code_id === stage.id && entry.stage_group_id === group.id,
      )!
      expect(window.start_date < day && day < window.end_date).toBe(true)
    }
  }
  expect(made.terms.filter((term) => term.state !== 'current' && term.type !== 'summer').length).toBeGreaterThanOrEqual(
    4,
  )
}

/** No clash of room, teacher or student; seats within quota and room; `taken` equal to the registrations. */
function checkTimetable(made: DemoUniversity): void {
  const seen = new Set<string>()
  const once = (key: string) => {
    if (seen.has(key)) expect.fail(`clash: ${key}`)
    seen.add(key)
  }
  const taken = new Map<number, number>()
  for (const slot of made.offering_slots) {
    once(`room ${slot.location_id} ${slot.day} ${slot.slot_id}`)
    for (const id of slot.instructor_ids) once(`teacher ${id} ${slot.day} ${slot.slot_id}`)
    if (slot.quota + slot.over_quota > made.locations[slot.location_id - 1]!.capacity) expect.fail('room too small')
  }
  const chosen = new Map<number, Set<string>>()
  for (const { registration_id, offering_slot_id } of made.registration_slots) {
    const slot = made.offering_slots[offering_slot_id - 1]!
    const registration = made.registrations[registration_id - 1]!
    if (slot.offering_id !== registration.offering_id) expect.fail('slot of another offering')
    once(`student ${registration.student_id} ${slot.day} ${slot.slot_id}`)
    taken.set(slot.id, (taken.get(slot.id) ?? 0) + 1)
    const types = chosen.get(registration_id) ?? new Set()
    types.add(`${slot.group} ${slot.type}`)
    chosen.set(registration_id, types)
  }
  for (const slot of made.offering_slots) {
    if ((taken.get(slot.id) ?? 0) !== slot.taken) expect.fail('taken differs from the registrations')
    if (slot.taken > slot.quota) expect.fail(`slot ${slot.id} holds ${slot.taken} of ${slot.quota}`)
  }
  const types = Map.groupBy(made.offering_slots, (slot) => slot.offering_id)
  for (const registration of made.registrations) {
    if (made.offerings[registration.offering_id - 1]!.term_id !== made.current_terms.current_term) continue
    const wanted = new Set(types.get(registration.offering_id)!.map((slot) => slot.type))
    // One group, every type of meeting once.
    const mine = [...(chosen.get(registration.id) ?? [])]
    if (mine.length !== wanted.size || new Set(mine.map((key) => key.split(' ')[0])).size !== 1)
      expect.fail(`registration ${registration.id} lacks a meeting`)
  }
}

describe('catalogue', () => {
  test('codes have no spaces and are distinct, both names are distinct', () => {
    expect(repeats(COURSES.map((course) => course.code))).toEqual([])
    expect(repeats(COURSES.map((course) => course.name))).toEqual([])
    expect(repeats(COURSES.map((course) => course.name_local))).toEqual([])
    for (const course of COURSES) expect(course.code).toMatch(/^[A-Z]{3}\d{3}$/)
  })

  test('requisites are read as expressions', () => {
    expect(parseRequisite('MTH101')).toEqual({ course: 'MTH101' })
    expect(parseRequisite('MTH101 & (AID201 / AID202>=C+)')).toEqual({
      all: [{ course: 'MTH101' }, { any: [{ course: 'AID201' }, { course: 'AID202', min_grade: 'C+' }] }],
    })
    for (const wrong of ['', 'MTH101 &', '(MTH101', 'MTH101 MTH102', 'x'])
      expect(() => parseRequisite(wrong)).toThrow('Requisite')
  })

  test('plans place prerequisites earlier, no course twice, and reach their hours', () => {
    for (const program of demo.programs) {
      const plan = demo.program_courses.filter((entry) => entry.program_id === program.id)
      expect(repeats(plan.map((entry) => entry.course_id))).toEqual([])
      expect(new Set(plan.map((entry) => entry.semester))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8]))
      const semesters = new Map(plan.map((entry) => [entry.course_id, entry.semester]))
      const met = (tree: CourseRequisite, before: number): boolean => {
        if ('all' in tree) return tree.all.every((part) => met(part, before))
        if ('any' in tree) return tree.any.some((part) => met(part, before))
        return (semesters.get(tree.course) ?? Infinity) < before
      }
      const hoursBefore = (semester: number) =>
        plan
          .filter((entry) => entry.pool_id === null && entry.semester < semester)
          .reduce((sum, entry) => sum + courseOf(entry.course_id).credit_hours, 0)
      for (const entry of plan) {
        const course = courseOf(entry.course_id)
        const where = `${program.code} ${course.code}`
        if (course.prerequisites && !met(course.prerequisites, entry.semester)) expect.fail(`${where}: prerequisites`)
        for (const other of course.corequisites)
          if ((semesters.get(other) ?? Infinity) > entry.semester) expect.fail(`${where}: co-requisites`)
        if (entry.level < course.min_level) expect.fail(`${where}: level`)
        if (hoursBefore(entry.semester) < course.min_passed_hours) expect.fail(`${where}: passed hours`)
      }
      const pools = demo.program_pools.filter((pool) => pool.program_id === program.id)
      const hours = hoursBefore(9) + pools.reduce((sum, pool) => sum + pool.min_credit_hours, 0)
      expect(hours).toBe(program.min_credit_hours)
      expect(hours).toBeGreaterThanOrEqual(130)
      expect(hours).toBeLessThanOrEqual(165)
      for (const pool of pools) {
        const courses = plan.filter((entry) => entry.pool_id === pool.id)
        const offered = courses.reduce((sum, entry) => sum + courseOf(entry.course_id).credit_hours, 0)
        expect(offered).toBeGreaterThan(pool.min_credit_hours)
      }
    }
  })

  test('prerequisites contain no cycle', () => {
    const done = new Set<number>()
    const visit = (id: number, path: number[]): void => {
      if (path.includes(id)) expect.fail(`cycle: ${[...path, id].map((c) => courseOf(c).code).join(' ')}`)
      const tree = courseOf(id).prerequisites
      if (tree) expect(checkRequisite(tree)).toEqual([])
      if (!done.has(id) && tree) for (const other of leavesOf(tree)) visit(other, [...path, id])
      done.add(id)
    }
    for (const course of demo.courses) visit(course.id, [])
  })

  test('grade, GPA and load ranges tile their interval; schemes sum to 100 with one final exam', () => {
    const tiles = (ranges: { from: number; to: number }[], end: number) => {
      const sorted = ranges.toSorted((a, b) => a.from - b.from)
      expect(sorted[0]!.from).toBe(0)
      expect(sorted.at(-1)!.to).toBe(end)
      for (let i = 1; i < sorted.length; i++) expect(sorted[i]!.from).toBe(sorted[i - 1]!.to)
    }
    for (const bylaw of demo.bylaws) {
      tiles(
        bylaw.grade_ranges.map((r) => ({ from: Number(r.from_percent), to: Number(r.to_percent) })),
        100,
      )
      tiles(
        bylaw.gpa_ranges.map((r) => ({ from: Number(r.from_gpa), to: Number(r.to_gpa) })),
        4,
      )
      tiles(
        bylaw.load_ranges.map((r) => ({ from: Number(r.from_gpa), to: Number(r.to_gpa) })),
        4,
      )
      expect(repeats(bylaw.grade_ranges.map((range) => range.letter))).toEqual([])
    }
    for (const scheme of demo.marks) {
      expect(scheme.items.reduce((sum, item) => sum + Number(item.max), 0)).toBe(100)
      const finals = scheme.items.filter((item) => demo.mark_categories[item.mark_category_id - 1]!.is_final_exam)
      expect(finals).toHaveLength(1)
    }
  })
})

describe('people', () => {
  const everybody = [...demo.users, ...demo.students, ...demo.applicants]

  test('national ids agree with birth date and gender, and are distinct', () => {
    for (const person of everybody) {
      if (person.national_id === null) {
        expect(person.nationality_id).not.toBe(64)
        expect(person.passport_number).toMatch(/^[A-Z]\d{8}$/)
        continue
      }
      expect(person.nationality_id).toBe(64)
      expect(person.national_id).toMatch(/^[23]\d{13}$/)
      const century = person.national_id.startsWith('2') ? '19' : '20'
      expect(century + person.national_id.slice(1, 7)).toBe(person.birth_date.replaceAll('-', ''))
      expect(Number(person.national_id[12]) % 2).toBe(person.gender === 1 ? 1 : 0)
      expect(Number(person.national_id[13])).toBe(checkDigit(person.national_id.slice(0, 13)))
    }
    const ids = everybody.flatMap((person) => person.national_id ?? person.passport_number ?? [])
    expect(new Set(ids).size).toBe(everybody.length)
    expect(demo.students.some((student) => student.nationality_id !== 64)).toBe(true)
  })

  test('names, codes and addresses are distinct and of the right form', () => {
    for (const field of ['name_local', 'email'] as const)
      expect(new Set(everybody.map((person) => person[field])).size).toBe(everybody.length)
    expect(new Set(demo.students.map((student) => student.code)).size).toBe(demo.students.length)
    for (const person of everybody) {
      expect(person.name).toMatch(/^[A-Za-z]+( [A-Za-z]+){3}$/)
      expect(person.name_local).toMatch(/^[\u0621-\u064a ]+$/)
      expect(person.email).toMatch(/^[a-z0-9.]+@[a-z.]+\.[a-z]{2,4}$/)
      expect(person.phone).toMatch(/^01[0125]\d{8}$/)
    }
  })

  test('one spelling in Latin letters for each Arabic name', () => {
    for (const pool of [COMMON, COPTIC])
      for (const list of Object.values(pool)) {
        expect(repeats(list.map(([local]) => local))).toEqual([])
        expect(repeats(list.map(([, latin]) => latin))).toEqual([])
      }
  })

  test('every seeded role has an account with the same password', () => {
    const accounts = demoAccounts(demo)
    expect(new Set(accounts.map((account) => account.role))).toEqual(new Set(ROLE_KEYS))
    expect(new Set(accounts.map((account) => account.email)).size).toBe(accounts.length)
    for (const account of accounts) {
      expect(account.password).toBe(DEMO_PASSWORD)
      const person = everybody.find((one) => one.email === account.email)!
      expect(person.name).toBe(account.name)
      if (!['student', 'applicant'].includes(account.role))
        expect(demo.users.find((user) => user.email === account.email)!.roles.map((r) => r.role)).toContain(
          account.role,
        )
    }
    expect(demo.users.length).toBeGreaterThanOrEqual(55)
    expect(demo.users.length).toBeLessThanOrEqual(70)
  })

  test('every student has an advisor of the faculty', () => {
    for (const student of demo.students) {
      const advisor = demo.users[student.advisor_id - 1]!
      expect(advisor.faculty_id === student.faculty_id || advisor.email.startsWith('advisor@')).toBe(true)
      expect(advisor.roles.map((held) => held.role)).toContain('academic_advisor')
    }
  })
})

describe('Arabic texts', () => {
  test('stand in the fields for Arabic, and only there', () => {
    const arabic = /[\u0600-\u06ff]/
    const visit = (value: unknown, key: string): void => {
      if (Array.isArray(value)) for (const item of value) visit(item, key)
      else if (typeof value === 'object' && value !== null)
        for (const [field, inner] of Object.entries(value)) visit(inner, field)
      else if (typeof value === 'string') {
        if (!key.endsWith('_local')) {
          if (arabic.test(value)) expect.fail(`Arabic in ${key}: ${value}`)
        } else if (/[A-Za-z]/.test(value) || (!arabic.test(value) && !/^\d{4}\/\d{4}$/.test(value)))
          expect.fail(`${key} is not Arabic: ${value}`)
      }
    }
    visit(demo, '')
  })
})

describe('academic history', () => {
  const finished = demo.registrations.filter(
    (registration) => demo.terms[offeringOf(registration.offering_id).term_id - 1]!.state !== 'current',
  )

  test('marks lie within their category and sum to the total', () => {
    const maxima = demo.marks.map(
      (scheme) => new Map(scheme.items.map((item) => [item.mark_category_id, Number(item.max)])),
    )
    const sums = new Map<number, number>()
    const counts = new Map<number, number>()
    for (const row of demo.registration_marks) {
      const offering = offeringOf(demo.registrations[row.registration_id - 1]!.offering_id)
      const max = maxima[offering.mark_id - 1]!.get(row.mark_category_id)
      expect(row.absent).toBe(row.mark === null)
      if (row.mark === null) continue
      const mark = Number(row.mark)
      if (max === undefined || mark < 0 || mark > max) expect.fail(`mark ${row.mark} of ${max}`)
      sums.set(row.registration_id, (sums.get(row.registration_id) ?? 0) + mark)
      counts.set(row.registration_id, (counts.get(row.registration_id) ?? 0) + 1)
    }
    for (const registration of finished) {
      if (registration.total === null) continue
      expect(Math.round(sums.get(registration.id)!)).toBe(Number(registration.total))
      expect(counts.get(registration.id)).toBe(maxima[offeringOf(registration.offering_id).mark_id - 1]!.size)
    }
  })

  test('grades look natural', () => {
    const points = new Map(
      demo.bylaws.map((bylaw) => [bylaw.id, new Map(bylaw.grade_ranges.map((r) => [r.letter, Number(r.points)]))]),
    )
    const sums = new Map<number, { hours: number; points: number }>()
    let failed = 0
    let graded = 0
    for (const registration of finished) {
      if (registration.letter === null) continue
      const student = demo.students[registration.student_id - 1]!
      const value = points.get(student.bylaw_id)!.get(registration.letter)!
      const { credit_hours } = courseOf(offeringOf(registration.offering_id).course_id)
      const sum = sums.get(student.id) ?? { hours: 0, points: 0 }
      sum.hours += credit_hours
      sum.points += value * credit_hours
      sums.set(student.id, sum)
      graded++
      if (value === 0) failed++
    }
    const gpas = [...sums.values()].map((sum) => sum.points / sum.hours)
    const mean = gpas.reduce((sum, gpa) => sum + gpa, 0) / gpas.length
    const deviation = Math.sqrt(gpas.reduce((sum, gpa) => sum + (gpa - mean) ** 2, 0) / gpas.length)
    expect(mean).toBeGreaterThan(2.55)
    expect(mean).toBeLessThan(2.85)
    expect(deviation).toBeGreaterThan(0.4)
    expect(deviation).toBeLessThan(0.75)
    expect(failed / graded).toBeGreaterThan(0.02)
    expect(failed / graded).toBeLessThan(0.08)
    const weak = gpas.filter((gpa) => gpa < 2).length / gpas.length
    expect(weak).toBeGreaterThan(0.03)
    expect(weak).toBeLessThan(0.2)
  })

  test('nobody takes a course twice in a term, or before its prerequisites', () => {
    const passed = new Map<number, Set<number>>()
    const success = demo.bylaws.map(
      (bylaw) => new Set(bylaw.grade_ranges.filter((r) => r.success).map((r) => r.letter)),
    )
    const met = (tree: CourseRequisite, done: Set<number>): boolean => {
      if ('all' in tree) return tree.all.every((part) => met(part, done))
      if ('any' in tree) return tree.any.some((part) => met(part, done))
      return done.has(tree.course)
    }
    for (const term of demo.terms) {
      const rows = demo.registrations.filter((r) => offeringOf(r.offering_id).term_id === term.id)
      const keys = rows.map((r) => r.student_id * 1000 + offeringOf(r.offering_id).course_id)
      expect(new Set(keys).size).toBe(keys.length)
      for (const row of rows) {
        const tree = courseOf(offeringOf(row.offering_id).course_id).prerequisites
        // By marks a level is registered as a block.
        if (demo.bylaws[demo.students[row.student_id - 1]!.bylaw_id - 1]!.program_type !== 'credit_hours') continue
        if (tree && !met(tree, passed.get(row.student_id) ?? new Set())) expect.fail(`registration ${row.id}`)
      }
      for (const row of rows) {
        const { bylaw_id } = demo.students[row.student_id - 1]!
        // Results still missing belong to courses that nothing else asks for.
        if (row.letter === null || !success[bylaw_id - 1]!.has(row.letter)) continue
        const done = passed.get(row.student_id) ?? new Set()
        passed.set(row.student_id, done.add(offeringOf(row.offering_id).course_id))
      }
    }
  })

  test('by marks everybody is registered in every course that the level asks for', () => {
    const taken = new Map<number, Set<number>>()
    for (const row of demo.registrations) {
      const courses = taken.get(row.student_id) ?? new Set()
      taken.set(row.student_id, courses.add(offeringOf(row.offering_id).course_id))
    }
    const over = demo.years.filter((year) =>
      demo.terms.every((term) => term.year_id !== year.id || term.state !== 'current'),
    )
    const lacking = demo.student_years.flatMap(({ student_id, program_id, year_id, level }) =>
      over.some((year) => year.id === year_id)
        ? demo.program_courses.flatMap((entry) =>
            entry.program_id === program_id &&
            entry.level === level &&
            entry.pool_id === null &&
            !taken.get(student_id)?.has(entry.course_id)
              ? [`${student_id} ${courseOf(entry.course_id).code}`]
              : [],
          )
        : [],
    )
    expect(lacking).toEqual([])
  })

  test('failures are repeated, some students withdraw, stay away or are barred', () => {
    const count = (test: (r: (typeof finished)[number]) => boolean) => finished.filter(test).length
    expect(count((r) => r.attempt === 'Repeat')).toBeGreaterThan(100)
    expect(count((r) => r.attempt === 'Improve')).toBeGreaterThan(10)
    for (const main of ['Withdrawn', 'Absent', 'Banned', 'Excused', 'Incomplete'] as const)
      expect(count((r) => r.main === main)).toBeGreaterThan(2)
  })

  test('earlier terms are frozen, the latest one leaves work for control', () => {
    for (const term of demo.terms) {
      const found = new Set(demo.offerings.filter((o) => o.term_id === term.id).map((o) => o.control_status))
      if (term.state === 'finished') expect(found).toEqual(new Set(['Frozen']))
      if (term.state === 'current') expect(found).toEqual(new Set(['Draft']))
      if (term.state === 'control')
        expect(found).toEqual(new Set(['Draft', 'Submitted', 'Reviewed', 'Approved', 'Published']))
    }
  })
})

describe('the current term', () => {
  test('has windows open on the load date', () => checkCalendar(demo, today))

  test('has a timetable without clashes', () => checkTimetable(demo))

  test('has registrations in every state, a full offering with a queue, and slots nearly full', () => {
    const current = demo.registrations.filter(
      (r) => offeringOf(r.offering_id).term_id === demo.current_terms.current_term,
    )
    const mains = Map.groupBy(current, (r) => r.main)
    for (const main of ['Registered', 'RegisterRequest', 'AddRequest', 'DropRequest', 'WithdrawRequest'] as const)
      expect(mains.get(main)?.length ?? 0).toBeGreaterThan(3)
    expect(demo.wait_list.length).toBeGreaterThanOrEqual(3)
    const full = demo.offering_slots.filter((slot) => slot.offering_id === demo.wait_list[0]!.offering_id)
    expect(full.every((slot) => slot.taken === slot.quota)).toBe(true)
    expect(demo.offering_slots.filter((slot) => slot.quota - slot.taken === 1).length).toBeGreaterThan(5)
    expect(new Set(demo.offering_slots.map((slot) => slot.type))).toEqual(
      new Set(['Lecture', 'Tutorial', 'Lab', 'Clinic']),
    )
    const missing = demo.students.filter((student) => !current.some((r) => r.student_id === student.id))
    expect(missing.length / demo.students.length).toBeLessThan(0.12)
  })

  test('demo students are in three situations', () => {
    const mainsOf = (address: string) => {
      const student = demo.students.find((one) => one.email.startsWith(`${address}@`))!
      const mine = demo.registrations.filter(
        (r) => r.student_id === student.id && offeringOf(r.offering_id).term_id === demo.current_terms.current_term,
      )
      return new Set(mine.map((r) => r.main))
    }
    expect(mainsOf('student')).toEqual(new Set())
    expect(mainsOf('student2')).toEqual(new Set(['Registered']))
    expect(mainsOf('student3')).toEqual(new Set(['RegisterRequest']))
  })
})
