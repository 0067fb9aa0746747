import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { NOWHERE } from '#access/reach.contract.ts'
import type { ScopeKind } from '#access/reach.contract.ts'
import type { Resource } from '#kit/contract/index.ts'
import { resourceCalls } from '#kit/contract/index.ts'
import { listPath } from '#kit/contract/resource.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { scopeNamed } from '#kit/server/base/registry.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { testActor } from '#kit/server/testing.ts'
import { AREAS } from '../apps/areas.contract.ts'
import { AREA_SERVERS } from '../apps/server/areas.server.ts'
import { demoDatabase } from './demo.ts'
import { share } from './share.ts'
import { ok, testUniversity } from './university.ts'
import type { Caller, TestUniversity } from './university.ts'

/**
 * What a right within a part of the university reaches: exactly the rows that belong to that part, in the list, in the
 * lookup and one by one. What belongs to a part is written here in its own words, apart from the server, so that a
 * condition on the wrong column is met. A scoped resource that says nothing here fails.
 */
const RESOURCES = AREAS.flatMap((area) => area.resources.filter((r) => r.scope !== 'university'))

/** SQL of the ids that belong to the unit, student or instructor `$1`; `common`: what everybody with the right reads. */
type Belongs = Partial<Record<ScopeKind | 'common', string>>
const students = (what: string) => `select s.id from students s join programs p on p.id = s.program_id where ${what}`
const ofStudents = (table: string) => (what: string) =>
  `select r.id from ${table} r join students s on s.id = r.student_id join programs p on p.id = s.program_id where ${what}`
const registrations = ofStudents('registrations')
const askedWithout = ofStudents('graduate_requests')
const brought = ofStudents('external_papers')
const ofOfferings = (what: string) =>
  `select r.id from course_files r join offerings o on o.id = r.offering_id where ${what}`
/** A family is reached by who reaches all of it. */
const families = (where: string) =>
  `select m.family_id as id from family_members m join students s on s.id = m.student_id join programs p on p.id = s.program_id
   group by 1 having bool_and(coalesce(${where}, false))`
const sponsorships = ofStudents('sponsorships')
const offeredPrograms = (what: string) =>
  `select x.id from admission_programs x join programs p on p.id = x.program_id where ${what}`
/** Applicants with a wish for such a program. */
const wishing = (what: string) =>
  `select w.applicant_id as id from applicant_preferences w join programs p on p.id = w.program_id where ${what}`
/** Offerings with a program among those of a query: named ones, else all whose plan has the course. */
const openTo = (programs: string) => `select o.id from offerings o where case
  when exists (select from offering_programs x where x.offering_id = o.id)
    then exists (select from offering_programs x where x.offering_id = o.id and x.program_id in (${programs}))
  else exists (select from program_courses x where x.course_id = o.course_id and x.program_id in (${programs})) end`
const taught = `select o.id from offerings o where coalesce(o.linked_offering_id, o.id) in (
    select offering_id from offering_instructors where instructor_id = $1
    union select m.offering_id from offering_slots m join offering_slot_instructors t on t.offering_slot_id = m.id where t.instructor_id = $1)
  or o.id in (select offering_id from offering_instructors where instructor_id = $1)`
const groups = (what: string) => `select g.id from stage_groups g left join programs p on p.id = g.program_id
  left join bylaws b on b.id = coalesce(g.bylaw_id, p.bylaw_id) where ${what}`
const stages = (what: string) => `select w.id from term_stages w where w.stage_group_id in (${groups(what)})`
const group = {
  faculty: 'coalesce(g.faculty_id, b.faculty_id, p.faculty_id) = $1',
  bylaw: 'b.id = $1',
  program: 'p.id = $1',
  common: 'g.faculty_id is null and g.bylaw_id is null and g.program_id is null',
}
/** Accounts that are given something in these parts: a user belongs to where he or she may do something as well. */
const given = (type: string, ids: string) => `union select user_id from (
  select user_id, scope_type, scope_id, valid_to from role_assignments union all select user_id, scope_type, scope_id, valid_to from access_entries) g
  where g.scope_type = ${type} and g.scope_id in ${ids.startsWith('(') ? ids : `(${ids})`} and coalesce(g.valid_to >= university_today(), true)`
