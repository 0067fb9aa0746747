/**
 * The demo university as one plain structure. Ids are small integers, counted from 1 and local to each list; a loader
 * maps them to those of the database. Decimals are text, dates `YYYY-MM-DD`, status flags decimal text.
 */
import type { BylawEntry } from './bylaws.ts'
import type { LocationType } from './campus.ts'

type Named = { id: number; code: string; name: string; name_local: string }

/** As stored with a course: `course` is an id. */
export type CourseRequisite =
  | { course: number; min_grade?: string }
  | { all: CourseRequisite[] }
  | { any: CourseRequisite[] }

export type Person = {
  name: string
  name_local: string
  email: string
  /** 1 male, 2 female. */
  gender: 1 | 2
  birth_date: string
  /** 64 is Egyptian. */
  nationality_id: number
  /** 14 digits; null for foreigners, who have a passport number. */
  national_id: string | null
  passport_number: string | null
  phone: string
  address: string
  address_local: string
}

export type DemoUser = Person & {
  id: number
  /** 1 instructor, 2 employee. */
  type: 1 | 2
  code: string
  /** Of academic people; null for employees. */
  academic_title: 'professor' | 'associate_professor' | 'lecturer' | 'assistant_lecturer' | 'demonstrator' | null
  /** The same as words, or the position of an employee. */
  title: string
  title_local: string
  faculty_id: number | null
  department_id: number | null
  /** Keys of seeded roles, each for one faculty or program, or for the whole university. */
  roles: { role: string; faculty_id: number | null; program_id: number | null }[]
}

export type DemoStudent = Person & {
  id: number
  code: string
  program_id: number
  faculty_id: number
  bylaw_id: number
  entry_term_id: number
  military_status: 'exempted' | 'temporary_exempted' | 'foreign' | null
  parent_name: string
  parent_name_local: string
  parent_phone: string
  school_certificate: string
  school_certificate_local: string
  school_year: number
  school_percentage: string
  /** User id of the academic advisor. */
  advisor_id: number
  /** Level by passed hours at the load date. */
  level: number
}

export type MeetingType = 'Lecture' | 'Lab' | 'Tutorial' | 'Clinic'
export type ControlStatus = 'Draft' | 'Submitted' | 'Reviewed' | 'Approved' | 'Published' | 'Frozen'
export type MainFlag =
  | 'RegisterRequest'
  | 'AddRequest'
  | 'Registered'
  | 'DropRequest'
  | 'WithdrawRequest'
  | 'Withdrawn'
  | 'Excused'
  | 'Incomplete'
  | 'Absent'
  | 'Banned'
export type AttemptKind = 'Fresh' | 'Repeat' | 'Improve'

export type DemoTerm = Named & {
  type: 'fall' | 'spring' | 'summer'
  year_id: number
  start_date: string
  end_date: string
  state: 'finished' | 'control' | 'current'
}

export type DemoOffering = {
  id: number
  term_id: number
  course_id: number
  /** Tells offerings of one course in one term apart. */
  code: string
  /** Mark scheme. */
  mark_id: number
  control_status: ControlStatus
  number_of_groups: number
}

export type DemoOfferingSlot = {
  id: number
  offering_id: number
  /** Groups of an offering are numbered from 1; a group has one slot of each type, or several sections to choose from. */
  group: number
  /** A, B, … within a group where a type is taught in sections. */
  section: string | null
  type: MeetingType
  /** 0 is Saturday. */
  day: number
  slot_id: number
  location_id: number
  /** User ids. */
  instructor_ids: number[]
  quota: number
  over_quota: number
  /** Live registrations that hold a seat. */
  taken: number
}

export type DemoRegistration = {
  id: number
  student_id: number
  offering_id: number
  /** Flags as a decimal text. */
  status: string
  main: MainFlag
  attempt: AttemptKind
  /** What the demo expects as result: percentage rounded by the bylaw, and letter. Null without complete marks. */
  total: string | null
  letter: string | null
}

export type DemoAccount = {
  role: string
  name: string
  name_local: string
  email: string
  password: string
}

