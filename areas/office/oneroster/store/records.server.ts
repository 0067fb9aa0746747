/** Organisations, time, courses, offerings and people of a bundle. */
import { sql } from 'kysely'
import { refuse } from '#kit/server/base/errors.ts'
import { mergeBundle } from './merge.server.ts'
import { keepTable, sample } from './staging.server.ts'
import type { ImportRun } from './staging.server.ts'
import { generalPrograms, usualScheme } from './usual.server.ts'

/** Credit hours of a course and capacities of a class: OneRoster has neither. */
export interface ImportOptions {
  readonly credit_hours?: number
  /** Places of a class for each student enrolled in it. */
  readonly seats_per_student?: number
}

const NAMES = ['code', 'name', 'name_local'] as const
const PLACE = {
  faculty_id: ['faculties', 'faculty'],
  department_id: ['departments', 'department'],
} as const

export async function mergeOrgs(run: ImportRun): Promise<void> {
  await mergeBundle(run, {
    kind: 'faculty',
    table: 'faculties',
    key: 'faculty_id',
    from: sql`select external_id, line, code as label, made, code, name, name as name_local from in_faculties`,
    owned: NAMES,
    unique: ['code'],
    place: { file: 'orgs', column: 'identifier' },
  })
  await mergeBundle(run, {
    kind: 'department',
    table: 'departments',
    key: 'department_id',
    from: sql`select d.external_id, d.line, d.code as label, d.made, d.code, d.name, d.name as name_local, f.known as faculty_id
      from in_departments d join m_faculty f on f.external_id = d.faculty`,
    owned: [...NAMES, 'faculty_id'],
    refs: PLACE,
    unique: ['code'],
    place: { file: 'orgs', column: 'identifier' },
  })
  if (run.apply) {
    const { rows } = await sql<{ id: number }>`select known as id from m_faculty order by line`.execute(run.tx)
    await generalPrograms(
      run.tx,
      rows.map(({ id }) => id),
    )
  }
  await keepTable(
    run.tx,
    'general_programs',
    sql`select distinct on (faculty_id) faculty_id, id, bylaw_id from programs
      where is_general and removed_at is null order by faculty_id, id`,
  )
}

export async function mergeTime(run: ImportRun): Promise<void> {
  const dates = ['start_date', 'end_date'] as const
  await mergeBundle(run, {
    kind: 'year',
    table: 'years',
    key: 'year_id',
    from: sql`select external_id, line, code as label, true as made, code, name, name as name_local, start_date, end_date from in_years`,
    owned: [...NAMES, ...dates],
    unique: ['code'],
    place: { file: 'academicSessions', column: 'title' },
  })
  await mergeBundle(run, {
    kind: 'term',
    table: 'terms',
    key: 'term_id',
    from: sql`select t.external_id, t.line, t.code as label, true as made, t.code, t.name, t.name as name_local,
        t.start_date, t.end_date, t.term_type, y.known as year_id
      from in_terms t join m_year y on y.external_id = t.year`,
    owned: [...NAMES, ...dates, 'term_type', 'year_id'],
    refs: { year_id: ['years', 'year'] },
    unique: ['code'],
    place: { file: 'academicSessions', column: 'title' },
  })
  if (!run.apply) return
  await sql`insert into current_terms (key, term_id)
    select key, t.known from (select known from m_term order by start_date desc limit 1) t
    cross join unnest(array['current_term', 'current_admission_term', 'current_admission_term_UG',
      'current_admission_term_PG', 'current_transfer_term', 'current_control_term', 'current_exam_term']) as key
    on conflict do nothing`.execute(run.tx)
}

export async function mergeCourses(run: ImportRun, { credit_hours = 3 }: ImportOptions): Promise<void> {
  await mergeBundle(run, {
    kind: 'course',
    table: 'courses',
    key: 'course_id',
    from: sql`select c.external_id, c.line, c.code as label, false as made, c.code, c.name, c.name as name_local,
        f.known as faculty_id, d.known as department_id, ${credit_hours}::numeric as credit_hours,
        round(${credit_hours}::numeric) as lecture_hours
      from in_courses c join m_faculty f on f.external_id = c.faculty left join m_department d on d.external_id = c.department`,
    owned: [...NAMES, 'faculty_id', 'department_id'],
    initial: ['credit_hours', 'lecture_hours'],
    refs: PLACE,
    unique: ['code'],
    place: { file: 'courses', column: 'courseCode' },
  })
}

