import { call, id, idParam, ref } from '#kit/contract/index.ts'
import { z } from 'zod'
import { STUDENT_STATUSES } from '#areas/records/students/student/student.contract.ts'
import { controlStatuses } from '#areas/common/academics/control.rules.ts'

const count = z.int()
const term = ref.extend({ start_date: z.string(), end_date: z.string() })
/** Offerings in each status of control. */
const statuses = z.object(
  Object.fromEntries(controlStatuses.map((s) => [s, count])) as Record<(typeof controlStatuses)[number], typeof count>,
)

/** A window that is open, or opens within two weeks, for students within reach. */
const window = z.object({
  id,
  stage_code: ref,
  /** null: all students. */
  stage_group: ref.nullable(),
  term: ref,
  starts_at: z.string(),
  ends_at: z.string(),
})

/** Requests of students, by what they ask for. */
const requests = z.object({
  total: count,
  RegisterRequest: count,
  AddRequest: count,
  DropRequest: count,
  WithdrawRequest: count,
  ExcuseRequest: count,
  /** Since when the oldest waits; null: none does. */
  oldest: z.string().nullable(),
})

/**
 * Figures of the day. Each block counts what the list shows to which it leads, so it follows the right to that list and
 * its reach; null: the reader has no such list.
 */
export const counts = z.object({
  term: term.nullable(),
  control_term: term.nullable(),
  windows: z.array(window),
  students: z
    .object({
      statuses: z.object(
        Object.fromEntries(STUDENT_STATUSES.map((s) => [s.value, count])) as Record<
          (typeof STUDENT_STATUSES)[number]['value'],
          typeof count
        >,
      ),
      /** Of the studying: with a warning, without an academic advisor. */
      warned: count,
      without_advisor: count,
    })
    .nullable(),
  /** Registrations of the term that count in the load and are no requests any more, and how many students have one. */
  registrations: z.object({ total: count, students: count, requests }).nullable(),
  offerings: z
    .object({
      total: count,
      open: count,
      /** Without a free seat; with a meeting that has no time. */
      full: count,
      unplaced: count,
      seats: count,
      taken: count,
      /** Students on wait lists, and the offerings they wait for. */
      waiting: count,
      waited_for: count,
    })
    .nullable(),
  /** Offerings of the control term by status. */
  control: statuses.nullable(),
})
export type OverviewCounts = z.output<typeof counts>

const students = {
  /** null: no right to students. */
  studying: count.nullable(),
  /** Students with a registration in the term; null: no right to registrations. */
  registered: count.nullable(),
  requests: count.nullable(),
}
/** How the parts of the university stand. */
export const faculties = z.object({
  faculties: z.array(
    z.object({
      /** null: offerings of no faculty. */
      faculty: ref.nullable(),
      ...students,
      /** null: no right to offerings. */
      offerings: count.nullable(),
      control: statuses.nullable(),
      programs: z.array(z.object({ program: ref, ...students })),
    }),
  ),
  /** GPAs of the last finished term in steps of a half; null: no right to records, or nothing finished yet. */
  results: z
    .object({
      term: ref,
      students: count,
      /** Two places. */
      mean: z.string().nullable(),
      warned: count,
      bands: z.array(z.object({ from: z.string(), to: z.string(), students: count })),
    })
    .nullable(),
})
export type Faculties = z.output<typeof faculties>

const owed = z.object({
  faculty: ref.nullable(),
  invoices: count,
  /** In minor units. */
  charged: z.int(),
  paid: z.int(),
  open: z.int(),
})
/** What faculties charged in the academic year of the term, and what of it is paid; null: no right to invoices. */
export const payments = z.object({
  year: ref.nullable(),
  payments_per_faculty: z.array(owed).nullable(),
  payments_per_faculty_dollar: z.array(owed).nullable(),
})
export type Payments = z.output<typeof payments>

const moves = { registered: count, accepted: count, left: count }
/** What happens day by day and month by month. */
export const activities = z.object({
  /** From the first day of registration or add and drop to the last, as far as it has come (at most 62 days). */
  window: z.object({ from: z.string(), to: z.string() }).nullable(),
  per_day: z.array(z.object({ day: z.string(), ...moves })),
  /** The last twelve months; `control`: steps of offerings in control. */
  activities_per_month: z.array(z.object({ month: z.string(), ...moves, control: count })),
})
export type Activities = z.output<typeof activities>

/** The current terms unless another is asked for: then that one, for study and for control. */
const query = z.strictObject({ term_id: idParam.optional() })
const isZone = (name: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
/** Where the reader's days begin, by its IANA name. */
const zone = z
  .string()
  .max(60)
  .regex(/^[A-Za-z]/)
  .refine(isZone)
  .default('UTC')
const permission = 'admin_system'

/** The dashboard of staff. Nothing is sent; everything is within the reader's reach. */
export const overviewCalls = {
  counts: call('POST', '/dashboard/counts', {
    permission,
    summary: ['Figures of the day', 'أرقام اليوم'],
    query,
    response: z.object({ data: counts }),
    reads: true,
  }),
  faculty: call('POST', '/dashboard/faculty', {
    permission,
    summary: ['Figures by faculty and program', 'الأرقام حسب الكلية والبرنامج'],
    query,
    response: z.object({ data: faculties }),
    reads: true,
  }),
  payment: call('POST', '/dashboard/payment', {
    permission,
    summary: ['What faculties charged and what is paid', 'ما استحق للكليات وما سُدد'],
    query,
    response: z.object({ data: payments }),
    reads: true,
  }),
  activities: call('POST', '/dashboard/activities', {
    permission,
    summary: ['Registration and control by day and month', 'حركة التسجيل والكنترول يوميًا وشهريًا'],
    query: query.extend({ zone }),
    response: z.object({ data: activities }),
    reads: true,
  }),
}
