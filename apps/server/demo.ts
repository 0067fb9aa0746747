import { hash } from '@node-rs/argon2'
import { sql } from 'kysely'
import { followIds, insertRows } from '#db/bulk.ts'
import type { Db, Tx } from '#db/connect.ts'
import { computeGrades } from '#areas/grading/grades/compute.server.ts'
import { actOn } from '#areas/grading/guard.server.ts'
import { Reference, calendarOf, writeRecords } from '#areas/grading/terms/record.server.ts'
import { buildDemo } from '../demo/index.ts'
import type { CourseRequisite, DemoUniversity } from '../demo/model.ts'

/** Rows of the structure with other names or places than the tables'. */
type Rows = readonly Readonly<Record<string, unknown>>[]

/**
 * Loads the demo university into an empty database: its structure is the same on every machine on one day. Everything
 * goes in with the ids of the structure, so that examples can name them. Roles must be seeded.
 *
 * @param today the day from which terms and windows are counted, `YYYY-MM-DD`
 */
export async function loadDemo(db: Db, today = new Date().toISOString().slice(0, 10)): Promise<DemoUniversity> {
  const demo = buildDemo({ today })
  // One hash for all: a demo password is public anyway, and a thousand hashes would take minutes.
  const password_hash = await hash(demo.accounts[0]!.password)
  await db.transaction().execute(async (tx) => {
    await sql`select set_config('ems.actor', ${JSON.stringify({ reason: 'demo university' })}, true)`.execute(tx)
    await actOn(tx, 'load')
    await catalogue(tx, demo)
    await timeAndPlace(tx, demo)
    const instructorIds = await people(tx, demo, password_hash)
    await study(tx, demo, instructorIds)
    await results(tx, demo)
  })
  await sql`analyze`.execute(db)
  return demo
}

const NAMED = ['id', 'code', 'name', 'name_local'] as const
const pick = <T extends object, K extends keyof T>(row: T, ...keys: K[]): Pick<T, K> =>
  Object.fromEntries(keys.map((k) => [k, row[k]])) as Pick<T, K>
const coursesIn = (r: CourseRequisite | null): number[] =>
  !r ? [] : 'course' in r ? [r.course] : ('all' in r ? r.all : r.any).flatMap(coursesIn)
/** Inserts rows whose ids the database gives, and answers them in order. */
const insertNew = (tx: Tx, table: string, rows: Rows) => insertRows(tx, table, rows, { returning: 'id' })

