/** Logbooks and duties of the demo university: what interns of two faculties saw and did, who is on duty, and who swaps. */
import { randomUUID } from 'node:crypto'
import { insertRows } from '#db/bulk.ts'
import type { Tx } from '#db/connect.ts'
import { demoPart, insertNew, momentBefore, stepsTo } from '#demo/part.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { sql } from 'kysely'
import { logbookFlow } from './entries/entry.contract.ts'
import { drawRoster } from './roster/draw.rules.ts'
import { drawnFrom } from './roster/facts.server.ts'
import { dutySwapFlow } from './swaps/swap.contract.ts'

/** By the name of the course: name, Arabic, kind, observed, assisted, done. */
const TYPES: Readonly<
  Record<string, readonly (readonly [string, string, 'procedure' | 'case', number, number, number])[]>
> = {
  'Internal medicine': [
    ['Peripheral cannula', 'تركيب كانيولا طرفية', 'procedure', 0, 0, 10],
    ['Arterial blood gas sample', 'سحب عينة غازات الدم', 'procedure', 1, 1, 5],
    ['Diabetic ketoacidosis', 'حموضة كيتونية سكرية', 'case', 2, 1, 1],
  ],
  Surgery: [
    ['Suture of a wound', 'خياطة جرح', 'procedure', 2, 2, 10],
    ['Urinary catheter', 'قسطرة بولية', 'procedure', 0, 1, 5],
    ['Acute abdomen', 'بطن حاد', 'case', 2, 2, 1],
  ],
  Paediatrics: [
    ['Growth chart', 'منحنى النمو', 'procedure', 0, 0, 6],
    ['Bronchiolitis', 'التهاب الشعيبات', 'case', 1, 1, 2],
  ],
  Obstetrics: [
    ['Normal delivery', 'ولادة طبيعية', 'procedure', 3, 5, 5],
    ['Ultrasound in pregnancy', 'سونار الحمل', 'procedure', 3, 2, 0],
  ],
  'Family medicine': [['Visit at home', 'زيارة منزلية', 'case', 1, 1, 2]],
  'Hospital management': [['Round of the quality office', 'جولة مكتب الجودة', 'procedure', 1, 1, 2]],
}
const NOTES = [
  'First pass, no complications.',
  'رجل في الستين، تمت تحت إشراف مباشر.',
  null,
  'Woman, 34, elective list.',
  'احتاجت محاولتين.',
] as const
const ROLES = ['done', 'assisted', 'observed', 'done'] as const
const STATES = ['confirmed', 'confirmed', 'entered', 'confirmed', 'rejected', 'entered'] as const
const SWAPS = ['requested', 'agreed', 'accepted', 'rejected', 'cancelled', 'requested'] as const
const WHY = [
  'My sister marries on this day.',
  'لدي امتحان زمالة في هذا اليوم.',
  'Travelling home at the weekend.',
] as const

async function makeTypes(tx: Tx): Promise<void> {
  const { rows: courses } = await sql<{
    id: number
    name: string
  }>`select id, name from emtyaz_courses order by id`.execute(tx)
  const types = courses.flatMap(({ id, name }) => (TYPES[name] ?? []).map((said) => ({ id, said })))
  await insertRows(
    tx,
    'logbook_types',
    types.map(({ id, said: [name, name_local, kind, min_observed, min_assisted, min_done] }, i) => ({
      code: `LB-${String(i + 1).padStart(2, '0')}`,
      name,
      name_local,
      course_id: id,
      kind,
      min_observed,
      min_assisted,
      min_done,
    })),
  )
}