/** Bylaws of a faculty, for what belongs to one. */
const ofBylaws = 'in (select id from bylaws where faculty_id = $1)'
/** Specifications, and what is kept beside them: of courses and programs where these are now. */
const specified = (table: string): Belongs => {
  const where = (what: string) => `select s.id from ${table} s join years y on y.id = s.year_id
    left join courses c on c.id = s.course_id left join programs p on p.id = s.program_id where ${what}`
  const headed = 'coalesce(c.department_id, p.department_id) in (select id from departments where head_id = $1)'
  return {
    faculty: where('coalesce(c.faculty_id, p.faculty_id) = $1'),
    department: where('coalesce(c.department_id, p.department_id) = $1'),
    program: where('p.id = $1 or c.id in (select course_id from program_courses where program_id = $1)'),
    taught:
      where(`${headed} or exists (select from offerings f join terms w on w.id = f.term_id where f.course_id = c.id
      and f.removed_at is null and w.end_date >= y.start_date - 365 and f.id in (${taught}))`),
    own: where(headed),
  }
}
/** What people who work here ask for as well belongs where they work. */
const askedByStaff = (table: string): Belongs => {
  const of = ofStudents(table)
  const work = (unit: string) => `union select r.id from ${table} r join users u on u.id = r.staff_id
    where coalesce((select i.${unit} from instructors i where i.user_id = u.id), u.${unit}) = $1`
  return {
    faculty: `${of('s.faculty_id = $1')} ${work('faculty_id')}`,
    department: `${of('p.department_id = $1')} ${work('department_id')}`,
    bylaw: of('s.bylaw_id = $1'),
    program: of('s.program_id = $1'),
    own: of('s.id = $1'),
    advised: of('s.advisor_id = $1'),
  }
}
const logbookOf = (whose: string) =>
  `select e.id from logbook_entries e join students s on s.id = e.student_id where ${whose}`
const theses = (what: string) => `select t.id from theses t join students s on s.id = t.student_id where ${what}`
const interns = (what: string) => `select t.id from emtyaz_interns t join students s on s.id = t.student_id
  join programs p on p.id = s.program_id where ${what}`
/** Groups of a rotation in which somebody is. */
const rotationGroups = (
  what: string,
) => `select t.id from emtyaz_offerings t join emtyaz_trainings x on x.id = t.training_id
  join emtyaz_years y on y.id = x.year_id where exists (select from emtyaz_rotations r where r.offering_id = t.id and r.status = 'accepted'
    and r.removed_at is null) and ${what}`
