/**
 * An internship year of the Faculty of Medicine in its sixth period: what is over is marked, the rest planned or asked for;
 * and a small one of graduates who learn to run hospitals.
 */
import { sql } from 'kysely'
import { decideStatus } from '#areas/common/academics/student-status.server.ts'
import { insertRows } from '#db/bulk.ts'
import type { Tx } from '#db/connect.ts'
import type { DemoUniversity } from '#demo/model.ts'
import { demoPart, insertNew, momentBefore, stepsTo } from '#demo/part.ts'
import { personMaker } from '#demo/people.ts'
import { seededRandom, type Random } from '#demo/random.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { rotationControlFlow } from './grades/offering.contract.ts'
import { rotationFlow } from './rotations/rotation.contract.ts'

const WEEK = 7
const PERIOD = 4 * WEEK
/** [course, Arabic, elective, types: [code, name, Arabic, periods]] */
type CourseSaid = readonly [
  name: string,
  name_local: string,
  is_elective: boolean,
  types: readonly (readonly [code: string, name: string, name_local: string, periods: number])[],
]
const MEDICINE: readonly CourseSaid[] = [
  [
    'Internal medicine',
    'الباطنة العامة',
    false,
    [
      ['IM-WARD', 'Internal medicine, ward', 'الباطنة: القسم الداخلي', 2],
      ['IM-ICU', 'Internal medicine, intensive care', 'الباطنة: العناية المركزة', 1],
    ],
  ],
  [
    'Surgery',
    'الجراحة العامة',
    false,
    [
      ['SU-WARD', 'Surgery, ward', 'الجراحة: القسم الداخلي', 2],
      ['SU-EMER', 'Surgery, emergency', 'الجراحة: الطوارئ', 1],
    ],
  ],
  ['Paediatrics', 'طب الأطفال', false, [['PAED', 'Paediatrics', 'طب الأطفال', 2]]],
  ['Obstetrics', 'النساء والتوليد', false, [['OBST', 'Obstetrics', 'النساء والتوليد', 2]]],
  ['Family medicine', 'طب الأسرة', false, [['FAM', 'Family medicine', 'طب الأسرة', 1]]],
  ['Dermatology', 'الجلدية', true, [['DERM', 'Dermatology', 'الجلدية', 1]]],
  ['Radiology', 'الأشعة', true, [['RAD', 'Radiology', 'الأشعة', 1]]],
]
const MANAGERS: readonly CourseSaid[] = [
  ['Hospital management', 'إدارة المستشفيات', false, [['HOSP-MAN', 'Hospital management', 'إدارة المستشفيات', 1]]],
]
const CRITERIA = [
  ['Knowledge', 'المعرفة', 40],
  ['Skill', 'المهارة', 40],
  ['Conduct', 'السلوك المهني', 20],
] as const
const HOSPITALS = [
  ['UNI', 'University Hospital', 'المستشفى الجامعي', 'Alexandria'],
  ['SEA', 'Seaside General Hospital', 'مستشفى الساحل العام', 'Alexandria'],
  ['DELTA', 'Delta Children’s Hospital', 'مستشفى الدلتا للأطفال', 'Damanhour'],
] as const
const INTERNS = 40
/** Graduates who are in no year yet. */
const OTHERS = 6
const BEGAN = -(5 * PERIOD + 10)

interface Type {
  readonly id: number
  readonly course_id: number
  readonly periods: number
  readonly is_elective: boolean
  readonly trainings: readonly number[]
}
interface Made {
  readonly year_id: number
  readonly starts_on: string
  readonly types: readonly Type[]
  readonly criteria: ReadonlyMap<number, readonly { readonly id: number; readonly max: number }[]>
}