/** Entries of rotations that have begun, some of each state. */
async function makeEntries(tx: Tx): Promise<void> {
  const { rows } = await sql<{
    student_id: number
    rotation_id: number
    days: number
    starts_on: string
    types: number[]
    instructor_id: number | null
  }>`select r.student_id, r.id as rotation_id, least(r.ends_on, university_today() - 1) - r.starts_on as days, r.starts_on::text,
      array(select p.id from logbook_types p join emtyaz_training_types q on q.course_id = p.course_id where q.id = r.type_id order by p.id) as types,
      (select m.instructor_id from emtyaz_training_instructors m where m.training_id = r.training_id order by m.id limit 1) as instructor_id
    from emtyaz_rotations r where r.status = 'accepted' and r.removed_at is null and r.starts_on < university_today() - 1
    order by r.student_id, r.starts_on`.execute(tx)
  const entries = rows.flatMap((of, n) =>
    of.types.flatMap((type_id, k) =>
      Array.from({ length: 3 }, (_, i) => {
        const day = addDays(of.starts_on, Math.max(0, Math.min(of.days, 2 + 5 * i + k)))
        // What is long over is confirmed, but for a few.
        const state = of.instructor_id === null ? 'entered' : STATES[(n + k + i) % STATES.length]!
        const done_at = new Date(`${day}T${String(8 + ((n + i) % 9)).padStart(2, '0')}:${i}5:00Z`)
        return {
          of,
          type_id,
          state,
          done_at,
          note: NOTES[(n + k + i) % NOTES.length]!,
          role: ROLES[(n + i) % ROLES.length]!,
        }
      }),
    ),
  )
  const ids = await insertNew(
    tx,
    'logbook_entries',
    entries.map(({ of, type_id, state, done_at, note, role }, i) => ({
      uuid: randomUUID(),
      student_id: of.student_id,
      rotation_id: of.rotation_id,
      type_id,
      role,
      done_at,
      note,
      phone_at: new Date(done_at.getTime() + 600_000),
      clock_ahead: i % 17 === 0 ? 3600 : 0,
      received_at: new Date(done_at.getTime() + 7_200_000),
      status: state,
      confirmed_by_id: state === 'confirmed' ? of.instructor_id : null,
      confirmed_at: state === 'confirmed' ? new Date(done_at.getTime() + 10_000_000) : null,
      confirmed_how: state === 'confirmed' ? (['list', 'code', 'pin'] as const)[i % 3] : null,
    })),
  )
  const step = { workflow: 'logbook_entry', actor_id: null }
  await insertRows(tx, 'step_history', [
    ...entries.map(({ done_at }, i) => ({
      ...step,
      at: new Date(done_at.getTime() + 7_200_000),
      record_id: ids[i]!,
      action: 'begin',
      from_state: null as string | null,
      to_state: 'entered',
      reason: null as string | null,
    })),
    ...entries.flatMap(({ state, done_at }, i) =>
      stepsTo(logbookFlow, state).map((taken) => ({
        ...step,
        at: new Date(done_at.getTime() + 10_000_000),
        record_id: ids[i]!,
        ...taken,
        reason: state === 'rejected' ? 'You watched it: enter it as observed.' : null,
      })),
    ),
  ])
}

/** Draws duties of a training from one day to another. */
async function makeRoster(
  tx: Tx,
  training: number,
  from: string,
  until: string,
  status: 'draft' | 'published',
): Promise<void> {
  const { needs, people } = await drawnFrom(tx, training, from, until, sql`select 0`)
  const { drawn } = drawRoster(needs, people, 7, 2)
  const by = new Map(needs.map((need) => [need.key, need]))
  const [roster_id] = await insertNew(tx, 'duty_rosters', [
    {
      training_id: training,
      starts_on: from,
      ends_on: until,
      status,
      published_at: status === 'published' ? new Date() : null,
    },
  ])
  await sql`insert into duty_shifts (roster_id, kind_id, student_id, day, starts_at, ends_at, rests_until)
    select ${roster_id ?? 0}, k.id, x.person, x.day, duty_starts(x.day, k.from_time), duty_ends(x.day, k.from_time, k.to_time),
      duty_ends(x.day, k.from_time, k.to_time) + interval '11 hours'
    from jsonb_to_recordset(${JSON.stringify(
      drawn.map(({ key, person }) => ({ kind: by.get(key)!.kind_id, day: by.get(key)!.day, person })),
    )}::jsonb) as x (kind int, day date, person int) join duty_kinds k on k.id = x.kind`.execute(tx)
}

async function makeDuties(tx: Tx): Promise<void> {
  const today = dayOf()
  // Where most are in the coming weeks; and one training of each other faculty, when somebody is there.
  const { rows } = await sql<{ id: number; code: string; from: string; until: string; people: number }>`
    select distinct on (x.faculty_id, x.n) x.* from (
      select t.id, t.code, y.faculty_id, y.faculty_id = (select faculty_id from emtyaz_years order by id limit 1) as medicine, row_number() over (partition by y.faculty_id order by bool_or(s.user_id is not null) desc, count(distinct r.student_id) desc, t.id) as n,
        count(distinct r.student_id)::int as people,
        case when max(r.ends_on) >= university_today() + 13 then (university_today() - 6)::text else min(r.starts_on)::text end as from,
        case when max(r.ends_on) >= university_today() + 13 then (university_today() + 13)::text else (min(r.starts_on) + 13)::text end as until
      from emtyaz_trainings t join emtyaz_years y on y.id = t.year_id join emtyaz_rotations r on r.training_id = t.id
        join students s on s.id = r.student_id
      where r.status = 'accepted' and r.removed_at is null and (y.faculty_id <> (select faculty_id from emtyaz_years order by id limit 1)
        or (r.starts_on <= university_today() - 6 and r.ends_on >= university_today() + 6))
      group by t.id, y.faculty_id) x where x.n <= case when x.medicine then 3 else 1 end order by x.faculty_id, x.n`.execute(
    tx,
  )
  const kinds = rows.flatMap(({ id, code }) => [
    {
      training_id: id,
      code: `${code}-D`.slice(-20),
      name: 'Day duty',
      name_local: 'نوبتجية نهارية',
      part: 'day',
      from_time: '08:00',
      to_time: '16:00',
      interns: 1,
    },
    {
      training_id: id,
      code: `${code}-N`.slice(-20),
      name: 'Night duty',
      name_local: 'نوبتجية ليلية',
      part: 'night',
      from_time: '20:00',
      to_time: '08:00',
      interns: 1,
    },
  ])
  const made = await insertNew(tx, 'duty_kinds', kinds)
  for (const [i, { id, from, until }] of rows.entries()) {
    await makeRoster(tx, id, from, until, 'published')
    if (i === 0) await makeRoster(tx, id, addDays(until, 1), addDays(until, 7), 'draft')
  }
  // Where two are in two trainings, the second takes a duty of the first one's.
  await sql`insert into duty_shifts (roster_id, kind_id, student_id, day, starts_at, ends_at, rests_until)
    select o.id, k.id, r.student_id, o.starts_on + n, duty_starts(o.starts_on + n, k.from_time), duty_ends(o.starts_on + n, k.from_time, k.to_time),
      duty_ends(o.starts_on + n, k.from_time, k.to_time) + interval '11 hours'
    from duty_rosters o join duty_kinds k on k.training_id = o.training_id and k.part = 'night' join emtyaz_trainings t on t.id = o.training_id
      join emtyaz_rotations r on r.year_id = t.year_id and r.training_id <> t.id and r.status = 'accepted', generate_series(1, 13, 3) n
    where t.year_id <> (select min(id) from emtyaz_years) and o.status = 'published' and not exists (select from duty_shifts d where d.student_id = r.student_id)`.execute(
    tx,
  )
  await sql`insert into duty_wishes (student_id, day) select distinct student_id, university_today() + 20 from duty_shifts order by 1 limit 6`.execute(
    tx,
  )
  const [kind] = made
  await sql`insert into duty_supervisors (kind_id, day, instructor_id) select ${kind ?? 0}, ${today}::date, m.instructor_id
    from emtyaz_training_instructors m join duty_kinds k on k.training_id = m.training_id where k.id = ${kind ?? 0} limit 1`.execute(
    tx,
  )
}

