import { sql } from 'kysely'
import { flag } from '#areas/common/academics/status.rules.ts'
import { conversionRow } from '#areas/study/catalogue/bylaws/bylaw.demo.ts'
import { usualConversions } from '#areas/study/catalogue/conversion.rules.ts'
import { computeGrades } from '#areas/records/grading/grades/compute.server.ts'
import { writeRecords } from '#areas/records/grading/terms/record.server.ts'
import { GradingReference, calendarOf } from '#areas/records/grading/terms/gather-record.server.ts'
import { insertRows } from '#db/bulk.ts'
import type { Tx } from '#db/connect.ts'
import type { DemoUniversity } from '#demo/model.ts'
import { demoPart, insertNew, pick } from '#demo/part.ts'
import { personMaker } from '#demo/people.ts'
import { seededRandom } from '#demo/random.ts'
import { COHORT, LETTERS, CLASSES, SCHEMES, type PlannedStep, PLAN, ELECTIVES } from './postgraduate-plan.rules.ts'

type Course = PlannedStep & { readonly id: number }
interface Program {
  readonly id: number
  readonly bylaw_id: number
  readonly faculty_id: number
  readonly department_id: number
}

/** A bylaw of its own for the master, with the plan of its courses. */
async function catalogue(
  tx: Tx,
  demo: DemoUniversity,
): Promise<{ program: Program; courses: readonly Course[]; marks: readonly number[] }> {
  const { rows } = await sql<Omit<Program, 'bylaw_id'>>`
    select id, faculty_id, department_id from programs where code = 'MSC-CS'`.execute(tx)
  const [found] = rows
  if (!found) throw new Error('there is no postgraduate program')
  const one = async (table: string, row: Readonly<Record<string, unknown>>): Promise<number> =>
    (await insertNew(tx, table, [row]))[0]!
  const bylaw_id = await one('bylaws', {
    faculty_id: found.faculty_id,
    code: 'FEC-PG2023',
    name: 'Postgraduate bylaw of the Faculty of Engineering and Computing 2023 (credit hours)',
    name_local: 'لائحة الدراسات العليا بكلية الهندسة والحوسبة 2023 (نظام الساعات المعتمدة)',
    program_type: 'credit_hours',
    start_year: 2023,
    warning_gpa: '2.70',
    max_warnings: 2,
    min_percentage_final_exam: '40.00',
    repeat_rule: 'best',
    repeat_max_points: '3.00',
    improve_max_points: '3.00',
    graduation_hours: 37,
    graduation_gpa: '2.70',
    grades_visibility: demo.bylaws[0]!.grades_visibility,
    absence_warn_share: '10',
    absence_ban_share: '25',
    lates_per_absence: 3,
  })
  await insertRows(tx, 'bylaw_levels', [
    { bylaw_id, level: 1, name: 'Courses', name_local: 'مرحلة المقررات', passed_hours: 0 },
    { bylaw_id, level: 2, name: 'Thesis', name_local: 'مرحلة الرسالة', passed_hours: 24 },
  ])
  const grade_type_id = await one('grade_types', {
    bylaw_id,
    kind: 'letter',
    name: 'Letter grade',
    name_local: 'تقدير',
  })
  await insertRows(
    tx,
    'grade_ranges',
    LETTERS.map(([letter, name, name_local, from_percent, to_percent, points]) => ({
      grade_type_id,
      letter,
      name,
      name_local,
      from_percent,
      to_percent,
      points,
      success: points !== '0.00',
    })),
  )
  await insertRows(
    tx,
    'special_grades',
    demo.bylaws[0]!.special_grades.map((grade) => ({ bylaw_id, ...grade })),
  )
  await insertRows(
    tx,
    'gpa_ranges',
    CLASSES.map(([from_gpa, to_gpa, name, name_local]) => ({ bylaw_id, from_gpa, to_gpa, name, name_local })),
  )
  await insertRows(tx, 'load_ranges', [
    { bylaw_id, from_gpa: '0.00', to_gpa: '4.00', max_ch_value: 12, max_summer_ch_value: 6, max_courses: 4 },
  ])
  await insertRows(
    tx,
    'bylaw_conversions',
    usualConversions(6500).map((line) => ({ bylaw_id, ...conversionRow(line) })),
  )
  const categories = new Map(demo.mark_categories.map((category) => [category.code as string, category.id]))
  const marks = await insertNew(
    tx,
    'marks',
    SCHEMES.map(([code, name, name_local]) => ({ code, name, name_local, bylaw_id })),
  )
  await insertRows(
    tx,
    'mark_items',
    SCHEMES.flatMap(([, , , items], i) =>
      Object.entries(items).map(([code, max], position) => ({
        mark_id: marks[i]!,
        mark_category_id: categories.get(code)!,
        max,
        position,
      })),
    ),
  )
  await sql`update programs set bylaw_id = ${bylaw_id} where id = ${found.id}`.execute(tx)
  const ids = await insertNew(
    tx,
    'courses',
    PLAN.map(({ code, name, name_local, hours, research }) => ({
      code,
      name,
      name_local,
      ...pick(found, 'faculty_id', 'department_id'),
      lecture_hours: research ? 0 : 3,
      tutorial_hours: research ? 1 : 0,
      credit_hours: hours,
    })),
  )
  const courses = PLAN.map((planned, i) => ({ ...planned, id: ids[i]! }))
  const needs = courses.flatMap((course) => {
    const required = courses.find((other) => other.code === course.needs)
    return required ? [{ course_id: course.id, required_course_id: required.id }] : []
  })
  for (const { course_id, required_course_id } of needs)
    await sql`update courses set prerequisites = ${JSON.stringify({ course: required_course_id })}::jsonb where id = ${course_id}`.execute(
      tx,
    )
  await insertRows(tx, 'course_prerequisites', needs)
  const pool_id = await one('program_pools', {
    program_id: found.id,
    name: 'Electives of the master',
    name_local: 'مقررات الماجستير الاختيارية',
    min_credit_hours: 6,
  })
  await insertNew(
    tx,
    'program_courses',
    courses.map(({ id, semester, elective }) => ({
      program_id: found.id,
      course_id: id,
      level: semester < 4 ? 1 : 2,
      semester,
      kind: elective ? 'elective' : 'mandatory',
      pool_id: elective ? pool_id : null,
    })),
  )
  return { program: { ...found, bylaw_id }, courses, marks }
}

