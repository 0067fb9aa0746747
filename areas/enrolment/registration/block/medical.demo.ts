/**
 * A faculty of medicine under an annual bylaw: courses out of 100 to 300 marks, 60 % to pass, and two academic years
 * behind it, with courses that are carried and levels that are repeated.
 */
import { sql } from 'kysely'
import { conversionRow } from '#areas/study/catalogue/bylaws/bylaw.demo.ts'
import { usualConversions } from '#areas/study/catalogue/conversion.rules.ts'
import { insertRows } from '#db/bulk.ts'
import type { Tx } from '#db/connect.ts'
import type { DemoUniversity } from '#demo/model.ts'
import { demoPart, insertNew } from '#demo/part.ts'
import { personMaker } from '#demo/people.ts'
import { seededRandom, type Random } from '#demo/random.ts'
import { flag } from '#areas/common/academics/status.rules.ts'
import { computeGrades } from '#areas/records/grading/grades/compute.server.ts'

/** [code, name, Arabic name, out of how many marks], level by level. */
const LEVELS: readonly (readonly [string, string, string, number])[][] = [
  [
    ['ANA101', 'Anatomy and Embryology', 'التشريح والأجنة', 300],
    ['PHS101', 'Medical Physiology', 'الفسيولوجيا الطبية', 250],
    ['BIO101', 'Medical Biochemistry', 'الكيمياء الحيوية الطبية', 200],
    ['HIS101', 'Histology and Cell Biology', 'الهستولوجيا وبيولوجيا الخلية', 150],
    ['MTR101', 'Medical Terminology', 'المصطلحات الطبية', 100],
  ],
  [
    ['PTH201', 'General Pathology', 'الباثولوجيا العامة', 300],
    ['PHA201', 'Clinical Pharmacology', 'الفارماكولوجيا الإكلينيكية', 250],
    ['MIC201', 'Medical Microbiology and Immunology', 'الميكروبيولوجيا الطبية والمناعة', 200],
    ['PAR201', 'Medical Parasitology', 'الطفيليات الطبية', 150],
    ['ETH201', 'Ethics of Medicine', 'أخلاقيات مهنة الطب', 100],
  ],
  [
    ['OPH301', 'Ophthalmology', 'طب وجراحة العين', 200],
    ['ENT301', 'Otorhinolaryngology', 'الأنف والأذن والحنجرة', 200],
    ['FOR301', 'Forensic Medicine and Toxicology', 'الطب الشرعي والسموم', 150],
    ['COM301', 'Public Health and Community Medicine', 'الصحة العامة وطب المجتمع', 250],
  ],
]
const LEVEL_NAMES = [
  ['First year', 'الفرقة الأولى'],
  ['Second year', 'الفرقة الثانية'],
  ['Third year', 'الفرقة الثالثة'],
] as const
/** Shares of the maximum of a course: year work, practical, written exam. */
const SCHEME = [
  ['YW', 20],
  ['PRA', 20],
  ['FIN', 60],
] as const
/** Who entered in the last years, the oldest first; the youngest has just come. */
const COHORT = 14

interface Learner {
  readonly id: number
  readonly ability: number
  level: number
  passed: Set<string>
  failed: Set<string>
  enrolment: 'new' | 'carried' | 'repeating'
}