/** Swaps between two of the same training, in every state; those that were accepted are done already. */
async function makeSwaps(tx: Tx): Promise<void> {
  const { rows } = await sql<{
    a: number
    b: number
    student_id: number
    other_id: number
    training_id: number
    user_id: number | null
  }>`
    select * from (
      select distinct on (a.id) a.id as a, b.id as b, a.student_id, b.student_id as other_id, k.training_id, s.user_id, fits
      from duty_shifts a join duty_kinds k on k.id = a.kind_id join duty_rosters o on o.id = a.roster_id and o.status = 'published'
        join duty_shifts b on b.roster_id = a.roster_id and b.student_id <> a.student_id and b.day between a.day + 1 and a.day + 6
        join students s on s.id = a.student_id
        -- Whether both still rest enough when they have swapped: those first, so that some can be agreed to whatever the day.
        cross join lateral (select not exists (select from duty_shifts c where c.id not in (a.id, b.id)
          and (c.student_id = a.student_id and tstzrange(c.starts_at, c.rests_until) && tstzrange(b.starts_at, b.rests_until)
            or c.student_id = b.student_id and tstzrange(c.starts_at, c.rests_until) && tstzrange(a.starts_at, a.rests_until))) as fits) rest
      order by a.id, fits desc, b.starts_at) x
    order by row_number() over (partition by x.training_id order by x.fits desc, x.a desc), x.training_id limit 24`.execute(
    tx,
  )
  const taken = new Set<number>()
  const pairs = rows.filter(({ a, b }) => {
    if (taken.has(a) || taken.has(b)) return false
    taken.add(a).add(b)
    return true
  })
  const swaps = await insertNew(
    tx,
    'duty_swaps',
    pairs.map(({ a, b, student_id, other_id, training_id }, i) => {
      const status = SWAPS[i % SWAPS.length]!
      const [own, other] = status === 'accepted' ? [other_id, student_id] : [student_id, other_id]
      return {
        shift_id: a,
        with_shift_id: b,
        student_id: own,
        other_id: other,
        training_id,
        why: WHY[i % WHY.length]!,
        status,
      }
    }),
  )
  const step = { workflow: 'duty_swap', actor_id: null, reason: null }
  await insertRows(tx, 'step_history', [
    ...swaps.map((record_id, i) => ({
      ...step,
      actor_id: pairs[i]!.user_id,
      at: momentBefore(20 - i),
      record_id,
      action: 'begin',
      from_state: null as string | null,
      to_state: 'requested',
    })),
    ...swaps.flatMap((record_id, i) =>
      stepsTo(dutySwapFlow, SWAPS[i % SWAPS.length]!).map((taken_) => ({
        ...step,
        at: momentBefore(19 - i),
        record_id,
        ...taken_,
      })),
    ),
  ])
}

export default demoPart(
  ['logbook_types', 'logbook_entries', 'duty_kinds', 'duty_rosters', 'duty_shifts', 'duty_swaps'],
  ['emtyaz_rotations'],
  async (tx) => {
    await makeTypes(tx)
    await makeEntries(tx)
    await makeDuties(tx)
    await makeSwaps(tx)
  },
)