async function catalogue(tx: Tx, demo: DemoUniversity): Promise<void> {
  await insertRows(
    tx,
    'countries',
    demo.nationalities.map((n) => pick(n, ...NAMED)),
    { conflict: 'on conflict do nothing' },
  )
  await insertRows(
    tx,
    'faculties',
    demo.faculties.map((f) => pick(f, ...NAMED)),
  )
  await insertRows(
    tx,
    'departments',
    demo.departments.map((d) => pick(d, ...NAMED, 'faculty_id')),
  )
  await insertRows(
    tx,
    'bylaws',
    demo.bylaws.map((b) => ({
      ...pick(
        b,
        ...NAMED,
        'faculty_id',
        'program_type',
        'warning_type',
        'warning_count',
        'warning_gpa',
        'max_warnings',
      ),
      ...pick(b, 'min_percentage_final_exam', 'total_places', 'repeat_rule', 'repeat_max_points', 'max_improvements'),
      ...pick(b, 'improve_letters', 'graduation_hours', 'graduation_gpa', 'min_training_weeks', 'start_year'),
      ...pick(b, 'in_admission', 'grades_visibility'),
      improve_max_points: b.repeat_max_points,
    })),
  )
  const ofBylaw = <T extends object>(rows: (b: DemoUniversity['bylaws'][number]) => readonly T[]): Rows =>
    demo.bylaws.flatMap((b) => rows(b).map((row) => ({ bylaw_id: b.id, ...row })))
  await insertNew(
    tx,
    'bylaw_levels',
    ofBylaw((b) => b.levels),
  )
  const letters = await insertNew(
    tx,
    'grade_types',
    demo.bylaws.map((b) => ({ bylaw_id: b.id, kind: 'letter', name: 'Letter grade', name_local: 'تقدير' })),
  )
  await insertNew(
    tx,
    'grade_ranges',
    demo.bylaws.flatMap((b, i) => b.grade_ranges.map((g) => ({ grade_type_id: letters[i], ...g }))),
  )
  await insertNew(
    tx,
    'special_grades',
    ofBylaw((b) => b.special_grades),
  )
  await insertNew(
    tx,
    'gpa_ranges',
    ofBylaw((b) => b.gpa_ranges),
  )
  await insertNew(
    tx,
    'load_ranges',
    ofBylaw((b) => b.load_ranges),
  )

  await insertRows(
    tx,
    'courses',
    demo.courses.map((c) => ({
      ...pick(c, ...NAMED, 'faculty_id', 'department_id', 'lecture_hours', 'tutorial_hours', 'laboratory_hours'),
      ...pick(c, 'clinical_hours', 'credit_hours', 'min_passed_hours', 'min_level', 'requirement', 'prerequisites'),
    })),
  )
  const pairs = (of: (c: DemoUniversity['courses'][number]) => readonly number[]): Rows =>
    demo.courses.flatMap((c) => [...new Set(of(c))].map((id) => ({ course_id: c.id, required_course_id: id })))
  await insertRows(
    tx,
    'course_prerequisites',
    pairs((c) => coursesIn(c.prerequisites)),
  )
  await insertRows(
    tx,
    'course_corequisites',
    pairs((c) => c.corequisites),
  )
  await insertRows(
    tx,
    'programs',
    demo.programs.map((p) => ({
      ...pick(p, ...NAMED, 'bylaw_id', 'faculty_id', 'department_id', 'degree', 'degree_local', 'program_type'),
      ...pick(p, 'min_credit_hours', 'min_training_weeks', 'admission_capacity'),
    })),
  )
  await insertRows(
    tx,
    'program_pools',
    demo.program_pools.map((p) => pick(p, 'id', 'program_id', 'name', 'name_local', 'min_credit_hours')),
  )
  await insertNew(tx, 'program_courses', demo.program_courses)
  const lists = demo.programs.flatMap((p) =>
    (['university', 'faculty'] as const).flatMap((type) =>
      p[`${type}_requirements`].map((course_id) => ({ program_id: p.id, bylaw_id: p.bylaw_id, type, course_id })),
    ),
  )
  await insertRows(
    tx,
    'program_requirements',
    lists.map((r) => pick(r, 'program_id', 'type', 'course_id')),
  )
  await insertRows(
    tx,
    'bylaw_requirements',
    lists.map((r) => pick(r, 'bylaw_id', 'type', 'course_id')),
    {
      conflict: 'on conflict do nothing',
    },
  )
  await insertRows(tx, 'mark_categories', demo.mark_categories)
  await insertRows(
    tx,
    'marks',
    demo.marks.map((m) => pick(m, ...NAMED, 'bylaw_id')),
  )
  await insertRows(
    tx,
    'mark_items',
    demo.marks.flatMap((m) => m.items.map((item) => ({ mark_id: m.id, ...item }))),
  )
  await followIds(
    tx,
    'faculties',
    'departments',
    'bylaws',
    'courses',
    'programs',
    'program_pools',
    'mark_categories',
    'marks',
  )
}

async function timeAndPlace(tx: Tx, demo: DemoUniversity): Promise<void> {
  const { name, name_local, short_name } = demo.university
  await insertNew(
    tx,
    'settings',
    Object.entries({ university_name: name, university_name_local: name_local, university_short_name: short_name }).map(
      ([key, value]) => ({ key, value, grouping: 'identity', public: true }),
    ),
  )
  await insertRows(
    tx,
    'buildings',
    demo.buildings.map((b) => pick(b, ...NAMED, 'faculty_id')),
  )
  await insertRows(
    tx,
    'locations',
    demo.locations.map((l) => pick(l, ...NAMED, 'building_id', 'floor', 'capacity', 'location_type')),
  )
  await insertRows(tx, 'slots', demo.slots)
  await insertRows(tx, 'years', demo.years)
  await insertRows(
    tx,
    'terms',
    demo.terms.map((t) => ({ ...pick(t, ...NAMED, 'year_id', 'start_date', 'end_date'), term_type: t.type })),
  )
  await insertRows(
    tx,
    'current_terms',
    Object.entries(demo.current_terms).map(([key, term_id]) => ({ key, term_id })),
  )
  await insertRows(
    tx,
    'stage_groups',
    demo.stage_groups.map((g) => pick(g, ...NAMED, 'faculty_id')),
  )
  const rows = await tx.selectFrom('stage_codes').select(['id', 'code']).execute()
  const byCode = new Map<string, number>(rows.map((row) => [row.code, row.id]))
  const codeId = new Map(demo.stage_codes.map((c) => [c.id, byCode.get(c.code)]))
  await insertRows(
    tx,
    'term_stages',
    demo.term_stages.map((s) => ({
      ...pick(s, 'id', 'term_id', 'stage_group_id'),
      stage_code_id: codeId.get(s.stage_code_id),
      starts_at: `${s.start_date}T00:00:00+02:00`,
      ends_at: `${s.end_date}T23:59:59+02:00`,
    })),
  )
  await followIds(tx, 'buildings', 'locations', 'slots', 'years', 'terms', 'stage_groups', 'term_stages')
}

