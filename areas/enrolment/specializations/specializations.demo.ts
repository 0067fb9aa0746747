import { sql } from 'kysely'
import { followIds, insertRows } from '#db/bulk.ts'
import { demoPart } from '#demo/part.ts'
import { standCredits } from '#areas/records/grading/terms/record.server.ts'
import { makeRun } from './distribution/run.server.ts'

const MOST_WISHES = 10
/** The faculty whose students specialise, the general program they come from, and the programs they go into. */
const FACULTY = 1
const INTO = ['CS', 'AI', 'CE'] as const

/**
 * A general program of the Faculty of Engineering and Computing, and windows in every state: one confirmed a year ago, one
 * distributed and one closed of this year, one that is open with the wishes of many, one that is planned.
 */
export default demoPart(
  ['specializations', 'specialization_times', 'specialization_preferences', 'student_specializations'],
  ['students', 'programs', 'program_courses', 'registrations', 'student_terms', 'internal_transfers', 'transfers_out'],
  async (tx, demo) => {
    const targets = INTO.map((code) => demo.programs.find((one) => one.code === code)!)
    const commerce = demo.programs.filter((one) => one.code === 'ACC' || one.code === 'BUS')
    const bylaw_id = targets[0]!.bylaw_id
    // Their ids are their own, whatever programs come to the demo university.
    const general = 90
    await insertRows(tx, 'programs', [
      {
        id: general,
        code: 'GEN',
        name: 'General Computing',
        name_local: 'الحوسبة العامة',
        degree: null,
        degree_local: null,
        bylaw_id,
        faculty_id: FACULTY,
        department_id: demo.departments.find((department) => department.code === 'BAS')?.id ?? null,
        program_type: 'credit_hours',
        is_general: true,
        min_credit_hours: 66,
        semesters: 4,
      },
      // Commerce begins with it next year.
      {
        id: general + 1,
        code: 'GCO',
        name: 'General Commerce',
        name_local: 'التجارة العامة',
        degree: null,
        degree_local: null,
        bylaw_id: commerce[0]!.bylaw_id,
        faculty_id: commerce[0]!.faculty_id,
        department_id: null,
        program_type: commerce[0]!.program_type,
        is_general: true,
        min_credit_hours: 60,
        semesters: 4,
      },
    ])
    await followIds(tx, 'programs')
    // What all of them have in common at the beginning is its plan.
    await sql`insert into program_courses (program_id, course_id, level, semester, kind)
      select ${general}, course_id, min(level), min(semester), 'mandatory' from program_courses
      where program_id = any(${targets.map((target) => target.id)}::int[]) and kind <> 'elective' and semester <= 4
      group by course_id having count(*) = ${targets.length}`.execute(tx)

    const rows = targets.map((target, i) => ({
      id: i + 1,
      code: `GEN-${target.code}`,
      name: target.name,
      name_local: target.name_local,
      bylaw_id,
      general_program_id: general,
      program_id: target.id,
      capacity: [14, 8, 10][i] ?? 10,
    }))
    await insertRows(tx, 'specializations', [
      ...rows,
      ...commerce.map((one, i) => ({
        id: rows.length + i + 1,
        code: `GCO-${one.code}`,
        name: one.name,
        name_local: one.name_local,
        bylaw_id: one.bylaw_id,
        general_program_id: general + 1,
        program_id: one.id,
        capacity: 60,
      })),
    ])

    const day = (days: number) => sql`(${demo.today}::date + ${days}::int)`
    const windows = [
      { from: -400, to: -391 },
      { from: -75, to: -66 },
      { from: -40, to: -26 },
      { from: -6, to: 8 },
      { from: 150, to: 159 },
      { from: 170, to: 180 },
    ]
    for (const [i, { from, to }] of windows.entries()) {
      const bylaw = i === 5 ? commerce[0]!.bylaw_id : bylaw_id
      await sql`insert into specialization_times (id, bylaw_id, start_date, end_date, min_passed_hours, max_preferences, tie_rule)
        overriding system value values (${i + 1}, ${bylaw}, ${day(from)}, ${day(to)}, ${i ? 12 : null}, ${targets.length}, ${i ? 'school' : 'code'})`.execute(
        tx,
      )
      await sql`insert into specialization_seats (specialization_time_id, position, specialization_id, capacity)
        select ${i + 1}, id - 1, id, case when ${i + 1} in (2, 3) then 4 else capacity end from specializations
        where bylaw_id = ${bylaw}`.execute(tx)
    }
    await followIds(tx, 'specializations', 'specialization_times')

    /** Students of a year in the programs of the faculty; accounts of the demo university stay as they are. */
    const students = async (year: number, some: number) =>
      (
        await sql<{ id: number; program_id: number }>`
          select s.id, s.program_id from students s join terms t on t.id = s.entry_term_id
          where s.program_id = any(${targets.map((target) => target.id)}::int[]) and s.email not like 'student%@%' and s.passed_hours >= 12
            and not exists (select from internal_transfers x where x.student_id = s.id)
            and not exists (select from transfers_out x where x.student_id = s.id)
            and t.id = (select id from terms where term_type = 'fall' and start_date <= ${demo.today}::date order by start_date desc
              offset ${year} limit 1)
          order by md5(s.code) limit ${some}`.execute(tx)
      ).rows
    const wish = async (window: number, list: readonly { id: number; choices: number[] }[]) => {
      await insertRows(
        tx,
        'specialization_preferences',
        list.map(({ id, choices }) => ({ specialization_time_id: window, student_id: id, choices })),
      )
    }
    const move = (ids: readonly number[]) =>
      sql`update students set program_id = ${general} where id = any(${[...ids]}::int[])`.execute(tx)
    const idOf = (program: number) => rows.find((row) => row.program_id === program)!.id
    const run = async (window: number, status: string) => {
      const id = await makeRun({ actor: null } as never, tx, window)
      await sql`update specialization_times set status = ${status}, run_id = ${id},
        confirmed_at = case when ${status} = 'confirmed' then end_date + interval '3 days' end where id = ${window}`.execute(
        tx,
      )
      await sql`update specialization_runs set made_at = (select end_date + interval '2 days' from specialization_times where id = ${window})
        where id = ${id}`.execute(tx)
    }

    // A year ago: everybody came where he or she is now.
    const before = await students(2, 30)
    await wish(
      1,
      before.map(({ id, program_id }) => {
        const own = idOf(program_id)
        return { id, choices: [own, ...rows.map((row) => row.id).filter((one) => one !== own)] }
      }),
    )
    await sql`update specialization_seats e set capacity = (select count(*) from specialization_preferences p
      where p.specialization_time_id = 1 and p.choices[1] = e.specialization_id) where specialization_time_id = 1`.execute(
      tx,
    )
    await move(before.map((one) => one.id))
    await run(1, 'confirmed')
    await sql`update students s set program_id = z.program_id from specialization_results r join specializations z on z.id = r.specialization_id
      where r.student_id = s.id and s.program_id = ${general}`.execute(tx)
    await sql`insert into student_specializations (student_id, specialization_id, specialization_time_id, from_program_id, program_id,
        from_advisor_id, advisor_id, preference, assigned_at)
      select s.id, r.specialization_id, 1, ${general}, s.program_id, s.advisor_id, s.advisor_id, r.preference, w.confirmed_at
      from specialization_results r join specialization_times w on w.run_id = r.run_id join students s on s.id = r.student_id`.execute(
      tx,
    )
    // Since then two of them ask for more.
    await sql`update specializations set min_gpa = case id when 1 then 2.4 else 2.7 end, min_passed_hours = 14 where id in (1, 2)`.execute(
      tx,
    )
    const course = demo.courses.find((one) => one.code === 'CSC101')!
    await insertRows(tx, 'specialization_courses', [
      { specialization_id: 2, position: 0, course_id: course.id, min_letter: 'C' },
    ])

    // This year: two small rounds, and the one that is open.
    const now = await students(1, 60)
    await move(now.map((one) => one.id))
    // What they are registered in is open to the program in which they are.
    await sql`insert into offering_programs (offering_id, program_id, level)
      select distinct r.offering_id, ${general}::int, null::int from registrations r
      where r.student_id = any(${now.map((one) => one.id)}::int[])
        and exists (select from offering_programs p where p.offering_id = r.offering_id) on conflict do nothing`.execute(
      tx,
    )
    const wishes = now.map(({ id, program_id }, i) => {
      const own = idOf(program_id)
      const rest = rows.map((row) => row.id).filter((one) => one !== own)
      const order = i % 3 ? [own, ...rest] : [rest[0]!, own, ...rest.slice(1)]
      return { id, choices: i % 5 === 4 ? order.slice(0, 2) : order }
    })
    await wish(2, wishes.slice(0, MOST_WISHES))
    await wish(3, wishes.slice(10, 22))
    await wish(4, wishes.slice(22, 54))
    await run(2, 'distributed')
    // Whether they may graduate is judged by the program in which they are now.
    await standCredits(
      null,
      tx,
      [...before, ...now].map((one) => one.id),
    )
  },
)