async function makeYear(
  tx: Tx,
  of: { faculty_id: number; code: string; name: string; name_local: string; electives: number },
  said: readonly CourseSaid[],
  hospitals: readonly number[],
  supervisors: readonly number[],
): Promise<Made> {
  const starts_on = addDays(dayOf(), BEGAN)
  const [year_id = 0] = await insertNew(tx, 'emtyaz_years', [
    {
      ...of,
      starts_on,
      periods: 13,
      period_weeks: 4,
      leave_days: 3,
      marks_days: 14,
      wishes_from: addDays(dayOf(), -30),
      wishes_until: addDays(dayOf(), 60),
    },
  ])
  const courses = await insertNew(
    tx,
    'emtyaz_courses',
    said.map(([name, name_local, is_elective], i) => ({
      code: `${of.code}-${i + 1}`,
      name,
      name_local,
      is_elective,
      faculty_id: of.faculty_id,
      pass_mark: 60,
    })),
  )
  const criteria = await insertNew(
    tx,
    'emtyaz_criteria',
    courses.flatMap((course_id) =>
      CRITERIA.map(([name, name_local, max_mark], position) => ({ course_id, position, name, name_local, max_mark })),
    ),
  )
  const types = said.flatMap(([, , is_elective, list], i) =>
    list.map(([code, name, name_local, periods]) => ({
      code,
      name,
      name_local,
      periods,
      is_elective,
      course_id: courses[i] ?? 0,
    })),
  )
  const typeIds = await insertNew(
    tx,
    'emtyaz_training_types',
    types.map(({ code, name, name_local, periods, course_id }) => ({
      code,
      name,
      name_local,
      weeks: 4 * periods,
      course_id,
    })),
  )
  const offers = types.flatMap((type, i) =>
    hospitals.slice(0, 2).map((hospital_id, h) => ({
      code: `${type.code}-${HOSPITALS[h]?.[0] ?? h}`,
      name: type.name,
      name_local: type.name_local,
      year_id,
      type_id: typeIds[i] ?? 0,
      hospital_id,
      places: 12,
    })),
  )
  const trainings = await insertNew(tx, 'emtyaz_trainings', offers)
  await insertRows(
    tx,
    'emtyaz_training_instructors',
    trainings.flatMap((training_id, i) => {
      const instructor_id = supervisors[i % 2] ?? supervisors[0]
      return instructor_id === undefined
        ? []
        : [{ training_id, instructor_id, starts_on, ends_on: addDays(starts_on, 13 * PERIOD - 1) }]
    }),
  )
  return {
    year_id,
    starts_on,
    types: types.map(({ periods, course_id, is_elective }, i) => ({
      id: typeIds[i] ?? 0,
      course_id,
      periods,
      is_elective,
      trainings: trainings.filter((_, n) => offers[n]?.type_id === typeIds[i]),
    })),
    criteria: new Map(
      courses.map((course, i) => [
        course,
        CRITERIA.map(([, , max], n) => ({ id: criteria[i * CRITERIA.length + n] ?? 0, max })),
      ]),
    ),
  }
}

interface Planned {
  readonly student_id: number
  readonly type: Type
  readonly training_id: number
  readonly starts_on: string
  readonly ends_on: string
  readonly status: string
}
const OUT: readonly string[] = ['Draft', 'Submitted', 'Reviewed', 'Approved']
/** The year of an intern: every obligatory block in turn from another one on, then an elective. */
function yearOf(made: Made, student_id: number, n: number): Planned[] {
  const obligatory = made.types.filter((type) => !type.is_elective)
  const elective = made.types.filter((type) => type.is_elective)[n % 2]
  const turned = [...obligatory.slice(n % obligatory.length), ...obligatory.slice(0, n % obligatory.length)]
  let period = 0
  return [...turned, ...(elective ? [elective] : [])].map((type) => {
    const starts_on = addDays(made.starts_on, period * PERIOD)
    period += type.periods
    // What lies ahead is planned for most, and asked for by some.
    const later = ['accepted', 'added', 'requested', 'accepted', 'rejected', 'removed'][(n + period) % 6] ?? 'accepted'
    return {
      student_id,
      type,
      training_id: type.trainings[n % type.trainings.length] ?? 0,
      starts_on,
      ends_on: addDays(starts_on, type.periods * PERIOD - 1),
      status: starts_on > addDays(dayOf(), PERIOD) ? later : 'accepted',
    }
  })
}