/** A class is an offering with one group of as many places as are needed. */
export async function mergeOfferings(run: ImportRun, { seats_per_student = 1.05 }: ImportOptions): Promise<void> {
  const { tx, apply } = run
  const scheme = apply ? await usualScheme(tx) : null
  await mergeBundle(run, {
    kind: 'offering',
    table: 'offerings',
    key: 'offering_id',
    from: sql`select o.external_id, o.line, o.code as label, false as made, o.code, o.students, t.known as term_id, c.known as course_id,
        f.known as faculty_id, d.known as department_id, ${scheme?.id ?? null}::int as mark_id
      from in_classes o join m_term t on t.external_id = o.term join m_course c on c.external_id = o.course
        join m_faculty f on f.external_id = o.faculty left join m_department d on d.external_id = o.department`,
    owned: ['term_id', 'course_id', 'code', 'faculty_id', 'department_id'],
    initial: ['mark_id'],
    refs: { ...PLACE, term_id: ['terms', 'term'], course_id: ['courses', 'course'] },
    unique: ['code', 'term_id', 'course_id'],
    place: { file: 'classes', column: 'classCode' },
    // An offering whose results are on their way stays where it is; so does one whose students would take a course twice.
    block: async ({ tx }) => {
      await sql`update m_offering m set fin_term_id = now_term_id, fin_course_id = now_course_id,
          block = case when o.control_status <> 'Draft' then 'roster_left_submitted' else 'roster_left_clash' end
        from offerings o
        where o.id = m.known and (m.fin_term_id, m.fin_course_id) is distinct from (m.now_term_id, m.now_course_id)
          and (o.control_status <> 'Draft' or exists (select from registrations r join registrations other
            on other.student_id = r.student_id and other.term_id = m.fin_term_id and other.course_id = m.fin_course_id and other.offering_id <> r.offering_id
            where r.offering_id = o.id))`.execute(tx)
    },
  })
  if (!apply || !scheme) return
  const places = sql`greatest(10, ceil(students * ${seats_per_student}::numeric / 10) * 10)::int`
  await sql`insert into offering_groups (offering_id, number) select known, 1 from m_offering where fresh order by line`.execute(
    tx,
  )
  await sql`insert into offering_slots (offering_id, term_id, group_id, type, quota, over_quota)
    select m.known, m.term_id, g.id, 'Lecture', ${places}, ceil(${places} / 10.0)::int
    from m_offering m join offering_groups g on g.offering_id = m.known where m.fresh order by m.line`.execute(tx)
  await sql`insert into offering_marks (offering_id, mark_category_id, max, position)
    select m.known, s.mark_category_id, s.max * offering_maximum(m.known) / 100, s.position from m_offering m
    cross join jsonb_to_recordset(${JSON.stringify(scheme.items)}::jsonb) as s (mark_category_id int, max numeric, position smallint)
    where m.fresh order by m.line, s.position`.execute(tx)
  // Open to the general program of its faculty, also of the one it moved to.
  await sql`delete from offering_programs op using m_offering m, general_programs g
    where op.offering_id = m.known and not m.fresh and m.fin_faculty_id <> m.now_faculty_id
      and g.faculty_id = m.now_faculty_id and op.program_id = g.id`.execute(tx)
  await sql`insert into offering_programs (offering_id, program_id)
    select m.known, g.id from m_offering m join general_programs g on g.faculty_id = m.faculty_id
    where m.fresh or m.fin_faculty_id <> m.now_faculty_id and m.fin_faculty_id = m.faculty_id
    order by m.line on conflict do nothing`.execute(tx)
  await sql`update registrations r set credit_hours = c.credit_hours from m_offering m join courses c on c.id = m.fin_course_id
    where r.offering_id = m.known and not m.fresh and m.fin_course_id <> m.now_course_id and r.credit_hours <> c.credit_hours`.execute(
    tx,
  )
}

/** Why an account is blocked that the other system switched off. */
const SWITCHED_OFF = 'OneRoster: enabledUser = false'

/**
 * People: an account each, and beside it what they are: a student, an instructor, or both. Somebody of whom the bundle
 * does not say it (a teacher without classes this term) stays what the last import knew.
 */