interface Learner {
  readonly id: number
  readonly entered: string
  readonly ability: number
  readonly passed: Set<string>
  readonly attempted: Set<string>
}

/** What somebody takes in a semester: the plan so far, an elective where one is due, what was failed again, within the load. */
function chosen({ id, passed }: Learner, semester: number, courses: readonly Course[]): Course[] {
  const open = courses.filter(
    (course) =>
      course.semester <= semester &&
      course.semester % 2 === semester % 2 &&
      !passed.has(course.code) &&
      (!course.needs || passed.has(course.needs)),
  )
  const electives = open.filter((course) => course.elective)
  const due =
    ELECTIVES.filter((one) => one <= semester).length -
    courses.filter((course) => course.elective && passed.has(course.code)).length
  const elective = due > 0 ? electives[id % electives.length] : undefined
  return [...open.filter((course) => !course.elective), ...(elective ? [elective] : [])].slice(0, 4)
}

/** Who teaches a course: professors and associate professors of the department, one after the other. */
type Teacher = { readonly id: number }

/** In the evening, when rooms are free and those who work can come: the first free room and day of the teacher. */
async function eveningOf(tx: Tx, term_id: number, instructor_id: number, taken: ReadonlySet<number>) {
  const { rows } = await sql<{ day: number; slot_id: number; location_id: number }>`
    select d as day, w.id as slot_id, l.id as location_id
    from (select id from slots where removed_at is null order by start_time desc limit 1) w
      cross join generate_series(0, 5) d cross join locations l
    where l.removed_at is null and not d = any(${[...taken]}::int[]) and l.capacity between 20 and 60
      and not exists (select from offering_slots m where m.term_id = ${term_id} and m.day = d and m.slot_id = w.id and m.location_id = l.id)
      and not exists (select from offering_slots m join offering_slot_instructors i on i.offering_slot_id = m.id
        where m.term_id = ${term_id} and m.day = d and m.slot_id = w.id and i.instructor_id = ${instructor_id})
    order by d, l.id limit 1`.execute(tx)
  return rows[0] ?? { day: null, slot_id: null, location_id: null }
}