/** Answers the instructor of each user of the structure. */
async function people(tx: Tx, demo: DemoUniversity, password_hash: string): Promise<Map<number, number>> {
  const ranked = (role: string) => new Set(demo.accounts.filter((a) => a.role === role).map((a) => a.email))
  const [roots, supers] = [ranked('root'), ranked('super_admin')]
  const accounts = (
    rows: readonly { name: string; name_local: string; email: string; phone: string; type?: number }[],
    type: number,
  ) =>
    insertNew(
      tx,
      'users',
      rows.map((p) => ({
        type: p.type ?? type,
        ...pick(p, 'email', 'name', 'name_local', 'phone'),
        password_hash,
        is_super_admin: supers.has(p.email) || roots.has(p.email),
        is_root: roots.has(p.email),
      })),
    )
  const staff = await accounts(demo.users, 2)
  const students = await accounts(demo.students, 3)
  const applicants = await accounts(demo.applicants, 4)
  const userId = new Map(demo.users.map((u, i) => [u.id, staff[i]!]))

  const academics = demo.users.filter((u) => u.type === 1)
  const advisors = new Set(demo.students.map((s) => s.advisor_id))
  const instructors = await insertNew(
    tx,
    'instructors',
    academics.map((u) => ({
      ...pick(
        u,
        'code',
        'name',
        'name_local',
        'academic_title',
        'department_id',
        'email',
        'phone',
        'gender',
        'national_id',
      ),
      faculty_id: u.faculty_id ?? demo.faculties[0]!.id,
      user_id: userId.get(u.id),
      max_advised: advisors.has(u.id) ? 150 : null,
    })),
  )
  const instructorId = new Map(academics.map((u, i) => [u.id, instructors[i]!]))
  for (const u of academics) {
    const faculty_id = u.roles.find((r) => r.role === 'dean')?.faculty_id
    if (!faculty_id) continue
    await tx
      .updateTable('faculties')
      .set({ dean_id: instructorId.get(u.id)! })
      .where('id', '=', faculty_id)
      .execute()
  }

  await insertRows(
    tx,
    'students',
    demo.students.map((s, i) => ({
      ...pick(s, 'id', 'code', 'name', 'name_local', 'faculty_id', 'program_id', 'bylaw_id', 'entry_term_id', 'level'),
      ...pick(s, 'gender', 'birth_date', 'nationality_id', 'national_id', 'passport_number', 'military_status'),
      ...pick(s, 'email', 'phone', 'school_certificate', 'school_year', 'school_percentage', 'parent_phone'),
      address: s.address_local,
      parent_name: s.parent_name_local,
      user_id: students[i],
      advisor_id: instructorId.get(s.advisor_id) ?? null,
    })),
  )
  await followIds(tx, 'students')

  const seeded = await tx.selectFrom('roles').select(['id', 'key']).execute()
  const roleId = new Map<string, number>(seeded.map((r) => [r.key, r.id]))
  const assigned = (
    user_id: number | undefined,
    key: string,
    faculty: number | null = null,
    program: number | null = null,
  ) => {
    const role_id = roleId.get(key)
    if (!role_id) throw new Error(`the demo university names a role that is not seeded: ${key}`)
    return {
      user_id,
      role_id,
      scope_type: program ? 'program' : faculty ? 'faculty' : null,
      scope_id: program ?? faculty,
    }
  }
  await insertNew(tx, 'role_assignments', [
    ...demo.users.flatMap((u) => u.roles.map((r) => assigned(userId.get(u.id), r.role, r.faculty_id, r.program_id))),
    ...students.map((id) => assigned(id, 'student')),
    ...applicants.map((id) => assigned(id, 'applicant')),
  ])
  return instructorId
}

