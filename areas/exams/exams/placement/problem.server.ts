/** An exam as the solver reads it, and its answer as a plan of schedules. */
import { minutesBetween, type Way } from '#areas/study/scheduling/places/way.rules.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { dutiesNeeded, evaluatePlacement } from '../solver/evaluate.rules.ts'
import type { Helper } from '../accommodations/accommodation.contract.ts'
import { extraMinutes } from '../accommodations/accommodation.rules.ts'
import type { CostParts, Duty, ExamProblem, ExamPlacement } from '../solver/problem.contract.ts'
import type { PlacementFigures, WeightName } from './placement.contract.ts'
import { lackingStaff, partHalls, weightsOf, type ExamPlan } from './placement.rules.ts'

interface Read {
  exam: { students_per_invigilator: number; term_id: number; faculty_id: number | null; status: string }
  slots: { on_date: string; exam_slot_id: number; from: number; to: number; penalty: number; begun: boolean }[]
  halls: {
    id: number
    name: string
    name_local: string
    building_id: number
    seats: number
    reserve: number
    penalty: number
  }[]
  ways: Way[]
  closures: {
    on_date: string | null
    exam_slot_id: number | null
    location_id: number | null
    instructor_id: number | null
  }[]
  relations: { kind: string; a: number; b: number | null }[]
  exams: {
    id: number
    offering_id: number
    name: string
    duration: number | null
    on_date: string | null
    exam_slot_id: number | null
    is_locked: boolean
    students: number[]
    halls: [location: number, seats: number, own_room: boolean, extra: number][]
    people: [hall: number, person: number][]
  }[]
  /** Students to whom something was granted, by schedule of the term. */
  granted: {
    schedule: number
    student: number
    percent: number | null
    own_room: boolean
    helper: Helper | null
  }[]
  /** Students of an exam who have a meeting in a slot. */
  taught: { id: number; on_date: string; exam_slot_id: number; count: number }[]
  others: {
    id: number
    on_date: string
    from: number
    to: number
    students: number[]
    halls: [location: number, seats: number, own_room: boolean, extra: number][]
  }[]
  staff: {
    id: number
    name: string
    name_local: string
    own: number[]
  }[]
}

const SITTERS = `coalesce((select json_agg(r.student_id) from registrations r where r.offering_id = s.offering_id and sits_exam(r.status)), '[]')`
const HALLS = `coalesce((select json_agg(json_build_array(l.location_id, l.seats, l.own_room, l.extra) order by l.location_id) from exam_schedule_locations l where l.exam_schedule_id = s.id), '[]')`