/** A term: offerings with their meetings where it runs, registrations, and results where it is over. */
async function study(
  tx: Tx,
  demo: DemoUniversity,
  term: DemoUniversity['terms'][number],
  { program, courses, marks }: Awaited<ReturnType<typeof catalogue>>,
  learners: readonly (Learner & { readonly semester: number })[],
  teachers: readonly Teacher[],
  random: ReturnType<typeof seededRandom>,
): Promise<void> {
  const now = term.state === 'current'
  const wanted = learners.flatMap((learner) =>
    chosen(learner, learner.semester, courses).map((course) => ({ learner, course })),
  )
  const taught = [...new Set(wanted.map(({ course }) => course))]
  if (!taught.length) return
  const offerings = await insertNew(
    tx,
    'offerings',
    taught.map((course) => ({
      term_id: term.id,
      course_id: course.id,
      code: '1',
      mark_id: marks[course.research ? 1 : 0]!,
      ...pick(program, 'faculty_id', 'department_id'),
      control_status: now ? 'Draft' : term.state === 'control' ? 'Published' : 'Frozen',
      is_open: now,
    })),
  )
  const offeringOf = new Map(taught.map((course, i) => [course.code, offerings[i]!]))
  const teacherOf = (course: Course) => teachers[course.id % teachers.length]!.id
  await insertRows(
    tx,
    'offering_programs',
    offerings.map((offering_id) => ({ offering_id, program_id: program.id })),
  )
  await insertRows(
    tx,
    'offering_instructors',
    taught.map((course, i) => ({ offering_id: offerings[i]!, instructor_id: teacherOf(course), role: 'leader' })),
  )
  const categories = new Map(demo.mark_categories.map((category) => [category.code as string, category.id]))
  const scheme = taught.flatMap((course, i) =>
    Object.entries(SCHEMES[course.research ? 1 : 0][3]).map(([code, max], position) => ({
      offering_id: offerings[i]!,
      mark_category_id: categories.get(code)!,
      max,
      position,
    })),
  )
  const schemeIds = await insertNew(tx, 'offering_marks', scheme)
  const itemsOf = Map.groupBy(
    scheme.map((item, i) => ({ ...item, id: schemeIds[i]! })),
    (item) => item.offering_id,
  )
  const slotOf = new Map<number, number>()
  if (now) {
    const groups = await insertNew(
      tx,
      'offering_groups',
      offerings.map((offering_id) => ({ offering_id, number: 1 })),
    )
    // Of one semester no two courses meet on one evening.
    const evenings = new Map<number, Set<number>>()
    for (const [i, course] of taught.entries()) {
      const taken = evenings.get(course.semester) ?? new Set<number>()
      const place = await eveningOf(tx, term.id, teacherOf(course), taken)
      if (place.day !== null) evenings.set(course.semester, taken.add(place.day))
      const [id] = await insertNew(tx, 'offering_slots', [
        {
          offering_id: offerings[i]!,
          term_id: term.id,
          group_id: groups[i]!,
          type: course.research ? 'Tutorial' : 'Lecture',
          ...place,
          quota: 20,
          over_quota: 0,
        },
      ])
      slotOf.set(offerings[i]!, id!)
      await insertRows(tx, 'offering_slot_instructors', [{ offering_slot_id: id!, instructor_id: teacherOf(course) }])
    }
  }
  const statusOf = ({ learner, course }: (typeof wanted)[number]) =>
    (flag.Registered | (learner.attempted.has(course.code) ? flag.Repeat : flag.Fresh)).toString()
  const registrations = await insertNew(
    tx,
    'registrations',
    wanted.map((one) => ({
      student_id: one.learner.id,
      offering_id: offeringOf.get(one.course.code)!,
      term_id: term.id,
      course_id: one.course.id,
      credit_hours: one.course.hours,
      status: statusOf(one),
      created_at: term.start_date,
    })),
  )
  await insertNew(
    tx,
    'registration_history',
    wanted.map((one, i) => ({
      registration_id: registrations[i]!,
      student_id: one.learner.id,
      offering_id: offeringOf.get(one.course.code)!,
      at: term.start_date,
      action: 'enroll',
      to_status: statusOf(one),
      reason: 'demo university',
    })),
  )
  if (now) {
    await insertRows(
      tx,
      'registration_slots',
      wanted.map(({ course }, i) => ({
        registration_id: registrations[i]!,
        offering_slot_id: slotOf.get(offeringOf.get(course.code)!)!,
      })),
    )
    return
  }
  const results = wanted.flatMap(({ learner, course }, i) => {
    const share = Math.max(52, Math.min(97, 80 + 6 * learner.ability + 5 * random.normal()))
    learner.attempted.add(course.code)
    const items = itemsOf.get(offeringOf.get(course.code)!)!.map((item) => ({
      registration_id: registrations[i]!,
      offering_mark_id: item.id,
      mark: Math.round((item.max * share) / 100),
      absent: false,
    }))
    if (items.reduce((sum, item) => sum + item.mark, 0) >= 65) learner.passed.add(course.code)
    return items
  })
  await insertRows(tx, 'registration_marks', results)
  await computeGrades(tx, offerings)
}

