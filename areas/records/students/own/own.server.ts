import { firstRow } from '#db/rows.ts'
import { joinCourse } from '#areas/common/academics/course-words.server.ts'
import { sumDecimals } from '#areas/study/catalogue/decimal.rules.ts'
import { sql } from 'kysely'
import type { ControlStatus, GradesVisibility } from '#areas/common/academics/control.rules.ts'
import { studentView } from '#areas/common/academics/control.rules.ts'
import { attemptOf, isAudit, mainOf } from '#areas/common/academics/status.rules.ts'
import type { Ref } from '#kit/contract/index.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { graceText, ratingJson } from '#areas/common/academics/rating.server.ts'
import { whyOf } from '#areas/records/grading/grades/why.server.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { ownAcademicRecord, readRecord } from '../record/academic-record.server.ts'
import { seen } from '../record/record.rules.ts'
import { students } from '../student/student.server.ts'
import { ownCalls } from './own.contract.ts'
import type { OwnCourse, OwnCourseDetail, OwnMeeting } from './own.contract.ts'

interface Stored extends Omit<OwnCourse, 'main' | 'attempt' | 'audit'> {
  status: string
  control_status: ControlStatus
  visibility: GradesVisibility
}

const meetingsJson = sql`coalesce((select json_agg(json_build_object('id', os.id, 'type', os.type, 'group', g.number, 'day', os.day,
    'regular_time', case when p.id is not null then json_build_object('from', to_char(p.start_time, 'HH24:MI'), 'to', to_char(p.end_time, 'HH24:MI')) end,
    'ramadan_time', case when p.id is not null then json_build_object('from', to_char(p.ramadan_start_time, 'HH24:MI'), 'to', to_char(p.ramadan_end_time, 'HH24:MI')) end,
    'location', ${refOrNull('l')},
    'instructors', (select coalesce(json_agg(${ref('i')} order by i.name), '[]') from offering_slot_instructors si
      join instructors i on i.id = si.instructor_id where si.offering_slot_id = os.id)) order by os.day, p.start_time, os.id)
  from registration_slots rs join offering_slots os on os.id = rs.offering_slot_id join offering_groups g on g.id = os.group_id
  left join slots p on p.id = os.slot_id left join locations l on l.id = os.location_id where rs.registration_id = r.id), '[]')`

const courseJson = sql`
  'registration_id', r.id, 'offering_id', o.id, 'offering_code', o.code, 'status', r.status::text, 'control_status', o.control_status,
  'visibility', own_visibility(t.id, b.grades_visibility), 'term', ${ref('w')}, 'ended', w.end_date < university_today(),
  'course', json_build_object('id', c.id, 'name', c.name, 'name_local', c.name_local, 'code', c.code, 'credit_hours', r.credit_hours),
  'total', r.total::text, 'maximum', r.maximum, 'grace', ${sql.raw(graceText('r'))}, 'letter', r.letter, 'rating', ${ratingJson('r')}, 'points', r.points::text, 'passed', r.passed, 'meetings', ${meetingsJson}`
const instructorsJson = sql`coalesce((select json_agg(json_build_object('id', i.id, 'name', i.name, 'name_local', i.name_local, 'code', i.code,
    'role', oi.role, 'email', i.email, 'academic_title', i.academic_title) order by oi.role <> 'leader', oi.role, i.name)
  from offering_instructors oi join instructors i on i.id = oi.instructor_id where oi.offering_id = o.id), '[]')`
const mine = sql`registrations r join offerings o on o.id = r.offering_id ${sql.raw(joinCourse('r.course_id', 'r.offering_id'))}
  join terms w on w.id = r.term_id`

function toCourse<S extends Stored>({ status, visibility, ...one }: S) {
  const bits = BigInt(status)
  return {
    ...seen(one, visibility),
    main: mainOf(bits) ?? ('Registered' as const),
    attempt: attemptOf(bits),
    audit: isAudit(bits),
  }
}