/** The catalogue of the faculty; ids of the courses by code. */
async function catalogue(tx: Tx, demo: DemoUniversity) {
  const one = async (table: string, row: Readonly<Record<string, unknown>>): Promise<number> =>
    (await insertNew(tx, table, [row]))[0]!
  const faculty_id = await one('faculties', { code: 'FMD', name: 'Faculty of Medicine', name_local: 'كلية الطب' })
  const department_id = await one('departments', {
    faculty_id,
    code: 'MED',
    name: 'Basic Medical Sciences',
    name_local: 'العلوم الطبية الأساسية',
  })
  const bylaw_id = await one('bylaws', {
    faculty_id,
    code: 'FMD2019',
    name: 'Bylaw of the Faculty of Medicine 2019 (annual)',
    name_local: 'لائحة كلية الطب 2019 (نظام سنوي)',
    program_type: 'annual',
    start_year: 2019,
    in_admission: true,
    pass_share: 60,
    min_percentage_final_exam: 40,
    second_session: true,
    max_chances: 6,
    honours_rating: 'VG',
    grace_per_course: 5,
    grace_share: 1,
  })
  await insertRows(
    tx,
    'bylaw_levels',
    LEVEL_NAMES.map(([name, name_local], i) => ({ bylaw_id, level: i + 1, name, name_local })),
  )
  await insertRows(
    tx,
    'special_grades',
    demo.bylaws[0]!.special_grades.map((grade) => ({ bylaw_id, ...grade })),
  )
  await insertRows(
    tx,
    'bylaw_conversions',
    usualConversions(6000).map((line) => ({ bylaw_id, ...conversionRow(line) })),
  )
  const program_id = await one('programs', {
    faculty_id,
    department_id,
    bylaw_id,
    code: 'MBBCH',
    name: 'Medicine and Surgery',
    name_local: 'الطب والجراحة',
    degree: 'Bachelor of Medicine and Surgery',
    degree_local: 'بكالوريوس الطب والجراحة',
    program_type: 'annual',
    semesters: 6,
    admission_capacity: 60,
  })
  const courses = LEVELS.flatMap((list, i) =>
    list.map(([code, name, name_local, max_mark]) => ({ code, name, name_local, max_mark, level: i + 1 })),
  )
  const ids = await insertNew(
    tx,
    'courses',
    courses.map(({ level: _level, ...course }) => ({
      ...course,
      faculty_id,
      department_id,
      lecture_hours: 2,
      clinical_hours: 2,
      credit_hours: 4,
    })),
  )
  await insertRows(
    tx,
    'program_courses',
    courses.map(({ level }, i) => ({
      program_id,
      course_id: ids[i]!,
      level,
      semester: level * 2 - 1,
      kind: 'mandatory',
    })),
  )
  return {
    unit: { faculty_id, department_id },
    bylaw_id,
    program_id,
    courses: new Map(courses.map((course, i) => [course.code, { ...course, id: ids[i]! }])),
  }
}

type Unit = Awaited<ReturnType<typeof catalogue>>['unit']
type Person = { name: string; name_local: string; email: string; gender: number; phone: string }

/** Accounts with the password of everybody in the demo university. */
async function accounts(tx: Tx, people: readonly Omit<Person, 'gender'>[], type: number): Promise<number[]> {
  const { rows } = await sql<{
    password_hash: string
  }>`select password_hash from users where password_hash is not null order by id limit 1`.execute(tx)
  return insertNew(
    tx,
    'users',
    people.map(({ name, name_local, email, phone }) => ({ type, name, name_local, email, phone, ...rows[0] })),
  )
}
const roleIds = async (tx: Tx) => {
  const { rows } = await sql<{ id: number; key: string }>`select id, key from roles where key is not null`.execute(tx)
  return new Map(rows.map((role) => [role.key, role.id]))
}

/** Who teaches here, and who has the faculty's control: the instructor. */
async function staff(tx: Tx, demo: DemoUniversity, { faculty_id, department_id }: Unit, random: Random) {
  const person = personMaker(random)
  const make = (email: string) => person({ born: ['1968-01-01', '1978-12-31'], email })
  const people = [make('medicine'), make('medicine.control')]
  const users = await accounts(tx, people, 1)
  const [teacher] = await insertNew(
    tx,
    'instructors',
    people.map(({ name, name_local, email, gender, phone }, i) => ({
      code: `MED-${i + 1}`,
      academic_title: 'professor',
      faculty_id,
      department_id,
      user_id: users[i]!,
      name,
      name_local,
      email,
      gender,
      phone,
    })),
  )
  const roles = await roleIds(tx)
  const held = (i: number, role: string, scoped: boolean) => ({
    user_id: users[i]!,
    role_id: roles.get(role)!,
    ...(scoped && { scope_type: 'faculty', scope_id: faculty_id }),
  })
  await insertRows(tx, 'role_assignments', [held(0, 'instructor', false), held(1, 'instructor', false)])
  await insertRows(tx, 'role_assignments', [held(1, 'control_head', true)])
  for (const [i, role] of ['instructor', 'control_head'].entries())
    demo.accounts.push({ ...demo.accounts[0]!, role, ...name(people[i]!) })
  return teacher!
}
const name = ({ name, name_local, email }: Omit<Person, 'gender'>) => ({ name, name_local, email })