const BELONGS: Readonly<Record<string, Belongs>> = {
  emtyazYear: { faculty: 'select id from emtyaz_years where faculty_id = $1' },
  emtyazCourse: { faculty: 'select id from emtyaz_courses where faculty_id = $1' },
  emtyazTrainingType: {
    faculty:
      'select t.id from emtyaz_training_types t join emtyaz_courses c on c.id = t.course_id where c.faculty_id = $1',
  },
  emtyazTraining: {
    faculty: 'select t.id from emtyaz_trainings t join emtyaz_years y on y.id = t.year_id where y.faculty_id = $1',
    own: 'select t.id from emtyaz_trainings t join emtyaz_interns i on i.year_id = t.year_id where i.student_id = $1 and i.removed_at is null',
    supervised: 'select training_id as id from emtyaz_training_instructors where instructor_id = $1',
  },
  emtyazIntern: {
    faculty: interns('s.faculty_id = $1'),
    department: interns('p.department_id = $1'),
    bylaw: interns('s.bylaw_id = $1'),
    program: interns('s.program_id = $1'),
    own: interns('s.id = $1'),
  },
  emtyazOffering: {
    faculty: rotationGroups('y.faculty_id = $1'),
    supervised:
      rotationGroups(`exists (select from emtyaz_training_instructors m where m.training_id = t.training_id and m.instructor_id = $1
      and m.starts_on <= t.ends_on and m.ends_on >= t.starts_on)`),
  },
  logbookType: {
    faculty: 'select p.id from logbook_types p join emtyaz_courses c on c.id = p.course_id where c.faculty_id = $1',
  },
  logbookEntry: {
    faculty: logbookOf('s.faculty_id = $1'),
    department: logbookOf('s.program_id in (select id from programs where department_id = $1)'),
    bylaw: logbookOf('s.bylaw_id = $1'),
    program: logbookOf('s.program_id = $1'),
    own: logbookOf('s.id = $1'),
    supervised: `select e.id from logbook_entries e join emtyaz_rotations r on r.id = e.rotation_id
      join emtyaz_training_instructors m on m.training_id = r.training_id
      where m.instructor_id = $1 and m.starts_on <= r.ends_on and m.ends_on >= r.starts_on`,
  },
  dutyKind: {
    faculty:
      'select k.id from duty_kinds k join emtyaz_trainings t on t.id = k.training_id join emtyaz_years y on y.id = t.year_id where y.faculty_id = $1',
  },
  dutySwap: {
    faculty:
      'select w.id from duty_swaps w join emtyaz_trainings t on t.id = w.training_id join emtyaz_years y on y.id = t.year_id where y.faculty_id = $1',
    own: 'select id from duty_swaps where $1 in (student_id, other_id)',
    supervised: `select w.id from duty_swaps w join duty_shifts d on d.id = w.shift_id join emtyaz_training_instructors m on m.training_id = w.training_id
      where m.instructor_id = $1 and d.day between m.starts_on and m.ends_on`,
  },
  thesis: {
    faculty: theses('s.faculty_id = $1'),
    department: theses('t.department_id = $1'),
    bylaw: theses('s.bylaw_id = $1'),
    program: theses('s.program_id = $1'),
    own: theses('s.id = $1'),
    supervised: 'select thesis_id as id from thesis_members where instructor_id = $1 and until_date is null',
  },
  thesisSubject: {
    faculty: 'select t.id from thesis_subjects t join departments d on d.id = t.department_id where d.faculty_id = $1',
    department: 'select id from thesis_subjects where department_id = $1',
    own: 'select id from thesis_subjects where instructor_id = $1',
  },
  thesisRule: {
    faculty: 'select r.id from thesis_rules r join bylaws b on b.id = r.bylaw_id where b.faculty_id = $1',
    bylaw: 'select id from thesis_rules where bylaw_id = $1',
  },
  service: askedByStaff('services'),
  certificate: askedByStaff('certificates'),
  specification: specified('specifications'),
  qualityFinding: specified('quality_findings'),
  publication: {
    faculty: 'select publication_id as id from publication_members where faculty_id = $1',
    department: 'select publication_id as id from publication_members where department_id = $1',
    own: 'select publication_id as id from publication_members where user_id = $1 union select id from publications where created_by = $1',
  },
  project: {
    faculty: 'select id from projects where faculty_id = $1',
    department: 'select id from projects where department_id = $1',
    own: 'select project_id as id from project_members where user_id = $1 union select id from projects where created_by = $1',
  },
  faculty: { faculty: 'select id from faculties where id = $1' },
  department: {
    faculty: 'select id from departments where faculty_id = $1',
    department: 'select id from departments where id = $1',
  },
  bylaw: { faculty: 'select id from bylaws where faculty_id = $1', bylaw: 'select id from bylaws where id = $1' },
  program: {
    faculty: 'select id from programs where faculty_id = $1',
    department: 'select id from programs where department_id = $1',
    bylaw: 'select id from programs where bylaw_id = $1',
    program: 'select id from programs where id = $1',
  },
  user: {
    faculty: `select user_id as id from instructors where faculty_id = $1 and user_id is not null
      union select id from users where faculty_id = $1
      union select user_id from students where faculty_id = $1 and user_id is not null ${given("'faculty'", '$1')}
      ${given("'department'", '(select id from departments where faculty_id = $1)')}
      ${given("'bylaw'", '(select id from bylaws where faculty_id = $1)')}
      ${given("'program'", '(select id from programs where faculty_id = $1)')}`,
    department: `select user_id as id from instructors where department_id = $1 and user_id is not null
      union select id from users where department_id = $1 ${given("'department'", '$1')}
      ${given("'program'", '(select id from programs where department_id = $1)')}`,
    bylaw: `select user_id as id from students where bylaw_id = $1 and user_id is not null ${given("'bylaw'", '$1')}
      ${given("'program'", '(select id from programs where bylaw_id = $1)')}`,
    program: `select user_id as id from students where program_id = $1 and user_id is not null ${given("'program'", '$1')}`,
  },
  employee: {
    faculty: 'select id from users where type = 2 and faculty_id = $1',
    department: 'select id from users where type = 2 and department_id = $1',
    own: 'select id from users where type = 2 and id = $1',
  },
  employeeDocument: {
    faculty: 'select d.id from employee_documents d join users u on u.id = d.employee_id where u.faculty_id = $1',
    department: 'select d.id from employee_documents d join users u on u.id = d.employee_id where u.department_id = $1',
    own: 'select id from employee_documents where employee_id = $1',
  },
  instructorDocument: {
    faculty:
      'select d.id from instructor_documents d join instructors i on i.id = d.instructor_id where i.faculty_id = $1',
    department:
      'select d.id from instructor_documents d join instructors i on i.id = d.instructor_id where i.department_id = $1',
    bylaw: `select d.id from instructor_documents d join instructors i on i.id = d.instructor_id
      join bylaws b on b.faculty_id = i.faculty_id where b.id = $1`,
    program: `select d.id from instructor_documents d join instructors i on i.id = d.instructor_id
      join programs p on p.faculty_id = i.faculty_id where p.id = $1`,
    own: 'select id from instructor_documents where instructor_id = $1',
  },
  instructor: {
    faculty: 'select id from instructors where faculty_id = $1',
    department: 'select id from instructors where department_id = $1',
    bylaw: 'select i.id from instructors i join bylaws b on b.faculty_id = i.faculty_id where b.id = $1',
    program: 'select i.id from instructors i join programs p on p.faculty_id = i.faculty_id where p.id = $1',
    own: 'select id from instructors where id = $1',
  },
  student: {
    faculty: students('s.faculty_id = $1'),
    department: students('p.department_id = $1'),
    // The bylaw at entry, which is not always that of the program now.
    bylaw: students('s.bylaw_id = $1'),
    program: students('s.program_id = $1'),
    own: students('s.id = $1'),
    taught: students(`s.id in (select student_id from registrations where offering_id in (${taught}))`),
    advised: students('s.advisor_id = $1'),
  },
  registration: {
    faculty: registrations('s.faculty_id = $1'),
    department: registrations('p.department_id = $1'),
    bylaw: registrations('s.bylaw_id = $1'),
    program: registrations('s.program_id = $1'),
    own: registrations('s.id = $1'),
    taught: registrations(`r.offering_id in (${taught})`),
    advised: registrations('s.advisor_id = $1'),
  },
  admissionProgram: {
    faculty: offeredPrograms('p.faculty_id = $1'),
    department: offeredPrograms('p.department_id = $1'),
    bylaw: offeredPrograms('p.bylaw_id = $1'),
    program: offeredPrograms('p.id = $1'),
  },
  // What nobody knows the record of is the whole university's.
  graduateRequest: {
    faculty: askedWithout('s.faculty_id = $1'),
    department: askedWithout('p.department_id = $1'),
    bylaw: askedWithout('s.bylaw_id = $1'),
    program: askedWithout('s.program_id = $1'),
  },
  // Papers of applicants and of others are the whole university's.
  externalPaper: {
    faculty: brought('s.faculty_id = $1'),
    department: brought('p.department_id = $1'),
    bylaw: brought('s.bylaw_id = $1'),
    program: brought('s.program_id = $1'),
  },
  applicant: {
    faculty: wishing('p.faculty_id = $1'),
    department: wishing('p.department_id = $1'),
    bylaw: wishing('p.bylaw_id = $1'),
    program: wishing('p.id = $1'),
  },
  entranceAppointment: {
    faculty:
      'select t.id from entrance_appointments t left join programs p on p.id = t.program_id where coalesce(t.faculty_id, p.faculty_id) = $1',
    department:
      'select t.id from entrance_appointments t join programs p on p.id = t.program_id where p.department_id = $1',
    bylaw: 'select t.id from entrance_appointments t join programs p on p.id = t.program_id where p.bylaw_id = $1',
    program: 'select id from entrance_appointments where program_id = $1',
    common: 'select id from entrance_appointments where faculty_id is null and program_id is null',
  },
  family: {
    faculty: families('s.faculty_id = $1'),
    department: families('p.department_id = $1'),
    bylaw: families('s.bylaw_id = $1'),
    program: families('s.program_id = $1'),
  },
  reminderStep: {
    faculty: 'select id from reminder_steps where faculty_id = $1',
    common: 'select id from reminder_steps where faculty_id is null',
  },
  sponsorship: {
    faculty: sponsorships('s.faculty_id = $1'),
    department: sponsorships('p.department_id = $1'),
    bylaw: sponsorships('s.bylaw_id = $1'),
    program: sponsorships('s.program_id = $1'),
  },
  offering: {
    faculty: 'select id from offerings where faculty_id = $1',
    department: 'select id from offerings where department_id = $1',
    program: openTo('$1'),
    bylaw: openTo('select id from programs where bylaw_id = $1'),
    taught,
  },
  graceRule: {
    faculty: 'select g.id from grace_rules g join bylaws b on b.id = g.bylaw_id where b.faculty_id = $1',
    bylaw: 'select id from grace_rules where bylaw_id = $1',
  },
  stageGroup: {
    faculty: groups(group.faculty),
    bylaw: groups(group.bylaw),
    program: groups(group.program),
    common: groups(group.common),
  },
  stage: {
    faculty: stages(group.faculty),
    bylaw: stages(group.bylaw),
    program: stages(group.program),
    common: `${stages(group.common)} or w.stage_group_id is null`,
  },
  calendarEvent: {
    faculty: 'select id from calendar_events where faculty_id = $1',
    common: 'select id from calendar_events where faculty_id is null',
  },
  examWeek: {
    faculty: 'select id from exam_weeks where faculty_id = $1',
    common: 'select id from exam_weeks where faculty_id is null',
  },
  officeHour: {
    faculty: 'select h.id from office_hours h join instructors i on i.id = h.instructor_id where i.faculty_id = $1',
    own: 'select id from office_hours where instructor_id = $1',
  },
  exam: {
    faculty: 'select id from exams where faculty_id = $1',
    common: 'select id from exams where faculty_id is null',
  },
  examSchedule: {
    faculty: `select s.id from exam_schedules s join exams e on e.id = s.exam_id join offerings o on o.id = s.offering_id
      where coalesce(e.faculty_id, o.faculty_id) = $1`,
  },
  windowException: { faculty: 'select id from window_exceptions where faculty_id = $1' },
  placementTest: {
    faculty: `select t.id from placement_tests t left join programs p on p.id = t.program_id left join bylaws b on b.id = coalesce(t.bylaw_id, p.bylaw_id)
      where coalesce(t.faculty_id, b.faculty_id) = $1`,
    bylaw: `select t.id from placement_tests t left join programs p on p.id = t.program_id where coalesce(t.bylaw_id, p.bylaw_id) = $1`,
    program: 'select id from placement_tests where program_id = $1',
    common: 'select id from placement_tests where faculty_id is null and bylaw_id is null and program_id is null',
  },
  examAccommodation: {
    faculty: 'select a.id from exam_accommodations a join students s on s.id = a.student_id where s.faculty_id = $1',
  },
  placementResult: {
    faculty: ofStudents('placement_results')('s.faculty_id = $1'),
    department: ofStudents('placement_results')('p.department_id = $1'),
    bylaw: ofStudents('placement_results')('s.bylaw_id = $1'),
    program: ofStudents('placement_results')('s.program_id = $1'),
    advised: ofStudents('placement_results')('s.advisor_id = $1'),
  },
  specialization: {
    faculty: `select id from specializations where bylaw_id ${ofBylaws}`,
    bylaw: 'select id from specializations where bylaw_id = $1',
    program: 'select id from specializations where program_id = $1',
  },
  courseFile: {
    faculty: ofOfferings('o.faculty_id = $1'),
    department: ofOfferings('o.department_id = $1'),
    program: ofOfferings(`o.id in (${openTo('$1')})`),
    bylaw: ofOfferings(`o.id in (${openTo('select id from programs where bylaw_id = $1')})`),
    taught: ofOfferings(`o.id in (${taught})`),
  },
  questionnaire: {
    faculty: 'select id from questionnaires where faculty_id = $1',
    common: 'select id from questionnaires where faculty_id is null',
  },
  // Of the faculty whose building it is.
  hostel: { faculty: `select h.id from hostels h join buildings b on b.id = h.building_id where b.faculty_id = $1` },
  hostelRoom: {
    faculty: `select r.id from hostel_rooms r join hostels h on h.id = r.hostel_id join buildings b on b.id = h.building_id where b.faculty_id = $1`,
  },
  bedClosing: {
    faculty: `select c.id from bed_closings c join hostel_rooms r on r.id = c.room_id join hostels h on h.id = r.hostel_id
      join buildings b on b.id = h.building_id where b.faculty_id = $1`,
  },
  bedGroup: {
    faculty: `select g.id from bed_groups g join hostels h on h.id = g.hostel_id join buildings b on b.id = h.building_id where b.faculty_id = $1`,
  },
  specializationTime: {
    faculty: `select id from specialization_times where bylaw_id ${ofBylaws}`,
    bylaw: 'select id from specialization_times where bylaw_id = $1',
  },
}
/** What students ask for belongs where its student does, whatever it is. */
const requests = RESOURCES.filter((r) => r.flow).map(({ name, table }): [string, Belongs] => {
  const of = ofStudents(table)
  return [
    name,
    {
      faculty: of('s.faculty_id = $1'),
      department: of('p.department_id = $1'),
      bylaw: of('s.bylaw_id = $1'),
      program: of('s.program_id = $1'),
      own: of('s.id = $1'),
      advised: of('s.advisor_id = $1'),
    },
  ]
})
const BELONGING: Readonly<Record<string, Belongs>> = { ...Object.fromEntries(requests), ...BELONGS }
const UNITS: Partial<Record<ScopeKind, string>> = {
  faculty: 'faculties',
  department: 'departments',
  bylaw: 'bylaws',
  program: 'programs',
}

