/** Places on the pages of applicants that are filled by who examines them. */
import { outlet } from '#kit/contract/outlet.ts'

/** On the desk's page of an applicant: appointments and results. */
export const examOfApplicant = outlet<{ readonly row: { readonly id: number } }>('applicant.exam')
/** In the public form, above its pages, while an application is at the exam. */
export const examOfApplication = outlet<{ readonly id: number; readonly secret: string }>('application.exam')
