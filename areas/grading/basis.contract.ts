import { fact } from '#kit/contract/index.ts'

/** The result of a registration, as it is published. */
export const resultFact = fact({ name: 'result' })
/** The result of a registration, as control has approved it. */
export const approvedFact = fact({ name: 'approved' })
/** Figures of a student as they stand: GPA, hours passed, level. */
export const figuresFact = fact({ name: 'figures' })