let u: TestUniversity
const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const idsOf = async (text: string, values: unknown[]): Promise<number[]> =>
  (await query<{ id: number }>(text, values)).map((row) => row.id)

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  // The demo university is tidy; here belong things of one kind to more than one unit of another.
  await query(
    `update programs set department_id = (select id from departments d where d.faculty_id = programs.faculty_id order by id offset programs.id % 2 limit 1)`,
  )
  await query(`insert into bylaws (faculty_id, code, name, name_local)
    select id, 'NEW' || id, 'Newer bylaw', 'لائحة أحدث' from faculties`)
  await query(`update students set bylaw_id = (select b.id from bylaws b where b.id <> students.bylaw_id order by b.id limit 1)
    where id % 7 = 0 and (select count(*) from bylaws) > 1`)
  await query(
    `update offerings set department_id = (select d.id from departments d where d.faculty_id = offerings.faculty_id order by d.id offset offerings.id % 3 limit 1)`,
  )
  await query(
    `update students set advisor_id = (select min(id) from instructors) where id in (select student_id from emtyaz_interns where id % 3 = 0)`,
  )
  await query(`insert into offering_slot_instructors (offering_slot_id, instructor_id)
    select s.id, i.id from offering_slots s join instructors i on i.id = (select min(id) from instructors) where s.id % 11 = 0 on conflict do nothing`)
  await query(`insert into stage_groups (code, name, name_local, faculty_id, bylaw_id, program_id, level)
    select 'SG' || x.n, 'Group ' || x.n, 'مجموعة', x.faculty_id, x.bylaw_id, x.program_id, x.level from (
      select 100 + id as n, id as faculty_id, null::int as bylaw_id, null::int as program_id, null::int as level from faculties
      union all select 200 + id, null, id, null, null from bylaws
      union all select 300 + id, null, null, id, null from programs
      union all select 400, null, null, null, 1) x`)
  await query(`insert into term_stages (term_id, stage_code_id, stage_group_id, starts_at, ends_at)
    select t.id, c.id, g.id, now() + interval '400 days', now() + interval '401 days'
    from (select id from terms order by id limit 1) t, (select id from stage_codes order by id limit 1) c, stage_groups g where g.code like 'SG%'`)
}, 1_200_000)
afterAll(() => u?.close())