export async function mergePeople(run: ImportRun): Promise<void> {
  const { tx, source, apply, counts } = run
  const before = (kind: string, as: string) =>
    sql`left join external_ids ${sql.ref(as)} on ${sql.ref(as)}.source = ${source} and ${sql.ref(as)}.kind = ${kind}
      and ${sql.ref(as)}.external_id = i.external_id`
  await mergeBundle(run, {
    kind: 'user',
    table: 'users',
    key: 'user_id',
    from: sql`select i.external_id, i.line, i.code as label, false as made, i.email, i.name, i.name as name_local, i.enabled,
        case when i.unsaid then coalesce(u.type, i.type) else i.type end::smallint as type
      from in_users i ${before('user', 'was')} left join users u on u.id = was.user_id`,
    owned: ['email', 'name', 'name_local', 'type'],
    unique: ['email'],
    remembered: ['enabled'],
    place: { file: 'users', column: 'email', code: 'roster_email_taken' },
  })
  const switched = sql`m_user m join users u on u.id = m.known
    where (not m.enabled and u.blocked_at is null and (m.fresh or coalesce((m.imported ->> 'enabled')::boolean, true))
      or m.enabled and u.blocked_at is not null and u.blocked_reason = ${SWITCHED_OFF})`
  await sample(
    run,
    'user',
    'changed',
    sql`select m.external_id, m.label, m.line, 'enabledUser' as field, (not m.enabled)::text as old, m.enabled::text as new from ${switched} and not m.fresh`,
  )
  if (apply)
    await sql`update users t set blocked_at = case when n.enabled then null else now() end,
        blocked_reason = case when n.enabled then null else ${SWITCHED_OFF} end
      from (select m.known, m.enabled from ${switched}) n where t.id = n.known`.execute(tx)

  const person = sql`i.external_id, i.line, i.code as label, false as made, i.code, i.name, i.name as name_local, i.email,
    f.known as faculty_id, u.known as user_id`
  const joined = sql`in_users i join m_user u on u.external_id = i.external_id join m_faculty f on f.external_id = i.faculty`
  await mergeBundle(run, {
    kind: 'student',
    table: 'students',
    key: 'student_id',
    from: sql`select ${person}, g.id as program_id, g.bylaw_id
      from ${joined} left join general_programs g on g.faculty_id = f.known
        ${before('student', 'was')} ${before('instructor', 'taught')}
      where was.student_id is not null or i.student and not (i.unsaid and taught.instructor_id is not null)`,
    owned: ['code', 'name', 'name_local', 'email', 'faculty_id'],
    initial: ['user_id', 'program_id', 'bylaw_id'],
    refs: PLACE,
    unique: ['code'],
    place: { file: 'users', column: 'identifier' },
  })
  await mergeBundle(run, {
    kind: 'instructor',
    table: 'instructors',
    key: 'instructor_id',
    from: sql`select ${person}, d.known as department_id
      from ${joined} left join m_department d on d.external_id = i.department
        ${before('instructor', 'was')}
      where i.instructor or was.instructor_id is not null`,
    owned: ['code', 'name', 'name_local', 'email', 'faculty_id', 'department_id'],
    initial: ['user_id'],
    refs: PLACE,
    unique: ['code'],
    place: { file: 'users', column: 'identifier' },
  })
  if (!apply) return
  if (counts.student.changed)
    // The general program goes with the faculty; one that somebody chose stays.
    await sql`update students s set program_id = g.id, bylaw_id = g.bylaw_id
      from m_student m join general_programs g on g.faculty_id = m.fin_faculty_id
        join general_programs old on old.faculty_id = m.now_faculty_id
      where s.id = m.known and not m.fresh and m.fin_faculty_id <> m.now_faculty_id and s.program_id = old.id`.execute(
      tx,
    )
  const { rows } = await sql<{ key: string; id: number }>`
    select key, id from roles where key in ('student', 'instructor')`.execute(tx)
  for (const kind of ['student', 'instructor'] as const) {
    const role = rows.find((row) => row.key === kind)
    if (!role) throw refuse(409, 'state_not_allowed')
    await sql`insert into role_assignments (user_id, role_id)
      select user_id, ${role.id}::int from ${sql.table(`m_${kind}`)} where fresh order by line on conflict do nothing`.execute(
      tx,
    )
  }
}