/** Students of the master: graduates who came back, with an account and an advisor each, and what they have studied since. */
export default demoPart(
  ['postgraduates'],
  [
    'students',
    'programs',
    'terms',
    'users',
    'instructors',
    'second_records',
    'student_years',
    'external_transfers',
    'registration_marks',
    'offering_slots',
    'requirement_trees',
  ],
  async (tx, demo) => {
    const study_of = await catalogue(tx, demo)
    const { program } = study_of
    const { rows: advisors } =
      await sql<Teacher>`select id from instructors where department_id = ${program.department_id}
      and academic_title in ('professor', 'associate_professor') and removed_at is null order by id limit 3`.execute(tx)
    const { rows: known } = await sql<{ hash: string; role_id: number; ids: string[] }>`select
        (select password_hash from users where password_hash is not null order by id limit 1) as hash,
        (select id from roles where key = 'student') as role_id,
        array(select national_id from students where national_id is not null) as ids`.execute(tx)
    const [{ hash, role_id, ids }] = known as [(typeof known)[number]]
    const taken = new Set(ids)
    const person = personMaker(seededRandom(20_269))
    const current = demo.terms.find(({ id }) => id === demo.current_terms.current_term)!
    const entries = demo.terms.filter((term) => term.type === 'fall' && term.start_date <= current.start_date).slice(-3)
    const people = entries.flatMap((entry) => {
      const entered = Number(entry.start_date.slice(0, 4))
      return Array.from({ length: COHORT }, (_, n) => {
        const code = `${entered % 100}5${String(n + 1).padStart(4, '0')}`
        for (;;) {
          const {
            parts: _parts,
            address,
            address_local: _address,
            ...one
          } = person({
            born: [`${entered - 27}-01-01`, `${entered - 23}-12-31`],
            email: code,
          })
          if (!one.national_id || !taken.has(one.national_id))
            return { ...one, address, code, entry_term_id: entry.id, place: n }
        }
      })
    })
    const users = await insertNew(
      tx,
      'users',
      people.map(({ name, name_local, email, phone }) => ({
        type: 3,
        name,
        name_local,
        email,
        phone,
        password_hash: hash,
      })),
    )
    await insertRows(
      tx,
      'role_assignments',
      users.map((user_id) => ({ user_id, role_id })),
    )
    const students = await insertNew(
      tx,
      'students',
      people.map(({ place, ...one }, i) => ({
        ...one,
        faculty_id: program.faculty_id,
        program_id: program.id,
        bylaw_id: program.bylaw_id,
        level: 1,
        user_id: users[i]!,
        advisor_id: advisors[place % advisors.length]?.id ?? null,
        // They have served, or need not, before they come back.
        military_status: one.gender === 1 && one.nationality_id === 64 ? 'done' : null,
        previous_university: 'Canopus University',
        previous_program: 'Computer Science',
      })),
    )
    const random = seededRandom(20_270)
    const learners = students.map((id, i): Learner => ({
      id,
      entered: entries.find((entry) => entry.id === people[i]!.entry_term_id)!.start_date,
      ability: random.normal(),
      passed: new Set(),
      attempted: new Set(),
    }))
    const terms = demo.terms.filter((term) => term.type !== 'summer' && term.start_date <= current.start_date)
    for (const term of terms) {
      const present = learners
        .filter((learner) => learner.entered <= term.start_date)
        .map((learner) => ({
          ...learner,
          semester: terms.filter((one) => one.start_date >= learner.entered && one.start_date <= term.start_date)
            .length,
        }))
      await study(tx, demo, term, study_of, present, advisors, random)
    }
    await writeRecords(
      null,
      tx,
      new GradingReference(await calendarOf(tx)),
      demo.terms.filter((term) => term.state === 'finished').map((term) => term.id),
      students,
    )
    // The one who has written half of the thesis stands in the list of accounts.
    const shown = people[0]!
    const email = `student5@${shown.email.split('@')[1]!}`
    await sql`update users set email = ${email} where id = ${users[0]!}`.execute(tx)
    await sql`update students set email = ${email} where id = ${students[0]!}`.execute(tx)
    demo.accounts.push({ ...demo.accounts[0]!, role: 'student', ...pick(shown, 'name', 'name_local'), email })
  },
)