export type DemoUniversity = {
  today: string
  university: { name: string; name_local: string; short_name: string; city: string; city_local: string; domain: string }
  nationalities: Named[]
  faculties: (Named & { bylaw_id: number })[]
  departments: (Named & { faculty_id: number })[]
  bylaws: (BylawEntry & { id: number; faculty_id: number })[]
  mark_categories: (Named & { is_final_exam: boolean; exam_kind: string | null })[]
  /** Mark schemes. */
  marks: (Named & {
    bylaw_id: number
    kind: 'theory' | 'laboratory' | 'project'
    items: { mark_category_id: number; max: string; position: number }[]
  })[]
  courses: (Named & {
    /** Null for university requirements. */
    faculty_id: number | null
    department_id: number
    lecture_hours: number
    tutorial_hours: number
    laboratory_hours: number
    clinical_hours: number
    credit_hours: number
    prerequisites: CourseRequisite | null
    /** Course ids. */
    corequisites: number[]
    min_passed_hours: number
    min_level: number
    requirement: 'none' | 'university' | 'faculty'
  })[]
  programs: (Named & {
    degree: string
    degree_local: string
    faculty_id: number
    department_id: number
    bylaw_id: number
    program_type: 'credit_hours' | 'term'
    admission_capacity: number
    min_credit_hours: number
    min_training_weeks: number
    university_requirements: number[]
    faculty_requirements: number[]
  })[]
  program_pools: (Named & { program_id: number; min_credit_hours: number })[]
  /** Where the plan leaves a place for one course of a pool. */
  pool_places: { pool_id: number; semester: number; level: number; credit_hours: number }[]
  program_courses: {
    program_id: number
    course_id: number
    level: number
    semester: number
    kind: 'mandatory' | 'elective' | 'university' | 'faculty'
    pool_id: number | null
  }[]
  buildings: (Named & { faculty_id: number | null })[]
  locations: (Named & { building_id: number; floor: number; location_type: LocationType; capacity: number })[]
  slots: {
    id: number
    code: string
    name: string
    name_local: string
    start_time: string
    end_time: string
    ramadan_start_time: string
    ramadan_end_time: string
  }[]
  years: { id: number; code: string; name: string; name_local: string; start_date: string; end_date: string }[]
  terms: DemoTerm[]
  current_terms: Record<
    | 'current_term'
    | 'current_admission_term'
    | 'current_admission_term_UG'
    | 'current_admission_term_PG'
    | 'current_transfer_term'
    | 'current_control_term'
    | 'current_exam_term',
    number
  >
  stage_codes: Named[]
  stage_groups: (Named & { faculty_id: number | null })[]
  term_stages: {
    id: number
    term_id: number
    stage_code_id: number
    stage_group_id: number
    start_date: string
    end_date: string
  }[]
  users: DemoUser[]
  students: DemoStudent[]
  offerings: DemoOffering[]
  /** Programs an offering is open to, at every level: students repeat courses of lower levels. */
  offering_programs: { offering_id: number; program_id: number }[]
  offering_instructors: { offering_id: number; user_id: number; role: 'leader' | 'instructor' | 'assistant' }[]
  offering_slots: DemoOfferingSlot[]
  registrations: DemoRegistration[]
  /** By marks: in which level somebody was in an academic year, and how. */
  student_years: {
    student_id: number
    year_id: number
    bylaw_id: number
    program_id: number
    level: number
    enrolment: 'new' | 'carried' | 'repeating'
  }[]
  registration_slots: { registration_id: number; offering_slot_id: number }[]
  /** One row per entered mark; a missing mark has no row; `mark` is null where the student was absent. */
  registration_marks: { registration_id: number; mark_category_id: number; mark: string | null; absent: boolean }[]
  /** In the order of the queue. */
  wait_list: {
    offering_id: number
    student_id: number
    offering_slot_ids: number[]
    gives_up_id?: number
    swap_slot_ids?: number[]
  }[]
  /** People with an account but no application yet. */
  applicants: (Person & { id: number })[]
  accounts: DemoAccount[]
}