async function read(db: Db | Tx, exam_id: number): Promise<Read> {
  const { rows } = await sql<{ read: Read }>`
    select json_build_object(
      'exam', json_build_object('students_per_invigilator', e.students_per_invigilator, 'term_id', e.term_id, 'faculty_id', e.faculty_id, 'status', e.status),
      'slots', (select coalesce(json_agg(json_build_object('on_date', d.on_date, 'exam_slot_id', x.exam_slot_id, 'penalty', d.penalty + x.penalty,
          'from', extract(epoch from lower(h.held) - d.on_date)::int / 60, 'to', extract(epoch from upper(h.held) - d.on_date)::int / 60,
          'begun', lower(h.held) < now() at time zone university_zone()) order by d.on_date, lower(h.held), x.exam_slot_id), '[]')
        from exam_days d join exam_times x on x.exam_id = d.exam_id cross join lateral (select exam_time(d.on_date, x.exam_slot_id, null) as held) h
        where d.exam_id = e.id),
      'halls', (select coalesce(json_agg(json_build_object('id', h.location_id, 'name', l.name, 'name_local', l.name_local, 'building_id', l.building_id,
        'seats', least(h.seats, case when l.location_type = 'online' then h.seats else l.capacity end),
        'reserve', exam_reserve(h.seats, e.reserve_percent, e.reserve_seats), 'penalty', h.penalty) order by h.location_id), '[]') from exam_halls h join locations l on l.id = h.location_id where h.exam_id = e.id),
      'ways', (select coalesce(json_agg(json_build_array(w.building_id, w.other_building_id, w.minutes)), '[]') from building_distances w
        where w.removed_at is null),
      'closures', (select coalesce(json_agg(json_build_object('on_date', k.on_date, 'exam_slot_id', k.exam_slot_id, 'location_id', k.location_id,
        'instructor_id', k.instructor_id)), '[]') from (
          select on_date, exam_slot_id, location_id, instructor_id from exam_closures where exam_id = e.id
          union select on_date, exam_slot_id, location_id, instructor_id from closed_by_meetings(e.id)) k),
      'relations', (select coalesce(json_agg(json_build_object('kind', r.kind, 'a', r.offering_id, 'b', r.other_offering_id)), '[]') from exam_relations r where r.exam_id = e.id),
      'exams', (select coalesce(json_agg(json_build_object('id', s.id, 'offering_id', s.offering_id, 'name', c.code || ' (' || o.code || ')', 'duration', s.duration,
          'on_date', s.on_date, 'exam_slot_id', s.exam_slot_id, 'is_locked', s.is_locked, 'students', ${sql.raw(SITTERS)}, 'halls', ${sql.raw(HALLS)},
          'people', coalesce((select json_agg(json_build_array(v.location_id, v.instructor_id)) from exam_schedule_instructors v
            where v.exam_schedule_id = s.id), '[]')) order by s.id), '[]')
        from exam_schedules s join offerings o on o.id = s.offering_id join courses c on c.id = o.course_id where s.exam_id = e.id and s.removed_at is null),
      'granted', (select coalesce(json_agg(json_build_object('schedule', x.exam_schedule_id, 'student', x.student_id, 'percent', x.extra_percent,
          'own_room', x.own_room, 'helper', x.helper) order by x.exam_schedule_id, x.student_id), '[]')
        from exam_accommodated x where x.term_id = e.term_id and (x.exam_id = e.id or x.during is not null)),
      'taught', (select coalesce(json_agg(json_build_object('id', k.id, 'on_date', k.on_date, 'exam_slot_id', k.exam_slot_id, 'count', k.count)), '[]')
        from (select s.id, x.on_date, x.exam_slot_id, count(distinct x.student_id)::int as count from students_in_meetings(e.id) x
          join registrations r on r.student_id = x.student_id and sits_exam(r.status)
          join exam_schedules s on s.offering_id = r.offering_id and s.exam_id = e.id and s.removed_at is null group by 1, 2, 3) k),
      'others', (select coalesce(json_agg(json_build_object('id', s.id, 'on_date', s.on_date, 'from', extract(epoch from lower(s.during)::time)::int / 60,
          'to', extract(epoch from upper(s.during)::time)::int / 60, 'students', ${sql.raw(SITTERS)}, 'halls', ${sql.raw(HALLS)})), '[]')
        from exam_schedules s join exams x on x.id = s.exam_id and x.term_id = e.term_id and x.id <> e.id
        where s.removed_at is null and s.on_date in (select d.on_date from exam_days d where d.exam_id = e.id)),
      'staff', (select coalesce(json_agg(json_build_object('id', i.id, 'name', i.name, 'name_local', i.name_local,
          'own', coalesce((select json_agg(p.offering_id) from offering_instructors p where p.instructor_id = i.id), '[]')) order by i.id), '[]')
        from instructors i where i.removed_at is null and (e.faculty_id is null or i.faculty_id = e.faculty_id)
          and not exists (select from exam_schedule_instructors b join exam_schedules s on s.id = b.exam_schedule_id and s.exam_id <> e.id
            where b.instructor_id = i.id and s.on_date in (select d.on_date from exam_days d where d.exam_id = e.id)))
    ) as read from exams e where e.id = ${exam_id}`.execute(db)
  return firstRow(rows).read
}

const dayNumber = (day: string): number => Date.parse(day) / 86_400_000