/** Gives every student an account; the one who went on to the second level stands in the list of accounts. */
async function studentAccounts(
  tx: Tx,
  demo: DemoUniversity,
  people: readonly (Omit<Person, 'gender'> & { id: number })[],
  shown: number,
): Promise<void> {
  const email = (one: { id: number; email: string }) =>
    one.id === shown ? `student4@${one.email.split('@')[1]!}` : one.email
  const all = people.map((person) => ({ ...person, email: email(person) }))
  const users = await accounts(tx, all, 3)
  const role_id = (await roleIds(tx)).get('student')!
  await insertRows(
    tx,
    'role_assignments',
    users.map((user_id) => ({ user_id, role_id })),
  )
  await sql`update students s set user_id = u.id, email = u.email from users u
    join unnest(${all.map((one) => one.id)}::int[], ${users}::int[]) n (student_id, user_id) on n.user_id = u.id
    where s.id = n.student_id`.execute(tx)
  demo.accounts.push({ ...demo.accounts[0]!, role: 'student', ...name(all.find((one) => one.id === shown)!) })
}

/** Share of the maximum somebody earns, in percent. */
const earned = (learner: Learner, random: Random): number =>
  Math.max(25, Math.min(97, 71 + 8 * learner.ability + 6 * random.normal()))