/** Writes rotations with their groups, marks and steps. */
async function place(tx: Tx, made: Made, planned: readonly Planned[], random: Random): Promise<void> {
  const keyOf = (one: Planned) => `${one.training_id} ${one.starts_on} ${one.ends_on}`
  const groups = [...new Map(planned.map((one) => [keyOf(one), one])).values()]
  const today = dayOf()
  const statusOf = (one: Planned, i: number): string =>
    one.ends_on > today ? 'Draft' : one.ends_on < addDays(today, -20) ? 'Published' : (OUT[i % OUT.length] ?? 'Draft')
  const statuses = groups.map(statusOf)
  const offerings = await insertNew(
    tx,
    'emtyaz_offerings',
    groups.map(({ training_id, starts_on, ends_on }, i) => ({
      training_id,
      starts_on,
      ends_on,
      control_status: statuses[i],
    })),
  )
  const groupOf = new Map(
    groups.map((one, i) => [keyOf(one), { id: offerings[i] ?? 0, status: statuses[i] ?? 'Draft' }]),
  )
  const marked = planned.map((one) => {
    const group = groupOf.get(keyOf(one)) ?? { id: 0, status: 'Draft' }
    const given = one.status === 'accepted' && group.status !== 'Draft'
    // Who fails a short one still has a period left for it.
    const share = Math.min(0.98, Math.max(one.type.periods > 1 ? 0.62 : 0.5, 0.79 + 0.09 * random.normal()))
    const points = given
      ? (made.criteria.get(one.type.course_id) ?? []).map(({ id, max }) => ({
          id,
          points: Math.round(max * share * 2) / 2,
        }))
      : []
    const mark = given ? points.reduce((sum, each) => sum + each.points, 0) : null
    return { one, group, points, mark }
  })
  const ids = await insertNew(
    tx,
    'emtyaz_rotations',
    marked.map(({ one, group, mark }, i) => ({
      student_id: one.student_id,
      year_id: made.year_id,
      training_id: one.training_id,
      type_id: one.type.id,
      offering_id: group.id,
      starts_on: one.starts_on,
      ends_on: one.ends_on,
      status: one.status,
      mark,
      max_mark: mark === null ? null : 100,
      pass_mark: mark === null ? null : 60,
      outcome: mark !== null && group.status === 'Published' ? (mark >= 60 ? 'passed' : 'failed') : null,
      graded_at: mark === null ? null : new Date(),
      created_at: momentBefore(60 + (i % 40)),
    })),
  )
  await insertRows(
    tx,
    'emtyaz_marks',
    marked.flatMap(({ points }, i) =>
      points.map(({ id, points: given }) => ({ rotation_id: ids[i], criterion_id: id, points: given })),
    ),
  )
  const step = { reason: null, actor_id: null }
  await insertRows(tx, 'step_history', [
    ...ids.map((record_id, i) => ({
      ...step,
      workflow: 'rotation',
      at: momentBefore(60 + (i % 40)),
      record_id,
      action: 'begin',
      from_state: null as string | null,
      to_state: 'requested',
    })),
    ...ids.flatMap((record_id, i) =>
      stepsTo(rotationFlow, planned[i]?.status ?? 'requested').map((taken) => ({
        ...step,
        workflow: 'rotation',
        at: momentBefore(30 + (i % 30)),
        record_id,
        ...taken,
      })),
    ),
    ...offerings.flatMap((record_id, i) =>
      stepsTo(rotationControlFlow, statuses[i] ?? 'Draft').map((taken) => ({
        ...step,
        workflow: 'rotation_control',
        at: momentBefore(10 + (i % 10)),
        record_id,
        ...taken,
      })),
    ),
  ])
}

/** Graduates of medicine, the first with an account. */
async function graduates(tx: Tx, demo: DemoUniversity): Promise<{ faculty_id: number; ids: number[] }> {
  const { rows } = await sql<{ id: number; faculty_id: number; bylaw_id: number }>`select p.id, p.faculty_id, p.bylaw_id
    from programs p join faculties f on f.id = p.faculty_id where f.code = 'FMD' order by p.id limit 1`.execute(tx)
  const [program] = rows
  if (!program) throw new Error('The Faculty of Medicine has a program')
  const person = personMaker(seededRandom(20_271))
  const entered = demo.terms.find((term) => term.type === 'fall')
  const people = Array.from({ length: INTERNS + OTHERS }, (_, n) => {
    const {
      parts: _parts,
      address: _latin,
      address_local,
      email,
      ...one
    } = person({
      born: ['2000-07-01', '2002-06-30'],
      ...(n === 0 && { email: 'intern' }),
    })
    return { code: `193${String(500 + n)}`, ...one, email, address: address_local }
  })
  const ids = await insertNew(
    tx,
    'students',
    people.map(({ email: _email, ...one }) => ({
      ...one,
      faculty_id: program.faculty_id,
      program_id: program.id,
      bylaw_id: program.bylaw_id,
      entry_term_id: entered?.id ?? null,
      level: 3,
    })),
  )
  await decideStatus(null, tx, ids, {
    to: 'graduated',
    decision: 'Graduated before this system was used',
    source: 'earlier',
  })
  const [first] = people
  if (first) {
    const { rows: known } = await sql<{
      password_hash: string
    }>`select password_hash from users where password_hash is not null order by id limit 1`.execute(tx)
    const { name, name_local, email, phone } = first
    const [user_id] = await insertNew(tx, 'users', [{ type: 3, name, name_local, email, phone, ...known[0] }])
    await sql`insert into role_assignments (user_id, role_id) select ${user_id ?? 0}, id from roles where key = 'student'`.execute(
      tx,
    )
    await sql`update students set user_id = ${user_id ?? 0}, email = ${email} where id = ${ids[0] ?? 0}`.execute(tx)
    const known_account = demo.accounts[0]
    if (known_account) demo.accounts.push({ ...known_account, role: 'student', name, name_local, email })
  }
  return { faculty_id: program.faculty_id, ids }
}

