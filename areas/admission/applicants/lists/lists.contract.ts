/** Lists of applicants that the documents name: each is the list of all, narrowed. */
const ACCEPTED = ['FINAL_FEES_REQUIRED', 'APPROVED', 'accepted']
const POSTGRADUATE = [4, 5, 6]

export const APPLICANT_LISTS = {
  '/applicants_pg': {
    title: ['Postgraduate applicants', 'متقدمو الدراسات العليا'],
    fixed: { applicant_type: POSTGRADUATE },
  },
  '/accepted_applicants': {
    title: ['Accepted applicants', 'المتقدمون المقبولون'],
    fixed: { applicant_type: [1], status: ACCEPTED },
  },
  '/accepted_applicants_pg': {
    title: ['Accepted postgraduate applicants', 'المقبولون بالدراسات العليا'],
    fixed: { applicant_type: POSTGRADUATE, status: ACCEPTED },
  },
  '/admission/transfer_students': {
    title: ['Transfer applicants', 'المتقدمون للتحويل'],
    fixed: { applicant_type: [3] },
  },
  '/transfered_student_paid': {
    title: ['Transfer applicants who paid', 'المحولون الذين سددوا'],
    fixed: { applicant_type: [3], status: ['APPROVED', 'accepted'] },
  },
} as const
export type ApplicantListKey = keyof typeof APPLICANT_LISTS
