import { z } from 'zod'
import type { Choice } from '#kit/contract/index.ts'
import { REGISTRATION_STATES } from './registration-words.contract.ts'

/** How a student stands after a term. */
export const STANDINGS = [
  { value: 'good', label: ['Good standing', 'منتظم'], tone: 'done' },
  { value: 'warned', label: ['Under warning', 'منذر'], tone: 'waiting' },
  { value: 'dismissed', label: ['Up for dismissal', 'معرض للفصل'], tone: 'refused' },
] as const satisfies readonly Choice[]

const NOT_ON_RESULTS: readonly string[] = ['RegisterRequest', 'AddRequest', 'Dropped']
/** States of a registration that stand on a list of results, in the words of registration. */
export const RESULT_STATES = REGISTRATION_STATES.filter((state) => !NOT_ON_RESULTS.includes(state.value))

/** Which attempt at the course it is. */
export const ATTEMPTS = [
  { value: 'Fresh', label: ['First attempt', 'المحاولة الأولى'] },
  { value: 'Repeat', label: ['Repeat', 'إعادة'] },
  { value: 'Improve', label: ['Improvement', 'تحسين'] },
] as const satisfies readonly Choice[]

/** What a result is called under a regulation by marks, with its symbol. */
export const rating = z.object({ code: z.string(), name: z.string(), name_local: z.string() })
export type RatingName = z.output<typeof rating>

/** How a student is in a level for an academic year, under a regulation by marks. */
export const ENROLMENTS = [
  { value: 'new', label: ['New in the level', 'مستجد'], tone: 'active' },
  { value: 'carried', label: ['With carried courses', 'منقول بمواد'], tone: 'waiting' },
  { value: 'repeating', label: ['Repeating', 'باقٍ للإعادة'], tone: 'waiting' },
  { value: 'external', label: ['External', 'من الخارج'], tone: 'frozen' },
] as const satisfies readonly Choice[]