const keyOf = (r: Resource, verb: 'list' | 'show'): string => [r.permissions[verb]].flat()[0] as string

/** Somebody who may list and open the resource as far as a unit reaches. */
async function within(r: Resource, kind: ScopeKind, id: number): Promise<Caller> {
  const who = await u.as(null)
  for (const verb of ['list', 'show'] as const) {
    await query(
      `insert into access_entries (user_id, permission, scope_type, scope_id) values ($1, $2, $3, $4) on conflict do nothing`,
      [who.user_id, keyOf(r, verb), kind, id],
    )
  }
  u.auth.forget()
  return who
}
/** The same for what is bound to a person: a role that reaches so far, given to whom the record belongs. */
/** What is an instructor’s or an employee’s own; of all else it is a student’s. */
const OF_INSTRUCTORS: ReadonlySet<string> = new Set([
  'specification',
  'qualityFinding',
  'thesisSubject',
  'instructor',
  'officeHour',
  'instructorDocument',
])
/** Tables of students to whom they belong, where these are not those who are registered. */
const OF_STUDENTS: Readonly<Record<string, string>> = {
  emtyazIntern: 'emtyaz_interns',
  emtyazTraining: 'emtyaz_interns',
  logbookEntry: 'logbook_entries',
  dutySwap: 'duty_swaps',
}
const OF_EMPLOYEES: ReadonlySet<string> = new Set(['employee', 'employeeDocument'])
/** Bound to accounts by rows of their members: whose they are is asked by the account. */
const OF_MEMBERS: Readonly<Record<string, string>> = { publication: 'publication_members', project: 'project_members' }
async function boundTo(r: Resource, kind: ScopeKind, id: number): Promise<Caller> {
  const table = kind === 'own' && !OF_INSTRUCTORS.has(r.name) ? 'students' : 'instructors'
  const employee = OF_EMPLOYEES.has(r.name) || (kind === 'own' && r.name in OF_MEMBERS)
  const who = employee ? await u.signIn(id) : await u.as(null, undefined, { type: 1 })
  if (employee) {
    await query('delete from role_assignments where user_id = $1', [id])
    await query('delete from access_entries where user_id = $1', [id])
  } else {
    await query(`update ${table} set user_id = null where user_id = $1`, [who.user_id])
    await query(`update ${table} set user_id = $1 where id = $2`, [who.user_id, id])
  }
  const [role] = await query<{ id: number }>(
    `insert into roles (key, name, name_local) values ($1, $1, $1) returning id`,
    [`scope_${r.name}_${kind}_${id}`],
  )
  for (const verb of ['list', 'show'] as const)
    await query(
      'insert into role_permissions (role_id, permission, reach) values ($1, $2, $3) on conflict do nothing',
      [role!.id, keyOf(r, verb), kind],
    )
  await query('insert into role_assignments (user_id, role_id) values ($1, $2)', [who.user_id, role!.id])
  u.auth.forget()
  return who
}