/** A student's courses of a term; without one, of the current or the last one. */
export async function coursesOf(ctx: Ctx, id: number, termId: number | null) {
  const { rows } = await sql<{ terms: Ref[]; chosen: number | null; courses: Stored[]; is_ramadan: boolean }>`
      with listed as (
        select w.id, w.start_date from terms w where exists (select from registrations r where r.student_id = ${id} and r.term_id = w.id)
      ), chosen as (
        select coalesce(${termId}::int,
          (select l.id from listed l join current_terms k on k.term_id = l.id and k.key = 'current_term'),
          (select id from listed order by start_date desc, id desc limit 1)) as id
      )
      select (select id from chosen) as chosen,
        coalesce((select is_ramadan from ramadan_status where kind = 'slots'), false) as is_ramadan,
        coalesce((select json_agg(${ref('w')} order by w.start_date desc, w.id desc) from terms w where w.id in (select id from listed)), '[]') as terms,
        coalesce((select json_agg(json_build_object(${courseJson}, 'instructors', ${instructorsJson}) order by c.code, r.id)
          from ${mine} join students t on t.id = r.student_id join bylaws b on b.id = t.bylaw_id
          where r.student_id = ${id} and r.term_id = (select id from chosen)), '[]') as courses`.execute(ctx.db)
  const { terms, chosen, courses, is_ramadan } = firstRow(rows)
  const own = courses.map(toCourse)
  return {
    term: terms.find((term) => term.id === chosen) ?? null,
    terms,
    is_ramadan,
    hours: sumDecimals(own.map((one) => (one.main === 'Dropped' ? 0 : one.course.credit_hours))),
    courses: own,
  }
}

/** Handlers of what a student reads of the own study. */
export const ownHandlers: readonly Handled[] = [
  handle(ownCalls.profile, async (ctx) => {
    const own = ownAcademicRecord(ctx)
    const [{ notes: _notes, ...row }, { student }] = await Promise.all([
      students.get(ctx, ctx.db, own.id, own.access),
      readRecord(ctx, own),
    ])
    const { gpa, passed_hours, warnings, level } = student
    return { data: { ...row, gpa, passed_hours, warnings, level, abilities: [] } }
  }),
  handle(ownCalls.courses, async (ctx, { query: { term_id } }) => ({
    data: await coursesOf(ctx, ownAcademicRecord(ctx).id, term_id ?? null),
  })),
  handle(ownCalls.course, async (ctx, { params: { offeringId } }) => {
    const { id } = ownAcademicRecord(ctx)
    const { rows } = await sql<{
      data: Stored &
        Omit<OwnCourseDetail, 'main' | 'attempt' | 'audit' | 'marks_visible' | 'why'> & { meetings: OwnMeeting[] }
    }>`
      select json_build_object(${courseJson}, 'instructors', ${instructorsJson}, 'description', c.description,
        'lecture_hours', c.lecture_hours, 'tutorial_hours', c.tutorial_hours, 'laboratory_hours', c.laboratory_hours,
        'clinical_hours', c.clinical_hours,
        'grace_decision', (select json_build_object('decided_by', l.rule ->> 'decided_by', 'decision_number', l.rule ->> 'decision_number',
            'decided_on', l.rule ->> 'decided_on')
          from grace_marks gm join level_results l on l.id = gm.level_result_id where gm.registration_id = r.id),
        'is_ramadan', coalesce((select is_ramadan from ramadan_status where kind = 'slots'), false),
        'marks', coalesce((select json_agg(json_build_object('name', k.name, 'name_local', k.name_local, 'max', m.max::text,
            'is_final_exam', k.is_final_exam, 'mark', case when x.absent then 'A' else trim_scale(x.mark)::text end, 'at', x.entered_at) order by m.position, m.id)
          from offering_marks m join mark_categories k on k.id = m.mark_category_id
          left join registration_marks x on x.offering_mark_id = m.id and x.registration_id = r.id
          where m.offering_id = o.id), '[]')) as data
      from ${mine} join students t on t.id = r.student_id join bylaws b on b.id = t.bylaw_id
      where r.student_id = ${id} and r.offering_id = ${offeringId}`.execute(ctx.db)
    const [row] = rows
    if (!row) throw refuse(404, 'not_found')
    const { visibility, control_status } = row.data
    const view = studentView(visibility, control_status)
    const marks_visible = view.marks
    return {
      data: {
        ...toCourse(row.data),
        marks: row.data.marks.map((one) => ({
          ...one,
          mark: marks_visible ? one.mark : null,
          at: marks_visible ? one.at : null,
        })),
        // It tells both what was earned and what it came to.
        why: marks_visible && view.letter ? await whyOf(ctx.db, row.data.registration_id) : null,
        marks_visible,
        grace_decision: marks_visible ? row.data.grace_decision : null,
      },
    }
  }),
]
