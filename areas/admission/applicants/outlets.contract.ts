/** Places on the pages of applicants and applications that later areas fill. */
import { outlet } from '#kit/contract/outlet.ts'

/** What an application costs, what of it is paid, and how it is paid; `onPaid`: something of it has changed. */
export const paymentOfApplication = outlet<{
  readonly id: number
  readonly secret: string
  readonly onPaid: () => void
}>('application.payment')
/** On the desk's page of an applicant: appointments and results. */
export const examOfApplicant = outlet<{ readonly row: { readonly id: number } }>('applicant.exam')
/** On the desk's page of an applicant: papers that he or she brought from elsewhere. */
export const papersOfApplicant = outlet<{ readonly row: { readonly id: number } }>('applicant.papers_from_elsewhere')
/** In the public form, above its pages, from when an application waits for a seat. */
export const resultOfApplication = outlet<{ readonly id: number; readonly secret: string }>('application.result')
/** In the public form, above its pages, while an application is at the exam. */
export const examOfApplication = outlet<{ readonly id: number; readonly secret: string }>('application.exam')