async function listed(who: Caller, r: Resource): Promise<number[]> {
  const out: number[] = []
  for (let page = 1; ; page++) {
    // Offerings are those of the current term unless all are asked for.
    const filters = r.name === 'offering' ? { term_id: null } : {}
    const answer = await who('POST', listPath(r), { page, perPage: 500, filters })
    const rows = ok(answer) as { id: number }[]
    out.push(...rows.map((row) => row.id))
    if (rows.length < 500) return out.toSorted((a, b) => a - b)
  }
}

describe.each(
  share(
    RESOURCES.map((r) => [r.name, r] as const),
    8,
  ),
)('%s', (name, r) => {
  const kinds = r.scope as readonly ScopeKind[]
  it('says what belongs to each kind of unit it is bound by, and no other', () => {
    expect(Object.keys(BELONGING[name] ?? {}).toSorted()).toEqual(
      [...kinds, ...(r.common ? ['common'] : [])].toSorted(),
    )
  })
  it.each(kinds)(
    'of a %s: exactly its rows',
    async (kind) => {
      const belongs = BELONGING[name]![kind]!
      const live = `select id from ${r.table} where ${r.softDelete ? 'removed_at is null' : 'true'}`
      const common = r.common ? `or id in (${BELONGING[name]!.common!})` : ''
      const expected = (id: number) => idsOf(`${live} and (id in (${belongs}) ${common}) order by id`, [id])
      const all = (await idsOf(live, [])).length
      // Units that tell: with rows of their own, and with others that are not theirs.
      const units = UNITS[kind]
        ? await idsOf(`select id from ${UNITS[kind]} order by id`, [])
        : name in OF_MEMBERS
          ? await idsOf(
              `select user_id as id from ${OF_MEMBERS[name]} where user_id is not null group by 1 order by 1 limit 3`,
              [],
            )
          : OF_EMPLOYEES.has(name)
            ? await idsOf(
                `select u.id from users u where u.type = 2 and not u.is_super_admin and not u.is_root
                and exists (select from employee_documents d where d.employee_id = u.id) order by u.id desc limit 3`,
                [],
              )
            : kind === 'own' && !OF_INSTRUCTORS.has(name)
              ? await idsOf(
                  `select student_id as id from ${r.flow || name === 'thesis' ? r.table : (OF_STUDENTS[name] ?? 'registrations')}
                  group by 1 order by count(*) desc, 1 limit 3`,
                  [],
                )
              : await idsOf('select id from instructors order by id limit 12', [])
      let told = 0
      for (const id of units.slice(0, 12)) {
        const rows = await expected(id)
        if (!rows.length || rows.length === all) continue
        if (told++ === 3) break
        const who = UNITS[kind] ? await within(r, kind, id) : await boundTo(r, kind, id)
        // Whoever asks is an account of that part as well.
        const shown = (await listed(who, r)).filter((one) => name !== 'user' || one !== who.user_id)
        const hidden = new Set(rows).difference(new Set(shown))
        const others = new Set(shown).difference(new Set(rows))
        expect({ hidden: [...hidden].slice(0, 3), others: [...others].slice(0, 3) }, `${kind} ${id}`).toEqual({
          hidden: [],
          others: [],
        })
        if (!('get' in resourceCalls(r))) continue
        const outside = (await idsOf(live, [])).find((other) => !rows.includes(other))
        expect((await who('GET', `${r.path}/${rows[0]}`)).status).toBe(200)
        if (outside !== undefined) expect((await who('GET', `${r.path}/${outside}`)).status).toBe(404)
      }
      expect(told, `no ${kind} tells anything`).toBeGreaterThan(0)
    },
    60_000,
  )
})

