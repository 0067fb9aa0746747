import type { MeetingType } from '#kit/contract/week.ts'
import type { Bylaw, TermType } from '#areas/study/catalogue/bylaw.rules.ts'
import type { Hundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { Bilingual } from '#areas/common/academics/problem.rules.ts'
import type { ControlStatus } from '#areas/common/academics/control.rules.ts'
import type { PlacementBand } from '#areas/common/academics/placement.rules.ts'
import type { PassedCourse, Requisite } from '#areas/study/catalogue/requisites.rules.ts'
import type { StageCode, Who } from '#areas/common/academics/status.rules.ts'

/** A weekly meeting, `to` excluded: 9:00 to 10:00 and 10:00 to 11:00 do not clash. */
export type RequestedMeeting = { day: number; from: number; to: number }

/** An exam, `to` excluded. */
export type ExamTime = { date: string; from: number; to: number }

/** A slot of the offering asked for; linked offerings give the seats they share. */
export type OfferedSlot = {
  id: number
  group: number
  type: MeetingType
  /** Slots of one group and type that are attended together; others of the type are alternatives. */
  section?: string | null
  meetings: RequestedMeeting[]
  quota: number
  over_quota: number
  taken: number
  /** Free seats that only the wait list may give. */
  held: number
}

/** A registration of the student in the same term. */
export type CurrentRegistration = {
  id?: number
  /** The registration that is given up once this request is accepted. */
  gives_up_id?: number | null
  /** It goes once what is asked for is accepted: neither its hours nor its time stand against it. */
  aside?: boolean
  offering_id: number
  course_id: number
  /** For texts, such as CS101. */
  course_code: string
  credit_hours: Hundredths
  status: string
  meetings: RequestedMeeting[]
  exams: ExamTime[]
}

/** A registration of the same person in another program: its time is the person's, its hours are not. */
export type RegistrationElsewhere = Omit<CurrentRegistration, 'credit_hours'>

/** Present under a regulation by marks: neither GPA nor load, hours or warnings decide. */
type ByMarks = { marks?: object | null }

export type RequestInput = {
  now: string
  today: string
  who: Extract<Who, 'student' | 'advisor' | 'registrar' | 'system'>
  action: 'request' | 'add' | 'enroll'
  /** The student asks to improve a grade of a course already passed. */
  improve: boolean
  /** The windows open to the groups of this student in this term; `to` is excluded. */
  stages: { code: StageCode; from: string; to: string }[]
  term_type: TermType
  bylaw: Pick<Bylaw, 'grade_ranges' | 'load_ranges' | 'warning' | 'repeat' | 'max_repeats' | 'graduating'> & ByMarks
  /**
   * The offering is one of the block of the student's level: what the plan asks for is settled. Under a regulation by
   * marks alone.
   */
  block?: boolean
  /** The student only sits the exam: no meetings, no seats. */
  exam_only?: boolean
  student: {
    program_id: number
    level: number
    /** Cumulative; null before the first result. */
    gpa: Hundredths | null
    passed_hours: Hundredths
    /** Hours that the degree still asks for; null: it asks for none. */
    hours_to_degree: Hundredths | null
    /** Warnings as the bylaw counts them now. */
    warnings: number
    /** How many improvements were taken so far, in all terms. */
    improvements: number
    /** All passed attempts, those recorded by transfer or exemption included. */
    passed: PassedCourse[]
    /** Placement tests with a result, and those that have to be taken first. */
    placements?: readonly PlacementBand[]
    current: CurrentRegistration[]
    /** What the person is registered for in the same term in another program. */
    elsewhere?: readonly RegistrationElsewhere[]
    /** null: is studying; else the name of the status. */
    not_studying: Bilingual | null
    blocked: boolean
    unpaid_invoices: { code: string; due_date: string }[]
    unfilled_surveys: Bilingual[]
    missing_documents: Bilingual[]
  }
  offering: {
    id: number
    state: 'draft' | 'open' | 'closed'
    /** Where control stands with its marks: from Submitted on nobody comes in any more. */
    control_status: ControlStatus
    /** Empty = open to all. */
    program_ids: number[]
    levels: number[]
    /** As what the course stands in the student's plan; null or absent: it does not. */
    plan_kind?: 'mandatory' | 'elective' | 'university' | 'faculty' | null
    slots: OfferedSlot[]
    exams: ExamTime[]
    course: {
      id: number
      code: string
      credit_hours: Hundredths
      prerequisites: Requisite | null
      corequisite_ids: number[]
      min_passed_hours: Hundredths | null
      min_level: number | null
      /** Courses that count as this one. */
      equal_ids: number[]
      /** How often the student has failed it, or an equal one. */
      failed_attempts: number
    }
  }
  slot_ids: number[]
  /** Courses asked for in the same call; they satisfy co-requisites. */
  together_ids: number[]
  /** Codes of the courses that prerequisites and co-requisites name, by id. */
  course_codes: Record<string, string>
}