async function study(tx: Tx, demo: DemoUniversity, instructorId: ReadonlyMap<number, number>): Promise<void> {
  const course = new Map(demo.courses.map((c) => [c.id, c]))
  const term = new Map(demo.terms.map((t) => [t.id, t]))
  const offering = new Map(demo.offerings.map((o) => [o.id, o]))
  const scheme = new Map(demo.marks.map((m) => [m.id, m]))
  const today = Date.parse(demo.today)
  /**
   * When a student registered: before the term of old ones; in the current one on any day since it began, all courses
   * on the same day, most on the first days, and whoever still waits for an answer on one of the last three.
   */
  const cameAt = (student_id: number, { start_date, state }: DemoUniversity['terms'][number], main: string): string => {
    if (state !== 'current') return start_date
    const luck = ((student_id * 2_654_435_761) % 1009) / 1009
    const days = Math.max(1, (today - Date.parse(start_date)) / 86_400_000)
    const day = main.endsWith('Request') ? days - 3 * luck : days * luck ** 1.7
    // Between eight in the morning and six in the evening.
    const minutes = 480 + ((student_id * 7919) % 600)
    return new Date(
      Date.parse(start_date) + Math.max(0, Math.floor(day - 0.001)) * 86_400_000 + minutes * 60_000,
    ).toISOString()
  }

  await insertRows(
    tx,
    'offerings',
    demo.offerings.map((o) => ({
      ...pick(o, 'id', 'term_id', 'course_id', 'code', 'mark_id', 'control_status'),
      ...pick(course.get(o.course_id)!, 'faculty_id', 'department_id'),
      is_open: term.get(o.term_id)!.state === 'current',
      min_students: 5,
    })),
  )
  await insertRows(tx, 'offering_programs', demo.offering_programs)
  await insertRows(
    tx,
    'offering_instructors',
    demo.offering_instructors.map((i) => ({
      ...pick(i, 'offering_id', 'role'),
      instructor_id: instructorId.get(i.user_id),
    })),
  )
  const groups = demo.offerings.flatMap((o) =>
    Array.from({ length: o.number_of_groups }, (_, i) => ({ offering_id: o.id, number: i + 1 })),
  )
  const groupIds = await insertNew(tx, 'offering_groups', groups)
  const groupId = new Map(groups.map((g, i) => [`${g.offering_id}/${g.number}`, groupIds[i]]))
  await insertRows(
    tx,
    'offering_slots',
    demo.offering_slots.map((s) => ({
      ...pick(s, 'id', 'offering_id', 'type', 'day', 'slot_id', 'location_id', 'quota', 'over_quota'),
      term_id: offering.get(s.offering_id)!.term_id,
      group_id: groupId.get(`${s.offering_id}/${s.group}`),
    })),
  )
  await insertRows(
    tx,
    'offering_slot_instructors',
    demo.offering_slots.flatMap((s) =>
      s.instructor_ids.map((id) => ({ offering_slot_id: s.id, instructor_id: instructorId.get(id) })),
    ),
  )
  const schemeRows = demo.offerings.flatMap((o) =>
    scheme.get(o.mark_id)!.items.map((item) => ({ offering_id: o.id, ...item })),
  )
  const schemeIds = await insertNew(tx, 'offering_marks', schemeRows)
  const schemeId = new Map(schemeRows.map((row, i) => [`${row.offering_id}/${row.mark_category_id}`, schemeIds[i]]))

  await insertRows(
    tx,
    'registrations',
    demo.registrations.map((r) => {
      const { term_id, course_id } = offering.get(r.offering_id)!
      return {
        ...pick(r, 'id', 'student_id', 'offering_id', 'status'),
        term_id,
        course_id,
        credit_hours: course.get(course_id)!.credit_hours,
        created_at: cameAt(r.student_id, term.get(term_id)!, r.main),
      }
    }),
  )
  // The first to come sit within the quota; whoever comes later was given a place above it.
  const left = new Map(demo.offering_slots.map((s) => [s.id, s.quota]))
  await insertRows(
    tx,
    'registration_slots',
    demo.registration_slots.map((s) => {
      const free = left.get(s.offering_slot_id)! - 1
      left.set(s.offering_slot_id, free)
      return { ...s, over: free < 0 }
    }),
  )
  await insertNew(
    tx,
    'registration_history',
    demo.registrations.map((r) => ({
      registration_id: r.id,
      ...pick(r, 'student_id', 'offering_id'),
      at: cameAt(r.student_id, term.get(offering.get(r.offering_id)!.term_id)!, r.main),
      action: r.main === 'RegisterRequest' ? 'request' : r.main === 'AddRequest' ? 'add' : 'enroll',
      to_status: r.status,
      reason: 'demo university',
    })),
  )
  const offeringOf = new Map(demo.registrations.map((r) => [r.id, r.offering_id]))
  await insertRows(
    tx,
    'registration_marks',
    demo.registration_marks.map((m) => ({
      ...pick(m, 'registration_id', 'mark', 'absent'),
      offering_mark_id: schemeId.get(`${offeringOf.get(m.registration_id)}/${m.mark_category_id}`),
    })),
  )
  await insertNew(tx, 'wait_list', demo.wait_list)
  await followIds(tx, 'offerings', 'offering_slots', 'registrations')
}

/** Grades of everything that has marks, and the rows of the terms that are over. */
async function results(tx: Tx, demo: DemoUniversity): Promise<void> {
  await computeGrades(
    tx,
    demo.offerings.map((o) => o.id),
  )
  const terms = demo.terms.filter((t) => t.state === 'finished').map((t) => t.id)
  await writeRecords(
    tx,
    new Reference(await calendarOf(tx)),
    terms,
    demo.students.map((s) => s.id),
    null,
  )
}