/**
 * A condition of scope is also told in answers ("may be moved") and asked the other way round: it says yes or no of every
 * row, also of one whose columns are empty as far as the table allows.
 */
describe('is never unknown', () => {
  const someone = {
    all: false,
    faculty: [1],
    department: [1],
    bylaw: [1],
    program: [1],
    own: true,
    taught: true,
    advised: true,
    supervised: true,
  }
  const ids = { user_id: 1, student_id: 1, instructor_id: 1 }
  const nobody = { user_id: 1, student_id: null, instructor_id: null }
  it.each(RESOURCES.map((r) => [r.name, r] as const))('%s', async (_name, r) => {
    const columns = await query<{ column_name: string; type: string; empty: boolean }>(
      `select a.attname as column_name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as empty
       from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped`,
      [r.table],
    )
    const emptied = columns
      .map((c) => (c.empty ? `null::${c.type} as "${c.column_name}"` : `"${c.column_name}"`))
      .join(', ')
    const unknown: string[] = []
    for (const who of [ids, nobody])
      for (const kind of r.scope as readonly ScopeKind[]) {
        const reach = { ...NOWHERE, [kind]: someone[kind as keyof typeof someone] }
        const key = [r.permissions.list].flat()[0] as PermissionKey
        const ctx = { system: null, actor: testActor({}, { ...who, rights: new Map([[key, reach]]) }) } as Ctx
        const condition = scopeCondition(ctx, [key], scopeNamed(r.name)!(ctx))
        const of = sql.raw(`(select ${emptied} from ${r.table} limit 100)`)
        const { rows } = await sql`select from ${of} t where (${condition}) is null limit 1`.execute(u.services.db)
        if (rows.length) unknown.push(`${kind}${who === nobody ? ', of who is neither student nor instructor' : ''}`)
      }
    expect(unknown).toEqual([])
  })
})