export default demoPart(
  ['student_years'],
  ['users', 'instructors', 'bylaws', 'programs', 'students', 'registrations', 'registration_marks'],
  async (tx, demo) => {
    const random = seededRandom(20_267)
    const { unit, bylaw_id, program_id, courses } = await catalogue(tx, demo)
    const current = demo.terms.find((term) => term.id === demo.current_terms.current_term)!
    const years = demo.years.filter((year) => year.id <= current.year_id).slice(-3)
    const teacher = await staff(tx, demo, unit, seededRandom(20_268))
    const person = personMaker(random)
    // Codes of their own, and names as everybody's.
    const people = years.flatMap((year) =>
      Array.from({ length: COHORT }, (_, n) => {
        const entered = Number(year.start_date.slice(0, 4))
        const code = `${entered % 100}3${String(n + 1).padStart(4, '0')}`
        const {
          parts: _parts,
          address: _latin,
          address_local,
          ...one
        } = person({
          born: [`${entered - 19}-07-01`, `${entered - 18}-09-30`],
          email: code,
        })
        const entry = demo.terms.find((term) => term.year_id === year.id && term.type === 'fall')!
        return { code, ...one, address: address_local, ...unit, entry_term_id: entry.id }
      }),
    )
    const ids = await insertNew(
      tx,
      'students',
      people.map(({ department_id: _department, email: _email, ...one }) => ({
        ...one,
        bylaw_id,
        program_id,
        level: 1,
      })),
    )
    const learners = ids.map((id): Learner => ({
      id,
      ability: random.normal(),
      level: 1,
      passed: new Set(),
      failed: new Set(),
      enrolment: 'new',
    }))
    const categories = new Map(demo.mark_categories.map((markCategory) => [markCategory.code, markCategory.id]))

    for (const [y, year] of years.entries()) {
      const term = demo.terms.find((one) => one.year_id === year.id && one.type === 'fall')!
      const now = year.id === current.year_id
      const present = learners.slice(0, (y + 1) * COHORT)
      await insertRows(
        tx,
        'student_years',
        present.map(({ id, level, enrolment }) => ({
          student_id: id,
          year_id: year.id,
          bylaw_id,
          program_id,
          level,
          enrolment,
        })),
      )
      const due = present.flatMap((learner) =>
        [...courses.values()]
          .filter((course) => course.level <= learner.level && !learner.passed.has(course.code))
          .map((course) => ({ learner, course })),
      )
      const taught = [...new Set(due.map(({ course }) => course))]
      const offerings = await insertNew(
        tx,
        'offerings',
        taught.map((course) => ({
          term_id: term.id,
          course_id: course.id,
          code: '1',
          ...unit,
          control_status: now ? 'Draft' : 'Frozen',
          is_open: now,
        })),
      )
      const offeringOf = new Map(taught.map((course, i) => [course.code, offerings[i]!]))
      await insertRows(
        tx,
        'offering_programs',
        offerings.map((offering_id) => ({ offering_id, program_id })),
      )
      await insertRows(
        tx,
        'offering_instructors',
        offerings.map((offering_id) => ({ offering_id, instructor_id: teacher, role: 'leader' })),
      )
      const scheme = taught.flatMap((course, i) =>
        SCHEME.map(([code, share], position) => ({
          offering_id: offerings[i]!,
          mark_category_id: categories.get(code)!,
          max: (course.max_mark * share) / 100,
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
        // One group of each, whose hours are still to be set: a level is registered as it stands.
        const groups = await insertNew(
          tx,
          'offering_groups',
          offerings.map((offering_id) => ({ offering_id, number: 1 })),
        )
        const slots = await insertNew(
          tx,
          'offering_slots',
          offerings.map((offering_id, i) => ({
            offering_id,
            term_id: term.id,
            group_id: groups[i]!,
            type: 'Lecture',
            quota: 80,
            over_quota: 10,
          })),
        )
        for (const [i, offering_id] of offerings.entries()) slotOf.set(offering_id, slots[i]!)
        // The third year of this year waits to be registered.
        for (const learner of learners) await setLevel(tx, learner)
      }
      const rows = due.filter(({ learner }) => !now || learner.level < 3)
      const registrations = await insertNew(
        tx,
        'registrations',
        rows.map(({ learner, course }) => ({
          student_id: learner.id,
          offering_id: offeringOf.get(course.code)!,
          term_id: term.id,
          course_id: course.id,
          credit_hours: 4,
          status: (flag.Registered | (learner.failed.has(course.code) ? flag.Repeat : flag.Fresh)).toString(),
        })),
      )
      await insertNew(
        tx,
        'registration_history',
        rows.map(({ learner, course }, i) => ({
          registration_id: registrations[i]!,
          student_id: learner.id,
          offering_id: offeringOf.get(course.code)!,
          at: term.start_date,
          action: 'enroll',
          to_status: (flag.Registered | (learner.failed.has(course.code) ? flag.Repeat : flag.Fresh)).toString(),
          reason: 'demo university',
        })),
      )
      if (now) {
        await insertRows(
          tx,
          'registration_slots',
          rows.map(({ course }, i) => ({
            registration_id: registrations[i]!,
            offering_slot_id: slotOf.get(offeringOf.get(course.code)!)!,
          })),
        )
        continue
      }
      const marks = rows.flatMap(({ learner, course }, i) => {
        const share = earned(learner, random)
        const passed = share >= 60
        ;(passed ? learner.passed : learner.failed).add(course.code)
        return itemsOf.get(offeringOf.get(course.code)!)!.map((item) => ({
          registration_id: registrations[i]!,
          offering_mark_id: item.id,
          // Rounded up, so that the sum passes where the share does.
          mark: passed ? Math.ceil((item.max * share) / 100) : Math.floor((item.max * share) / 100),
          absent: false,
        }))
      })
      await insertRows(tx, 'registration_marks', marks)
      await computeGrades(tx, offerings)
      for (const learner of present) promote(learner, [...courses.values()])
    }
    await studentAccounts(
      tx,
      demo,
      people.map((one, i) => ({ ...one, id: ids[i]! })),
      (learners.find((one) => one.level === 2 && one.enrolment === 'new') ?? learners[0]!).id,
    )
  },
)

/** What a year came to: with more than two failed courses the level is repeated. */
function promote(learner: Learner, courses: readonly { code: string; level: number }[]): void {
  const open = courses.filter((course) => course.level <= learner.level && !learner.passed.has(course.code)).length
  if (open > 2) learner.enrolment = 'repeating'
  else {
    learner.level = Math.min(3, learner.level + 1)
    learner.enrolment = open ? 'carried' : 'new'
  }
}

const setLevel = (tx: Tx, { id, level }: Learner) =>
  sql`update students set level = ${level} where id = ${id}`.execute(tx)