export default demoPart(
  ['emtyaz_rotations'],
  ['student_years', 'students', 'instructors', 'debts', 'graduate_requests'],
  async (tx, demo) => {
    const random = seededRandom(20_270)
    const hospitals = await insertNew(
      tx,
      'emtyaz_hospitals',
      HOSPITALS.map(([code, name, name_local, city]) => ({ code, name, name_local, city })),
    )
    const { faculty_id, ids: all } = await graduates(tx, demo)
    const ids = all.slice(0, INTERNS)
    const { rows: teachers } = await sql<{
      id: number
      faculty_id: number
    }>`select id, faculty_id from instructors where removed_at is null order by id`.execute(tx)
    const of = (faculty: number) => teachers.filter((one) => one.faculty_id === faculty).map(({ id }) => id)
    const medicine = await makeYear(
      tx,
      { faculty_id, code: 'EMT-MED', name: 'Internship year of medicine', name_local: 'سنة امتياز الطب', electives: 1 },
      MEDICINE,
      hospitals,
      of(faculty_id),
    )
    const joined = async (made: Made, students: readonly number[]) =>
      insertNew(
        tx,
        'emtyaz_interns',
        students.map((student_id) => ({ year_id: made.year_id, student_id, joined_on: made.starts_on })),
      )
    const interns = await joined(medicine, ids)
    const electives = medicine.types.filter((type) => type.is_elective)
    await insertRows(
      tx,
      'emtyaz_wishes',
      interns.flatMap((intern_id, n) =>
        electives.map((_, i) => ({
          intern_id,
          position: i + 1,
          type_id: electives[(n + i) % electives.length]?.id ?? 0,
        })),
      ),
    )
    await insertRows(
      tx,
      'emtyaz_leaves',
      interns.slice(0, 4).map((intern_id, n) => ({
        intern_id,
        kind: n % 2 ? 'holiday' : 'illness',
        starts_on: addDays(medicine.starts_on, 40 + 25 * n),
        ends_on: addDays(medicine.starts_on, 41 + 27 * n),
      })),
    )
    await place(
      tx,
      medicine,
      ids.flatMap((id, n) => yearOf(medicine, id, n)),
      random,
    )
    // Graduates of another faculty, who learn how hospitals are run.
    const { rows: others } = await sql<{ id: number; faculty_id: number }>`select s.id, s.faculty_id from students s
      where s.status = 'graduated' and s.removed_at is null and s.faculty_id = (
        select g.faculty_id from students g where g.status = 'graduated' and g.removed_at is null and g.faculty_id <> ${faculty_id}
        group by g.faculty_id order by count(*) desc, g.faculty_id limit 1) order by s.id limit 6`.execute(tx)
    const [first] = others
    if (first) {
      const managers = await makeYear(
        tx,
        {
          faculty_id: first.faculty_id,
          code: 'EMT-MAN',
          name: 'Practice year of hospital management',
          name_local: 'سنة التدريب في إدارة المستشفيات',
          electives: 0,
        },
        MANAGERS,
        hospitals,
        of(first.faculty_id),
      )
      await joined(
        managers,
        others.map(({ id }) => id),
      )
      const states = ['accepted', 'added', 'requested', 'rejected', 'removed', 'accepted']
      await place(
        tx,
        managers,
        others.flatMap(({ id }, n) => {
          const [type] = managers.types
          if (!type) return []
          const starts_on = addDays(managers.starts_on, (states[n] === 'accepted' ? 4 : 8) * PERIOD)
          return [
            {
              student_id: id,
              type,
              training_id: type.trainings[n % 2] ?? 0,
              starts_on,
              ends_on: addDays(starts_on, PERIOD - 1),
              status: states[n] ?? 'requested',
            },
          ]
        }),
        random,
      )
    }
  },
)