/** Reads an exam as a problem. */
export async function readExamPlan(
  db: Db | Tx,
  exam_id: number,
  weights: Partial<Record<WeightName, number>>,
  { reserve = false }: { readonly reserve?: boolean } = {},
): Promise<ExamPlan> {
  const { exam, slots, halls, ways, closures, relations, exams, granted, taught, others, staff } = await read(
    db,
    exam_id,
  )
  // Closures by what is closed: outside exam weeks there are as many as meetings.
  const closuresOf = Map.groupBy(closures, ({ location_id, instructor_id }) => `${location_id} ${instructor_id}`)
  const shut = (on_date: string, slot: number, what: 'location_id' | 'instructor_id', id: number | null) =>
    (closuresOf.get(what === 'location_id' ? `${id} null` : `null ${id}`) ?? []).some(
      (closure) =>
        (closure.on_date === null || closure.on_date === on_date) &&
        (closure.exam_slot_id === null || closure.exam_slot_id === slot),
    )
  // While an exam season is under way, what is over is not planned any more.
  const ahead = slots.some((slot) => !slot.begun)
  const isOver = (slot: number) => ahead && slot >= 0 && slots[slot]!.begun
  const meets = (slot: (typeof slots)[number], other: Read['others'][number]) =>
    other.on_date === slot.on_date && other.from < slot.to && slot.from < other.to
  const indexOf = new Map(exams.map((one, i) => [one.offering_id, i]))
  const slotAt = (on_date: string | null, slot: number | null) =>
    slots.findIndex((one) => one.on_date === on_date && one.exam_slot_id === slot)
  const hallAt = new Map(halls.map((hall, i) => [hall.id, i]))
  const sittings = (list: Read['exams'][number]['halls']) =>
    list.flatMap(([id, seats, own, extra]) =>
      hallAt.has(id) ? [{ hall: hallAt.get(id)!, seats, own, long: !own && extra > 0 }] : [],
    )
  // Whoever was granted something sits apart from the others of an exam, at the same time: alone, or where the hall is held longer.
  const grantedOf = Map.groupBy(granted, (one) => one.schedule)
  const parts = exams.flatMap((one, i) => {
    const mine = grantedOf.get(one.id) ?? []
    const long = mine.filter(({ own_room, percent }) => !own_room && percent !== null)
    const part = (who: typeof mine, own: boolean) => ({
      exam: i,
      own,
      size: who.length,
      students: who.map((need) => need.student),
      percent: Math.max(0, ...who.map((need) => need.percent ?? 0)),
    })
    return [
      ...(long.length ? [part(long, false)] : []),
      ...mine.filter(({ own_room }) => own_room).map((need) => part([need], true)),
    ]
  })
  const partsOf = Map.groupBy(parts, (part) => part.exam)
  const partOf = new Map(
    parts.flatMap((part, i) => part.students.map((student) => [`${part.exam} ${student}`, exams.length + i] as const)),
  )
  const minutesIn = (one: Read['exams'][number], slot: Read['slots'][number]) =>
    Math.min(one.duration ?? Infinity, slot.to - slot.from)
  // Slots in which students of an exam are taught, with how many.
  const lectures = exams.map(() => new Map<number, number>())
  const examAt = new Map(exams.map((one, i) => [one.id, i]))
  for (const one of taught) {
    const slot = slotAt(one.on_date, one.exam_slot_id)
    if (slot >= 0) lectures[examAt.get(one.id)!]?.set(slot, one.count)
  }
  // Slots in which students of an exam sit that of another plan.
  const taken = slots.map(
    (slot) => new Set(others.filter((other) => meets(slot, other)).flatMap((other) => other.students)),
  )
  const alone = new Set(relations.flatMap((relation) => (relation.kind === 'alone' ? [relation.a] : [])))
  const own = new Map<number, number[]>()
  for (const [i, { students }] of exams.entries())
    for (const student of students) {
      const mine = own.get(student)
      const at = partOf.get(`${i} ${student}`) ?? i
      if (mine) mine.push(at)
      else own.set(student, [at])
    }
  // Slots in which a student with more time would write into an exam of another plan, or out of one.
  const percentOf = new Map(granted.map((one) => [`${one.schedule} ${one.student}`, one.percent ?? 0]))
  const late = (one: Read['exams'][number], slot: Read['slots'][number]) =>
    (grantedOf.get(one.id) ?? []).some(
      ({ student, percent }) =>
        percent !== null &&
        others.some(
          (other) =>
            other.on_date === slot.on_date &&
            other.from < slot.from + minutesIn(one, slot) + extraMinutes(minutesIn(one, slot), percent) &&
            slot.from < other.to + extraMinutes(other.to - other.from, percentOf.get(`${other.id} ${student}`) ?? 0) &&
            other.students.includes(student),
        ),
    )
  const pairs = (kind: string) =>
    relations.flatMap((relation): [number, number][] => {
      const a = indexOf.get(relation.a)
      const b = relation.b === null ? undefined : indexOf.get(relation.b)
      return relation.kind === kind && a !== undefined && b !== undefined ? [[a, b]] : []
    })
  // Of a pair with a student in common who sits apart in both, the solver would not see that.
  const shares = (a: number, b: number) => exams[a]!.students.some((student) => exams[b]!.students.includes(student))
  const together = pairs('together').filter(([a, b]) => !parts.length || !shares(a, b))
  const shortest = Math.min(...slots.map((slot) => slot.to - slot.from), 1440)
  const staffed: ExamProblem = {
    slots: slots.map((slot, i) => ({
      id: i,
      day: dayNumber(slot.on_date),
      at: dayNumber(slot.on_date),
      start: dayNumber(slot.on_date) * 1440 + slot.from,
      minutes: slot.to - slot.from,
      penalty: slot.penalty,
    })),
    halls: halls.map((hall) => ({
      id: hall.id,
      // Seats for who comes late are not planned with.
      seats: reserve ? Math.max(1, hall.seats - hall.reserve) : hall.seats,
      penalty: hall.penalty,
      closed: slots.flatMap((slot, i) =>
        shut(slot.on_date, slot.exam_slot_id, 'location_id', hall.id) ||
        others.some(
          (other) =>
            other.on_date === slot.on_date &&
            other.from < slot.to &&
            other.halls.some(([id, , , extra]) => id === hall.id && slot.from < other.to + extra),
        )
          ? [i]
          : [],
      ),
      invigilators: Math.max(1, Math.ceil(hall.seats / exam.students_per_invigilator)),
    })),
    exams: [
      ...exams.map((one, exam_index) => {
        const at = slotAt(one.on_date, one.exam_slot_id)
        const minutes = one.duration ?? shortest
        const placed =
          one.halls.reduce((sum, [, seats]) => sum + seats, 0) === one.students.length &&
          !one.halls.some(([hall]) => at >= 0 && shut(slots[at]!.on_date, slots[at]!.exam_slot_id, 'location_id', hall))
        const stays = at >= 0 && (one.is_locked || isOver(at))
        const apart = (partsOf.get(exam_index) ?? []).reduce((sum, part) => sum + part.size, 0)
        const main = partHalls(sittings(one.halls), partsOf.get(exam_index) ?? []).main
        return {
          id: one.id,
          size: one.students.length - apart,
          minutes,
          slots: slots.flatMap((slot, i) =>
            (!isOver(i) || i === at) &&
            !shut(slot.on_date, slot.exam_slot_id, 'location_id', null) &&
            !lectures[exam_index]!.has(i) &&
            !late(one, slot) &&
            !one.students.some((student) => taken[i]!.has(student))
              ? [i]
              : [],
          ),
          alone: alone.has(one.offering_id),
          ...(stays && { fixed: { slot: at, ...(placed && { halls: main }) } }),
        }
      }),
      ...parts.map(({ exam: main, own: isAlone, size, percent }) => {
        const one = exams[main]!
        return {
          id: one.id,
          size,
          minutes: one.duration ?? shortest,
          over: slots.map((slot) => {
            const minutes = minutesIn(one, slot)
            return Math.max(0, minutes + extraMinutes(minutes, percent) - (slot.to - slot.from))
          }),
          alone: isAlone || alone.has(one.offering_id),
          ...(isAlone && { maxHalls: 1, watchers: 1 }),
        }
      }),
    ],
    students: [...own.values()].filter((list) => list.length > 0),
    ...(ways.length && {
      ways: halls.map((hall) => halls.map((other) => minutesBetween(ways, hall.building_id, other.building_id))),
    }),
    after: pairs('after'),
    together: [...together, ...parts.map((part, i): [number, number] => [part.exam, exams.length + i])],
    apart: pairs('apart'),
    weights: weightsOf(weights, exams.length, slots.length),
  }
  const who = staff.map((one) => ({
    id: one.id,
    away: slots.flatMap((slot, i) => (shut(slot.on_date, slot.exam_slot_id, 'instructor_id', one.id) ? [i] : [])),
    own: one.own.flatMap((offering) => indexOf.get(offering) ?? []),
  }))
  // Without people enough, places matter more than who looks after them: those there are, are assigned afterwards.
  const needed = staffed.halls.reduce((sum, hall) => sum + (hall.invigilators ?? 0), 0)
  const problem =
    who.length >= needed
      ? { ...staffed, staff: who }
      : { ...staffed, halls: staffed.halls.map((hall) => ({ ...hall, invigilators: 0 })) }
  const split = exams.map((one, i) => partHalls(sittings(one.halls), partsOf.get(i) ?? []))
  const present = [
    ...exams.map((one, i) => ({ slot: slotAt(one.on_date, one.exam_slot_id), halls: split[i]!.main })),
    ...parts.map((part) => ({
      slot: slotAt(exams[part.exam]!.on_date, exams[part.exam]!.exam_slot_id),
      halls: split[part.exam]!.parts[partsOf.get(part.exam)!.indexOf(part)]!,
    })),
  ]
  const personAt = new Map(staff.map((one, i) => [one.id, i]))
  const duties = new Map<string, { slot: number; hall: number; staff: number[] }>()
  for (const [i, one] of exams.entries())
    for (const [location, person] of one.people) {
      const { slot } = present[i]!
      const hall = hallAt.get(location)
      if (slot < 0 || hall === undefined || !personAt.has(person)) continue
      const duty = duties.get(`${slot} ${hall}`) ?? { slot, hall, staff: [] }
      // Exams that share a hall share its people.
      if (!duty.staff.includes(personAt.get(person)!)) duty.staff.push(personAt.get(person)!)
      duties.set(`${slot} ${hall}`, duty)
    }
  return {
    problem,
    staffed: { ...staffed, staff: who },
    present,
    lectures,
    duties: [...duties.values()],
    names: new Map(exams.map((one) => [one.id, one.name])),
    slots,
    halls,
    schedules: exams.map((one) => one.id),
    parts,
    room: halls.map((hall) => hall.seats),
    staff,
    locked: new Set(
      exams.flatMap((one, i) => (present[i]!.slot >= 0 && (one.is_locked || isOver(present[i]!.slot)) ? [one.id] : [])),
    ),
  }
}

/** The figures of a plan that are shown. Invigilators who lack break nothing: they are told. */
export function placementFiguresOf(
  plan: ExamPlan,
  placements: readonly ExamPlacement[],
  duties: readonly Duty[],
): PlacementFigures {
  const { broken, brokenCount, parts, total, worstLoad } = evaluatePlacement(plan.problem, placements)
  const staffed = evaluatePlacement(plan.staffed, placements, duties)
  const needed = dutiesNeeded(plan.staffed, placements)
  const load = plan.staff.map((_, person) => duties.filter((duty) => duty.staff.includes(person)).length)
  const { invigilators } = staffed.parts
  return {
    broken: brokenCount,
    unplaced: broken.unplaced,
    clashes: broken.clashes,
    total: total + invigilators,
    worstLoad,
    parts: { ...(parts satisfies CostParts), invigilators },
    invigilators: {
      needed: needed.reduce((sum, one) => sum + one.count, 0),
      lacking: lackingStaff(plan, needed, duties).reduce((sum, one) => sum + one.lacking, 0),
      most: Math.max(0, ...load),
      least: load.length ? Math.min(...load) : 0,
    },
  }
}
