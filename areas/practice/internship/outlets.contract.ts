import { outlet } from '#kit/contract/outlet.ts'

/** Room on the page of an intern for the logbook and the duties. */
export const logbookOfIntern = outlet<{ readonly id: number }>('intern.logbook')
