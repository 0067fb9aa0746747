import { area } from '#kit/contract/index.ts'

/** Acceptance: applicants who have taken their seat up become students. */
export const acceptanceArea = area({ name: 'acceptance', label: ['Acceptance', 'القبول النهائي'] })
