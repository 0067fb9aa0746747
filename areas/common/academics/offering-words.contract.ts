import type { Choice } from '#kit/contract/index.ts'
import { ATTEMPTS } from './grading-words.contract.ts'
import { attemptOf, fromWire, mainOf } from './status.rules.ts'
import { REGISTRATION_STATES } from './registration-words.contract.ts'

/** What somebody is in the team of an offering. */
export const TEAM_ROLES = [
  { value: 'leader', label: ['Course leader', 'منسق المقرر'] },
  { value: 'instructor', label: ['Instructor', 'عضو هيئة تدريس'] },
  { value: 'assistant', label: ['Teaching assistant', 'معاون هيئة تدريس'] },
] as const satisfies readonly Choice[]
export type TeamRole = (typeof TEAM_ROLES)[number]['value']

/** The road of an offering's marks; see `areas/records/grading/control.rules.ts`. */
export const CONTROL_STATUSES = [
  { value: 'Draft', label: ['Draft', 'مسودة'], tone: 'draft' },
  { value: 'Submitted', label: ['Submitted', 'مسلَّمة'], tone: 'waiting' },
  { value: 'Reviewed', label: ['Reviewed', 'مراجَعة'], tone: 'active' },
  { value: 'Approved', label: ['Approved', 'معتمدة'], tone: 'done' },
  { value: 'Published', label: ['Published', 'معلنة'], tone: 'done' },
  { value: 'Frozen', label: ['Frozen', 'مجمَّدة'], tone: 'frozen' },
] as const satisfies readonly Choice[]
export type ControlStatus = (typeof CONTROL_STATUSES)[number]['value']

/** The word for a status on the wire. */
export const stateOf = (status: string) => REGISTRATION_STATES.find((s) => s.value === mainOf(fromWire(status)))
/** Which attempt a status on the wire says it is. */
export const attemptIn = (status: string) => attemptOf(fromWire(status))
export { ATTEMPTS }

/** Steps of control that are taken with many offerings at once. */
export const CONTROL_STEPS = ['submit', 'review', 'approve', 'publish', 'freeze', 'undo'] as const
export type ControlStep = (typeof CONTROL_STEPS)[number]
